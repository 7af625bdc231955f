//! Patches: `multi_edit` with `patch`. What it says of all files is done, or nothing, also after a crash.

mod refused;

use std::{ffi::OsString, os::unix::ffi::OsStringExt, path::PathBuf};

use pinfold_contract::{EditFilesResult, FileEdited};
use tokio_util::sync::CancellationToken;

use super::{
    FilesTool,
    editing::{Refused, no_change, no_utf16, numbered},
    together::{Change, Together},
};
use crate::{
    Failure,
    backend::{Asked, Ledger, Node, Seen},
    gate::{Ground, Permit, Site, Write},
    text::{
        change, diff,
        encoding::Encoding,
        patch::{
            self, Deed, FilePatch, Hunk,
            apply::{Applied, apply},
        },
    },
};

/// A patch that was read.
#[derive(Debug, Clone)]
pub struct ApplyPatch {
    files: Vec<FilePatch>,
}

impl ApplyPatch {
    /// Reads a unified diff (of `diff -u` or git, renames included), or a `*** Begin Patch` text with `*** Add File:`,
    /// `*** Update File:` (and `*** Move to:`) and `*** Delete File:`. 1 to 100 hunks and whole files in all.
    ///
    /// # Errors
    /// `bad-arguments`: it is no patch, is cut off, or asks for what is no text (modes, binary files, copies).
    pub fn read(patch: &str) -> Result<ApplyPatch, Failure> {
        let files = patch::read(patch).map_err(refused::unreadable)?;
        super::multi_edit::check_count(files.iter().map(FilePatch::edits).sum())?;
        Ok(ApplyPatch { files })
    }
}

impl FilesTool for ApplyPatch {
    fn asks(&self) -> Result<Vec<Asked>, Failure> {
        Ok(self.files.iter().flat_map(asked).collect())
    }

    fn perform(
        self,
        permits: Vec<Permit<Write>>,
        ledger: &Ledger,
        cancel: &CancellationToken,
    ) -> Result<EditFilesResult, Failure> {
        let mut sites = permits.into_iter().map(Permit::open);
        let mut together = Together::of(self.files.len());
        let mut before = 0;
        for file in self.files {
            let edits = file.edits();
            let Some(site) = sites.next() else { break };
            let named = |(at, failure): Refused| numbered((at.map(|at| before + at), failure), "Hunk");
            match file.deed {
                Deed::Add { content } => add(site, content, &mut together)?,
                Deed::Delete { hunks } => delete(site, hunks, &mut together).map_err(named)?,
                Deed::Update { hunks, to: None } => update(site, &hunks, &mut together).map_err(named)?,
                Deed::Update { hunks, to: Some(_) } => {
                    let Some(to) = sites.next() else { break };
                    shift(site, to, &hunks, &mut together).map_err(named)?;
                }
            }
            together.check(cancel)?;
            before += edits;
        }
        together.commit(ledger)
    }
}

/// A file that was read, and its text with all hunks applied.
struct Patched {
    seen: Seen,
    bytes: Vec<u8>,
    diff: String,
    places: u64,
}

fn patched(node: Node, ground: &Ground, hunks: &[Hunk], lines: usize) -> Result<Patched, Refused> {
    let whole = |failure| (None, failure);
    ground.find(&node).map_err(whole)?;
    let seen =
        node.snapshot(ground.terms.policy.read.max_file_bytes).map_err(|no| whole(ground.fails(no)))?;
    let encoding = Encoding::of(seen.content());
    let before = encoding.decode(seen.content()).map_err(|no| whole(no_utf16(no, ground)))?;
    let Applied { text, changes } = apply(&before, hunks)
        .map_err(|(at, miss)| (Some(at), refused::missed(&before, hunks, at, &miss, ground)))?;
    let diff = diff::unified(&before, &text, &changes, &ground.shown(), lines);
    let places = changes.len() as u64;
    drop(before);
    Ok(Patched { seen, bytes: encoding.encode(text), diff, places })
}

