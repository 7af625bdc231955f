//! `edit_file`: replaces a text as often as it was said to occur, or not at all.

use pinfold_contract::env::EnvEdited;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::{At, Located, at_least_one, too_large};
use crate::{
    Failure,
    backend::Asked,
    gate::{Permit, Site, Write},
    tools::{
        FileTool,
        editing::{Edit, Idle, commit, plan},
    },
};

/// The arguments of `edit_file`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditFile {
    /// The file, from the root.
    pub path: String,
    /// The exact text to replace.
    pub old_string: String,
    /// The text to put in its place.
    pub new_string: String,
    /// How often oldString occurs: all are replaced, or none if it is another number. Default: 1.
    #[schemars(range(min = 1))]
    pub expect_count: Option<u64>,
}

impl Located for EditFile {
    fn text(&self) -> Option<&str> {
        Some(&self.path)
    }
}

impl FileTool for At<EditFile> {
    type Deed = Write;
    type Report = EnvEdited;

    fn asks(&self) -> Asked {
        self.path.to_write()
    }

    fn perform(self, permit: Permit<Write>, cancel: &CancellationToken) -> Result<EnvEdited, Failure> {
        let Site { node, ground } = permit.open();
        let At { path, wish } = self;
        at_least_one("expectCount", wish.expect_count)?;
        let edits = [Edit {
            old_string: wish.old_string,
            new_string: wish.new_string,
            replace_all: None,
            expect_count: Some(wish.expect_count.unwrap_or(1)),
        }];
        let planned = plan(node, &ground, &edits, None, 0, Idle::Made).map_err(|(_, failure)| failure)?;
        let (bytes, most) = (planned.bytes.len() as u64, ground.terms.policy.env_dialect.max_file_bytes);
        if bytes > most {
            return Err(too_large(bytes, most, &path.to_string()));
        }
        let edited = commit(planned, &ground, &edits, cancel).map_err(|(_, failure)| failure)?;
        Ok(EnvEdited { path: path.to_string(), replacement_count: edited.replacements, bytes_written: bytes })
    }
}
