//! `exists`: whether something is there. Outside the workspace it refuses, so that it tells nothing about the outside.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::FileTool;
use crate::{
    Failure,
    backend::Asked,
    gate::{Look, Permit},
};

/// The arguments of `exists`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Exists {
    /// The path, relative to the root.
    pub path: PathBuf,
}

/// The result of `exists`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExistsResult {
    /// The path that was looked for.
    pub path: String,
    /// Something is there. A link counts as what it leads to.
    pub exists: bool,
}

impl FileTool for Exists {
    type Deed = Look;
    type Report = ExistsResult;

    fn asks(&self) -> Asked {
        Asked { name: self.path.clone().into_os_string(), link_itself: false, lossy: true }
    }

    fn perform(self, permit: Permit<Look>, _cancel: &CancellationToken) -> Result<ExistsResult, Failure> {
        let site = permit.open();
        Ok(ExistsResult { path: site.ground.shown(), exists: site.node.kind().is_some() })
    }
}
