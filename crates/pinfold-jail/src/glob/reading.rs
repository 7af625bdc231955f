//! Matching along a walk: each directory is read once, for all that lies below it.

use super::{Dialect, Glob, segment::letters};

/// One name, as the globs of a [`Dialect`] compare it.
#[derive(Debug, Clone)]
pub struct Letters(Vec<u32>);

impl Letters {
    /// Reads a name: the text of one path component.
    pub fn of(name: &[u8], dialect: Dialect) -> Letters {
        Letters(letters(name, dialect))
    }
}

/// How far a glob has been read on the way down to a directory. Made by [`Glob::begin`], for that glob only.
#[derive(Debug, Clone)]
pub struct Reading(Vec<Vec<bool>>);

impl Glob {
    /// Before the first name.
    pub fn begin(&self) -> Reading {
        Reading(self.alternatives.iter().map(super::Alternative::begin).collect())
    }

    /// After one more name.
    pub fn step(&self, reading: &Reading, name: &Letters) -> Reading {
        let pairs = self.alternatives.iter().zip(&reading.0);
        Reading(pairs.map(|(one, states)| one.step(states, &name.0)).collect())
    }

    /// Whether the path that ends with this name matches.
    pub fn ends_with(&self, reading: &Reading, name: &Letters) -> bool {
        let mut pairs = self.alternatives.iter().zip(&reading.0);
        pairs.any(|(one, states)| one.ends_with(states, &name.0))
    }

    /// Whether anything below could match: if not, a walk need not go on.
    pub fn goes_on(&self, reading: &Reading) -> bool {
        self.alternatives.iter().zip(&reading.0).any(|(one, states)| one.goes_on(states))
    }

    /// How this glob compares letters.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::*, sample::select};

    use super::*;
    use crate::RelPath;

    fn pattern() -> impl Strategy<Value = String> {
        let segment = select(&["a", "*", "**", "?", "b*", "{a,b}", "[ab]", "A"][..]);
        prop::collection::vec(segment, 1..5).prop_map(|parts| parts.join("/"))
    }

    proptest! {
        #[test]
        fn reading_step_by_step_is_reading_at_once(
            text in pattern(),
            names in prop::collection::vec(select(&["a", "b", "ab", "A", "bb"][..]), 1..6),
            floats in any::<bool>(),
            dialect in select(&[Dialect::Deny, Dialect::Plain, Dialect::Search, Dialect::Env][..]),
        ) {
            let make = if floats { Glob::at_any_depth } else { Glob::new };
            let glob = make(&text, dialect).unwrap();
            let (mut reading, mut path) = (glob.begin(), RelPath::root());
            for name in names {
                prop_assert_eq!(glob.goes_on(&reading), glob.may_match_below(&path), "{} below {}", text, path);
                path.push(name.as_bytes()).unwrap();
                let letters = Letters::of(name.as_bytes(), dialect);
                prop_assert_eq!(glob.ends_with(&reading, &letters), glob.matches(&path), "{} on {}", text, path);
                reading = glob.step(&reading, &letters);
            }
        }
    }
}
