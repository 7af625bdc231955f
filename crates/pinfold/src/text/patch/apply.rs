//! Hunks to changes: every hunk finds its place in the text as it is, in order, and what it keeps stays byte for byte.

use std::{collections::HashMap, ops::Range};

use super::{Hunk, Mark};
use crate::text::{
    change::Change,
    ending::Ending,
    lines::{Lines, bare},
};

/// Places that are looked for beyond the one that would be enough.
const MOST_PLACES: usize = 9;

/// A text with all hunks applied.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Applied {
    pub(crate) text: Vec<u8>,
    pub(crate) changes: Vec<Change>,
}

/// Why a hunk has no place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Miss {
    /// Its lines are nowhere.
    Absent,
    /// They are only before the hunk that came before; the place of the first.
    Before(Range<usize>),
    /// They are in several places.
    Several(Vec<Range<usize>>),
    /// A line after `@@` is not there, or not once.
    Header(String, Vec<Range<usize>>),
    /// It has only new lines, and nothing says where they go.
    Nowhere,
}

/// Applies all hunks; the first that has no place is told with its number.
pub(crate) fn apply(text: &[u8], hunks: &[Hunk]) -> Result<Applied, (usize, Miss)> {
    let file = Lines::of(text);
    let mut page =
        Page { file: &file, text: Vec::with_capacity(text.len() + 256), changes: Vec::new(), done: 0 };
    let mut drift = 0;
    for (at, hunk) in hunks.iter().enumerate() {
        let place =
            Search { file: &file, hunk, from: page.done, drift }.place().map_err(|miss| (at, miss))?;
        if let Some(start) = hunk.start {
            drift = place.line as isize - start.saturating_sub(1) as isize;
        }
        page.put(hunk, &place);
    }
    page.copy_to(file.count());
    Ok(Applied { text: page.text, changes: page.changes })
}

/// The line where a hunk begins, and whether its lines are there byte for byte.
struct Place {
    line: usize,
    exact: bool,
}

struct Search<'a> {
    file: &'a Lines<'a>,
    hunk: &'a Hunk,
    /// The first line that the hunks before have left free.
    from: usize,
    /// How far the hunk before was from where the patch said.
    drift: isize,
}

impl<'a> Search<'a> {
    fn place(&self) -> Result<Place, Miss> {
        let old: Vec<&[u8]> = self.hunk.old().collect();
        if old.is_empty() {
            let empty = self.file.count() == 0;
            return if empty { Ok(Place { line: 0, exact: true }) } else { Err(Miss::Nowhere) };
        }
        let ways = [(true, whole as fn(&[u8]) -> &[u8]), (false, bare)];
        // Where the patch says it is, it need not be the only one.
        let said = self.hunk.start.and_then(|start| start.saturating_sub(1).checked_add_signed(self.drift));
        for (exact, key) in ways {
            if let Some(line) = said.filter(|line| *line >= self.from && self.is_at(*line, &old, key)) {
                return Ok(Place { line, exact });
            }
        }
        for (exact, key) in ways {
            let found = self.occurrences(self.from, &old, key);
            if !found.is_empty() {
                return self.one_of(found, old.len()).map(|line| Place { line, exact });
            }
        }
        match self.occurrences(0, &old, bare).first() {
            Some(&line) => Err(Miss::Before(self.range(line, old.len()))),
            None => Err(Miss::Absent),
        }
    }

    fn range(&self, line: usize, count: usize) -> Range<usize> {
        self.file.start(line)..self.file.start(line + count)
    }

    /// The only one, or the first behind the lines after `@@`.
    fn one_of(&self, found: Vec<usize>, count: usize) -> Result<usize, Miss> {
        let behind = self.behind_headers(found.len() > 1)?;
        let fitting: Vec<usize> = found.into_iter().filter(|line| *line >= behind).collect();
        match &fitting[..] {
            [] => Err(Miss::Absent),
            [first, ..] if !self.hunk.headers.is_empty() => Ok(*first),
            [only] => Ok(*only),
            several => Err(Miss::Several(several.iter().map(|line| self.range(*line, count)).collect())),
        }
    }

    /// The line behind the headers: the first has to be unique if they are to choose, each other comes after it.
    fn behind_headers(&self, choosing: bool) -> Result<usize, Miss> {
        let mut behind = self.from;
        for (at, header) in self.hunk.headers.iter().enumerate() {
            let is = |line: &usize| self.file.line(*line).trim_ascii() == header.trim().as_bytes();
            let mut found = (behind..self.file.count()).filter(is);
            let first = found.next().ok_or_else(|| Miss::Header(header.clone(), Vec::new()))?;
            if at == 0 && choosing && self.hunk.headers.len() == 1 && found.next().is_some() {
                let all = (behind..self.file.count()).filter(is).take(MOST_PLACES);
                return Err(Miss::Header(header.clone(), all.map(|line| self.range(line, 1)).collect()));
            }
            behind = first;
        }
        Ok(behind)
    }

