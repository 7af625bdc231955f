//! `edit_file`: exact replacement in one file, atomically, only if nobody else wrote in between.

use std::path::PathBuf;

use pinfold_contract::EditResult;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::{
    FileTool,
    editing::{Edit, edit},
};
use crate::{
    Failure,
    backend::Asked,
    gate::{Permit, Site, Write},
};

/// The arguments of `edit_file`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditFile {
    /// The file.
    pub path: PathBuf,
    /// The exact text to replace.
    pub old_string: String,
    /// The text to put in its place.
    pub new_string: String,
    /// Replace every occurrence.
    pub replace_all: Option<bool>,
    /// Replace exactly so many, or nothing.
    #[schemars(range(min = 1))]
    pub expect_count: Option<u64>,
    /// From read_file; refuses a changed file.
    pub expect_hash: Option<String>,
}

impl FileTool for EditFile {
    type Deed = Write;
    type Report = EditResult;

    fn asks(&self) -> Asked {
        Asked { name: self.path.clone().into_os_string(), link_itself: false, lossy: false }
    }

    fn perform(self, permit: Permit<Write>, cancel: &CancellationToken) -> Result<EditResult, Failure> {
        let Site { node, ground } = permit.open();
        let one = Edit {
            old_string: self.old_string,
            new_string: self.new_string,
            replace_all: self.replace_all,
            expect_count: self.expect_count,
        };
        let edited = edit(node, &ground, &[one], self.expect_hash.as_deref(), cancel)
            .map_err(|(_, failure)| failure)?;
        let path = ground.shown();
        Ok(EditResult { path, replacements: edited.replacements, hash: edited.hash, diff: edited.diff })
    }
}
