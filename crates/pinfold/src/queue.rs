//! Changes to one file take turns; other files are never held up.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// One turn for each resolved place that is being changed.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    turns: Mutex<HashMap<PathBuf, Arc<Mutex<()>>>>,
}

impl Queue {
    /// Waits for the turn of `place`, then does `deed`. A deed that panicked before gave up its turn: it has either
    /// committed or not, so the next one may go on.
    pub(crate) fn take_turn<T>(&self, place: &Path, deed: impl FnOnce() -> T) -> T {
        self.in_order(&[place], deed)
    }

    /// The same for several places at once. Turns are taken in the order of the places, whoever asks, so that no two wait
    /// for each other.
    pub(crate) fn take_turns<T>(&self, places: &[PathBuf], deed: impl FnOnce() -> T) -> T {
        let mut all: Vec<&Path> = places.iter().map(PathBuf::as_path).collect();
        all.sort_unstable();
        all.dedup();
        self.in_order(&all, deed)
    }

    fn in_order<T>(&self, places: &[&Path], deed: impl FnOnce() -> T) -> T {
        let turns: Vec<Arc<Mutex<()>>> = {
            let mut known = self.turns();
            places.iter().map(|place| Arc::clone(known.entry((*place).to_owned()).or_default())).collect()
        };
        let done = {
            let _mine: Vec<MutexGuard<'_, ()>> =
                turns.iter().map(|turn| turn.lock().unwrap_or_else(PoisonError::into_inner)).collect();
            deed()
        };
        drop(turns);
        places.iter().for_each(|place| self.forget(place));
        done
    }

    /// Nobody waits any more: the map holds only places in use.
    fn forget(&self, place: &Path) {
        let mut turns = self.turns();
        if turns.get(place).is_some_and(|turn| Arc::strong_count(turn) == 1) {
            turns.remove(place);
        }
    }

    fn turns(&self) -> MutexGuard<'_, HashMap<PathBuf, Arc<Mutex<()>>>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::atomic::AtomicU32, sync::atomic::Ordering, thread};

    use super::*;

    #[test]
    fn one_at_a_time_and_nothing_is_left() {
        let queue = Queue::default();
        let inside = AtomicU32::new(0);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        queue.take_turn(Path::new("/a"), || {
                            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                            inside.fetch_sub(1, Ordering::SeqCst);
                        });
                    }
                });
            }
        });
        assert!(queue.turns().is_empty());
    }

    #[test]
    fn several_in_any_order_never_wait_for_each_other() {
        let queue = Queue::default();
        let inside: [AtomicU32; 5] = Default::default();
        thread::scope(|scope| {
            for own in 0..16usize {
                let (queue, inside) = (&queue, &inside);
                scope.spawn(move || {
                    let mut random = own as u64 + 1;
                    for _ in 0..500 {
                        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        let mut set: Vec<usize> =
                            (0..5).filter(|bit| random >> (40 + bit) & 1 == 1).collect();
                        let turn = own % set.len().max(1);
                        set.rotate_left(turn);
                        let places: Vec<PathBuf> = set.iter().map(|at| format!("/{at}").into()).collect();
                        queue.take_turns(&places, || {
                            for &at in &set {
                                assert_eq!(inside[at].fetch_add(1, Ordering::SeqCst), 0);
                            }
                            for &at in &set {
                                inside[at].fetch_sub(1, Ordering::SeqCst);
                            }
                        });
                    }
                });
            }
        });
        assert!(queue.turns().is_empty());
    }
}
