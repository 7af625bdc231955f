//! One pass over a file's bytes: a numbered window of lines under a byte ceiling, the totals, and the hash.
//!
//! Memory is bounded by the window (and by the ceiling, if there is one), never by the file.

use std::fmt::Write as _;

use pinfold_jail::snapshot::hex;
use sha2::{Digest, Sha256};

use super::utf16::Utf16;
use crate::text::encoding::Encoding;

/// Which part to show.
#[derive(Debug, Clone, Copy)]
pub(in crate::tools) struct Bounds {
    /// The first line, counted from 1.
    pub(in crate::tools) first: u64,
    /// How many lines at most.
    pub(in crate::tools) lines: u64,
    /// Bytes of the shown text, numbers and newlines included.
    pub(in crate::tools) max_bytes: Option<u64>,
    /// Lines begin with their numbers, like `cat -n`.
    pub(in crate::tools) numbered: bool,
}

/// What one pass found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tools) struct Scan {
    pub(in crate::tools) content: String,
    pub(in crate::tools) start_line: u64,
    pub(in crate::tools) end_line: u64,
    pub(in crate::tools) total_lines: u64,
    pub(in crate::tools) total_bytes: u64,
    pub(in crate::tools) truncated: bool,
    pub(in crate::tools) bytes_capped: bool,
    pub(in crate::tools) hash: String,
    pub(in crate::tools) not_utf8_at: Option<u64>,
}

/// What holds for the whole file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Totals {
    pub(super) lines: u64,
    pub(super) bytes: u64,
    pub(super) hash: String,
    pub(super) not_utf8_at: Option<u64>,
}

pub(super) struct Window {
    bounds: Bounds,
    hasher: Sha256,
    utf8: Utf8Check,
    /// Decodes what is UTF-16; none: the bytes are the text.
    utf16: Option<Utf16>,
    total_bytes: u64,
    newlines: u64,
    ends_in_newline: bool,
    /// Raw bytes of the window's lines, kept as far as the ceiling can use them.
    raw: Vec<u8>,
    /// Bytes of the window that were not kept.
    dropped: bool,
}

impl Window {
    pub(super) fn new(bounds: Bounds, encoding: Encoding) -> Window {
        Window {
            bounds,
            hasher: Sha256::new(),
            utf8: Utf8Check::default(),
            utf16: Utf16::of(encoding),
            total_bytes: 0,
            newlines: 0,
            ends_in_newline: false,
            raw: Vec::new(),
            dropped: false,
        }
    }

    /// A window into a file of which the rest is known: `lines` lines lie before what is fed to it.
    pub(super) fn behind(lines: u64, bounds: Bounds) -> Window {
        Window { newlines: lines, ..Window::new(bounds, Encoding::Bytes) }
    }

    pub(super) fn total_bytes(&self) -> u64 {
        self.total_bytes
    }

    /// Lines that ended so far.
    pub(super) fn lines(&self) -> u64 {
        self.newlines
    }

    /// Whether all of its lines were fed to it.
    pub(super) fn is_over(&self) -> bool {
        self.newlines + 1 >= self.bounds.first.saturating_add(self.bounds.lines)
    }

    /// Takes bytes only for the window's sake.
    pub(super) fn peek(&mut self, chunk: &[u8]) {
        self.take(chunk);
    }

    pub(super) fn feed(&mut self, chunk: &[u8]) {
        self.hasher.update(chunk);
        match &mut self.utf16 {
            Some(decoder) => {
                let text = decoder.feed(chunk);
                self.take(text.as_bytes());
            }
            None => {
                self.utf8.feed(chunk, self.total_bytes);
                self.take(chunk);
            }
        }
        self.total_bytes += chunk.len() as u64;
    }

    /// Keeps what lies in the window; counts lines everywhere.
    fn take(&mut self, chunk: &[u8]) {
        // Half a character of UTF-16 decodes to nothing yet, and then the line goes on as it was.
        self.ends_in_newline = chunk.last().map_or(self.ends_in_newline, |last| *last == b'\n');
        let last = self.bounds.first.saturating_add(self.bounds.lines);
        let mut rest = chunk;
        while !rest.is_empty() {
            let line = self.newlines + 1;
            if line >= last {
                self.newlines += count_newlines(rest);
                return;
            }
            let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
            let (part, after) = rest.split_at(end);
            if line >= self.bounds.first {
                self.keep(part);
            }
            self.newlines += u64::from(part.last() == Some(&b'\n'));
            rest = after;
        }
    }

    fn keep(&mut self, part: &[u8]) {
        let room = match self.bounds.max_bytes {
            // The shown text is never shorter than the raw one, so more than the ceiling is of no use.
            Some(most) => {
                usize::try_from(most).unwrap_or(usize::MAX).saturating_add(4).saturating_sub(self.raw.len())
            }
            None => part.len(),
        };
        self.dropped |= room < part.len();
        self.raw.extend_from_slice(&part[..room.min(part.len())]);
    }

