//! Edits of several files in one call: `multi_edit` with `files`. All of them or none, also after a crash.

use std::path::PathBuf;

use pinfold_contract::EditFilesResult;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{
    FilesTool,
    editing::{Edit, Idle, numbered, plan},
    multi_edit::{bad_shape, check_count},
    together::{Change, Together},
};
use crate::{
    Failure,
    backend::{Asked, Ledger},
    gate::{Permit, Site, Write},
};

/// Edits of several files, which are made together or not at all.
#[derive(Debug, Clone, Default)]
pub struct EditFiles {
    /// The files, no two of them the same. With 1 to 100 edits in all.
    pub files: Vec<FileEdits>,
}

/// The edits of one of several files.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FileEdits {
    /// The file.
    pub path: PathBuf,
    /// Its edits, in order.
    #[schemars(transform = described_above)]
    pub edits: Vec<Edit>,
    /// From read_file.
    pub expect_hash: Option<String>,
}

/// What an edit is, the list says that goes with `path`.
fn described_above(schema: &mut Schema) {
    let edit = schema.pointer_mut("/items/properties").and_then(Value::as_object_mut);
    for property in edit.into_iter().flat_map(|properties| properties.values_mut()) {
        property.as_object_mut().map(|property| property.remove("description"));
    }
}

impl FilesTool for EditFiles {
    fn asks(&self) -> Result<Vec<Asked>, Failure> {
        check_count(self.files.iter().map(|file| file.edits.len()).sum())?;
        let asked = |file: &FileEdits| match file.edits.is_empty() {
            true => Err(bad_shape("`edits` of a file is empty").at(file.path.to_string_lossy())),
            false => Ok(Asked { name: file.path.clone().into_os_string(), link_itself: false, lossy: false }),
        };
        self.files.iter().map(asked).collect()
    }

    fn perform(
        self,
        permits: Vec<Permit<Write>>,
        ledger: &Ledger,
        cancel: &CancellationToken,
    ) -> Result<EditFilesResult, Failure> {
        let mut together = Together::of(permits.len());
        let mut before = 0;
        for (file, permit) in self.files.into_iter().zip(permits) {
            let Site { node, ground } = permit.open();
            let FileEdits { edits, expect_hash, .. } = file;
            let planned =
                plan(node, &ground, &edits, expect_hash.as_deref(), together.diff_lines(), Idle::Refused)
                    .map_err(|(at, failure)| numbered((at.map(|at| before + at), failure), "Edit"))?;
            before += edits.len();
            let change = Change::edited(planned, edits.len() as u64);
            together.add(change, edits.into_iter().map(|edit| edit.old_string).collect(), ground)?;
            together.check(cancel)?;
        }
        together.commit(ledger)
    }
}
