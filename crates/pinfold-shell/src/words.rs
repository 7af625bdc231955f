//! The words of a judged command, shared between commands that stand inside one another.

use std::{fmt, ops::Deref, ops::Range, sync::Arc};

use serde::{Serialize, Serializer};

/// The words of a command: a slice to read. `None` stands for a word that only a shell would know when it runs.
///
/// The words of `env env env …` belong to each command on the way down: they are kept once, or a short line would make
/// a verdict of many times its size. Serializes as an array of strings and `null`.
#[derive(Clone)]
pub struct Words {
    all: Arc<[Option<String>]>,
    range: Range<usize>,
}

impl Words {
    /// The words of a command inside this one. Never out of range: what is missing is left out.
    pub(crate) fn part(&self, range: Range<usize>) -> Words {
        let at = |index: usize| (self.range.start + index).min(self.range.end);
        Words { all: self.all.clone(), range: at(range.start)..at(range.end) }
    }
}

impl Deref for Words {
    type Target = [Option<String>];

    fn deref(&self) -> &[Option<String>] {
        &self.all[self.range.clone()]
    }
}

impl FromIterator<Option<String>> for Words {
    fn from_iter<I: IntoIterator<Item = Option<String>>>(words: I) -> Words {
        let all: Arc<[Option<String>]> = words.into_iter().collect();
        let range = 0..all.len();
        Words { all, range }
    }
}

impl PartialEq for Words {
    fn eq(&self, other: &Words) -> bool {
        **self == **other
    }
}

impl Eq for Words {}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl Serialize for Words {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}
