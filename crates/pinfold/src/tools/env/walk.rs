//! `walk`: every file, with its size and time. A direct method, not offered to models.

use std::ops::ControlFlow;

use pinfold_contract::env::{EnvWalked, Observed};
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

/// Most files of a walk.
const MOST: usize = 1_000_000;

/// The arguments of `walk`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Walk {
    /// Where to look; a file is itself. Default: the whole workspace.
    pub root: Option<String>,
    /// Also in directories below. Default: true.
    pub recursive: Option<bool>,
    /// Also names that begin with a dot. Default: false.
    pub include_hidden: Option<bool>,
}

impl Located for Walk {
    const LABEL: &str = "root";
    const MAY_BE_ROOT: bool = true;

    fn text(&self) -> Option<&str> {
        self.root.as_deref()
    }
}

impl FileTool for At<Walk> {
    type Deed = Look;
    type Report = EnvWalked;

    fn asks(&self) -> Asked {
        self.path.to_look_at()
    }

    fn perform(self, permit: Permit<Look>, cancel: &CancellationToken) -> Result<EnvWalked, Failure> {
        let At { path, wish } = self;
        let mut hunt = Hunt::new(path, permit.open(), None, wish.include_hidden.unwrap_or(false));
        if !wish.recursive.unwrap_or(true) {
            hunt = hunt.only_here();
        }
        let (start, area) = hunt.start()?;
        let mut walked = EnvWalked { root: area.root.to_string(), files: Vec::new(), complete: true };
        match start {
            Start::Nothing => {}
            Start::File(node) => {
                walked.files.push(Observed {
                    path: area.root.to_string(),
                    size: node.size(),
                    mtime_ms: node.open_file().ok().and_then(|file| file.changed_ms()),
                });
            }
            Start::Below(top) => {
                let files = &mut walked.files;
                let end = area.trip(&top, cancel).walk(&Looker(&area), &mut |file| {
                    if files.len() == MOST {
                        return ControlFlow::Break(());
                    }
                    files.push(file);
                    ControlFlow::Continue(())
                });
                walked.complete = end.stopped.is_none() && end.unreadable == 0;
            }
        }
        Ok(walked)
    }
}

struct Looker<'a>(&'a Area);

impl Visitor for Looker<'_> {
    type Worker = ();
    type Yield = Observed;

    fn worker(&self) {}

    fn file(&self, _worker: &mut (), found: &Found<'_>) -> Option<Observed> {
        let path = self.0.path_of(found);
        let (size, mtime_ms) = found.folder.size_and_time(found.name).ok().unzip();
        Some(Observed { path, size, mtime_ms })
    }
}
