//! `multi_edit`: several exact replacements in one file, in order, with one write: all of them or none.
//!
//! Under the same name a model may also give several files, or a patch; [`Arguments`] tells which it is, and the typed
//! calls are three.

use std::path::PathBuf;

use pinfold_contract::MultiEditResult;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::{
    ApplyPatch, Call, EditFiles, FileTool,
    edit_files::FileEdits,
    editing::{Edit, edit, numbered},
};
use crate::{
    Failure, FailureType,
    backend::Asked,
    gate::{Permit, Site, Write},
};

pub(crate) const MOST_EDITS: usize = 100;

/// The arguments of `multi_edit`.
#[derive(Debug, Clone, Default)]
pub struct MultiEdit {
    /// The file, relative to the root.
    pub path: PathBuf,
    /// The edits, in order; each works on the text that the one before it left. 1 to 100.
    pub edits: Vec<Edit>,
    /// From read_file; refuses a changed file.
    pub expect_hash: Option<String>,
}

/// All that the tool takes: one file, several, or a patch.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Arguments {
    /// One file; goes with edits.
    path: Option<PathBuf>,
    /// Its edits, in order.
    #[schemars(length(min = 1, max = 100))]
    edits: Option<Vec<Edit>>,
    /// From read_file; refuses a changed file.
    expect_hash: Option<String>,
    /// Several files instead.
    files: Option<Vec<FileEdits>>,
    /// A patch instead.
    patch: Option<String>,
}

impl Arguments {
    /// Exactly one of the three shapes.
    pub(super) fn call(self) -> Result<Call, Failure> {
        let Arguments { path, edits, expect_hash, files, patch } = self;
        match (path, edits, files, patch) {
            (Some(path), Some(edits), None, None) => {
                Ok(Call::MultiEdit(MultiEdit { path, edits, expect_hash }))
            }
            (None, None, Some(files), None) if expect_hash.is_none() => {
                Ok(Call::EditFiles(EditFiles { files }))
            }
            (None, None, None, Some(patch)) if expect_hash.is_none() => {
                Ok(Call::ApplyPatch(ApplyPatch::read(&patch)?))
            }
            (Some(_), None, None, None) => Err(bad_shape("missing field `edits`")),
            (None, Some(_), None, None) => Err(bad_shape("missing field `path`")),
            (None, None, None, None) => Err(bad_shape("missing field `path`")),
            (None, None, _, _) if expect_hash.is_some() => Err(bad_shape(
                "`expectHash` goes with `path`; in `files` each item has its own, and a patch has its context",
            )),
            _ => Err(bad_shape("`path` with `edits`, `files`, and `patch` exclude each other")),
        }
    }
}

pub(super) fn bad_shape(why: &str) -> Failure {
    Failure::new(FailureType::BadArguments, format!("Arguments of multi_edit: {why}."))
        .hint("It takes either `path` and `edits` (and `expectHash`?), or `files`, a list of such objects, or `patch`.")
}

impl FileTool for MultiEdit {
    type Deed = Write;
    type Report = MultiEditResult;

    fn asks(&self) -> Asked {
        Asked { name: self.path.clone().into_os_string(), link_itself: false, lossy: false }
    }

    fn perform(self, permit: Permit<Write>, cancel: &CancellationToken) -> Result<MultiEditResult, Failure> {
        let Site { node, ground } = permit.open();
        check_count(self.edits.len()).map_err(|failure| failure.at(ground.shown()))?;
        let edited = edit(node, &ground, &self.edits, self.expect_hash.as_deref(), cancel)
            .map_err(|no| numbered(no, "Edit"))?;
        Ok(MultiEditResult {
            path: ground.shown(),
            edits: self.edits.len() as u64,
            replacements: edited.replacements,
            hash: edited.hash,
            diff: edited.diff,
        })
    }
}

pub(super) fn check_count(count: usize) -> Result<(), Failure> {
    let (why, hint) = match count {
        0 => ("`edits` is empty.", "Give at least one edit."),
        1..=MOST_EDITS => return Ok(()),
        _ => ("`edits` holds more than 100 edits.", "Send them in several calls."),
    };
    Err(Failure::new(FailureType::BadArguments, format!("Arguments of multi_edit: {why}")).hint(hint))
}
