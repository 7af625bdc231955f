//! How a command ended, and the result of a run.

use serde::Serialize;

/// The end of a run: exactly one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnd {
    /// It ended by itself with this code.
    Exited(i32),
    /// A signal that was not ours ended it.
    Signalled(i32),
    /// It was killed when its time was up.
    TimedOut,
    /// It was killed because the caller cancelled.
    Cancelled,
    /// The caller had cancelled before it began: nothing was started.
    NotStarted,
}

impl RunEnd {
    /// The exit code to show: the program's own; 128 + the signal, as shells do; 124 for a time-out, as timeout(1);
    /// 130 for a cancelled run, started or not.
    pub fn exit_code(self) -> i32 {
        match self {
            RunEnd::Exited(code) => code,
            RunEnd::Signalled(signal) => 128 + signal,
            RunEnd::TimedOut => 124,
            RunEnd::Cancelled | RunEnd::NotStarted => 130,
        }
    }

    /// The signal that ended it, if one did that was not ours.
    pub fn signal(self) -> Option<i32> {
        match self {
            RunEnd::Signalled(signal) => Some(signal),
            _ => None,
        }
    }
}

/// The result of `run_shell`. A command that fails is a result, not an error.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunResult {
    /// See [`RunEnd::exit_code`].
    pub exit_code: i32,
    /// The signal that ended it, if one did that was not ours.
    pub signal: Option<i32>,
    /// What is kept of its standard output: all of it, its beginning, or both ends with a line between that says how
    /// many bytes are left out. Cut on character boundaries; bytes that are not UTF-8 show as U+FFFD.
    pub stdout: String,
    /// What is kept of its standard error, likewise.
    pub stderr: String,
    /// It was killed when its time was up.
    pub timed_out: bool,
    /// It was killed, or not started, because the caller cancelled. Never true together with `timed_out`.
    pub cancelled: bool,
    /// `stdout` or `stderr` does not hold everything.
    pub truncated: bool,
    /// Bytes that the program wrote to standard output, kept or not.
    pub stdout_bytes: u64,
    /// Bytes that the program wrote to standard error, kept or not.
    pub stderr_bytes: u64,
    /// Where all of standard output is, if it was too long and the policy keeps it (`shell.spill`): a path for `read_file` and
    /// `grep`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdout_file: Option<String>,
    /// Where all of standard error is, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr_file: Option<String>,
    /// Wall time in milliseconds.
    pub duration_ms: u64,
    /// At least so many processes of the command are known to have outlived it.
    pub leaked: u32,
    /// What else there is to know, in a sentence: what the command left running, for instance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}
