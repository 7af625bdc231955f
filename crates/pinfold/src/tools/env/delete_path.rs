//! `delete_path`: removes a file, a link itself, or a directory; one with something in it only if that is said.

use pinfold_contract::env::EnvDeleted;
use pinfold_jail::ErrorKind;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::{At, Located};
use crate::{
    Failure, FailureType,
    backend::Asked,
    gate::{self, Permit, Site},
    tools::FileTool,
};

/// The arguments of `delete_path`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeletePath {
    /// What to delete, from the root.
    pub path: String,
    /// A directory goes with all that is in it. Default: false.
    pub recursive: Option<bool>,
    /// Nothing there is no error. Default: false.
    pub force: Option<bool>,
}

impl Located for DeletePath {
    // The gate refuses it, as it does for every removal.
    const MAY_BE_ROOT: bool = true;

    fn text(&self) -> Option<&str> {
        Some(&self.path)
    }
}

impl FileTool for At<DeletePath> {
    type Deed = gate::Remove;
    type Report = EnvDeleted;

    fn asks(&self) -> Asked {
        self.path.to_remove()
    }

    fn perform(
        self,
        permit: Permit<gate::Remove>,
        _cancel: &CancellationToken,
    ) -> Result<EnvDeleted, Failure> {
        let Site { node, ground } = permit.open();
        let path = self.path.to_string();
        let (recursive, force) = (self.wish.recursive.unwrap_or(false), self.wish.force.unwrap_or(false));
        if !force {
            ground.find(&node)?;
        }
        let removed = match recursive {
            true => node.remove(&|place| ground.terms.protects(place)),
            false => node.remove_alone(),
        };
        match removed {
            Ok(()) => Ok(EnvDeleted { path, deleted: true, missing: false }),
            Err(error) if force && error.kind() == ErrorKind::NotFound => {
                Ok(EnvDeleted { path, deleted: true, missing: true })
            }
            Err(error) if error.kind() == ErrorKind::NotEmpty => Err(not_empty(&path)),
            Err(error) => Err(ground.fails(error)),
        }
    }
}

fn not_empty(path: &str) -> Failure {
    let message = format!("`{path}` is a directory that is not empty: nothing was deleted.");
    Failure::new(FailureType::IsDirectory, message)
        .hint("Set `recursive` to delete it with all that is in it.")
        .at(path)
}
