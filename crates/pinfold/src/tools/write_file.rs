//! `write_file`: makes or replaces a whole file, atomically; what is replaced keeps how it was written.

use std::path::PathBuf;

use pinfold_contract::{FailureType, WriteResult};
use pinfold_jail::{ErrorKind, Guard};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::{FileTool, editing::sha256_unless};
use crate::{
    Failure,
    backend::{Asked, Node, Written},
    gate::{Ground, Permit, Site, Write},
    text::style::Style,
};

/// The arguments of `write_file`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WriteFile {
    /// The file.
    pub path: PathBuf,
    /// The whole content.
    pub content: String,
    /// From read_file; refuses a changed file.
    pub expect_hash: Option<String>,
    /// Only make a new file.
    pub if_absent: Option<bool>,
    /// Byte for byte: do not keep CRLF, BOM or UTF-16 of a replaced file.
    pub exact: Option<bool>,
}

impl FileTool for WriteFile {
    type Deed = Write;
    type Report = WriteResult;

    fn asks(&self) -> Asked {
        Asked { name: self.path.clone().into_os_string(), link_itself: false, lossy: false }
    }

    fn perform(self, permit: Permit<Write>, _cancel: &CancellationToken) -> Result<WriteResult, Failure> {
        let Site { node, ground } = permit.open();
        let written = match (self.if_absent.unwrap_or(false), &self.expect_hash) {
            (true, Some(_)) => return Err(contradiction(&ground)),
            (true, None) => self.make(node, &ground)?,
            (false, Some(_)) => self.replace(node, &ground)?,
            (false, None) => self.put(node, &ground)?,
        };
        let path = ground.shown();
        Ok(WriteResult { path, bytes: written.bytes, created: written.created, hash: written.hash })
    }
}

impl WriteFile {
    /// Whatever is there: the last writer wins. The old content is looked at for its style only.
    fn put(self, node: Node, ground: &Ground) -> Result<Written, Failure> {
        let style = if self.is_exact() { None } else { style_of(&node, ground) };
        let seen = node.glance().map_err(|error| ground.fails(error))?;
        let bytes = self.dressed(style);
        seen.commit(bytes, Guard::Overwrite).map_err(|error| ground.fails(error))
    }

    /// Only where nothing is, also not by the time of the commit.
    fn make(self, node: Node, ground: &Ground) -> Result<Written, Failure> {
        let there = node.kind().is_some();
        let seen = node.glance().map_err(|error| ground.fails(error))?;
        if there {
            return Err(exists(ground));
        }
        seen.commit(self.content.into_bytes(), Guard::Unchanged).map_err(|error| match error.kind() {
            ErrorKind::Stale => exists(ground),
            _ => ground.fails(error),
        })
    }

    /// Only what the caller read: compared before, and once more by the commit.
    fn replace(self, node: Node, ground: &Ground) -> Result<Written, Failure> {
        let max_bytes = ground.terms.policy.read.max_file_bytes;
        let seen = node.snapshot(max_bytes).map_err(|error| match error.kind() {
            ErrorKind::NotFound => gone(ground),
            _ => ground.fails(error),
        })?;
        let expected = self.expect_hash.as_deref().unwrap_or_default();
        if let Some(hash) = sha256_unless(expected, seen.content()) {
            return Err(stale(&hash, &ground.changed_since(expected, seen.content()), ground));
        }
        let style = if self.is_exact() { None } else { Style::read(seen.content(), max_bytes).ok() };
        let bytes = self.dressed(style);
        seen.commit(bytes, Guard::Unchanged).map_err(|error| ground.fails(error))
    }

    fn is_exact(&self) -> bool {
        self.exact.unwrap_or(false)
    }

    fn dressed(self, style: Option<Style>) -> Vec<u8> {
        match style {
            Some(style) => style.dress(self.content),
            None => self.content.into_bytes(),
        }
    }
}

/// How the file that is there is written. A file that may be replaced but not read has no style that we know.
pub(super) fn style_of(node: &Node, ground: &Ground) -> Option<Style> {
    if node.size().is_none_or(|size| size == 0) {
        return None;
    }
    Style::read(node.open_file().ok()?, ground.terms.policy.read.max_file_bytes).ok()
}

fn contradiction(ground: &Ground) -> Failure {
    let message = "Arguments of write_file: `ifAbsent` wants no file, `expectHash` one with that hash.";
    Failure::new(FailureType::BadArguments, message).hint("Give one of the two.").at(ground.shown())
}

/// `stale-hash`, like every guard that finds the file other than its caller took it to be.
fn exists(ground: &Ground) -> Failure {
    let path = ground.shown();
    let message =
        format!("`{path}` exists already, and `ifAbsent` only makes new files: nothing was written.");
    Failure::new(FailureType::StaleHash, message)
        .hint("Read it first; then change it with edit_file, replace it with `expectHash`, or take another name.")
        .at(path)
}

fn gone(ground: &Ground) -> Failure {
    let path = ground.shown();
    let message = format!("`{path}` is not there any more: nothing was written.");
    Failure::new(FailureType::NotFound, message)
        .hint("To make it anew, leave `expectHash` out, or set `ifAbsent`.")
        .at(path)
}

fn stale(hash: &str, since: &str, ground: &Ground) -> Failure {
    let path = ground.shown();
    let message = format!("`{path}` changed since it was read with that hash: nothing was written.");
    Failure::new(FailureType::StaleHash, message)
        .hint(format!("{since} Its hash is now {hash}. Read it again before you replace it."))
        .at(path)
}
