//! Every occurrence in one file.

use std::io;

use grep_matcher::Matcher;
use grep_searcher::{Searcher, Sink, SinkFinish, SinkMatch};
use pinfold_contract::env::EnvMatch;

/// Bytes of all texts that a search returns.
const MOST_BYTES: usize = 16 << 20;

/// How much of what is found is returned.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) matches: usize,
    /// Of each text.
    pub(super) bytes: usize,
}

impl Bounds {
    /// Moves what fits into `all`. True: something did not.
    pub(super) fn fill(self, all: &mut Vec<EnvMatch>, more: Vec<EnvMatch>) -> bool {
        let mut held: usize = all.iter().map(size).sum();
        for one in more {
            held += size(&one);
            if all.len() == self.matches || held > MOST_BYTES {
                return true;
            }
            all.push(one);
        }
        false
    }
}

fn size(one: &EnvMatch) -> usize {
    one.line_text.len() + one.match_text.len() + one.path.len()
}

/// Collects the occurrences of one file, up to the bounds. The file is read to its end in any case: a NUL byte in its last
/// line makes it binary.
pub(super) struct Occurrences<'a, M> {
    matcher: &'a M,
    path: &'a str,
    bounds: Bounds,
    held: usize,
    pub(super) matches: Vec<EnvMatch>,
    pub(super) more: bool,
    pub(super) is_binary: bool,
}

impl<'a, M: Matcher> Occurrences<'a, M> {
    pub(super) fn new(matcher: &'a M, path: &'a str, bounds: Bounds) -> Occurrences<'a, M> {
        Occurrences { matcher, path, bounds, held: 0, matches: Vec::new(), more: false, is_binary: false }
    }

    fn line(&mut self, line: &[u8], number: u64) -> Result<(), M::Error> {
        let mut column = Column::default();
        let mut from = 0;
        while let Some(found) = self.matcher.find_at(line, from)? {
            if found.is_empty() {
                // No pattern that was accepted does this.
                break;
            }
            if self.matches.len() == self.bounds.matches || self.held > MOST_BYTES {
                self.more = true;
                break;
            }
            let (line_text, line_text_truncated) = preview(line, self.bounds.bytes);
            let text = &line[found.start()..found.end()];
            let (match_text, match_text_truncated) = preview(text, self.bounds.bytes);
            let one = EnvMatch {
                path: self.path.to_owned(),
                line_number: number,
                column_number: column.at(line, found.start()),
                column_byte: found.start() as u64 + 1,
                line_text_bytes: line_text.len(),
                line_text,
                line_text_truncated,
                match_text_bytes: match_text.len(),
                match_text,
                match_text_truncated,
            };
            self.held += size(&one);
            self.matches.push(one);
            from = found.end();
        }
        Ok(())
    }
}

/// Counts units of UTF-16 from the beginning of a line, going on from where it was asked before.
#[derive(Default)]
struct Column {
    bytes: usize,
    units: u64,
}

impl Column {
    fn at(&mut self, line: &[u8], byte: usize) -> u64 {
        let between = String::from_utf8_lossy(&line[self.bytes..byte]);
        self.units += between.chars().map(|one| one.len_utf16() as u64).sum::<u64>();
        self.bytes = byte;
        self.units + 1
    }
}

/// The beginning of a text, and whether it goes on.
fn preview(text: &[u8], most: usize) -> (String, bool) {
    // The longest character has four bytes.
    let head = &text[..text.len().min(most.saturating_add(4))];
    let mut shown = String::from_utf8_lossy(head).into_owned();
    let truncated = shown.len() > most || head.len() < text.len();
    shown.truncate(shown.floor_char_boundary(most));
    (shown, truncated)
}

impl<M: Matcher> Sink for Occurrences<'_, M> {
    type Error = io::Error;

    fn matched(&mut self, _searcher: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        if !self.more {
            let line = without_ending(found.bytes());
            let number = found.line_number().unwrap_or(0);
            self.line(line, number).map_err(|error| io::Error::other(error.to_string()))?;
        }
        Ok(true)
    }

    fn binary_data(&mut self, _searcher: &Searcher, _offset: u64) -> Result<bool, io::Error> {
        self.is_binary = true;
        Ok(false)
    }

    fn finish(&mut self, _searcher: &Searcher, end: &SinkFinish) -> Result<(), io::Error> {
        self.is_binary |= end.binary_byte_offset().is_some();
        Ok(())
    }
}

fn without_ending(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_ends_between_characters() {
        for (text, most, shown, truncated) in [
            ("αβγ", 5, "αβ", true),
            ("αβγ", 6, "αβγ", false),
            ("ab😀", 5, "ab", true),
            ("ab", 1, "a", true),
            ("α", 1, "", true),
            ("", 1, "", false),
        ] {
            assert_eq!(preview(text.as_bytes(), most), (shown.to_owned(), truncated), "{text} {most}");
        }
        assert_eq!(preview(b"a\xff\xff", 3), ("a".to_owned(), true));
        assert_eq!(preview(b"a\xff", 4), ("a\u{fffd}".to_owned(), false));
    }

    #[test]
    fn columns_count_units_of_utf16() {
        let line = "😀é needle 😀 needle".as_bytes();
        let mut column = Column::default();
        let places: Vec<usize> = memchr::memmem::find_iter(line, "needle").collect();
        assert_eq!(places.iter().map(|&at| column.at(line, at)).collect::<Vec<_>>(), [5, 15]);
    }
}
