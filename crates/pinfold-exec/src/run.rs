//! Start, drain, wait, kill, reap: one run from its beginning to its end.

use std::{
    future::pending,
    time::{Duration, Instant},
};

use pinfold_contract::RunEnd;
use pinfold_shell::CheckedCommand;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::{
    drain::Store,
    enforced::Enforced,
    error::RunError,
    finished::{Finished, LeftBehind},
    foreground::Foreground,
    hold::Hold,
    launch::Running,
    overflow::Spilling,
    program::Executable,
    terms::RunTerms,
    ward::LeaderEnd,
};

/// How long a pipe that is still held is read on after the command's end, once before what is left is killed and once
/// after.
const LINGER: Duration = Duration::from_millis(250);

/// Runs `command` on `terms` until it ends, its time is up, or `cancel` is cancelled.
///
/// - Both output streams are read all the time, so that the command never waits for us; see
///   [`RunTerms::max_output_bytes`] for what is kept. What was read is kept however it ends.
/// - With a [`Ward`](crate::Ward) everything that the command starts is ended with it, whatever it did to get away. Without
///   one that is true of its process group.
/// - When its time is up, or on cancel, all of it gets SIGKILL at once (or SIGTERM first, see [`RunTerms::kill_grace`]).
///   When it ends by itself, what it left behind has 250 ms to close the pipes, and then is killed as well, and named in
///   [`Finished::left_behind`]: a run leaves nothing running.
/// - What could not be killed, or still holds a pipe 250 ms later, is counted in [`Finished::leaked`].
/// - With a token that is already cancelled nothing is started: [`RunEnd::NotStarted`].
///
/// Dropping the future kills as well. It must be polled in a tokio runtime that drives both
/// I/O and time, else tokio panics.
///
/// # Errors
/// [`RunError`] when the command could not be started, or how it ended cannot be known. A command that fails is a result.
pub async fn run(
    command: CheckedCommand<Executable>,
    terms: RunTerms,
    cancel: CancellationToken,
) -> Result<Finished, RunError> {
    if cancel.is_cancelled() {
        return Ok(Finished::not_started());
    }
    let mut foreground = Foreground::start(command, terms).await?;
    foreground.wait(Duration::MAX, &cancel).await;
    foreground.finish().await
}

impl<S: Store> Running<S> {
    /// Waits for the first of: the command's own end (`None`), the end of its time, the caller's cancel.
    pub(crate) async fn watch(&mut self, time: Duration, cancel: &CancellationToken) -> Option<RunEnd> {
        let (stdout, stderr) = (&mut self.stdout, &mut self.stderr);
        tokio::select! {
            biased;
            () = self.hold.ended() => None,
            () = cancel.cancelled() => Some(RunEnd::Cancelled),
            () = sleep(time) => Some(RunEnd::TimedOut),
            () = async { tokio::join!(stdout.fill(), stderr.fill()); pending().await } => None,
        }
    }

    /// Kills all of it, after `grace` if that is not 0.
    pub(crate) async fn kill(&mut self, grace: Duration) {
        if !grace.is_zero() {
            self.hold.terminate().await;
            self.watch(grace, &CancellationToken::new()).await;
        }
        self.hold.clear().await;
    }

    /// Reads what is left in the pipes; kills what is left of the command.
    pub(crate) async fn settle(&mut self) {
        self.read_for(LINGER).await;
        self.hold.clear().await;
        self.read_for(LINGER).await;
    }

    async fn read_for(&mut self, time: Duration) {
        let (stdout, stderr) = (&mut self.stdout, &mut self.stderr);
        // Out of time only means that somebody still holds a pipe; `is_open` tells.
        let _in_time = timeout(time, async { tokio::join!(stdout.fill(), stderr.fill()) }).await;
    }
}

impl Running<Spilling> {
    pub(crate) async fn finish(self, told: Option<RunEnd>, began: Instant) -> Result<Finished, RunError> {
        let held = self.stdout.is_open() || self.stderr.is_open();
        let in_ward = matches!(self.hold, Hold::Ward(_));
        let released = self.hold.release().await;
        let own = released.end.map(own_end).map_err(|source| RunError::Lost { program: self.name, source });
        let end = match told {
            Some(told) => told,
            None => own?,
        };
        let left = released.left;
        Ok(Finished {
            end,
            stdout: self.stdout.finish(),
            stderr: self.stderr.finish(),
            duration: began.elapsed(),
            leaked: left.unkillable.max(u32::from(held)),
            left_behind: (told.is_none() && left.found > 0).then(|| LeftBehind::from(left)),
            enforced: match in_ward {
                true => Enforced::ward_cleared(released.certain && !held),
                false => Enforced::group_killed(),
            },
            plain: false,
        })
    }
}

pub(crate) fn own_end(end: LeaderEnd) -> RunEnd {
    match end {
        LeaderEnd::Exited(code) => RunEnd::Exited(code),
        LeaderEnd::Signalled(signal) => RunEnd::Signalled(signal),
        // waitid(2) knows no third end of what has ended.
        LeaderEnd::Unknown => RunEnd::Exited(0),
    }
}
