//! What `multi_edit` does with several files: everything is planned first, then committed as one.

use pinfold_contract::{EditFilesResult, Failure, FileEdited};
use tokio_util::sync::CancellationToken;

use super::editing::{Planned, cancelled, forget_misses, too_large};
use crate::{
    backend::{Broken, Ledger, Part, Seen},
    gate::Ground,
    text::diff,
    words,
};

/// Lines of all diffs together, and of each at least.
const MOST_DIFF_LINES: usize = 240;
const LEAST_DIFF_LINES: usize = 8;

/// Files that change together, planned and not yet written.
pub(super) struct Together {
    files: usize,
    plans: Vec<Plan>,
    /// What is held in memory.
    bytes: u64,
}

struct Plan {
    part: Part,
    ground: Ground,
    /// The texts that were to be replaced.
    olds: Vec<String>,
    /// What is reported, but for the hash; none: a part of the one before.
    report: Option<FileEdited>,
}

/// What becomes of one file.
pub(super) struct Change {
    part: Part,
    bytes: u64,
    report: Option<FileEdited>,
}

impl Change {
    pub(super) fn edited(planned: Planned, edits: u64) -> Change {
        let Planned { seen, bytes, replacements, diff } = planned;
        Change::write(seen, bytes, None, FileEdited { edits, replacements, diff, ..FileEdited::default() })
    }

    /// A file that is made gets the mode of `like`.
    pub(super) fn write(seen: Seen, bytes: Vec<u8>, like: Option<&Seen>, report: FileEdited) -> Change {
        let held = (seen.content().len() + bytes.len()) as u64;
        Change { part: seen.write(bytes, like), bytes: held, report: Some(report) }
    }

    /// Without a report it is a part of the change before.
    pub(super) fn remove(seen: Seen, report: Option<FileEdited>) -> Change {
        let bytes = seen.content().len() as u64;
        Change { part: seen.remove(), bytes, report }
    }
}

impl Together {
    pub(super) fn of(files: usize) -> Together {
        Together { files, plans: Vec::with_capacity(files), bytes: 0 }
    }

    /// Lines that the diff of each file may have, so that all of them stay few.
    pub(super) fn diff_lines(&self) -> usize {
        (MOST_DIFF_LINES / self.files.max(1)).clamp(LEAST_DIFF_LINES, diff::MOST_LINES)
    }

    pub(super) fn add(&mut self, change: Change, olds: Vec<String>, ground: Ground) -> Result<(), Failure> {
        let Change { part, bytes, report } = change;
        self.bytes += bytes;
        let max_bytes = ground.terms.policy.read.max_file_bytes;
        if self.bytes > max_bytes.saturating_mul(2) {
            return Err(too_large(max_bytes, &ground));
        }
        let report = report.map(|report| FileEdited { path: ground.shown(), ..report });
        self.plans.push(Plan { part, ground, olds, report });
        Ok(())
    }

    /// The last moments to stop are between the plans.
    pub(super) fn check(&self, cancel: &CancellationToken) -> Result<(), Failure> {
        match self.plans.last() {
            Some(plan) if cancel.is_cancelled() => Err(cancelled(&plan.ground)),
            _ => Ok(()),
        }
    }

    /// All of it, or nothing.
    pub(super) fn commit(self, ledger: &Ledger) -> Result<EditFilesResult, Failure> {
        let mut parts = Vec::with_capacity(self.plans.len());
        let mut rest = Vec::with_capacity(self.plans.len());
        for Plan { part, ground, olds, report } in self.plans {
            parts.push(part);
            rest.push((ground, olds, report));
        }
        let written = ledger.commit(parts).map_err(|Broken { part, error }| {
            match part.and_then(|at| rest.get(at)) {
                Some((ground, ..)) => ground.fails(error),
                None => words::journal(error),
            }
        })?;
        let mut files = Vec::with_capacity(rest.len());
        for ((ground, olds, report), written) in rest.into_iter().zip(written) {
            forget_misses(olds.iter().map(String::as_str), &ground);
            files.extend(report.map(|report| FileEdited { hash: written.map(|it| it.hash), ..report }));
        }
        Ok(EditFilesResult { files })
    }
}
