//! `glob_files`: files by pattern.

use std::ops::ControlFlow;

use pinfold_contract::env::EnvGlobbed;
use pinfold_jail::Glob;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::{
    At, Located,
    search::{Area, Hunt, Start},
};
use crate::{
    Failure,
    backend::Asked,
    gate::{Look, Permit},
    tools::FileTool,
    walk::{Found, Visitor},
};

/// The arguments of `glob_files`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GlobFiles {
    /// The pattern, such as `src/**/*.ts`; it counts from root.
    pub pattern: String,
    /// Where to look. Default: the whole workspace.
    pub root: Option<String>,
    /// Also look at names that begin with a dot. Default: false.
    pub include_hidden: Option<bool>,
    /// Most files to return. Default: 100.
    #[schemars(range(min = 1, max = 100_000))]
    pub max_matches: Option<usize>,
}

impl Located for GlobFiles {
    const LABEL: &str = "root";
    const MAY_BE_ROOT: bool = true;

    fn text(&self) -> Option<&str> {
        self.root.as_deref()
    }
}

/// A search whose pattern was read.
#[derive(Debug, Clone)]
pub(crate) struct Globbing {
    at: At<GlobFiles>,
    glob: Glob,
}

impl Globbing {
    pub(crate) fn read(wish: GlobFiles, roots: &[std::path::PathBuf]) -> Result<Globbing, Failure> {
        super::in_bounds("maxMatches", wish.max_matches, 100_000)?;
        let at = At::read(wish, roots)?;
        let glob = super::search::pattern(&at.wish.pattern, &at.path, roots)?;
        Ok(Globbing { at, glob })
    }
}

impl FileTool for Globbing {
    type Deed = Look;
    type Report = EnvGlobbed;

    fn asks(&self) -> Asked {
        self.at.path.to_look_at()
    }

    fn perform(self, permit: Permit<Look>, cancel: &CancellationToken) -> Result<EnvGlobbed, Failure> {
        let Globbing { at: At { path, wish }, glob } = self;
        let hunt = Hunt::new(path, permit.open(), Some(glob), wish.include_hidden.unwrap_or(false));
        let (start, area) = hunt.start()?;
        let most = wish.max_matches.unwrap_or(area.ground.terms.policy.env_dialect.max_matches);
        let root = area.root.to_string();
        let mut found = EnvGlobbed {
            matches: Vec::new(),
            root,
            pattern: wish.pattern,
            truncated: false,
            max_matches: most,
            complete: true,
        };
        match start {
            Start::Nothing => {}
            Start::File(_) => found.matches.push(area.root.to_string()),
            Start::Below(top) => {
                let (matches, truncated) = (&mut found.matches, &mut found.truncated);
                let walked = area.trip(&top, cancel).walk(&Finder(&area), &mut |path| {
                    if matches.len() == most {
                        *truncated = true;
                        return ControlFlow::Break(());
                    }
                    matches.push(path);
                    ControlFlow::Continue(())
                });
                found.complete = walked.stopped.is_none() && walked.unreadable == 0;
            }
        }
        Ok(found)
    }
}

struct Finder<'a>(&'a Area);

impl Visitor for Finder<'_> {
    type Worker = ();
    type Yield = String;

    fn worker(&self) {}

    fn file(&self, _worker: &mut (), found: &Found<'_>) -> Option<String> {
        Some(self.0.path_of(found))
    }
}
