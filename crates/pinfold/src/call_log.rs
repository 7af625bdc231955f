//! A line of JSON for each call: what was asked, what came of it, and which rule said no.
//!
//! Only calls by name are written down, so all that models ask for and nothing that a program does by direct methods.
//! Texts of files and edits are never in it, only how long they were; of the rest, what looks like a secret is left out.

mod entry;
mod redact;

use std::{
    fmt,
    io::Write,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Instant, SystemTime},
};

use serde_json::Value;

use crate::{Failure, Policy};
pub use entry::{Entry, Refused, Verdict};
use redact::Redactor;

/// Where the calls of a workspace are written down; see [`Workspace::logged`](crate::Workspace::logged).
///
/// Cloning is cheap: clones write to the same place. A line that cannot be written is lost, and the next one that can says
/// how many were (`lostBefore`): an agent is not stopped by a full disk.
#[derive(Clone)]
pub struct CallLog(Arc<Inner>);

struct Inner {
    out: Mutex<Box<dyn Write + Send>>,
    redactor: Redactor,
    lost: AtomicU64,
}

impl CallLog {
    /// Writes to `out`, each line in one piece. What the policy gives to commands by `shell.env` under the name of a
    /// secret (`…TOKEN`, `…KEY`, …) is left out wherever it stands, if it has 6 characters or more.
    pub fn new(out: impl Write + Send + 'static, policy: &Policy) -> CallLog {
        let env = policy.shell.iter().flat_map(|shell| &shell.env);
        let secret = env.filter(|(name, _)| redact::is_secret(name)).map(|(_, value)| value.clone());
        let (redactor, lost) = (Redactor::hiding(secret), AtomicU64::new(0));
        CallLog(Arc::new(Inner { out: Mutex::new(Box::new(out)), redactor, lost }))
    }

    /// A call begins.
    pub(crate) fn begin(&self, tool: &str, arguments: &Value) -> Pending {
        let arguments = self.0.redactor.arguments(arguments);
        let (at, began) = (SystemTime::now(), Instant::now());
        Pending { log: self.clone(), tool: tool.to_owned(), arguments, at, began, ended: false }
    }

    fn write(&self, mut entry: Entry) {
        let lost = self.0.lost.swap(0, Ordering::Relaxed);
        entry.lost_before = (lost > 0).then_some(lost);
        let mut line = serde_json::to_vec(&entry).unwrap_or_default();
        line.push(b'\n');
        let mut out = self.0.out.lock().unwrap_or_else(PoisonError::into_inner);
        if out.write_all(&line).and_then(|()| out.flush()).is_err() {
            self.0.lost.fetch_add(lost + 1, Ordering::Relaxed);
        }
    }
}

impl fmt::Debug for CallLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CallLog(..)")
    }
}

/// A call that has begun. Dropped before its end, it is written down as given up.
pub(crate) struct Pending {
    log: CallLog,
    tool: String,
    arguments: Value,
    at: SystemTime,
    began: Instant,
    ended: bool,
}

impl Pending {
    pub(crate) fn end(mut self, outcome: &Result<Value, Failure>) {
        self.ended = true;
        let refused = outcome.as_ref().err().map(|failure| Refused::of(failure, &self.log.0.redactor));
        self.write(Verdict::of(outcome), refused, entry::bytes(outcome));
    }

    fn write(&mut self, verdict: Verdict, refused: Option<Refused>, bytes: u64) {
        self.log.write(Entry {
            at: entry::stamp(self.at),
            tool: std::mem::take(&mut self.tool),
            arguments: self.arguments.take(),
            verdict,
            refused,
            ms: self.began.elapsed().as_micros() as f64 / 1e3,
            bytes,
            lost_before: None,
        });
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if !self.ended {
            self.write(Verdict::GivenUp, None, 0);
        }
    }
}
