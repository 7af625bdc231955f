//! `glob`: files by pattern.

use std::{ops::ControlFlow, path::PathBuf};

use pinfold_contract::GlobResult;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::FileTool;
use crate::{
    Failure,
    backend::Asked,
    gate::{Look, Permit, Site, Terms},
    pattern::Filter,
    walk::{Found, Trip, Visitor},
    words,
};

/// The arguments of `glob`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Glob {
    /// Such as `src/**/*.rs`.
    pub pattern: String,
    /// Default: the root.
    pub path: Option<PathBuf>,
    /// Default: 1,000.
    #[schemars(range(min = 1, max = 100_000))]
    pub max_matches: Option<usize>,
}

pub(crate) const DEFAULT_MATCHES: usize = 1000;

impl FileTool for Glob {
    const SEARCHES: bool = true;

    type Deed = Look;
    type Report = GlobResult;

    fn asks(&self) -> Asked {
        let name = self.path.clone().unwrap_or_default().into_os_string();
        Asked { name, link_itself: false, lossy: true }
    }

    fn perform(self, permit: Permit<Look>, cancel: &CancellationToken) -> Result<GlobResult, Failure> {
        let Site { node, ground } = permit.open();
        let filter = Filter::from_top(&self.pattern, &ground)?;
        ground.find(&node)?;
        let top = node.open_dir().map_err(|error| ground.fails(error))?;
        let most = self.max_matches.unwrap_or(DEFAULT_MATCHES);
        let mut paths = Vec::new();
        let trip = Trip {
            top: &top,
            place: &ground.place,
            terms: &ground.terms,
            filter: &filter,
            ignores: ground.ignores.as_ref(),
            cancel,
            deadline: None,
        };
        let walked = trip.walk(&Finder(&ground.terms), &mut |path| {
            if paths.len() == most {
                return ControlFlow::Break(());
            }
            paths.push(path);
            ControlFlow::Continue(())
        });
        let truncated = walked.stopped.is_some() || walked.unreadable > 0;
        let (ignored, note) = (walked.ignored, words::ignored(walked.ignored));
        Ok(GlobResult { paths, truncated, ignored, note })
    }
}

struct Finder<'a>(&'a Terms);

impl Visitor for Finder<'_> {
    type Worker = ();
    type Yield = String;

    fn worker(&self) {}

    fn file(&self, _worker: &mut (), found: &Found<'_>) -> Option<String> {
        Some(self.0.shown(&found.place))
    }
}
