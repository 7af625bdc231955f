//! What `edit_file` and `multi_edit` share: edits in order, each on the text before it, and one write at the end.

use std::borrow::Cow;

use pinfold_contract::{Failure, FailureType};
use pinfold_jail::{Guard, snapshot::sha256};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use crate::{
    backend::{Node, Seen},
    gate::Ground,
    text::{
        change::{Change, compose},
        diff,
        encoding::{Encoding, NotUtf16},
        miss,
        search::{self, Found, find_keeping},
        splice::Splice,
    },
};

/// One replacement, as a caller asks for it.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Edit {
    /// The exact text to replace.
    pub old_string: String,
    /// The text to put in its place.
    pub new_string: String,
    /// Replace every occurrence.
    pub replace_all: Option<bool>,
    /// Replace exactly so many, or nothing.
    #[schemars(range(min = 1))]
    pub expect_count: Option<u64>,
}

/// What became of a file.
#[derive(Debug)]
pub(super) struct Edited {
    pub(super) replacements: u64,
    pub(super) hash: String,
    pub(super) diff: String,
}

/// What shall become of a file: nothing is written yet.
pub(super) struct Planned {
    pub(super) seen: Seen,
    pub(super) bytes: Vec<u8>,
    pub(super) replacements: u64,
    pub(super) diff: String,
}

/// What to do with an edit that changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Idle {
    /// It is `no-op`.
    Refused,
    /// It is made like others: the caller counts on the count alone.
    Made,
}

/// A refusal, and which edit it is about, counted from 0; none if it is about the whole file.
pub(super) type Refused = (Option<usize>, Failure);

/// Sees the file, edits its text, and puts the result in its place: all edits or none. Nothing is written if the file is
/// not the one of `expect_hash`, or is no longer the one that was seen.
pub(super) fn edit(
    node: Node,
    ground: &Ground,
    edits: &[Edit],
    expect_hash: Option<&str>,
    cancel: &CancellationToken,
) -> Result<Edited, Refused> {
    let planned = plan(node, ground, edits, expect_hash, diff::MOST_LINES, Idle::Refused)?;
    commit(planned, ground, edits, cancel)
}

/// Puts what was planned in place.
pub(super) fn commit(
    planned: Planned,
    ground: &Ground,
    edits: &[Edit],
    cancel: &CancellationToken,
) -> Result<Edited, Refused> {
    let Planned { seen, bytes, replacements, diff } = planned;
    if cancel.is_cancelled() {
        return Err((None, cancelled(ground)));
    }
    let lines = ground.terms.known_texts.noted(&bytes);
    let written = seen.commit(bytes, Guard::Unchanged).map_err(|error| (None, ground.fails(error)))?;
    ground.terms.known_texts.keep(&written.hash, lines);
    forget_misses(edits.iter().map(|edit| &*edit.old_string), ground);
    Ok(Edited { replacements, hash: written.hash, diff })
}

/// Sees the file and edits its text: all edits, or a refusal.
pub(super) fn plan(
    node: Node,
    ground: &Ground,
    edits: &[Edit],
    expect_hash: Option<&str>,
    diff_lines: usize,
    idle: Idle,
) -> Result<Planned, Refused> {
    let whole = |failure| (None, failure);
    let numbered = edits.iter().enumerate();
    numbered.clone().try_for_each(|(at, edit)| edit.check(idle, ground).map_err(|no| (Some(at), no)))?;
    let max_bytes = ground.terms.policy.read.max_file_bytes;
    ground.find(&node).map_err(whole)?;
    let seen = node.snapshot(max_bytes).map_err(|error| whole(ground.fails(error)))?;
    check_hash(&seen, expect_hash, edits, ground).map_err(whole)?;
    let encoding = Encoding::of(seen.content());
    let before = encoding.decode(seen.content()).map_err(|no| whole(no_utf16(no, ground)))?;
    let mut draft =
        Draft { text: Cow::Borrowed(&before), spare: Vec::new(), changes: Vec::new(), replacements: 0, idle };
    numbered.clone().try_for_each(|(at, edit)| draft.apply(edit, at, ground).map_err(|no| (Some(at), no)))?;
    if idle == Idle::Refused && draft.text == before {
        return Err(whole(no_change(ground)));
    }
    let diff = diff::unified(&before, &draft.text, &draft.changes, &ground.shown(), diff_lines);
    let (replacements, after) = (draft.replacements, draft.text.into_owned());
    drop(before);
    Ok(Planned { seen, bytes: encoding.encode(after), replacements, diff })
}

