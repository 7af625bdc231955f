//! Which edits failed lately, and how often: to tell somebody who runs in a circle.

use std::{
    collections::VecDeque,
    hash::{BuildHasher, RandomState},
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Failed edits that are remembered; the one that failed longest ago is forgotten first.
const REMEMBERED: usize = 64;

/// The failed edits of one workspace: hashes only, so its size is fixed.
#[derive(Debug, Default)]
pub(crate) struct Misses {
    hasher: RandomState,
    /// The latest at the back.
    last: Mutex<VecDeque<(u64, u32)>>,
}

impl Misses {
    /// Remembers that `old` was not to be replaced in the file at `place`; how often that is now.
    pub(crate) fn count(&self, place: &Path, old: &str) -> u32 {
        let times = self.forget(place, old).saturating_add(1);
        let mut last = self.last();
        if last.len() >= REMEMBERED {
            last.pop_front();
        }
        last.push_back((self.hasher.hash_one((place, old)), times));
        times
    }

    /// Forgets it, for the edit was made; how often it had failed.
    pub(crate) fn forget(&self, place: &Path, old: &str) -> u32 {
        let key = self.hasher.hash_one((place, old));
        let mut last = self.last();
        let at = last.iter().position(|(own, _)| *own == key);
        at.and_then(|at| last.remove(at)).map_or(0, |(_, times)| times)
    }

    fn last(&self) -> MutexGuard<'_, VecDeque<(u64, u32)>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_each_edit_by_itself_and_forgets_the_oldest() {
        let misses = Misses::default();
        let (a, b) = (Path::new("/a"), Path::new("/b"));
        assert_eq!([misses.count(a, "x"), misses.count(b, "x"), misses.count(a, "y")], [1, 1, 1]);
        assert_eq!([misses.count(a, "x"), misses.count(a, "x")], [2, 3]);
        assert_eq!((misses.forget(a, "x"), misses.count(a, "x")), (3, 1));
        for at in 0..REMEMBERED {
            misses.count(b, &at.to_string());
        }
        assert_eq!(misses.count(a, "x"), 1);
        assert_eq!(misses.last().len(), REMEMBERED);
    }
}
