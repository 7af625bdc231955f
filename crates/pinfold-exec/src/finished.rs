//! How a run ended and what it wrote.

use std::{fmt, time::Duration};

use pinfold_contract::{RunEnd, RunResult};

use pinfold_shell::shown;

use crate::{
    capture::{Captured, Keep},
    enforced::Enforced,
    overflow::Whole,
    plain::plain,
    ward::Cleared,
};

/// What a command that ended by itself left running; it was killed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftBehind {
    /// How many processes, not counting what those had started.
    pub count: u32,
    /// The number of the first.
    pub pid: u32,
    /// Its name, as the kernel keeps it: at most 15 bytes.
    pub name: String,
}

impl fmt::Display for LeftBehind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LeftBehind { count, pid, name } = self;
        let name = shown(name);
        match count {
            1 => write!(f, "It left a process running: {name} ({pid}), which was killed."),
            _ => {
                write!(f, "It left {count} processes running: {name} ({pid}) and others, which were killed.")
            }
        }
    }
}

impl From<Cleared> for LeftBehind {
    fn from(cleared: Cleared) -> LeftBehind {
        LeftBehind { count: cleared.found, pid: cleared.pid, name: cleared.name }
    }
}

/// A run that is over. Made only by [`run()`](crate::run()).
#[derive(Debug)]
pub struct Finished {
    pub(crate) end: RunEnd,
    pub(crate) stdout: Captured,
    pub(crate) stderr: Captured,
    pub(crate) duration: Duration,
    pub(crate) leaked: u32,
    pub(crate) left_behind: Option<LeftBehind>,
    pub(crate) enforced: Enforced,
    pub(crate) plain: bool,
}

impl Finished {
    pub(crate) fn not_started() -> Finished {
        Finished {
            end: RunEnd::NotStarted,
            stdout: Captured::default(),
            stderr: Captured::default(),
            duration: Duration::ZERO,
            leaked: 0,
            left_behind: None,
            enforced: Enforced::nothing_started(),
            plain: false,
        }
    }

    /// How it ended.
    pub fn end(&self) -> RunEnd {
        self.end
    }

    /// What was kept of its standard output.
    pub fn stdout(&self) -> &Captured {
        &self.stdout
    }

    /// What was kept of its standard error.
    pub fn stderr(&self) -> &Captured {
        &self.stderr
    }

    /// Wall time from the start until the last byte was read.
    pub fn duration(&self) -> Duration {
        self.duration
    }

    /// At least so many of its processes are known to have outlived it: they still hold a pipe, or cannot be killed. 0
    /// proves that there is none only where [`Enforced::descendants`] says so.
    pub fn leaked(&self) -> u32 {
        self.leaked
    }

    /// What it left running when it ended by itself; without a ward nobody knows.
    pub fn left_behind(&self) -> Option<&LeftBehind> {
        self.left_behind.as_ref()
    }

    /// Which walls held.
    pub fn enforced(&self) -> &Enforced {
        &self.enforced
    }

    /// The same as if only `limit` bytes of each stream had been kept.
    #[must_use]
    pub fn within(self, limit: usize, keep: Keep) -> Finished {
        let [stdout, stderr] = [self.stdout, self.stderr].map(|stream| stream.within(limit, keep));
        Finished { stdout, stderr, ..self }
    }

    /// The result as every door shows it.
    pub fn into_result(self) -> RunResult {
        let lost = [&self.stdout, &self.stderr].into_iter().find_map(|stream| match stream.whole() {
            Some(Whole::Lost(why)) => Some(format!("Not all of its output could be kept: {why}.")),
            _ => None,
        });
        let left = self.left_behind.as_ref().map(ToString::to_string);
        let notes: Vec<String> = left.into_iter().chain(lost).collect();
        RunResult {
            exit_code: self.end.exit_code(),
            signal: self.end.signal(),
            stdout: text(&self.stdout, self.plain),
            stderr: text(&self.stderr, self.plain),
            timed_out: self.end == RunEnd::TimedOut,
            cancelled: matches!(self.end, RunEnd::Cancelled | RunEnd::NotStarted),
            truncated: self.stdout.is_cut() || self.stderr.is_cut(),
            stdout_bytes: self.stdout.total,
            stderr_bytes: self.stderr.total,
            stdout_file: file(&self.stdout),
            stderr_file: file(&self.stderr),
            duration_ms: u64::try_from(self.duration.as_millis()).unwrap_or(u64::MAX),
            leaked: self.leaked,
            note: (!notes.is_empty()).then(|| notes.join(" ")),
        }
    }
}

fn text(stream: &Captured, plainly: bool) -> String {
    let text = stream.text();
    if plainly { plain(&text) } else { text }
}

fn file(stream: &Captured) -> Option<String> {
    match stream.whole() {
        Some(Whole::At(path)) => Some(path.to_string_lossy().into_owned()),
        _ => None,
    }
}
