//! `mkdir`: makes a directory and those above it.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::FileTool;
use crate::{
    Failure,
    backend::Asked,
    gate::{Make, Permit, Site},
};

/// The arguments of `mkdir`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MakeDir {
    /// The directory, relative to the root.
    pub path: PathBuf,
}

/// The result of `mkdir`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MakeDirResult {
    /// The directory.
    pub path: String,
    /// It was not there before.
    pub created: bool,
}

impl FileTool for MakeDir {
    type Deed = Make;
    type Report = MakeDirResult;

    fn asks(&self) -> Asked {
        Asked { name: self.path.clone().into_os_string(), link_itself: false, lossy: false }
    }

    fn perform(self, permit: Permit<Make>, _cancel: &CancellationToken) -> Result<MakeDirResult, Failure> {
        let Site { node, ground } = permit.open();
        let created = node.make_dir().map_err(|error| ground.fails(error))?;
        Ok(MakeDirResult { path: ground.shown(), created })
    }
}
