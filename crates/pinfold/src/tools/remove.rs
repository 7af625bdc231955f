//! `remove`: removes a file, a link itself, or a directory with all below it.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::FileTool;
use crate::{
    Failure,
    backend::Asked,
    gate::{self, Permit, Site},
};

/// The arguments of `remove`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Remove {
    /// The path, relative to the root.
    pub path: PathBuf,
}

/// The result of `remove`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RemoveResult {
    /// What was removed.
    pub path: String,
    /// Always true: what cannot be removed is an error.
    pub removed: bool,
}

impl FileTool for Remove {
    type Deed = gate::Remove;
    type Report = RemoveResult;

    fn asks(&self) -> Asked {
        Asked { name: self.path.clone().into_os_string(), link_itself: true, lossy: false }
    }

    fn perform(
        self,
        permit: Permit<gate::Remove>,
        _cancel: &CancellationToken,
    ) -> Result<RemoveResult, Failure> {
        let Site { node, ground } = permit.open();
        node.remove(&|place| ground.terms.protects(place)).map_err(|error| ground.fails(error))?;
        Ok(RemoveResult { path: ground.shown(), removed: true })
    }
}