    /// Whether the lines of the hunk may stand at `line`: a last one without an ending only ends the file.
    fn may_be(&self, line: usize, old: &[&[u8]]) -> bool {
        let ends_file = line + old.len() == self.file.count();
        let open = old.last().is_some_and(|last| !last.ends_with(b"\n"));
        ends_file || !(open || self.hunk.at_end || self.hunk.leaves_open())
    }

    fn is_at(&self, line: usize, old: &[&[u8]], key: fn(&[u8]) -> &[u8]) -> bool {
        let same = |(at, own): (usize, &&[u8])| key(self.file.text(line + at..line + at + 1)) == key(own);
        line + old.len() <= self.file.count() && self.may_be(line, old) && old.iter().enumerate().all(same)
    }

    /// Where the lines stand, from `from` on. Knuth, Morris and Pratt, on numbers for lines: linear in both.
    fn occurrences(&self, from: usize, old: &[&[u8]], key: fn(&[u8]) -> &[u8]) -> Vec<usize> {
        let mut numbers: HashMap<&[u8], usize> = HashMap::new();
        let mut number = |line: &'a [u8]| {
            let next = numbers.len();
            *numbers.entry(key(line)).or_insert(next)
        };
        let wanted: Vec<usize> = self.hunk.old().map(&mut number).collect();
        let back = fallbacks(&wanted);
        let mut found = Vec::new();
        let mut matched = 0;
        for line in from..self.file.count() {
            let own = numbers.get(key(self.file.text(line..line + 1))).copied();
            while matched > 0 && (matched == wanted.len() || own != Some(wanted[matched])) {
                matched = back[matched - 1];
            }
            matched += usize::from(own == Some(wanted[matched]));
            if matched == wanted.len() {
                let first = line + 1 - matched;
                if self.may_be(first, old) {
                    found.push(first);
                }
                if found.len() >= MOST_PLACES && self.hunk.headers.is_empty() {
                    break;
                }
            }
        }
        found
    }
}

fn whole(line: &[u8]) -> &[u8] {
    line
}

/// For each beginning of `wanted`, the longest shorter one that it ends with.
fn fallbacks(wanted: &[usize]) -> Vec<usize> {
    let mut back = vec![0; wanted.len()];
    let mut length = 0;
    for at in 1..wanted.len() {
        while length > 0 && wanted[at] != wanted[length] {
            length = back[length - 1];
        }
        length += usize::from(wanted[at] == wanted[length]);
        back[at] = length;
    }
    back
}

/// The new text so far.
struct Page<'a> {
    file: &'a Lines<'a>,
    text: Vec<u8>,
    changes: Vec<Change>,
    /// Lines of the file that are dealt with.
    done: usize,
}

impl Page<'_> {
    fn copy_to(&mut self, line: usize) {
        self.text.extend_from_slice(self.file.text(self.done..line));
        self.done = line;
    }

    fn put(&mut self, hunk: &Hunk, place: &Place) {
        self.copy_to(place.line);
        let mut open = None;
        for line in &hunk.lines {
            match line.mark {
                Mark::Keep => {
                    self.close(open.take());
                    self.copy_to(self.done + 1);
                }
                Mark::Drop => {
                    open.get_or_insert((self.file.start(self.done), self.text.len()));
                    self.done += 1;
                }
                Mark::Add => {
                    open.get_or_insert((self.file.start(self.done), self.text.len()));
                    self.add(&line.text, place.exact);
                }
            }
        }
        // A file without a last newline stays one, unless the patch is exact about it.
        let unfinished = self
            .file
            .count()
            .checked_sub(1)
            .is_some_and(|last| !self.file.text(last..last + 1).ends_with(b"\n"));
        let adds_last = hunk.lines.last().is_some_and(|line| line.mark == Mark::Add);
        if !place.exact && unfinished && adds_last && self.done == self.file.count() {
            let length = bare(&self.text).len();
            self.text.truncate(length);
        }
        self.close(open);
    }

    fn close(&mut self, open: Option<(usize, usize)>) {
        if let Some((old, new)) = open {
            self.changes.push(Change { old: old..self.file.start(self.done), new: new..self.text.len() });
        }
    }

    fn add(&mut self, line: &[u8], exact: bool) {
        let ending = self.ending();
        // The line before was the last one of the file, and had no ending.
        if self.text.last().is_some_and(|last| *last != b'\n') {
            self.text.extend_from_slice(ending.bytes());
        }
        if exact {
            self.text.extend_from_slice(line);
        } else {
            self.text.extend_from_slice(bare(line));
            self.text.extend_from_slice(ending.bytes());
        }
    }

    /// That of the nearest line before, else of the next one, else LF.
    fn ending(&self) -> Ending {
        let before = self.done.checked_sub(1).and_then(|line| Ending::first(self.file.text(line..line + 1)));
        let next = || Ending::first(self.file.text(self.done..self.done + 1));
        let earlier =
            || self.done.checked_sub(2).and_then(|line| Ending::first(self.file.text(line..line + 1)));
        before.or_else(next).or_else(earlier).unwrap_or(Ending::Lf)
    }
}
