//! Texts that were shown or written lately, by their hashes: what changed since can be told by lines.

use std::{
    collections::VecDeque,
    hash::{BuildHasher, RandomState},
    ops::RangeInclusive,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Texts that are remembered; the oldest goes first.
const MOST_TEXTS: usize = 64;
/// Bytes of the longest that is remembered; of each line eight bytes are kept.
pub(crate) const MOST_BYTES: usize = 128 * 1024;

/// The lines of texts, each as a number.
#[derive(Debug, Default)]
pub(crate) struct KnownTexts {
    hasher: RandomState,
    texts: Mutex<VecDeque<(String, Vec<u64>)>>,
}

/// Where two texts differ.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Differing {
    /// The lines of the old text, counted from 1; empty where lines only came.
    pub(crate) before: RangeInclusive<usize>,
    /// The lines of the new one; empty where lines only went.
    pub(crate) now: RangeInclusive<usize>,
}

impl KnownTexts {
    #[cfg(test)]
    fn learn(&self, hash: &str, content: &[u8]) {
        self.keep(hash, self.noted(content));
    }

    /// What would be remembered of `content`; none of a long one.
    pub(crate) fn noted(&self, content: &[u8]) -> Option<Vec<u64>> {
        (content.len() <= MOST_BYTES).then(|| self.lines(content))
    }

    /// Remembers what was noted of the text whose SHA-256 is `hash`.
    pub(crate) fn keep(&self, hash: &str, noted: Option<Vec<u64>>) {
        let Some(lines) = noted else { return };
        let mut texts = self.texts();
        if texts.iter().any(|(own, _)| own == hash) {
            return;
        }
        if texts.len() >= MOST_TEXTS {
            texts.pop_front();
        }
        texts.push_back((hash.to_owned(), lines));
    }

    /// Where `now` differs from the text with that hash; none if that is not known.
    pub(crate) fn differing(&self, hash: &str, now: &[u8]) -> Option<Differing> {
        let texts = self.texts();
        let (_, before) = texts.iter().find(|(own, _)| own.eq_ignore_ascii_case(hash))?;
        let now = self.lines(now);
        let pairs = |(a, b): &(&u64, &u64)| a == b;
        let same_start = before.iter().zip(&now).take_while(pairs).count();
        let most = before.len().min(now.len()) - same_start;
        let same_end = before.iter().rev().zip(now.iter().rev()).take(most).take_while(pairs).count();
        Some(Differing {
            before: same_start + 1..=before.len() - same_end,
            now: same_start + 1..=now.len() - same_end,
        })
    }

    fn lines(&self, content: &[u8]) -> Vec<u64> {
        content.split_inclusive(|byte| *byte == b'\n').map(|line| self.hasher.hash_one(line)).collect()
    }

    fn texts(&self) -> MutexGuard<'_, VecDeque<(String, Vec<u64>)>> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Differing {
    /// One sentence about `path`.
    pub(crate) fn said(&self, path: &str) -> String {
        let lines = |range: &RangeInclusive<usize>| match (*range.start(), *range.end()) {
            (first, last) if first == last => format!("line {first}"),
            (first, last) => format!("lines {first} to {last}"),
        };
        match (self.before.is_empty(), self.now.is_empty()) {
            (true, true) => format!("The lines of `{path}` are the same."),
            (true, false) => format!("What came since is {} of `{path}` as it is now.", lines(&self.now)),
            (false, true) => format!("What went since was {} of `{path}`.", lines(&self.before)),
            (false, false) => {
                format!("What changed since was {}, and is now {}.", lines(&self.before), lines(&self.now))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_that_differ_are_told() {
        for (before, now, said) in [
            ("a\nb\nc\n", "a\nB\nc\n", "What changed since was line 2, and is now line 2."),
            ("a\nb\nc\n", "a\nB\nC\nc\n", "What changed since was line 2, and is now lines 2 to 3."),
            ("a\nc\n", "a\nb\nc\n", "What came since is line 2 of `f` as it is now."),
            ("a\nb\nc\n", "a\n", "What went since was lines 2 to 3 of `f`."),
            ("a\na\n", "a\na\na\n", "What came since is line 3 of `f` as it is now."),
            ("", "a", "What came since is line 1 of `f` as it is now."),
            ("a\n", "a", "What changed since was line 1, and is now line 1."),
        ] {
            let known = KnownTexts::default();
            known.learn("AB", before.as_bytes());
            assert_eq!(known.differing("ab", now.as_bytes()).unwrap().said("f"), said, "{before:?} {now:?}");
            assert_eq!(known.differing("other", now.as_bytes()), None);
        }
    }

    #[test]
    fn few_are_remembered_and_none_that_is_long() {
        let known = KnownTexts::default();
        (0..200).for_each(|at| known.learn(&at.to_string(), b"a"));
        known.learn("long", &vec![b'a'; MOST_BYTES + 1]);
        assert_eq!(known.texts().len(), MOST_TEXTS);
        assert_eq!((known.differing("0", b""), known.differing("long", b"")), (None, None));
    }
}
