//! `stat`, `exists`, `mkdir`: direct methods, not offered to models.

use pinfold_contract::env::{EnvKind, EnvStat};
use pinfold_jail::NodeKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::{At, Located};
use crate::{
    Failure,
    backend::Asked,
    gate::{Look, Make, Permit, Site},
    tools::FileTool,
};

/// The argument of `stat` and `exists`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Stat {
    /// The path, from the root.
    pub(crate) path: String,
}

/// The argument of `mkdir`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct MakeDir {
    /// The directory, from the root.
    pub(crate) path: String,
}

/// The result of `mkdir`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Made {
    path: String,
    pub(crate) created: bool,
}

impl Located for Stat {
    const MAY_BE_ROOT: bool = true;

    fn text(&self) -> Option<&str> {
        Some(&self.path)
    }
}

impl Located for MakeDir {
    const MAY_BE_ROOT: bool = true;

    fn text(&self) -> Option<&str> {
        Some(&self.path)
    }
}

impl FileTool for At<Stat> {
    type Deed = Look;
    type Report = EnvStat;

    fn asks(&self) -> Asked {
        self.path.to_look_at()
    }

    fn perform(self, permit: Permit<Look>, _cancel: &CancellationToken) -> Result<EnvStat, Failure> {
        let Site { node, ground } = permit.open();
        ground.find(&node)?;
        let (r#type, size) = match node.kind() {
            Some(NodeKind::File) => (EnvKind::File, node.size()),
            Some(NodeKind::Directory) => (EnvKind::Directory, None),
            _ => (EnvKind::Other, None),
        };
        Ok(EnvStat { path: self.path.to_string(), r#type, size })
    }
}

impl FileTool for At<MakeDir> {
    type Deed = Make;
    type Report = Made;

    fn asks(&self) -> Asked {
        self.path.to_write()
    }

    fn perform(self, permit: Permit<Make>, _cancel: &CancellationToken) -> Result<Made, Failure> {
        let Site { node, ground } = permit.open();
        let created = node.make_dir().map_err(|error| ground.fails(error))?;
        Ok(Made { path: self.path.to_string(), created })
    }
}
