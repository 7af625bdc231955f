//! A command in the background: it is started, and looked at later.

use std::{
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use pinfold_contract::{JobStatus, RunEnd};
use pinfold_shell::CheckedCommand;
use tokio::{sync::Notify, time::timeout_at};
use tokio_util::sync::CancellationToken;

use crate::{
    capture::Captured,
    error::RunError,
    launch::{Running, launch},
    log::{Log, Since, Stream, Writer},
    overflow::Spilling,
    program::Executable,
    run::own_end,
    terms::RunTerms,
};

/// Time between two searches of what a job has written, while it writes without a pause.
const SEARCH_AGAIN: Duration = Duration::from_millis(20);

/// The exit code of what was killed: 128 + SIGKILL, as shells have it.
const KILLED: i32 = 137;

/// A command that was started in the background. Cloning it is cheap: clones are the same job. It ends when it ends, when
/// its time is up, or when it is killed; with the last clone it is killed as well.
#[derive(Debug, Clone)]
pub struct Job(Arc<Owner>);

#[derive(Debug)]
struct Owner {
    shared: Arc<Shared>,
    kill: CancellationToken,
    pid: Option<u32>,
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.kill.cancel();
    }
}

#[derive(Debug)]
pub(crate) struct Shared {
    news: Notify,
    began: Instant,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    log: Log,
    over: Option<Over>,
}

/// How a job ended.
#[derive(Debug, Clone, Copy)]
struct Over {
    status: JobStatus,
    exit_code: i32,
    signal: Option<i32>,
    after: Duration,
}

/// A look at a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// What it wrote since the cursor that was asked for.
    pub since: Since,
    /// Whether it runs, or how it ended.
    pub status: JobStatus,
    /// Its exit code once it has ended: as [`RunEnd::exit_code`], and 137 if it was killed.
    pub exit_code: Option<i32>,
    /// The signal that ended it, if one did that was not ours.
    pub signal: Option<i32>,
    /// Wall time until now, or until it ended.
    pub duration: Duration,
}

impl Job {
    /// Starts `command`. Of its output the newest [`RunTerms::max_output_bytes`] are kept, both streams together;
    /// [`RunTerms::timeout`] ends it. The task that holds it runs on the current tokio runtime.
    ///
    /// # Errors
    /// [`RunError`] when it could not be started.
    pub async fn start(command: CheckedCommand<Executable>, terms: RunTerms) -> Result<Job, RunError> {
        let (time, grace) = (terms.timeout, terms.kill_grace);
        let shared = Shared::new(terms.max_output_bytes, Instant::now());
        let writer = |stream| Writer::new(stream, Arc::clone(&shared));
        let running = launch(command, terms, &writer).await?;
        let (pid, kill) = (running.hold.pid(), CancellationToken::new());
        tokio::spawn(keep(running, time, grace, kill.clone(), Arc::clone(&shared)));
        Ok(Job(Arc::new(Owner { shared, kill, pid: Some(pid) })))
    }

    /// Takes over a command that was waited for.
    pub(crate) fn adopt(
        running: Running<Spilling>,
        limit: usize,
        began: Instant,
        left: Duration,
        grace: Duration,
    ) -> Job {
        let shared = Shared::new(limit, began);
        let Running { name, hold, stdout, stderr } = running;
        let newest = |spilling: Spilling| newest(spilling.given_up());
        let (stdout, stderr) = (stdout.into_store(newest), stderr.into_store(newest));
        shared.state().log.skip(stdout.store().0 + stderr.store().0);
        let writer = |stream| {
            let mut writer = Writer::new(stream, Arc::clone(&shared));
            move |(_, kept): (u64, Vec<u8>)| {
                writer.take(&kept);
                writer
            }
        };
        let stdout = stdout.into_store(writer(Stream::Stdout));
        let stderr = stderr.into_store(writer(Stream::Stderr));
        let (pid, kill) = (hold.pid(), CancellationToken::new());
        let running = Running { name, hold, stdout, stderr };
        tokio::spawn(keep(running, left, grace, kill.clone(), Arc::clone(&shared)));
        Job(Arc::new(Owner { shared, kill, pid: Some(pid) }))
    }

    /// A job without a process, for workspaces that have none: it has written this already, and has ended so, or runs
    /// until it is killed. Must be called in a tokio runtime.
    pub fn scripted(stdout: &str, stderr: &str, end: Option<RunEnd>) -> Job {
        let shared = Shared::new(stdout.len() + stderr.len(), Instant::now());
        for (stream, text) in [(Stream::Stdout, stdout), (Stream::Stderr, stderr)] {
            shared.write(stream, text.as_bytes());
        }
        let kill = CancellationToken::new();
        match end {
            Some(end) => shared.end(Some(end)),
            None => {
                let (killed, shared) = (kill.clone(), Arc::clone(&shared));
                tokio::spawn(async move {
                    killed.cancelled().await;
                    shared.end(Some(RunEnd::Cancelled));
                });
            }
        }
        Job(Arc::new(Owner { shared, kill, pid: None }))
    }

