//! A command that is waited for, and may go on in the background when that takes too long.

use std::time::{Duration, Instant};

use pinfold_contract::RunEnd;
use pinfold_shell::CheckedCommand;
use tokio_util::sync::CancellationToken;

use crate::{
    capture::Capture,
    error::RunError,
    finished::Finished,
    job::Job,
    launch::{Running, launch},
    overflow::Spilling,
    program::Executable,
    terms::RunTerms,
};

/// A command that was started, and is read only while it is waited for. Dropping it kills.
#[derive(Debug)]
pub struct Foreground {
    running: Running<Spilling>,
    began: Instant,
    time: Duration,
    grace: Duration,
    limit: usize,
    plain: bool,
    over: bool,
    told: Option<RunEnd>,
}

impl Foreground {
    /// Starts `command`, as [`run()`](crate::run()) does. Must be called in a tokio runtime with I/O and time.
    ///
    /// # Errors
    /// [`RunError`] when it could not be started.
    pub async fn start(command: CheckedCommand<Executable>, terms: RunTerms) -> Result<Foreground, RunError> {
        let began = Instant::now();
        let (time, grace) = (terms.timeout, terms.kill_grace);
        let (limit, keep, plain) = (terms.max_output_bytes, terms.keep, terms.plain);
        let spill = terms.spill.clone();
        let store = |stream| Spilling::new(Capture::new(limit, keep), limit, stream, spill.clone());
        let running = launch(command, terms, &store).await?;
        Ok(Foreground { running, began, time, grace, limit, plain, over: false, told: None })
    }

    /// Waits for it, at most for `time`. True: it has ended, its time is up, or `cancel` was cancelled; then
    /// [`Foreground::finish`] is what is left to do.
    pub async fn wait(&mut self, time: Duration, cancel: &CancellationToken) -> bool {
        if !self.over {
            let left = self.time.saturating_sub(self.began.elapsed());
            let told = self.running.watch(time.min(left), cancel).await;
            self.over = told != Some(RunEnd::TimedOut) || left <= time;
            self.told = told.filter(|_| self.over);
        }
        self.over
    }

    /// Ends what is left of it, and says how it ended. One that still runs is killed, as if it had been cancelled.
    ///
    /// # Errors
    /// [`RunError`] when how it ended cannot be known.
    pub async fn finish(mut self) -> Result<Finished, RunError> {
        let told = if self.over { self.told } else { Some(RunEnd::Cancelled) };
        if told.is_some() {
            self.running.kill(self.grace).await;
        }
        self.running.settle().await;
        let plain = self.plain;
        self.running.finish(told, self.began).await.map(|finished| Finished { plain, ..finished })
    }

    /// Lets it go on in the background, until `time` after its start. What it wrote so far is in the job's output: the
    /// newest bytes of both streams, first those of standard output.
    pub fn into_job(self, time: Duration) -> Job {
        let left = time.saturating_sub(self.began.elapsed());
        Job::adopt(self.running, self.limit, self.began, left, self.grace)
    }
}
