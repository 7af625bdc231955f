//! Comparing without line breaks at the ends, without blanks, or without typographic marks: to find what was meant, never to replace it.

use std::ops::Range;

use memchr::{memchr, memmem, memrchr};

/// Shorter texts match loosely nearly everywhere.
const LEAST_BYTES: usize = 3;

/// What does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Loose {
    /// Indentation, trailing blanks, and how many blanks, of which kind, stand between words.
    blanks: bool,
    /// Typographic quotes, dashes, blanks, and marks that are not seen.
    marks: bool,
}

impl Loose {
    /// From the strictest on.
    pub(super) const ALL: [Loose; 4] = [
        Loose { blanks: false, marks: false },
        Loose { blanks: false, marks: true },
        Loose { blanks: true, marks: false },
        Loose { blanks: true, marks: true },
    ];

    pub(super) fn but(self) -> &'static str {
        match (self.marks, self.blanks) {
            (false, false) => "apart from line breaks at its ends",
            (true, false) => "apart from typographic quotes, dashes or blanks",
            (false, true) => "apart from indentation, tabs or blanks",
            (true, true) => "apart from typographic marks and blanks",
        }
    }

    /// Where `old` stands in `text`, if what does not count is left out: whole lines, where a match covers them.
    pub(super) fn find(self, text: &[u8], old: &[u8]) -> Vec<Range<usize>> {
        let wanted = self.folded(old);
        let wanted = trimmed(&wanted);
        if wanted.len() < LEAST_BYTES {
            return Vec::new();
        }
        let plain = self.folded(text);
        let found: Vec<usize> = memmem::find_iter(&plain, wanted).collect();
        if found.is_empty() {
            return Vec::new();
        }
        let mut places = self.unfolded(text, &found, wanted.len());
        let indented = old.first().is_some_and(u8::is_ascii_whitespace);
        let whole_start = indented || memchr(b'\n', wanted).is_some();
        places.iter_mut().for_each(|place| widen(text, place, whole_start, old.ends_with(b"\n")));
        places
    }

    fn folded(self, text: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len());
        self.walk(text, |_, plain| {
            out.extend_from_slice(plain);
        });
        out
    }

    /// The ranges of `text` that became those of length `len` at `starts`, in order.
    fn unfolded(self, text: &[u8], starts: &[usize], len: usize) -> Vec<Range<usize>> {
        let mut places: Vec<Range<usize>> = Vec::with_capacity(starts.len());
        let (mut at, mut ended) = (0, 0);
        self.walk(text, |own, plain| {
            let until = at + plain.len();
            if starts.get(places.len()).is_some_and(|start| (at..until).contains(start)) {
                places.push(own.start..own.end);
            }
            if starts.get(ended).is_some_and(|start| ended < places.len() && until >= start + len) {
                places[ended].end = own.end;
                ended += 1;
            }
            at = until;
        });
        places.truncate(ended);
        places
    }

    /// Tells each part of `text` and what it counts as. Lines stay lines.
    fn walk(self, text: &[u8], mut tell: impl FnMut(Range<usize>, &[u8])) {
        let mut at = 0;
        let mut begun = false;
        while at < text.len() {
            let (len, plain) = self.part(&text[at..]);
            let blank = self.blanks && matches!(plain, b" " | b"\t" | b"");
            let (end, seen) = if blank { self.blanks(text, at) } else { (at + len, true) };
            if blank {
                let within = begun && end < text.len() && self.part(&text[end..]).1 != b"\n";
                if within && seen {
                    tell(at..end, b" ");
                }
            } else {
                tell(at..end, plain);
                begun = plain != b"\n";
            }
            at = end;
        }
    }

    /// Where the blanks from `at` on end, and whether one of them can be seen.
    fn blanks(self, text: &[u8], mut at: usize) -> (usize, bool) {
        let mut seen = false;
        while at < text.len() {
            match self.part(&text[at..]) {
                (len, plain @ (b" " | b"\t" | b"")) => {
                    at += len;
                    seen |= !plain.is_empty();
                }
                _ => break,
            }
        }
        (at, seen)
    }

    /// The first character of `rest`, in bytes, and what it counts as.
    fn part(self, rest: &[u8]) -> (usize, &[u8]) {
        if rest.starts_with(b"\r\n") {
            return (2, b"\n");
        }
        match rest {
            [] => (0, b""),
            [first, ..] if self.marks && *first >= 0x80 => mark(rest).unwrap_or((1, &rest[..1])),
            _ => (1, &rest[..1]),
        }
    }
}

