//! What was replaced by what: places in the text before, and where they are in the text after.

use std::ops::Range;

/// One place that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    /// In the text before.
    pub(crate) old: Range<usize>,
    /// In the text after.
    pub(crate) new: Range<usize>,
}

/// Changes from a first text to a second, then from that to a third, as changes from the first to the third. All are
/// in order and without overlap; what touches becomes one.
pub(crate) fn compose(first: &[Change], second: &[Change]) -> Vec<Change> {
    let mut whole = Vec::with_capacity(first.len() + second.len());
    let (mut firsts, mut seconds) = (first.iter().peekable(), second.iter().peekable());
    // How far outside of all changes the first text lies behind the second, and the third before it.
    let (mut back, mut forth) = (Shift::default(), Shift::default());
    while let Some(begin) =
        earlier(firsts.peek().map(|it| it.new.start), seconds.peek().map(|it| it.old.start))
    {
        let (old, new) = (back.of(begin), forth.of(begin));
        let mut end = begin;
        loop {
            if let Some(one) = firsts.next_if(|it| it.new.start <= end) {
                end = end.max(one.new.end);
                back.take(&one.new, &one.old);
            } else if let Some(one) = seconds.next_if(|it| it.old.start <= end) {
                end = end.max(one.old.end);
                forth.take(&one.old, &one.new);
            } else {
                break;
            }
        }
        whole.push(Change { old: old..back.of(end), new: new..forth.of(end) });
    }
    whole
}

fn earlier(one: Option<usize>, other: Option<usize>) -> Option<usize> {
    one.into_iter().chain(other).min()
}

/// From offsets of one text to those of another, after the changes that were taken in.
#[derive(Default)]
struct Shift {
    grown: usize,
    shrunk: usize,
}

impl Shift {
    fn take(&mut self, from: &Range<usize>, to: &Range<usize>) {
        self.grown += to.len();
        self.shrunk += from.len();
    }

    /// `at` is not inside a change, so this never goes below zero.
    fn of(&self, at: usize) -> usize {
        (at + self.grown).saturating_sub(self.shrunk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{search, splice};

    /// The texts after each step, and all steps as one.
    fn steps(text: &str, edits: &[(&str, &str)]) -> (String, Vec<Change>) {
        let mut now = text.as_bytes().to_vec();
        let mut all = Vec::new();
        for (old, new) in edits {
            let found = search::find(&now, old.as_bytes());
            let (text, done) = splice::splice(&now, &found, old.as_bytes(), new.as_bytes());
            all = compose(&all, &done);
            now = text;
        }
        (String::from_utf8(now).unwrap(), all)
    }

    fn rebuilt(text: &str, after: &str, changes: &[Change]) -> String {
        let (mut out, mut from) = (String::new(), 0);
        for change in changes {
            out += &text[from..change.old.start];
            assert_eq!(out.len(), change.new.start);
            out += &after[change.new.clone()];
            from = change.old.end;
        }
        out + &text[from..]
    }

    #[test]
    fn steps_come_to_one() {
        let text = "one two three four two";
        for edits in [
            &[("two", "2"), ("three", "drei"), ("2", "zwei")][..],
            &[("one", ""), (" ", "__"), ("_", "")],
            &[("four", "f o u r"), ("o u", ""), ("f ", "FF"), ("FF", "")],
            &[("one two", "a"), ("a three", "bc"), ("c four", "d")],
            &[("e", "ee"), ("ee", "e"), ("t", "tt"), ("tt", "")],
        ] {
            let (after, changes) = steps(text, edits);
            assert_eq!(rebuilt(text, &after, &changes), after, "{edits:?}: {changes:?}");
        }
    }

    #[test]
    fn far_from_each_other_stay_two() {
        let (_, changes) = steps("one two three", &[("three", "3"), ("one", "1")]);
        assert_eq!(changes, [Change { old: 0..3, new: 0..1 }, Change { old: 8..13, new: 6..7 }]);
    }
}
