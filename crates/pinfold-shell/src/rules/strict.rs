//! `resolve = "strict"`: no program from a place that the agent may write to, unless the allow list has its path.
//!
//! By default `./git` and `git` are the same program to the rules, since `venv/bin/python3`, `./gradlew` and
//! `node_modules/.bin/jest` have to run. So an agent that may write a file and set its mode may also run it, under a name
//! that the allow list has. Strict rules take that way out.

use std::path::{Component, Path, PathBuf};

use super::{Rules, verdicts};
use crate::refusal::Refusal;

/// Judges a name as it is written. A relative one counts as inside, wherever it leads: the directories that it begins
/// in are the agent's.
pub(super) fn judge_written(rules: &Rules, written: &str, moved: bool) -> Result<(), Refusal> {
    let Some(roots) = &rules.strict else { return Ok(()) };
    let path = Path::new(written);
    let inside = written.contains('/')
        && (path.is_relative() || roots.iter().any(|root| plain(path).starts_with(root)));
    if !inside || rules.lists_path(written, moved) {
        return Ok(());
    }
    Err(verdicts::in_writable_place(written))
}

/// Judges where a name led to.
pub(super) fn judge_real(rules: &Rules, written: &str, real: &Path) -> Result<(), Refusal> {
    let Some(roots) = &rules.strict else { return Ok(()) };
    if !roots.iter().any(|root| real.starts_with(root)) || rules.lists_path(written, false) {
        return Ok(());
    }
    Err(verdicts::in_writable_place(written))
}

/// The path without `.` and `..`, by its letters.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(out.pop()),
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}