    pub(super) fn finish(mut self) -> Scan {
        let not_utf8_at = match self.utf16.take() {
            Some(decoder) => {
                let (rest, bad_at) = decoder.finish();
                self.take(rest.as_bytes());
                bad_at
            }
            None => self.utf8.finish(self.total_bytes),
        };
        // A file that is nothing but a byte order mark has no text.
        let blank = self.bounds.first == 1 && self.newlines == 0 && self.raw_text().is_empty();
        let lines = self.newlines + u64::from(!blank && self.total_bytes > 0 && !self.ends_in_newline);
        let hash = hex(&std::mem::take(&mut self.hasher).finalize());
        let bytes = self.total_bytes;
        self.finish_in(Totals { lines, bytes, hash, not_utf8_at })
    }

    /// Ends a window into a file that is known.
    pub(super) fn finish_in(self, whole: Totals) -> Scan {
        let mut shown = Shown { text: String::new(), lines: 0, cut: self.dropped };
        shown.render(self.raw_text(), self.bounds);
        let start_line = if shown.lines == 0 { 0 } else { self.bounds.first };
        let end_line = if shown.lines == 0 { 0 } else { self.bounds.first + shown.lines - 1 };
        Scan {
            truncated: shown.cut || end_line.max(self.bounds.first - 1) < whole.lines,
            content: shown.text,
            start_line,
            end_line,
            total_lines: whole.lines,
            total_bytes: whole.bytes,
            bytes_capped: shown.cut,
            hash: whole.hash,
            not_utf8_at: whole.not_utf8_at,
        }
    }

    /// A byte order mark at the beginning of the file is no text; that of UTF-16 was decoded to that of UTF-8.
    fn raw_text(&self) -> &[u8] {
        let mark = if self.bounds.first == 1 { self.raw.strip_prefix(b"\xef\xbb\xbf") } else { None };
        mark.unwrap_or(&self.raw)
    }
}

fn count_newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

struct Shown {
    text: String,
    lines: u64,
    cut: bool,
}

impl Shown {
    /// Whole lines while they fit; the first that does not is cut on a character boundary.
    fn render(&mut self, raw: &[u8], bounds: Bounds) {
        let most = bounds.max_bytes.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
        for (line, number) in raw.split_inclusive(|&b| b == b'\n').zip(bounds.first..) {
            let before = self.text.len();
            if bounds.numbered {
                // Writing to a String cannot fail.
                write!(self.text, "{number:>6}\t").ok();
            }
            self.text.push_str(&String::from_utf8_lossy(line));
            self.lines += 1;
            if self.text.len() > most {
                let fits = self.text.floor_char_boundary(most);
                self.text.truncate(fits);
                self.cut = true;
                if fits <= before {
                    self.lines -= 1;
                }
                return;
            }
        }
    }
}

/// Finds the first byte that is not UTF-8, across chunks.
#[derive(Default)]
struct Utf8Check {
    bad_at: Option<u64>,
    /// The beginning of a character that the last chunk cut.
    open: Vec<u8>,
}

impl Utf8Check {
    fn feed(&mut self, chunk: &[u8], at: u64) {
        if self.bad_at.is_some() {
            return;
        }
        let mut rest = chunk;
        let mut from = at;
        if !self.open.is_empty() {
            let begun = at - self.open.len() as u64;
            let needed = (4 - self.open.len()).min(chunk.len());
            let joined = [&self.open[..], &chunk[..needed]].concat();
            match first_char_len(&joined) {
                Ok(Some(len)) => {
                    let used = len - self.open.len();
                    rest = &chunk[used..];
                    from = at + used as u64;
                    self.open.clear();
                }
                Ok(None) => return self.open.extend_from_slice(chunk),
                Err(()) => return self.bad_at = Some(begun),
            }
        }
        if let Err(error) = std::str::from_utf8(rest) {
            match error.error_len() {
                Some(_) => self.bad_at = Some(from + error.valid_up_to() as u64),
                None => self.open = rest[error.valid_up_to()..].to_vec(),
            }
        }
    }

    fn finish(&self, total: u64) -> Option<u64> {
        let unfinished = (!self.open.is_empty()).then(|| total - self.open.len() as u64);
        self.bad_at.or(unfinished)
    }
}

