//! Replacing occurrences: everything outside them stays, byte for byte, and new lines end like those around them.
//!
//! A line of the new text ends as the line of the matched text that it stands for; where there is none, as the nearest
//! line before, else after, else in LF. Only a new text that itself holds CRLF, put in for an exact match, is taken as
//! it is: whoever writes that means it.

use std::{
    borrow::Cow,
    collections::{HashMap, VecDeque},
    mem,
    ops::Range,
};

use memchr::{memmem, memrchr};

use super::{
    change::Change,
    ending::{Ending, folded},
    search::Found,
};

/// Places of a text, and what is to stand there instead.
#[derive(Debug)]
pub(crate) struct Splice {
    pub(crate) changes: Vec<Change>,
    /// What is put in, one place after the other.
    new: Vec<u8>,
}

impl Splice {
    /// Puts `new` in place of every occurrence that was found of `old`.
    pub(crate) fn plan(text: &[u8], found: &Found, old: &[u8], new: &[u8]) -> Splice {
        let mut splice = Splice { changes: Vec::with_capacity(found.ranges.len()), new: Vec::new() };
        let literal = found.exact && memmem::find(new, b"\r\n").is_some();
        let (old, plain) = (folded(old), folded(new));
        let lines = NewLines::of(&old, &plain);
        let mut around = Around { text, first: Ending::first(text), last: None, seen: 0 };
        for range in &found.ranges {
            let begin = splice.new.len();
            if literal || lines.lines.len() == 1 {
                splice.new.extend_from_slice(if literal { new } else { &plain });
            } else {
                let before = around.before(range.start);
                around.pass(range);
                lines.write(&Ending::all(&text[range.clone()]), before, &mut splice.new);
            }
            splice.push(range.clone(), splice.new.len() - begin);
        }
        splice
    }

    fn push(&mut self, old: Range<usize>, length: usize) {
        let (end, at) = self.changes.last().map_or((0, 0), |last| (last.old.end, last.new.end));
        let start = at + (old.start - end);
        self.changes.push(Change { old, new: start..start + length });
    }

    /// Each place with what is put in there.
    fn places(&self) -> impl Iterator<Item = (&Range<usize>, &[u8])> {
        let mut rest = &*self.new;
        self.changes
            .iter()
            .map(move |change| (&change.old, rest.split_off(..change.new.len()).unwrap_or_default()))
    }

    /// Whether all that it replaces is replaced by itself.
    pub(crate) fn is_idle(&self, text: &[u8]) -> bool {
        self.places().all(|(old, new)| text[old.clone()] == *new)
    }

    /// Makes `text` the new one: in its own memory where little has to move, else in that of `spare`, which gets the old.
    pub(crate) fn carry_out(&self, text: &mut Cow<'_, [u8]>, spare: &mut Vec<u8>) {
        let one = self.changes.len() == 1 && matches!(text, Cow::Owned(_));
        if self.changes.iter().all(|change| change.old.len() == change.new.len()) {
            let text = text.to_mut();
            self.places().for_each(|(old, new)| text[old.clone()].copy_from_slice(new));
        } else if one {
            self.places().for_each(|(old, new)| drop(text.to_mut().splice(old.clone(), new.iter().copied())));
        } else {
            let rebuilt = self.rebuilt(text, mem::take(spare));
            if let Cow::Owned(before) = mem::replace(text, Cow::Owned(rebuilt)) {
                *spare = before;
            }
        }
    }

    fn rebuilt(&self, text: &[u8], mut out: Vec<u8>) -> Vec<u8> {
        out.clear();
        out.reserve(text.len() + self.new.len());
        let mut from = 0;
        for (old, new) in self.places() {
            out.extend_from_slice(&text[from..old.start]);
            out.extend_from_slice(new);
            from = old.end;
        }
        out.extend_from_slice(&text[from..]);
        out
    }
}

/// The new text, and where it differs.
#[cfg(test)]
pub(crate) fn splice(text: &[u8], found: &Found, old: &[u8], new: &[u8]) -> (Vec<u8>, Vec<Change>) {
    let splice = Splice::plan(text, found, old, new);
    let rebuilt = splice.rebuilt(text, Vec::new());
    for mut own in [Cow::Borrowed(text), Cow::Owned(text.to_vec())] {
        splice.carry_out(&mut own, &mut vec![b'?'; 3]);
        assert_eq!(own, rebuilt, "whatever memory it is done in");
    }
    (rebuilt, splice.changes)
}

/// The endings outside the matches, looked at once from front to back.
struct Around<'a> {
    text: &'a [u8],
    first: Option<Ending>,
    last: Option<Ending>,
    seen: usize,
}

impl Around<'_> {
    /// The nearest ending before `at`, else the first after it, else LF.
    fn before(&mut self, at: usize) -> Ending {
        self.look(at);
        self.last.or(self.first).unwrap_or(Ending::Lf)
    }

    fn pass(&mut self, range: &Range<usize>) {
        self.look(range.end);
    }

    fn look(&mut self, until: usize) {
        if let Some(newline) = memrchr(b'\n', &self.text[self.seen..until]) {
            self.last = Some(Ending::at(self.text, self.seen + newline));
        }
        self.seen = until;
    }
}

