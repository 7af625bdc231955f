//! The background jobs of a workspace, shared by all its projections.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use pinfold_contract::{JobList, JobOutput, JobStarted, JobSummary};
use pinfold_exec::job::{Job, Look};
use tokio_util::sync::CancellationToken;

use crate::{Failure, FailureType, words};

/// Ended jobs that are kept to be read; older ones are forgotten.
pub(crate) const ENDED: usize = 32;

/// The jobs, and whether more may start.
#[derive(Debug, Default)]
pub(crate) struct Jobs {
    state: Mutex<State>,
    closing: CancellationToken,
}

#[derive(Debug, Default)]
struct State {
    jobs: BTreeMap<u64, Entry>,
    last: u64,
    /// Jobs that are being started.
    reserved: usize,
    closed: bool,
}

#[derive(Debug, Clone)]
struct Entry {
    job: Job,
    command: String,
    /// Where the next look begins.
    read: u64,
}

/// A place among the running jobs, for one that is being started.
#[derive(Debug)]
pub(crate) struct Place<'a>(&'a Jobs);

/// A job that was found.
#[derive(Debug)]
pub(crate) struct Found {
    number: u64,
    pub(crate) job: Job,
    command: String,
    /// Where the look before ended.
    pub(crate) read: u64,
}

impl Jobs {
    /// Nothing starts in a workspace that was disposed.
    pub(crate) fn admit(&self) -> Result<(), Failure> {
        if self.state().closed { Err(closed()) } else { Ok(()) }
    }

    /// Cancelled when the workspace is disposed.
    pub(crate) fn closing(&self) -> &CancellationToken {
        &self.closing
    }

    /// A place for one more job, if fewer than `most` run.
    pub(crate) fn reserve(&self, most: usize) -> Result<Place<'_>, Failure> {
        let mut state = self.state();
        if state.closed {
            return Err(closed());
        }
        let running = state.jobs.values().filter(|entry| entry.job.is_running()).count();
        if running + state.reserved >= most {
            return Err(too_many(most, &state));
        }
        state.reserved += 1;
        Ok(Place(self))
    }

    /// The job that is called `id`.
    pub(crate) fn find(&self, id: &str) -> Result<Found, Failure> {
        let state = self.state();
        let number = id.strip_prefix("job-").and_then(|number| number.parse().ok());
        let found = number.and_then(|number| Some((number, state.jobs.get(&number)?.clone())));
        let (number, Entry { job, command, read }) = found.ok_or_else(|| not_found(id, &state))?;
        Ok(Found { number, job, command, read })
    }

    /// What `found` has written since `cursor`; the next look begins where this ends.
    pub(crate) fn look(&self, found: &Found, cursor: u64) -> JobOutput {
        let look = found.job.look(cursor);
        if let Some(entry) = self.state().jobs.get_mut(&found.number) {
            entry.read = look.since.cursor;
        }
        found.output(look)
    }

    /// All that are known.
    pub(crate) fn list(&self) -> JobList {
        let summary = |(number, entry): (&u64, &Entry)| {
            let look = entry.job.look(u64::MAX);
            JobSummary {
                id: id(*number),
                status: look.status,
                exit_code: look.exit_code,
                pid: entry.job.pid(),
                command: entry.command.clone(),
                duration_ms: milliseconds(look.duration),
            }
        };
        JobList { jobs: self.state().jobs.iter().map(summary).collect() }
    }

    /// Refuses new jobs, and kills all that run.
    pub(crate) async fn close(&self) {
        let jobs: Vec<Job> = {
            let mut state = self.state();
            state.closed = true;
            state.jobs.values().map(|entry| entry.job.clone()).collect()
        };
        self.closing.cancel();
        jobs.iter().for_each(Job::stop);
        for job in jobs {
            job.kill().await;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves the map whole: every change to it is one insertion or removal.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Jobs {
    /// The last projection is gone: dropping the jobs kills them, this ends the commands that are waited for.
    fn drop(&mut self) {
        self.closing.cancel();
    }
}

impl Place<'_> {
    /// Enters the job. A workspace that was disposed meanwhile takes none: dropping it kills it.
    pub(crate) fn fill(self, job: &Job, command: &str) -> Result<JobStarted, Failure> {
        let mut state = self.0.state();
        if state.closed {
            return Err(closed());
        }
        state.last += 1;
        let number = state.last;
        let (job, command) = (job.clone(), command.to_owned());
        let started = JobStarted {
            background: true,
            id: id(number),
            status: job.look(u64::MAX).status,
            pid: job.pid(),
            command: command.clone(),
            note: None,
        };
        state.jobs.insert(number, Entry { job, command, read: 0 });
        state.forget_the_oldest();
        Ok(started)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.state().reserved -= 1;
    }
}

impl State {
    fn forget_the_oldest(&mut self) {
        let ended = self.jobs.iter().filter(|(_, entry)| !entry.job.is_running()).map(|(number, _)| *number);
        let ended: Vec<u64> = ended.collect();
        for number in &ended[..ended.len().saturating_sub(ENDED)] {
            self.jobs.remove(number);
        }
    }

    fn named(&self) -> String {
        let name = |(number, entry): (&u64, &Entry)| {
            let running = if entry.job.is_running() { "running" } else { "ended" };
            format!("{} {running} ({})", id(*number), words::clipped(&entry.command))
        };
        self.jobs.iter().rev().take(8).map(name).collect::<Vec<_>>().join(", ")
    }
}

impl Found {
    fn output(&self, look: Look) -> JobOutput {
        JobOutput {
            id: id(self.number),
            status: look.status,
            stdout: look.since.stdout,
            stderr: look.since.stderr,
            cursor: look.since.cursor,
            dropped_bytes: look.since.dropped,
            truncated: look.since.dropped > 0,
            exit_code: look.exit_code,
            signal: look.signal,
            pid: self.job.pid(),
            command: self.command.clone(),
            duration_ms: milliseconds(look.duration),
        }
    }
}

fn id(number: u64) -> String {
    format!("job-{number}")
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn closed() -> Failure {
    Failure::new(FailureType::JobClosed, "This workspace was disposed: no command starts in it any more.")
        .hint("Open the workspace again.")
}

fn too_many(most: usize, state: &State) -> Failure {
    let (are, jobs) = if most == 1 { ("is", "job") } else { ("are", "jobs") };
    let message = format!("There {are} {most} {jobs} already, as many as may run at once.");
    Failure::new(FailureType::JobTooMany, message)
        .hint(format!("Wait for one to end, or end one with shell_kill: {}.", state.named()))
}

fn not_found(id: &str, state: &State) -> Failure {
    let message = format!("There is no job `{}`.", words::clipped(id));
    let hint = match state.jobs.is_empty() {
        true => "No job was started; run_shell with background true starts one.".to_owned(),
        false => format!("The jobs are: {}.", state.named()),
    };
    Failure::new(FailureType::JobNotFound, message).hint(hint)
}
