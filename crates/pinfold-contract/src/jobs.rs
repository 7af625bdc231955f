//! Background jobs: their states, and what is said of them.

use serde::Serialize;

/// Whether a job runs, or how it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobStatus {
    /// It runs.
    Running,
    /// It ended by itself, or by a signal that was not ours.
    Exited,
    /// It was killed because somebody asked for that.
    Killed,
    /// It was killed when its time was up.
    TimedOut,
    /// Whoever held it is gone, and so is it.
    Lost,
}

/// The result of `run_shell` in the background.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JobStarted {
    /// Always true: it tells this result from that of a command that was waited for.
    pub background: bool,
    /// What the job is called: `job-1`.
    pub id: String,
    /// It may have ended already.
    pub status: JobStatus,
    /// The number of its process; null where there are no processes.
    pub pid: Option<u32>,
    /// The line that was started.
    pub command: String,
    /// Why it is in the background, if nobody asked for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A look at one job: the result of `shell_output` and `shell_kill`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JobOutput {
    /// What the job is called.
    pub id: String,
    /// Whether it runs, or how it ended.
    pub status: JobStatus,
    /// What it wrote to standard output since the look before, or since the cursor that was asked for; on whole characters,
    /// and what is not UTF-8 as U+FFFD.
    pub stdout: String,
    /// What it wrote to standard error, likewise.
    pub stderr: String,
    /// Bytes that it wrote so far, to both streams: what to give as `since` to see only what comes later.
    pub cursor: u64,
    /// Bytes since the look before that are not kept any more, because newer ones came.
    pub dropped_bytes: u64,
    /// `stdout` and `stderr` do not hold everything since then.
    pub truncated: bool,
    /// Null while it runs; then as for a command that was waited for, and 137 if it was killed.
    pub exit_code: Option<i32>,
    /// The signal that ended it, if one did that was not ours.
    pub signal: Option<i32>,
    /// The number of its process; null where there are no processes.
    pub pid: Option<u32>,
    /// The line that was started.
    pub command: String,
    /// Wall time until now, or until it ended, in milliseconds.
    pub duration_ms: u64,
}

/// One line of a list of jobs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JobSummary {
    /// What the job is called.
    pub id: String,
    /// Whether it runs, or how it ended.
    pub status: JobStatus,
    /// Null while it runs.
    pub exit_code: Option<i32>,
    /// The number of its process; null where there are no processes.
    pub pid: Option<u32>,
    /// The line that was started.
    pub command: String,
    /// Wall time until now, or until it ended, in milliseconds.
    pub duration_ms: u64,
}

/// The result of `shell_output` without an id: every job that is still known, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JobList {
    /// Running ones, and those of the ended ones that are kept.
    pub jobs: Vec<JobSummary>,
}