fn update(site: Site, hunks: &[Hunk], together: &mut Together) -> Result<(), Refused> {
    let Site { node, ground } = site;
    let Patched { seen, bytes, diff, places } = patched(node, &ground, hunks, together.diff_lines())?;
    if seen.content() == bytes {
        return Err((None, no_change(&ground)));
    }
    let report =
        FileEdited { edits: hunks.len() as u64, replacements: places, diff, ..FileEdited::default() };
    let change = Change::write(seen, bytes, None, report);
    together.add(change, olds(hunks), ground).map_err(|failure| (None, failure))
}

/// The new file gets the mode of the old one.
fn shift(from: Site, to: Site, hunks: &[Hunk], together: &mut Together) -> Result<(), Refused> {
    let whole = |failure| (None, failure);
    let Patched { seen, bytes, diff, places } =
        patched(from.node, &from.ground, hunks, together.diff_lines())?;
    let new = absent(to.node, &to.ground).map_err(whole)?;
    let report = FileEdited {
        moved_from: Some(from.ground.shown()),
        created: true,
        edits: hunks.len().max(1) as u64,
        replacements: places,
        diff,
        ..FileEdited::default()
    };
    let change = Change::write(new, bytes, Some(&seen), report);
    together.add(change, Vec::new(), to.ground).map_err(whole)?;
    together.add(Change::remove(seen, None), olds(hunks), from.ground).map_err(whole)
}

fn add(site: Site, content: Vec<u8>, together: &mut Together) -> Result<(), Failure> {
    let Site { node, ground } = site;
    let seen = absent(node, &ground)?;
    let diff = replaced(b"", &content, &ground, together.diff_lines());
    let report = FileEdited { created: true, edits: 1, replacements: 1, diff, ..FileEdited::default() };
    together.add(Change::write(seen, content, None, report), Vec::new(), ground)
}

fn delete(site: Site, hunks: Option<Vec<Hunk>>, together: &mut Together) -> Result<(), Refused> {
    let Site { node, ground } = site;
    let lines = together.diff_lines();
    let (seen, diff) = match hunks {
        Some(hunks) => {
            let Patched { seen, bytes, diff, .. } = patched(node, &ground, &hunks, lines)?;
            if !bytes.is_empty() {
                return Err((None, refused::leaves_some(&ground)));
            }
            (seen, diff)
        }
        None => {
            let max_bytes = ground.terms.policy.read.max_file_bytes;
            ground.find(&node).map_err(|failure| (None, failure))?;
            let seen = node.snapshot(max_bytes).map_err(|error| (None, ground.fails(error)))?;
            let diff = replaced(seen.content(), b"", &ground, lines);
            (seen, diff)
        }
    };
    let report = FileEdited { removed: true, edits: 1, replacements: 1, diff, ..FileEdited::default() };
    together.add(Change::remove(seen, Some(report)), Vec::new(), ground).map_err(|failure| (None, failure))
}

/// Where nothing is.
fn absent(node: Node, ground: &Ground) -> Result<Seen, Failure> {
    let there = node.kind().is_some();
    let seen = node.glance().map_err(|error| ground.fails(error))?;
    if there { Err(refused::exists(ground)) } else { Ok(seen) }
}

/// The diff of a whole file that comes or goes.
fn replaced(old: &[u8], new: &[u8], ground: &Ground, lines: usize) -> String {
    let all = change::Change { old: 0..old.len(), new: 0..new.len() };
    diff::unified(old, new, &[all], &ground.shown(), lines)
}

fn olds(hunks: &[Hunk]) -> Vec<String> {
    hunks.iter().map(|hunk| hunk.texts()[0].clone()).collect()
}

/// The names that a file of the patch wants: one, or two if it is moved. What goes is meant itself, not where it leads.
fn asked(file: &FilePatch) -> Vec<Asked> {
    let asked = |path: &[u8], link_itself| Asked {
        name: PathBuf::from(OsString::from_vec(path.to_vec())).into_os_string(),
        link_itself,
        lossy: false,
    };
    match &file.deed {
        Deed::Update { to: Some(to), .. } => vec![asked(&file.path, true), asked(to, false)],
        Deed::Delete { .. } => vec![asked(&file.path, true)],
        Deed::Update { .. } | Deed::Add { .. } => vec![asked(&file.path, false)],
    }
}