/// They were made: if they fail again, it is for the first time.
pub(super) fn forget_misses<'a>(olds: impl Iterator<Item = &'a str>, ground: &Ground) {
    for old in olds {
        ground.terms.misses.forget(&ground.place, old);
    }
}

/// Says which of several it is. Programs count from 0, people and models from 1; what concerns the whole file names none.
pub(super) fn numbered((index, failure): Refused, what: &str) -> Failure {
    let Some(index) = index else { return failure };
    let message = format!("{what} {}: {}", index + 1, failure.message());
    let mut named = Failure::new(failure.failure_type(), message).with(|it| {
        *it = failure.details().clone();
        it.edit_index = Some(index);
    });
    if let Some(hint) = failure.advice() {
        named = named.hint(hint);
    }
    named
}

impl Edit {
    fn check(&self, idle: Idle, ground: &Ground) -> Result<(), Failure> {
        if self.old_string.is_empty() {
            return Err(Failure::new(FailureType::BadArguments, "oldString is empty.")
                .hint("Give the text to replace; to make or replace a whole file use write_file.")
                .at(ground.shown()));
        }
        if idle == Idle::Refused && self.old_string == self.new_string {
            let message = "oldString and newString are the same: nothing to change.";
            return Err(Failure::new(FailureType::NoOp, message)
                .hint("If the file already is as wanted, go on with the next step.")
                .at(ground.shown()));
        }
        Ok(())
    }

    /// How many places it may be about.
    fn places(&self) -> usize {
        if self.replace_all.unwrap_or(false) || self.expect_count.is_some() {
            search::MOST
        } else {
            search::FEW
        }
    }

    /// Whether it may replace as many places as were found.
    fn takes(&self, found: &Found) -> bool {
        let count = found.count as u64;
        match self.expect_count {
            _ if !found.exact && count > 1 => false,
            Some(expected) => count == expected,
            None => count == 1 || (count > 1 && self.replace_all.unwrap_or(false)),
        }
    }
}

/// The text so far.
struct Draft<'a> {
    text: Cow<'a, [u8]>,
    /// The memory of the text before it, for the next one: a fresh one costs more than what is written there.
    spare: Vec<u8>,
    changes: Vec<Change>,
    replacements: u64,
    idle: Idle,
}

impl Draft<'_> {
    fn apply(&mut self, edit: &Edit, at: usize, ground: &Ground) -> Result<(), Failure> {
        let found = find_keeping(&self.text, edit.old_string.as_bytes(), edit.places());
        if !edit.takes(&found) {
            return Err(missed(&self.text, edit, at, &found, ground));
        }
        if found.count > found.ranges.len() {
            return Err(too_many(found.count, ground));
        }
        let max_bytes = ground.terms.policy.read.max_file_bytes;
        if grown(&self.text, edit, &found) > max_bytes {
            return Err(too_large(max_bytes, ground));
        }
        let splice = Splice::plan(&self.text, &found, edit.old_string.as_bytes(), edit.new_string.as_bytes());
        if self.idle == Idle::Refused && splice.is_idle(&self.text) {
            return Err(same_but_for_endings(ground));
        }
        splice.carry_out(&mut self.text, &mut self.spare);
        self.changes = compose(&self.changes, &splice.changes);
        self.replacements += found.ranges.len() as u64;
        Ok(())
    }
}

/// Bytes that the text has at most when all that was found is replaced, whatever its lines will end in.
fn grown(text: &[u8], edit: &Edit, found: &Found) -> u64 {
    let new = edit.new_string.len() + memchr::memchr_iter(b'\n', edit.new_string.as_bytes()).count();
    (found.ranges.len() as u64).saturating_mul(new as u64).saturating_add(text.len() as u64)
}