/// Length of the first character; none if it is not whole yet.
fn first_char_len(bytes: &[u8]) -> Result<Option<usize>, ()> {
    let valid = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.valid_up_to() > 0 => {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(error) => return if error.error_len().is_none() { Ok(None) } else { Err(()) },
    };
    Ok(valid.chars().next().map(char::len_utf8))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn scan(bytes: &[u8], first: u64, lines: u64, max_bytes: Option<u64>, chunk: usize) -> Scan {
        let mut window = Window::new(Bounds { first, lines, max_bytes, numbered: true }, Encoding::of(bytes));
        bytes.chunks(chunk.max(1)).for_each(|chunk| window.feed(chunk));
        window.finish()
    }

    #[test]
    fn every_way_of_chunking_gives_the_same() {
        let text = "\u{feff}eins\r\nzwei ü€😀\n\ndrei\nvier".as_bytes();
        for first in 1..=5 {
            for lines in [1, 2, 9] {
                for cap in [None, Some(0), Some(9), Some(15), Some(22), Some(999)] {
                    let whole = scan(text, first, lines, cap, text.len());
                    for chunk in 1..8 {
                        assert_eq!(
                            scan(text, first, lines, cap, chunk),
                            whole,
                            "{first} {lines} {cap:?} {chunk}"
                        );
                    }
                    assert!(cap.is_none_or(|cap| whole.content.len() as u64 <= cap));
                }
            }
        }
    }

    #[test]
    fn a_window_in_the_middle() {
        let text: String = (1..=10).map(|n| format!("line {n}\n")).collect();
        let got = scan(text.as_bytes(), 1, 3, None, 7);
        assert_eq!(got.content, "     1\tline 1\n     2\tline 2\n     3\tline 3\n");
        assert_eq!((got.start_line, got.end_line, got.total_lines), (1, 3, 10));
        assert!(got.truncated && !got.bytes_capped);
        let end = scan(text.as_bytes(), 8, 10, None, 7);
        assert_eq!((end.start_line, end.end_line, end.truncated), (8, 10, false));
    }

    #[test]
    fn the_ceiling_cuts_on_a_character() {
        let got = scan("aé€😀".as_bytes(), 1, 10, Some(7 + 4), 100);
        assert_eq!(got.content, "     1\taé");
        assert!(got.truncated && got.bytes_capped);
        assert_eq!(got.end_line, 1);
    }

    #[test]
    fn a_ceiling_that_fits_exactly_cuts_nothing() {
        let got = scan(b"abc\ndef\n", 1, 1, Some(11), 100);
        assert_eq!(got.content, "     1\tabc\n");
        assert!(!got.bytes_capped && got.truncated);
        let all = scan(b"abc\ndef\n", 1, 9, Some(22), 100);
        assert!(!all.bytes_capped && !all.truncated, "{all:?}");
    }

    #[test]
    fn an_empty_file_has_no_line() {
        let got = scan(b"", 1, 10, None, 1);
        assert_eq!((got.start_line, got.end_line, got.total_lines, got.truncated), (0, 0, 0, false));
        assert_eq!(got.hash, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    #[test]
    fn broken_utf16_is_shown_and_its_first_byte_named() {
        for chunk in 1..6 {
            for (bytes, text, at) in [
                (&b"\xff\xfea\0\0\xd8b\0"[..], "     1\ta\u{fffd}b", Some(4)),
                (b"\xff\xfe\0\xdc\n\0", "     1\t\u{fffd}\n", Some(2)),
                (b"\xfe\xff\0a\xd8\0", "     1\ta\u{fffd}", Some(4)),
                (b"\xfe\xff\0a\0", "     1\ta\u{fffd}", Some(4)),
                (b"\xfe\xff\xd8\x3d\xde\0", "     1\t\u{1f600}", None),
            ] {
                let got = scan(bytes, 1, 9, None, chunk);
                assert_eq!((&*got.content, got.not_utf8_at), (text, at), "{bytes:?} {chunk}");
                assert_eq!(got.total_bytes, bytes.len() as u64);
            }
        }
    }

    proptest! {
        #[test]
        fn utf16_reads_as_its_utf8_form(
            text in "[a-zé€😀\u{feff}\r\n]{0,40}", chunk in 1..9usize, first in 1..4u64, cap in 0..40u64,
        ) {
            // Above the range: no ceiling.
            let cap = (cap < 30).then_some(cap);
            let utf8 = scan(format!("\u{feff}{text}").as_bytes(), first, 5, cap, 1000);
            for encoding in [Encoding::Utf16Le, Encoding::Utf16Be] {
                let bytes = encoding.encode(text.clone().into_bytes());
                let hash = pinfold_jail::snapshot::sha256(&bytes);
                let got = scan(&bytes, first, 5, cap, chunk);
                prop_assert_eq!((got.total_bytes, &got.hash), (bytes.len() as u64, &hash));
                prop_assert_eq!(got, Scan { total_bytes: bytes.len() as u64, hash, ..utf8.clone() });
            }
        }
    }

    #[test]
    fn a_mark_alone_is_no_line() {
        let got = scan("\u{feff}".as_bytes(), 1, 10, None, 1);
        assert_eq!((got.start_line, got.end_line, got.total_lines, got.truncated), (0, 0, 0, false));
    }

    #[test]
    fn the_first_byte_that_is_not_utf8_is_named() {
        for chunk in 1..6 {
            assert_eq!(scan(b"ab\xff\n", 1, 9, None, chunk).not_utf8_at, Some(2));
            assert_eq!(scan("a😀".as_bytes(), 1, 9, None, chunk).not_utf8_at, None);
            assert_eq!(scan(&"a😀".as_bytes()[..4], 1, 9, None, chunk).not_utf8_at, Some(1));
            assert_eq!(scan(b"a\xe2\x82b", 1, 9, None, chunk).not_utf8_at, Some(1));
        }
    }
}