/// The lines to put in, and for each the line of the old text that it stands for.
struct NewLines<'a> {
    lines: Vec<&'a [u8]>,
    owners: Vec<usize>,
}

impl<'a> NewLines<'a> {
    fn of(old: &[u8], new: &'a [u8]) -> NewLines<'a> {
        let before: Vec<&[u8]> = old.split(|&byte| byte == b'\n').collect();
        let lines: Vec<&[u8]> = new.split(|&byte| byte == b'\n').collect();
        let owners = match before.len() == lines.len() {
            true => (0..lines.len()).collect(),
            false => owners(&before, &lines),
        };
        NewLines { lines, owners }
    }

    fn write(&self, matched: &[Ending], before: Ending, out: &mut Vec<u8>) {
        let newlines = self.lines.len() - 1;
        for (at, line) in self.lines.iter().enumerate() {
            out.extend_from_slice(line);
            if at < newlines {
                let own = self.owners[at].min(matched.len().saturating_sub(1));
                out.extend_from_slice(matched.get(own).copied().unwrap_or(before).bytes());
            }
        }
    }
}

/// Lines that are the same at either end stand for each other; of those between, each stands for the next one that is
/// the same, or else for the one that the line before it stands for.
fn owners(before: &[&[u8]], lines: &[&[u8]]) -> Vec<usize> {
    let most = before.len().min(lines.len());
    let start = before.iter().zip(lines).take(most).take_while(|(a, b)| a == b).count();
    let pairs = before.iter().rev().zip(lines.iter().rev()).take(most - start);
    let end = pairs.take_while(|(a, b)| a == b).count();
    let mut places: HashMap<&[u8], VecDeque<usize>> = HashMap::new();
    for (at, line) in before.iter().enumerate().take(before.len() - end).skip(start) {
        places.entry(line).or_default().push_back(at);
    }
    let mut own = start.saturating_sub(1);
    let mut next = start;
    let mut owner = |line: &[u8]| {
        let same = places.get_mut(line);
        if let Some(at) = same.and_then(|same| {
            while same.front().is_some_and(|&at| at < next) {
                same.pop_front();
            }
            same.pop_front()
        }) {
            (own, next) = (at, at + 1);
        }
        own
    };
    let middle: Vec<usize> = lines[start..lines.len() - end].iter().map(|line| owner(line)).collect();
    (0..start).chain(middle).chain(before.len() - end..before.len()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::search::find;

    fn edited(text: &str, old: &str, new: &str) -> String {
        let found = find(text.as_bytes(), old.as_bytes());
        String::from_utf8(splice(text.as_bytes(), &found, old.as_bytes(), new.as_bytes()).0).unwrap()
    }

    #[test]
    fn replaces_literally() {
        assert_eq!(edited("one two one", "one", "1"), "1 two 1");
        assert_eq!(edited("aaa", "aa", "b"), "ba");
        assert_eq!(edited("a$&b", "$&", "$1"), "a$1b");
    }

    #[test]
    fn new_lines_end_like_their_neighbours() {
        for (text, old, new, after) in [
            ("a\r\nb\r\n", "b", "x\ny", "a\r\nx\r\ny\r\n"),
            ("a\r\nb\r\n", "a", "x\ny", "x\r\ny\r\nb\r\n"),
            ("a\nb\r\n", "a", "x\ny", "x\ny\nb\r\n"),
            ("a\r\nb\nc", "c", "x\ny", "a\r\nb\nx\ny"),
            ("a\nb\r\nc", "c", "x\ny", "a\nb\r\nx\r\ny"),
            ("a", "a", "x\ny\n", "x\ny\n"),
            ("k\r\nl\nm\r\n", "k\nl\nm", "K\nL\nM", "K\r\nL\nM\r\n"),
            ("k\r\nl\nm\r\nn", "k\nl\nm\nn", "k\nnew\nl\nm\nn", "k\r\nnew\r\nl\nm\r\nn"),
            ("k\r\nl\nm\r\nn", "k\nl\nm\nn", "k\nn", "k\r\nn"),
            ("k\r\nl\nm\r\nn", "k\nl\nm\nn", "K\nl\nnew\nm\nN", "K\r\nl\nnew\nm\r\nN"),
            ("a\r\nb", "\nb", "\nx", "a\r\nx"),
            ("a\r\nb", "\nb", "", "a"),
            ("p q\r\np\n", "p", "x\ny", "x\r\ny q\r\nx\r\ny\n"),
        ] {
            assert_eq!(edited(text, old, new), after, "{text:?} {old:?} {new:?}");
        }
    }

    #[test]
    fn crlf_in_the_new_text_is_meant_where_the_match_was_exact() {
        assert_eq!(edited("a\nb\n", "b", "x\r\ny"), "a\nx\r\ny\n");
        assert_eq!(edited("a\nb\n", "a\r\nb", "x\r\ny"), "x\ny\n");
        assert_eq!(edited("a\r\nb", "a\r\nb", "a\nb"), "a\r\nb");
    }
}