fn too_many(count: usize, ground: &Ground) -> Failure {
    let (path, most) = (ground.shown(), search::MOST);
    let message = format!(
        "oldString occurs {count} times in `{path}`, and one edit replaces at most {most}: nothing was written."
    );
    Failure::new(FailureType::TooLarge, message).hint("Take a longer text, which occurs less often.").at(path)
}

pub(super) fn too_large(max_bytes: u64, ground: &Ground) -> Failure {
    let path = ground.shown();
    Failure::new(
        FailureType::TooLarge,
        format!("`{path}` would grow beyond the {max_bytes} bytes that are allowed."),
    )
    .hint("Replace fewer places at once, or with a shorter text.")
    .at(path)
}

fn missed(text: &[u8], edit: &Edit, at: usize, found: &Found, ground: &Ground) -> Failure {
    let path = ground.shown();
    let asked = miss::Asked {
        path: &path,
        what: "oldString",
        whole_lines: false,
        old: &edit.old_string,
        new: &edit.new_string,
        expected: edit.expect_count,
        after_others: at > 0,
    };
    let (failure_type, said) = match found.ranges.is_empty() {
        true => (FailureType::EditNotFound, miss::absent(text, &asked)),
        false => (FailureType::EditNotUnique, miss::several(text, found, &asked)),
    };
    let times = ground.terms.misses.count(&ground.place, &edit.old_string);
    let hint = match miss::repeated(times) {
        Some(again) => format!("{again} {}", said.hint),
        None => said.hint,
    };
    Failure::new(failure_type, said.message).hint(hint).at(path)
}

/// Refuses if `seen` is not the file of `expect_hash`.
fn check_hash(
    seen: &Seen,
    expect_hash: Option<&str>,
    edits: &[Edit],
    ground: &Ground,
) -> Result<(), Failure> {
    let hash = match expect_hash {
        Some(expected) => sha256_unless(expected, seen.content()),
        None => None,
    };
    let Some(hash) = hash else { return Ok(()) };
    let path = ground.shown();
    let message = format!("`{path}` changed since it was read with that hash: nothing was written.");
    let olds: Vec<&str> = edits.iter().map(|edit| edit.old_string.as_str()).collect();
    let text = Encoding::of(seen.content()).decode(seen.content()).unwrap_or_default();
    let since = ground.changed_since(expect_hash.unwrap_or_default(), seen.content());
    let hint = format!("{since} {}", miss::stale(&text, &olds, &hash));
    Err(Failure::new(FailureType::StaleHash, message).hint(hint).at(path))
}

/// The hash of `content`, if it is not the expected one.
pub(super) fn sha256_unless(expected: &str, content: &[u8]) -> Option<String> {
    let hash = sha256(content);
    (!expected.eq_ignore_ascii_case(&hash)).then_some(hash)
}

pub(super) fn no_utf16(no: NotUtf16, ground: &Ground) -> Failure {
    let path = ground.shown();
    let message = format!(
        "`{path}` begins with the byte order mark of UTF-16, but is none: byte {} does not fit.",
        no.at
    );
    Failure::new(FailureType::NotText, message)
        .hint(format!(
            "It was left alone. Use a program that understands the format, or write the whole file anew with {}.",
            ground.terms.dialect.write_exactly()
        ))
        .at(path)
}

fn same_but_for_endings(ground: &Ground) -> Failure {
    let message = "oldString and newString differ only in line endings, and an edit keeps those of the file: \
                   nothing to change.";
    Failure::new(FailureType::NoOp, message)
        .hint(format!(
            "To change line endings, write the whole file with {}.",
            ground.terms.dialect.write_exactly()
        ))
        .at(ground.shown())
}

/// The last moment to stop: a commit that has begun is not broken off.
pub(super) fn cancelled(ground: &Ground) -> Failure {
    Failure::new(FailureType::IoOther, "The edit was cancelled: nothing was written.").at(ground.shown())
}

pub(super) fn no_change(ground: &Ground) -> Failure {
    Failure::new(FailureType::NoOp, "The edits undo each other: nothing to change.")
        .hint("If the file already is as wanted, go on with the next step.")
        .at(ground.shown())
}
