//! Offsets and lines. A final newline does not begin another line.

use std::ops::Range;

use memchr::memchr_iter;

/// Where each line of a text begins.
pub(crate) struct Lines<'a> {
    text: &'a [u8],
    /// One more than there are lines: the last is the length of the text.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(crate) fn of(text: &'a [u8]) -> Lines<'a> {
        let mut starts: Vec<usize> =
            std::iter::once(0).chain(memchr_iter(b'\n', text).map(|at| at + 1)).collect();
        if starts.last() != Some(&text.len()) {
            starts.push(text.len());
        }
        Lines { text, starts }
    }

    pub(crate) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Where line `line`, counted from 0, begins; the length of the text for the one after the last.
    pub(crate) fn start(&self, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(self.text.len())
    }

    /// The line, counted from 0, in which `offset` lies; the last one for the end of the text.
    pub(crate) fn at(&self, offset: usize) -> usize {
        let next = self.starts.partition_point(|&start| start <= offset);
        next.saturating_sub(1).min(self.count().saturating_sub(1))
    }

    /// The text of some lines, their endings included.
    pub(crate) fn text(&self, lines: Range<usize>) -> &'a [u8] {
        &self.text[self.start(lines.start)..self.start(lines.end)]
    }

    /// One line without its ending.
    pub(crate) fn line(&self, line: usize) -> &'a [u8] {
        bare(self.text(line..line + 1))
    }
}

/// A line without its ending.
pub(crate) fn bare(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_as_people_count_them() {
        for (text, count) in [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2)] {
            assert_eq!(Lines::of(text.as_bytes()).count(), count, "{text:?}");
        }
        let lines = Lines::of(b"ab\r\nc\n");
        assert_eq!([0, 3, 4, 6].map(|at| lines.at(at)), [0, 0, 1, 1]);
        assert_eq!((lines.line(0), lines.text(0..2)), (&b"ab"[..], &b"ab\r\nc\n"[..]));
    }
}
