//! Threads that may wait for the disk: few at first, for waking one costs more than a small read.
//!
//! While few are at work, a deed gets a thread at once. Beyond that it waits until one comes free, but not for long: a
//! thread that is held up (by a network file system, by a large search) holds up no other call beyond [`PATIENCE`].

use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use pinfold_contract::{Failure, FailureType};
use tokio::{sync::oneshot, task::spawn_blocking, time::timeout};

/// Threads that are woken at once.
const EAGER: usize = 2;
const PATIENCE: Duration = Duration::from_millis(1);

type Deed = Box<dyn FnOnce() + Send>;

/// Does the deeds of one workspace.
#[derive(Default)]
pub(crate) struct Crew(Mutex<Board>);

#[derive(Default)]
struct Board {
    waiting: VecDeque<Deed>,
    at_work: usize,
}

impl Crew {
    /// Runs `deed` on a thread that may wait. That thread owns it: dropping the future does not stop it halfway.
    pub(crate) async fn run<T: Send + 'static>(
        self: &Arc<Crew>,
        deed: impl FnOnce() -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let (tell, mut answer) = oneshot::channel();
        // Where nobody listens any more, nobody is told.
        let mut waits = self.begin(Box::new(move || drop(tell.send(deed()))));
        while waits {
            match timeout(PATIENCE, &mut answer).await {
                Ok(answer) => return answer.unwrap_or_else(|_| Err(lost())),
                Err(_) => waits = self.reinforce(),
            }
        }
        answer.await.unwrap_or_else(|_| Err(lost()))
    }

    /// Starts it, or puts it on the board: true.
    fn begin(self: &Arc<Crew>, deed: Deed) -> bool {
        let mut board = self.board();
        if board.at_work >= EAGER {
            board.waiting.push_back(deed);
            return true;
        }
        self.start(board, deed);
        false
    }

    /// One more thread, for the deed that has waited longest. True: others wait.
    fn reinforce(self: &Arc<Crew>) -> bool {
        let mut board = self.board();
        let Some(deed) = board.waiting.pop_front() else { return false };
        let others = !board.waiting.is_empty();
        self.start(board, deed);
        others
    }

    fn start(self: &Arc<Crew>, mut board: MutexGuard<'_, Board>, deed: Deed) {
        board.at_work += 1;
        drop(board);
        let shift = Shift { crew: Arc::clone(self), over: false };
        spawn_blocking(move || shift.work(deed));
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One thread's work, from its first deed until nothing waits any more.
struct Shift {
    crew: Arc<Crew>,
    over: bool,
}

impl Shift {
    fn work(mut self, first: Deed) {
        first();
        while let Some(next) = self.next() {
            next();
        }
    }

    fn next(&mut self) -> Option<Deed> {
        let mut board = self.crew.board();
        let next = board.waiting.pop_front();
        if next.is_none() {
            // With the board still in hand: whoever comes now must see that this thread takes no more.
            board.at_work -= 1;
            self.over = true;
        }
        next
    }
}

/// A deed that panics ends its thread's shift, and so does a runtime that ends before it began.
impl Drop for Shift {
    fn drop(&mut self) {
        if !self.over {
            self.crew.board().at_work -= 1;
        }
    }
}

fn lost() -> Failure {
    Failure::new(FailureType::Lost, "The call ended without an answer.")
        .hint("This is a defect of pinfold. Look whether the deed was done before you try again.")
}

impl fmt::Debug for Crew {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Crew").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, thread};

    use super::*;

    /// A shift ends a moment after its last answer.
    async fn all_gone(crew: &Crew) {
        while crew.board().at_work > 0 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn threads_that_are_held_up_hold_up_no_other_call() {
        let crew = Arc::<Crew>::default();
        let (release, held) = mpsc::channel::<()>();
        let held = Arc::new(Mutex::new(held));
        let stuck: Vec<_> = (0..10)
            .map(|_| {
                let (crew, held) = (Arc::clone(&crew), Arc::clone(&held));
                tokio::spawn(async move { crew.run(move || Ok(held.lock().unwrap().recv().is_err())).await })
            })
            .collect();
        for _ in 0..10 {
            assert_eq!(crew.run(|| Ok(7)).await, Ok(7));
        }
        drop(release);
        for call in stuck {
            assert_eq!(call.await.unwrap(), Ok(true));
        }
        all_gone(&crew).await;
    }

    #[tokio::test]
    async fn what_is_begun_is_done_though_nobody_waits_for_it() {
        let crew = Arc::<Crew>::default();
        let (release, held) = mpsc::channel::<()>();
        let (tell, told) = mpsc::channel();
        let call = crew.run(move || Ok((held.recv(), tell.send(1))));
        assert!(timeout(Duration::ZERO, call).await.is_err());
        drop(release);
        assert_eq!(told.recv(), Ok(1));
    }

    #[tokio::test]
    async fn a_panic_loses_its_own_call_only() {
        let crew = Arc::<Crew>::default();
        let calls: Vec<_> = (0..20)
            .map(|at| {
                let crew = Arc::clone(&crew);
                tokio::spawn(async move {
                    crew.run(move || {
                        thread::yield_now();
                        assert!(at % 5 != 0, "as planned");
                        Ok(at)
                    })
                    .await
                })
            })
            .collect();
        for (at, call) in calls.into_iter().enumerate() {
            let answer = call.await.unwrap();
            assert_eq!(answer.is_err(), at % 5 == 0, "{answer:?}");
        }
        assert_eq!(crew.run(|| Ok(7)).await, Ok(7));
        all_gone(&crew).await;
    }
}
