//! Why a text was not found, or not only once, in words that make the next try succeed: what the file has instead, to
//! be copied as it stands. Looser matches are only suggested here, never made.
//!
//! Everything is linear in the file and in the text; in a very large file, what needs comparing is compared only in the
//! beginning. What is said stays below 3 KB.

mod closest;
mod contrast;
mod loose;
mod memory;
mod show;
mod slips;

use std::ops::Range;

use memchr::memmem;

pub(crate) use memory::Misses;

use super::{
    ending::folded,
    lines::{Lines, bare},
    search::{Found, find},
};
use loose::Loose;

/// Text that is compared loosely, which is slower than finding.
const MOST_COMPARED: usize = 16 << 20;
/// Places that are named at most.
const NAMED_PLACES: usize = 8;
/// Fewer characters than these are found everywhere and prove nothing.
const TELLING_CHARS: usize = 8;

/// What was wanted.
pub(crate) struct Asked<'a> {
    pub(crate) path: &'a str,
    /// What `old` is called: `oldString`, or the lines of a hunk.
    pub(crate) what: &'static str,
    /// Only whole lines can be replaced, as in a patch: so whole lines are shown.
    pub(crate) whole_lines: bool,
    pub(crate) old: &'a str,
    pub(crate) new: &'a str,
    /// How many occurrences were expected, if that was said.
    pub(crate) expected: Option<u64>,
    /// Other edits of the same call were made to the text before.
    pub(crate) after_others: bool,
}

/// What happened, and what to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) message: String,
    pub(crate) hint: String,
}

impl Said {
    /// What is shown below the hint.
    pub(crate) fn shown(&self) -> &str {
        self.hint.find('\n').map_or("", |at| &self.hint[at..])
    }
}

/// Why `old` is nowhere in `text`.
pub(crate) fn absent(text: &[u8], asked: &Asked<'_>) -> Said {
    let left = if asked.after_others { " as the edits before it left it" } else { "" };
    let head = format!("{} is not in `{}`{left}", asked.what, asked.path);
    let near = part_of_lines(text, asked)
        .or_else(|| slips::find_slip(text, asked.old))
        .or_else(|| loosely(text, asked.old))
        .or_else(|| slips::find_marks(text, asked.old))
        .map(|near| if asked.whole_lines { near.widened(text) } else { near });
    let there = already_there(text, asked);
    match (near, there) {
        (Some(near), Some(there)) if near.overlaps(&there) => made_already(text, &head, &there),
        (Some(near), there) => near_match(text, asked, &head, &near, there.as_ref()),
        (None, Some(there)) => made_already(text, &head, &there),
        (None, None) => closest::explain(text, asked, &head),
    }
}

/// Text that is the wanted one but for something that can be named.
struct Near {
    /// "without …", "if … is read as …", "apart from …".
    but: String,
    places: Vec<Range<usize>>,
}

impl Near {
    /// Whole lines, without the last ending; those that fall together are one.
    fn widened(self, text: &[u8]) -> Near {
        let lines = Lines::of(text);
        let whole = |place: &Range<usize>| {
            let own = show::touched(&lines, place);
            let start = lines.start(own.start);
            start..start + bare(lines.text(own)).len()
        };
        let mut places: Vec<Range<usize>> = self.places.iter().map(whole).collect();
        places.dedup();
        Near { places, ..self }
    }

    fn overlaps(&self, other: &Range<usize>) -> bool {
        self.places.iter().any(|own| own.start < other.end && other.start < own.end)
    }
}

/// What stands there, but not as whole lines, where only those count.
fn part_of_lines(text: &[u8], asked: &Asked<'_>) -> Option<Near> {
    let old = bare(asked.old.as_bytes());
    if !asked.whole_lines || old.is_empty() {
        return None;
    }
    let places = find(text, old).ranges;
    (!places.is_empty()).then(|| Near { but: "as a part of longer lines".to_owned(), places })
}

fn loosely(text: &[u8], old: &str) -> Option<Near> {
    let compared = &text[..text.len().min(MOST_COMPARED)];
    Loose::ALL.iter().find_map(|loose| {
        let places = loose.find(compared, old.as_bytes());
        (!places.is_empty()).then(|| Near { but: loose.but().to_owned(), places })
    })
}

/// Where the new text already stands, if it is one that does not stand everywhere. What is a part of the old text stood
/// there before the edit too, and proves nothing.
fn already_there(text: &[u8], asked: &Asked<'_>) -> Option<Range<usize>> {
    let telling = asked.new.chars().filter(|c| !c.is_whitespace()).nth(TELLING_CHARS - 1).is_some();
    if !telling || memmem::find(&folded(asked.old.as_bytes()), &folded(asked.new.as_bytes())).is_some() {
        return None;
    }
    find(text, asked.new.as_bytes()).ranges.into_iter().next()
}

