//! Patches: what several files shall become, as lines that go and lines that come between lines that stay.
//!
//! Two forms are read, each in one pass: the unified diff of `diff -u` and git, and the `*** Begin Patch` text that models
//! write. What is said about a place (a line number, a line after `@@`) only chooses between places; the lines that stay
//! or go have to be in the file exactly, but for line endings if that is unique.

pub(crate) mod apply;
mod begin;
mod unified;

use std::borrow::Cow;

use super::lines::bare;

/// What a patch makes of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FilePatch {
    /// As it is written, without the `a/` and `b/` of git.
    pub(crate) path: Vec<u8>,
    pub(crate) deed: Deed,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Deed {
    /// Changes it, and moves it to another path if there is one.
    Update { hunks: Vec<Hunk>, to: Option<Vec<u8>> },
    /// Makes it with this content.
    Add { content: Vec<u8> },
    /// Removes it; with hunks only if they take away all of it.
    Delete { hunks: Option<Vec<Hunk>> },
}

impl FilePatch {
    /// How many edits it counts as.
    pub(crate) fn edits(&self) -> usize {
        match &self.deed {
            Deed::Update { hunks, .. } => hunks.len().max(1),
            Deed::Add { .. } | Deed::Delete { .. } => 1,
        }
    }
}

/// Lines that belong together, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Hunk {
    pub(crate) lines: Vec<HunkLine>,
    /// The first of its lines in the old file, counted from 1, if the patch says so.
    pub(crate) start: Option<usize>,
    /// Lines that come somewhere before it, in order.
    pub(crate) headers: Vec<String>,
    /// It ends where the file ends.
    pub(crate) at_end: bool,
}

/// One line, with the ending that the patch gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HunkLine {
    pub(crate) mark: Mark,
    pub(crate) text: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Keep,
    Drop,
    Add,
}

impl Mark {
    fn of(line: &str) -> Option<(Mark, &str)> {
        let mark = match line.as_bytes().first()? {
            b' ' => Mark::Keep,
            b'-' => Mark::Drop,
            b'+' => Mark::Add,
            _ => return None,
        };
        Some((mark, &line[1..]))
    }
}

impl Hunk {
    fn push(&mut self, mark: Mark, text: &str) {
        self.lines.push(HunkLine { mark, text: text.as_bytes().to_vec() });
    }

    /// Lines of the patch that are quite empty stand for empty lines of the file, but not at the end of a hunk.
    fn drop_blanks(&mut self, blanks: usize) {
        self.lines.truncate(self.lines.len().saturating_sub(blanks));
    }

    fn changes(&self) -> bool {
        self.lines.iter().any(|line| line.mark != Mark::Keep)
    }

    /// Whether a line without an ending is followed by another one, on its side of the change.
    fn goes_on_behind_its_end(&self) -> bool {
        [Mark::Add, Mark::Drop].iter().any(|not| {
            let mut side = self.lines.iter().rev().filter(|line| line.mark != *not).skip(1);
            side.any(|line| !line.text.ends_with(b"\n"))
        })
    }

    /// Whether it says that the new file ends behind it, without a line break.
    pub(crate) fn leaves_open(&self) -> bool {
        let last = self.lines.iter().rev().find(|line| line.mark != Mark::Drop);
        last.is_some_and(|line| !line.text.ends_with(b"\n"))
    }

    /// The lines that have to be there.
    pub(crate) fn old(&self) -> impl Iterator<Item = &[u8]> + Clone {
        self.lines.iter().filter(|line| line.mark != Mark::Add).map(|line| &*line.text)
    }

    /// The text that has to be there, and the one that takes its place.
    pub(crate) fn texts(&self) -> [String; 2] {
        [Mark::Add, Mark::Drop].map(|not| {
            let lines = self.lines.iter().filter(|line| line.mark != not);
            let text: Vec<u8> = lines.flat_map(|line| line.text.iter().copied()).collect();
            String::from_utf8_lossy(&text).into_owned()
        })
    }
}

/// Why a text is no patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BadPatch {
    /// The line of the patch, counted from 1; 0: all of it.
    pub(crate) line: usize,
    pub(crate) why: String,
    pub(crate) hint: &'static str,
}

impl BadPatch {
    fn at(line: usize, why: impl Into<String>, hint: &'static str) -> BadPatch {
        BadPatch { line, why: why.into(), hint }
    }
}

/// Reads a patch in either form.
pub(crate) fn read(text: &str) -> Result<Vec<FilePatch>, BadPatch> {
    // A line of the file ends where its line of the patch does, unless the patch says otherwise.
    let closed = if text.ends_with('\n') { Cow::Borrowed(text) } else { Cow::Owned(format!("{text}\n")) };
    let lines: Vec<&str> = closed.split_inclusive('\n').collect();
    let begin = lines.iter().position(|line| line.trim_end() == "*** Begin Patch");
    let files = match begin {
        Some(begin) => {
            if let Some(at) = (0..begin).find(|at| begins_a_diff(&lines, *at)) {
                let hint = "Send it in a call of its own, or as `*** Update File:` inside the other.";
                return Err(BadPatch::at(at + 1, "a diff comes before `*** Begin Patch`", hint));
            }
            begin::read(&lines, begin + 1)?
        }
        None => unified::read(&lines)?,
    };
    if files.is_empty() {
        let hint = "Give a unified diff (`--- a/f`, `+++ b/f`, `@@ -1,2 +1,2 @@`, lines), or `*** Begin Patch` text.";
        return Err(BadPatch::at(0, "nothing in it names a file to change", hint));
    }
    Ok(files)
}

fn begins_a_diff(lines: &[&str], at: usize) -> bool {
    let names =
        lines[at].starts_with("--- ") && lines.get(at + 1).is_some_and(|next| next.starts_with("+++ "));
    names || lines[at].starts_with("diff --git ")
}

/// A line of a patch without its ending.
fn plain(line: &str) -> &str {
    let length = bare(line.as_bytes()).len();
    &line[..length]
}

/// `@@ -3,4 +3,5 @@`: where the old lines begin, and how many old and new ones there are.
fn numbers(line: &str) -> Option<(usize, usize, usize)> {
    let (inside, _) = line.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = inside.split_once(" +")?;
    let pair = |text: &str| match text.split_once(',') {
        Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    };
    let ((start, old), (_, new)): ((usize, usize), (usize, usize)) = (pair(old)?, pair(new)?);
    Some((start, old, new))
}

const NOTHING: &str = "Mark lines that go with `-` and lines that come with `+`.";

#[cfg(test)]
mod tests;
