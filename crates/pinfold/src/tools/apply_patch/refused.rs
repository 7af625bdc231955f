//! What is said of a patch that cannot be read, or does not fit.

use std::ops::Range;

use crate::{
    Failure, FailureType,
    gate::Ground,
    text::{
        miss,
        patch::{BadPatch, Hunk, apply::Miss},
    },
};

/// What the old lines of a hunk are called.
const WHAT: &str = "the old text of this hunk";

pub(super) fn unreadable(bad: BadPatch) -> Failure {
    let BadPatch { line, why, hint } = bad;
    let place = if line > 0 { format!("line {line} of `patch`") } else { "`patch`".to_owned() };
    Failure::new(FailureType::BadArguments, format!("Arguments of multi_edit: {place}: {why}.")).hint(hint)
}

pub(super) fn missed(text: &[u8], hunks: &[Hunk], at: usize, miss: &Miss, ground: &Ground) -> Failure {
    let path = ground.shown();
    let [old, new] = hunks.get(at).map(Hunk::texts).unwrap_or_default();
    let asked = miss::Asked {
        path: &path,
        what: WHAT,
        whole_lines: true,
        old: &old,
        new: &new,
        expected: None,
        after_others: false,
    };
    let (failure_type, said) = match miss {
        Miss::Absent => (FailureType::EditNotFound, miss::absent(text, &asked)),
        Miss::Nowhere => return nowhere(&path),
        Miss::Before(place) => (FailureType::EditNotFound, before(text, place, &path)),
        Miss::Several(places) => {
            (FailureType::EditNotUnique, miss::places_of_hunk(text, places, WHAT, &path))
        }
        Miss::Header(header, places) if places.is_empty() => {
            (FailureType::EditNotFound, no_header(header, &path))
        }
        Miss::Header(header, places) => {
            let what = format!("the line `{}` after `@@`", crate::words::clipped(header));
            (FailureType::EditNotUnique, miss::places_of_hunk(text, places, &what, &path))
        }
    };
    let times = ground.terms.misses.count(&ground.place, &old);
    let hint = match miss::repeated(times) {
        Some(again) => format!("{again} {}", said.hint),
        None => said.hint,
    };
    Failure::new(failure_type, said.message).hint(hint).at(path)
}

fn before(text: &[u8], place: &Range<usize>, path: &str) -> miss::Said {
    let said = miss::places_of_hunk(text, std::slice::from_ref(place), WHAT, path);
    let message = format!("{} But it lies before the end of the hunk that comes before it.", said.message);
    let hint = format!("Give the hunks in the order of the file, and join those that touch:{}", said.shown());
    miss::Said { message, hint }
}

fn no_header(header: &str, path: &str) -> miss::Said {
    let header = crate::words::clipped(header);
    miss::Said {
        message: format!("the line `{header}` after `@@` is not in `{path}`, or not after the hunk before."),
        hint: "Copy a line of the file that comes before the hunk, or write `@@` alone and more lines around the change."
            .to_owned(),
    }
}

fn nowhere(path: &str) -> Failure {
    let message = format!("it has no line of `{path}`, so nothing says where its new lines go.");
    Failure::new(FailureType::EditNotFound, message)
        .hint("Add the line before or after them, with a blank in front.")
        .at(path)
}

pub(super) fn leaves_some(ground: &Ground) -> Failure {
    let path = ground.shown();
    let message = format!("The patch deletes `{path}`, but its hunks do not take away all of it.");
    Failure::new(FailureType::EditNotFound, message)
        .hint("Read the file; then give all its lines with `-`, or `*** Delete File:` in a `*** Begin Patch` text.")
        .at(path)
}

/// `stale-hash`, like every guard that finds a file other than its caller took it to be.
pub(super) fn exists(ground: &Ground) -> Failure {
    let path = ground.shown();
    let message = format!("`{path}` exists already, and the patch would make it: nothing was written.");
    Failure::new(FailureType::StaleHash, message)
        .hint("Read it first; then patch it as a file that is there, or take another name.")
        .at(path)
}