fn made_already(text: &[u8], head: &str, there: &Range<usize>) -> Said {
    let lines = Lines::of(text);
    let at = show::touched(&lines, there);
    Said {
        message: format!("{head}, but the new text is already there at line {}.", at.start + 1),
        hint: format!(
            "The edit seems to be made: go on with the next step. If this place is not the one you mean, read the \
             file and copy the text exactly, without line numbers:\n{}",
            show::numbered(&lines, at)
        ),
    }
}

fn near_match(text: &[u8], asked: &Asked<'_>, head: &str, near: &Near, there: Option<&Range<usize>>) -> Said {
    let lines = Lines::of(text);
    let Near { but, places } = near;
    if let [place] = &places[..] {
        let at = show::touched(&lines, place);
        let other = there.map_or_else(String::new, |there| {
            format!(" (The new text also stands at line {}.)", lines.at(there.start) + 1)
        });
        let message = format!("{head}, but {but} it matches {}.{other}", show::span(&at));
        return Said { message, hint: show::to_copy(text, &lines, place, asked) };
    }
    let count = places.len();
    let message = format!("{head}, but {but} it matches {count} places ({}).", show::places(&lines, places));
    let hint = "Copy the one you mean exactly, without line numbers, with a line before or after it:";
    Said { message, hint: format!("{hint}\n{}", show::around(&lines, places)) }
}

/// Why `old` was found but must not be replaced: not the number of times that was expected.
pub(crate) fn several(text: &[u8], found: &Found, asked: &Asked<'_>) -> Said {
    let lines = Lines::of(text);
    let count = found.count;
    let times = if count == 1 { "once".to_owned() } else { format!("{count} times") };
    let unlike =
        asked.expected.map_or_else(String::new, |expected| format!(", not {expected} as expectCount says"));
    let but = if found.exact { "" } else { "But for its line endings, " };
    let places = show::places(&lines, &found.ranges);
    let message = format!("{but}{} occurs {times} in `{}` ({places}){unlike}.", asked.what, asked.path);
    let hint = match (found.exact, asked.expected) {
        (true, None) => "Add surrounding lines until it is unique, or set replaceAll:".to_owned(),
        (true, Some(_)) => {
            format!("Set expectCount to {count} if these are the ones you mean, else add surrounding lines:")
        }
        (false, expected) => {
            let set = match expected {
                None => "replaceAll".to_owned(),
                Some(_) => format!("expectCount to {count}"),
            };
            format!(
                "Add surrounding lines until it is unique; to replace all, write `\\r\\n` for its line breaks and \
                 set {set}:"
            )
        }
    };
    Said { message, hint: format!("{hint}\n{}", show::around(&lines, &found.ranges)) }
}

/// Why a hunk was found but has no place: where its lines, or the line that leads to them, are.
pub(crate) fn places_of_hunk(text: &[u8], places: &[Range<usize>], what: &str, path: &str) -> Said {
    let lines = Lines::of(text);
    let times = if places.len() == 1 { "once".to_owned() } else { format!("{} times", places.len()) };
    let message = format!("{what} occurs {times} in `{path}` ({}).", show::places(&lines, places));
    let hint = "Add lines of the file around the change, with a blank in front, until it is unique:";
    Said { message, hint: format!("{hint}\n{}", show::around(&lines, places)) }
}

/// What can be said about a file that is not the one of the expected hash: what it is now, and where the texts stand.
pub(crate) fn stale(text: &[u8], olds: &[&str], hash: &str) -> String {
    let mut hint = format!("Read it again, then repeat the edit on what it is now. Its hash is now {hash}.");
    if let [old] = olds {
        let found = find(text, old.as_bytes());
        match &found.ranges[..] {
            [] => hint += " oldString is no longer in it.",
            [place] => {
                let lines = Lines::of(text);
                hint += &format!(
                    " oldString still stands there once:\n{}",
                    show::around(&lines, std::slice::from_ref(place))
                );
            }
            _ => hint += &format!(" oldString stands there {} times.", found.count),
        }
    }
    hint
}

/// What to add when the same edit failed before.
pub(crate) fn repeated(times: u32) -> Option<String> {
    (times >= 3).then(|| {
        format!(
            "This same text failed here {times} times now; it will fail again. Do not send it once more: take \
             the text shown here, or read the file."
        )
    })
}

#[cfg(test)]
mod tests;
