//! A walk over everything below a directory: several threads, over open directories, never by name from the top.
//!
//! Links are seen, not followed. What the policy denies is left out before it is looked into, and not counted. Whatever
//! the number of threads, what comes of the files comes in byte order of their paths.

mod board;
mod line;
mod spot;

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Instant,
};

use tokio_util::sync::CancellationToken;

use crate::{backend::Folder, gate::Terms, ignores::Ignores, pattern::Filter};
use board::Board;
use spot::{Part, Spot};

/// A file on the way.
pub(crate) struct Found<'a> {
    /// The directory that it lies in.
    pub(crate) folder: &'a Folder,
    pub(crate) name: &'a [u8],
    /// Absolute.
    pub(crate) place: PathBuf,
    /// Whether to stop, also inside the file: what comes of it is not wanted, or it is time.
    pub(crate) over: &'a (dyn Fn() -> Option<Stopped> + Sync),
}

/// What is done with every file, by several threads at once.
pub(crate) trait Visitor: Sync {
    /// What one thread needs for it.
    type Worker;
    /// What comes of a file.
    type Yield: Send;

    fn worker(&self) -> Self::Worker;

    /// None: nothing to tell of it.
    fn file(&self, worker: &mut Self::Worker, found: &Found<'_>) -> Option<Self::Yield>;
}

/// Where to walk, and how far.
pub(crate) struct Trip<'a> {
    pub(crate) top: &'a Folder,
    /// Where `top` lies: absolute, without links.
    pub(crate) place: &'a Path,
    pub(crate) terms: &'a Terms,
    /// Which files, by their paths below `top`.
    pub(crate) filter: &'a Filter,
    /// What is passed over, as far as it is known above `top`.
    pub(crate) ignores: Option<&'a Ignores>,
    pub(crate) cancel: &'a CancellationToken,
    pub(crate) deadline: Option<Instant>,
}

/// What a walk could not do.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Walked {
    /// Directories that could not be opened or read, or lie too deep.
    pub(crate) unreadable: u64,
    /// Wanted files, and directories, that ignore rules hide. What is below a hidden directory is not counted.
    pub(crate) ignored: u64,
    /// Why it ended before its end.
    pub(crate) stopped: Option<Stopped>,
}

/// Why a walk ended before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// The one who takes had enough.
    Enough,
    Cancelled,
    Deadline,
}

/// Tasks that are done alone before other threads are started: most walks are over by then.
const ALONE: usize = 16;
const MOST_THREADS: usize = 8;

impl Trip<'_> {
    /// Shows every file to `visitor`, and hands what comes of them to `take`, in byte order of their paths.
    pub(crate) fn walk<V: Visitor>(
        &self,
        visitor: &V,
        take: &mut (dyn FnMut(V::Yield) -> ControlFlow<()> + Send),
    ) -> Walked {
        let (unreadable, ignored) = Default::default();
        let walk = Walk { trip: self, visitor, board: Board::new(take), unreadable, ignored };
        thread::scope(|scope| {
            walk.work(|| {
                let threads = thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
                for _ in 1..threads {
                    scope.spawn(|| walk.work(|| {}));
                }
            });
        });
        Walked {
            unreadable: walk.unreadable.into_inner(),
            ignored: walk.ignored.into_inner(),
            stopped: walk.board.stopped(),
        }
    }
}

/// Whether it is time to stop.
pub(crate) fn is_over(cancel: &CancellationToken, deadline: Option<Instant>) -> Option<Stopped> {
    if cancel.is_cancelled() {
        return Some(Stopped::Cancelled);
    }
    let late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
    late.then_some(Stopped::Deadline)
}

struct Walk<'a, V: Visitor> {
    trip: &'a Trip<'a>,
    visitor: &'a V,
    board: Board<'a, V::Yield>,
    unreadable: AtomicU64,
    ignored: AtomicU64,
}

/// What comes of a part.
enum Outcome<Y> {
    Parts(Vec<Part>),
    Yields(Vec<Y>),
}

impl<V: Visitor> Walk<'_, V> {
    /// Takes part after part until none is left. `many` is called once there is work for more threads.
    fn work(&self, many: impl FnOnce()) {
        let _end = EndOnPanic(&self.board);
        let mut worker = self.visitor.worker();
        let (mut many, mut done) = (Some(many), 0);
        let mut next = self.board.take(None);
        while let Some((slot, part)) = next {
            let outcome = self.carry_out(part, &mut worker);
            done += 1;
            if done >= ALONE
                && self.board.has_much()
                && let Some(many) = many.take()
            {
                many();
            }
            self.is_over();
            next = self.board.take(Some((slot, outcome)));
        }
    }

    fn is_over(&self) -> bool {
        if let Some(why) = is_over(self.trip.cancel, self.trip.deadline) {
            self.board.stop(why);
        }
        self.board.is_over()
    }

    fn carry_out(&self, part: Part, worker: &mut V::Worker) -> Outcome<V::Yield> {
        let opened = match part {
            Part::Files(spot, names) => return Outcome::Yields(self.look(&spot, &names, worker)),
            Part::Top => Spot::top(self.trip, &self.ignored),
            Part::Dir { parent, name, reading } => parent.enter(&name, reading, self.trip, &self.ignored),
        };
        let Some(mut parts) = opened else {
            self.unreadable.fetch_add(1, Ordering::Relaxed);
            return Outcome::Yields(Vec::new());
        };
        match (parts.pop(), parts.is_empty()) {
            (Some(Part::Files(spot, names)), true) => Outcome::Yields(self.look(&spot, &names, worker)),
            (last, _) => {
                parts.extend(last);
                Outcome::Parts(parts)
            }
        }
    }

    fn look(&self, spot: &Spot, names: &[Vec<u8>], worker: &mut V::Worker) -> Vec<V::Yield> {
        let mut yields = Vec::new();
        let over = || {
            let enough = || self.board.is_over().then_some(Stopped::Enough);
            is_over(self.trip.cancel, self.trip.deadline).or_else(enough)
        };
        for name in names {
            if self.is_over() {
                break;
            }
            let found = Found { folder: &spot.folder, name, place: spot.place_of(name), over: &over };
            yields.extend(self.visitor.file(worker, &found));
        }
        yields
    }
}

/// A thread that panics must not leave the others waiting for it.
struct EndOnPanic<'a, 'b, Y>(&'a Board<'b, Y>);

impl<Y> Drop for EndOnPanic<'_, '_, Y> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop(Stopped::Cancelled);
        }
    }
}
