//! `list_files`: the names in a directory, hidden ones too.

use pinfold_contract::env::EnvListed;
use pinfold_jail::RelPath;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::{At, Located};
use crate::{
    Failure,
    backend::Asked,
    gate::{Look, Permit, Site},
    tools::FileTool,
};

/// The arguments of `list_files`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListFiles {
    /// The directory, from the root. Default: the root.
    pub path: Option<String>,
}

impl Located for ListFiles {
    const MAY_BE_ROOT: bool = true;

    fn text(&self) -> Option<&str> {
        self.path.as_deref()
    }
}

impl FileTool for At<ListFiles> {
    type Deed = Look;
    type Report = EnvListed;

    fn asks(&self) -> Asked {
        self.path.to_look_at()
    }

    fn perform(self, permit: Permit<Look>, _cancel: &CancellationToken) -> Result<EnvListed, Failure> {
        let Site { node, ground } = permit.open();
        ground.find(&node)?;
        let found =
            node.open_dir().and_then(|folder| folder.entries()).map_err(|error| ground.fails(error))?;
        let most = ground.terms.policy.list.max_entries;
        let (mut entries, mut total) = (Vec::new(), 0);
        for child in found {
            let name = RelPath::root().join(&child.name);
            let Ok(name) = name.map(|name| (ground.place.join(name.as_os_str()), name.to_string())) else {
                continue;
            };
            if ground.terms.hides(&name.0) {
                continue;
            }
            total += 1;
            if entries.len() < most {
                entries.push(name.1);
            }
        }
        let truncated = total > entries.len() as u64;
        Ok(EnvListed { path: self.path.to_string(), entries, truncated, total })
    }
}
