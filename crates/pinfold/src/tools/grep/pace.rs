//! How much is searched between two looks at the clock.

use std::time::{Duration, Instant};

/// Bytes of the first step, so that the worst pattern does not take long over it either.
const FIRST: usize = 4 << 10;
/// Bytes of the longest step: what the searcher holds.
const LONGEST: usize = 64 << 10;
const SHORTEST: usize = 1 << 10;
/// A step that took longer is too long.
const SLOW: Duration = Duration::from_millis(8);
/// A step that took less may be longer.
const FAST: Duration = Duration::from_millis(2);

/// The length of the next step, learned from how long the last ones took. One thread keeps it from file to file.
#[derive(Debug)]
pub(super) struct Pace {
    step: usize,
    began: Option<Instant>,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { step: FIRST, began: None }
    }
}

impl Pace {
    /// Bytes of the next step.
    pub(super) fn step(&self) -> usize {
        self.step
    }

    /// A step of `bytes` begins.
    pub(super) fn begin(&mut self, bytes: usize) {
        // A short one tells little of a whole step.
        self.began = (bytes >= self.step / 2).then(Instant::now);
    }

    /// The step that began is over, if one did.
    pub(super) fn end(&mut self) {
        if let Some(began) = self.began.take() {
            self.took(began.elapsed());
        }
    }

    /// Nothing is searched now.
    pub(super) fn rest(&mut self) {
        self.began = None;
    }

    fn took(&mut self, time: Duration) {
        if time > SLOW {
            self.step = (self.step / 2).max(SHORTEST);
        } else if time < FAST {
            self.step = (self.step * 2).min(LONGEST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_grow_while_they_are_fast_and_shrink_when_they_are_slow() {
        let mut pace = Pace::default();
        let mut after = |ms: u64| {
            pace.took(Duration::from_millis(ms));
            pace.step() >> 10
        };
        assert_eq!([0, 0, 4, 0, 0, 0].map(&mut after), [8, 16, 16, 32, 64, 64]);
        assert_eq!([9, 9, 9, 9, 9, 9, 9].map(&mut after), [32, 16, 8, 4, 2, 1, 1]);
    }
}