/// A typographic mark, and the plain one that stands for it.
fn mark(rest: &[u8]) -> Option<(usize, &'static [u8])> {
    let plain: &[u8] = match rest {
        [0xe2, 0x80, 0x98..=0x9b, ..] => b"'",
        [0xe2, 0x80, 0x9c..=0x9f, ..] => b"\"",
        [0xe2, 0x80, 0x90..=0x95, ..] | [0xe2, 0x88, 0x92, ..] => b"-",
        [0xe2, 0x80, 0xa6, ..] => b"...",
        [0xe2, 0x80, 0x80..=0x8a | 0xaf, ..] | [0xe3, 0x80, 0x80, ..] => b" ",
        [0xe2, 0x80, 0x8b..=0x8f, ..] | [0xef, 0xbb, 0xbf, ..] => b"",
        _ => {
            return match rest {
                [0xc2, 0xa0, ..] => Some((2, b" ")),
                [0xc2, 0xad, ..] => Some((2, b"")),
                [0xc2, 0xb4, ..] => Some((2, b"'")),
                [0xc2, 0xab | 0xbb, ..] => Some((2, b"\"")),
                _ => None,
            };
        }
    };
    Some((3, plain))
}

/// Without blank lines at either end.
fn trimmed(plain: &[u8]) -> &[u8] {
    let start = plain.iter().position(|&byte| byte != b'\n').unwrap_or(plain.len());
    let end = plain.iter().rposition(|&byte| byte != b'\n').map_or(start, |at| at + 1);
    &plain[start..end]
}

/// Takes in the blanks before and behind, up to the ends of the lines, and the last ending if it is wanted.
fn widen(text: &[u8], place: &mut Range<usize>, whole_start: bool, ending: bool) {
    let blank = |part: &[u8]| part.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
    let start = memrchr(b'\n', &text[..place.start]).map_or(0, |at| at + 1);
    if whole_start && blank(&text[start..place.start]) {
        place.start = start;
    }
    let end = memchr(b'\n', &text[place.end..]).map_or(text.len(), |at| place.end + at);
    if blank(&text[place.end..end]) {
        let returns = usize::from(end > place.end && text[end - 1] == b'\r');
        place.end = if ending { text.len().min(end + 1) } else { end - returns };
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "one place is meant, not what lies in it")]
mod tests {
    use super::*;

    fn found(which: usize, text: &str, old: &str) -> Vec<String> {
        let places = Loose::ALL[which].find(text.as_bytes(), old.as_bytes());
        places.into_iter().map(|place| text[place].to_owned()).collect()
    }

    #[test]
    fn blanks_do_not_count() {
        for (text, old, place) in [
            ("\tif x {\n\t\ty();\n\t}\n", "    if x {\n        y();\n    }\n", "\tif x {\n\t\ty();\n\t}\n"),
            ("a\n  foo(a,  b)  \nc\n", "foo(a, b)", "foo(a,  b)  "),
            ("a\n  foo(a,  b)  \r\nc\n", "  foo(a, b)\nc", "  foo(a,  b)  \r\nc"),
            ("x = foo(a,\tb);", "foo(a, b)", "foo(a,\tb)"),
            ("one\n   \ntwo\n", "one\n\ntwo", "one\n   \ntwo"),
        ] {
            assert_eq!(found(2, text, old), [place], "{old:?}");
        }
        assert!(found(2, "foo( a )", "foo(a)").is_empty());
    }

    #[test]
    fn marks_do_not_count() {
        for (text, old, place) in [
            ("say “hi” – now", "say \"hi\" - now", "say “hi” – now"),
            ("don’t", "don't", "don’t"),
            ("a\u{a0}b c", "a b", "a\u{a0}b"),
            ("it's", "it’s", "it's"),
            ("wait… no", "wait... no", "wait… no"),
            ("zero\u{200b}width", "zerowidth", "zero\u{200b}width"),
        ] {
            assert_eq!(found(1, text, old), [place], "{old:?}");
        }
        assert_eq!(found(3, "  say\u{a0} “hi”\n", "say \"hi\""), ["say\u{a0} “hi”"]);
    }

    #[test]
    fn every_place_is_found() {
        assert_eq!(found(0, "last", "\nlast\n"), ["last"]);
        assert_eq!(found(2, "\tabc\n abc\nabc", "  abc"), ["\tabc", " abc", "abc"]);
        assert!(found(2, "a a a", " a").is_empty());
    }

    #[test]
    fn bytes_that_are_no_text_do_no_harm() {
        let text = b"\xff\xe2\x80\n\tabc\xe2";
        assert_eq!(Loose::ALL[3].find(text, b"  abc"), [4..8]);
    }
}