    /// The number of its process; `None` for one without.
    pub fn pid(&self) -> Option<u32> {
        self.0.pid
    }

    /// What it wrote since `cursor`, and how it is.
    pub fn look(&self, cursor: u64) -> Look {
        let state = self.0.shared.state();
        let over = state.over;
        Look {
            since: state.log.since(cursor),
            status: over.map_or(JobStatus::Running, |over| over.status),
            exit_code: over.map(|over| over.exit_code),
            signal: over.and_then(|over| over.signal),
            duration: over.map_or_else(|| self.0.shared.began.elapsed(), |over| over.after),
        }
    }

    /// Whether it has not ended.
    pub fn is_running(&self) -> bool {
        self.0.shared.state().over.is_none()
    }

    /// Waits until it has written something since `cursor` or has ended, at most for `time`.
    pub async fn wait_for_news(&self, cursor: u64, time: Duration) {
        let there = |state: &State| state.log.end() > cursor;
        self.wait(there, time, Duration::ZERO).await;
    }

    /// Waits until `text` is in one of its streams since `cursor`, or it has ended, at most for `time`.
    pub async fn wait_for_text(&self, text: &str, cursor: u64, time: Duration) {
        let there = |state: &State| {
            let since = state.log.since(cursor);
            since.stdout.contains(text) || since.stderr.contains(text)
        };
        self.wait(there, time, SEARCH_AGAIN).await;
    }

    /// Has all of it killed, and does not wait.
    pub fn stop(&self) {
        self.0.kill.cancel();
    }

    /// Kills all of it and waits until that is done. A job that has ended stays as it is.
    pub async fn kill(&self) {
        self.stop();
        self.wait(|_| false, Duration::MAX, Duration::ZERO).await;
    }

    async fn wait(&self, there: impl Fn(&State) -> bool, time: Duration, pause: Duration) {
        let shared = &self.0.shared;
        let met = |state: &State| state.over.is_some() || there(state);
        let waiting = async {
            loop {
                let news = shared.news.notified();
                tokio::pin!(news);
                // From here on no news is missed.
                news.as_mut().enable();
                if met(&shared.state()) {
                    return;
                }
                news.await;
                tokio::time::sleep(pause).await;
            }
        };
        within(time, waiting).await;
    }
}

async fn within(time: Duration, waiting: impl Future<Output = ()>) {
    match tokio::time::Instant::now().checked_add(time) {
        // Out of time is an answer too.
        Some(until) => drop(timeout_at(until, waiting).await),
        None => waiting.await,
    }
}

/// What a job keeps of what was captured: bytes that are not kept any more, and then the newest ones without a gap.
fn newest(captured: Captured) -> (u64, Vec<u8>) {
    let kept = match captured.is_cut() && !captured.tail.is_empty() {
        true => captured.tail,
        false => [captured.head, captured.tail].concat(),
    };
    (captured.total - kept.len() as u64, kept)
}

/// Holds the job until it is over.
async fn keep(
    mut running: Running<Writer>,
    time: Duration,
    grace: Duration,
    kill: CancellationToken,
    shared: Arc<Shared>,
) {
    let told = running.watch(time, &kill).await;
    if told.is_some() {
        running.kill(grace).await;
    }
    running.settle().await;
    let released = running.hold.release().await;
    drop((running.stdout, running.stderr));
    shared.end(told.or_else(|| released.end.ok().map(own_end)));
}

impl Shared {
    fn new(limit: usize, began: Instant) -> Arc<Shared> {
        let state = Mutex::new(State { log: Log::new(limit), over: None });
        Arc::new(Shared { news: Notify::new(), began, state })
    }

    pub(crate) fn write(&self, stream: Stream, bytes: &[u8]) {
        self.state().log.push(stream, bytes);
        self.news.notify_waiters();
    }

    fn end(&self, end: Option<RunEnd>) {
        let (status, exit_code, signal) = match end {
            Some(RunEnd::Cancelled | RunEnd::NotStarted) => (JobStatus::Killed, KILLED, None),
            Some(RunEnd::TimedOut) => (JobStatus::TimedOut, RunEnd::TimedOut.exit_code(), None),
            Some(end) => (JobStatus::Exited, end.exit_code(), end.signal()),
            None => (JobStatus::Lost, KILLED, None),
        };
        self.state().over = Some(Over { status, exit_code, signal, after: self.began.elapsed() });
        self.news.notify_waiters();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves at worst a piece of output out.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
