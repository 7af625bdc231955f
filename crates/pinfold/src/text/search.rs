//! Occurrences of a text in a file: exact; if there are none, once more with line endings folded.

use std::ops::Range;

use memchr::memmem;

use super::ending::folded;

/// Places that are kept of a text that is to be replaced once: more than a refusal names, and few bytes.
pub(crate) const FEW: usize = 1_024;
/// Places that one edit replaces at most: each takes some 50 bytes until the file is written.
pub(crate) const MOST: usize = 1_000_000;

/// Where a text stands: in order, without overlap.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The first of them, as many as were asked for.
    pub(crate) ranges: Vec<Range<usize>>,
    /// How many there are.
    pub(crate) count: usize,
    /// Byte for byte; else only its line endings differ from the file's.
    pub(crate) exact: bool,
}

/// Finds `old` in `text`, and keeps the first [`FEW`] places. A newline in `old` takes the whole of a CRLF along, wherever
/// the match begins.
pub(crate) fn find(text: &[u8], old: &[u8]) -> Found {
    find_keeping(text, old, FEW)
}

/// The same, keeping the first `most` places; all are counted.
pub(crate) fn find_keeping(text: &[u8], old: &[u8], most: usize) -> Found {
    let (ranges, count) = exactly(text, old, most);
    if count > 0 {
        return Found { ranges, count, exact: true };
    }
    let (ranges, count) = folding(text, old, most);
    Found { ranges, count, exact: false }
}

fn first(places: impl Iterator<Item = Range<usize>>, most: usize) -> (Vec<Range<usize>>, usize) {
    let (mut kept, mut count) = (Vec::new(), 0);
    for place in places {
        if count < most {
            kept.push(place);
        }
        count += 1;
    }
    (kept, count)
}

/// A match that begins with a newline may begin in the middle of a CRLF: the return before it belongs to it, or a
/// stray one would stay behind.
fn exactly(text: &[u8], old: &[u8], most: usize) -> (Vec<Range<usize>>, usize) {
    let mut free = 0;
    let whole = |at: usize| {
        let halves = old[0] == b'\n' && at > free && text[at - 1] == b'\r';
        free = at + old.len();
        at - usize::from(halves)..free
    };
    first(memmem::find_iter(text, old).map(whole), most)
}

fn folding(text: &[u8], old: &[u8], most: usize) -> (Vec<Range<usize>>, usize) {
    if memchr::memchr(b'\n', old).is_none() {
        return (Vec::new(), 0);
    }
    let (plain, wanted) = (folded(text), folded(old));
    if plain.len() == text.len() && wanted.len() == old.len() {
        return (Vec::new(), 0);
    }
    // Offsets in the folded text only grow, so one walk over the file's CRLFs maps them all back.
    let mut returns = memmem::find_iter(text, b"\r\n").peekable();
    let mut dropped = 0;
    let mut unfold = |at: usize| {
        while returns.next_if(|own| own - dropped < at).is_some() {
            dropped += 1;
        }
        at + dropped
    };
    let range = |at: usize| unfold(at)..unfold(at + wanted.len());
    first(memmem::find_iter(&plain, &*wanted).map(range), most)
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "one place is meant, not what lies in it")]
mod tests {
    use super::*;

    fn found(text: &str, old: &str) -> (Vec<Range<usize>>, bool) {
        let found = find(text.as_bytes(), old.as_bytes());
        (found.ranges, found.exact)
    }

    #[test]
    fn exact_comes_first_and_alone() {
        assert_eq!(found("a\r\nb a\nb", "a\nb"), (vec![5..8], true));
        assert_eq!(found("aaa", "aa"), (vec![0..2], true));
        assert_eq!(found("abc", "d"), (vec![], false));
    }

    #[test]
    fn folding_maps_back_in_mixed_files() {
        assert_eq!(found("x\r\na\r\nb\r\nc\n", "a\nb\nc").0, vec![3..10]);
        assert_eq!(found("a\nb\r\n", "a\r\nb").0, vec![0..3]);
        assert_eq!(found("k\r\nl\nm\r\n", "k\nl\nm\n").0, vec![0..8]);
        assert_eq!(found("k\r\nl\nm\r\n", "k\r\nl\r\nm").0, vec![0..6]);
        assert_eq!(found("a\r\nb\r\na\r\nb\r\n", "a\nb").0, vec![0..4, 6..10]);
    }

    #[test]
    fn places_beyond_those_that_are_kept_are_counted() {
        for (text, old) in [("a".repeat(3_000), "a"), ("a\r\nb ".repeat(3_000), "a\nb")] {
            let found = find(text.as_bytes(), old.as_bytes());
            assert_eq!((found.ranges.len(), found.count), (FEW, 3_000));
            assert_eq!(find_keeping(text.as_bytes(), old.as_bytes(), MOST).ranges.len(), 3_000);
        }
    }

    #[test]
    fn a_newline_takes_its_return_along() {
        assert_eq!(found("a\r\nb", "\nb"), (vec![1..4], true));
        assert_eq!(found("\r\n\r\n", "\n"), (vec![0..2, 2..4], true));
        assert_eq!(found("\na", "\na"), (vec![0..2], true));
    }
}
