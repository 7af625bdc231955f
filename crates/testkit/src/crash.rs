//! Crashes on purpose: a process is killed at each of its system calls, or each of them fails, and the test looks at
//! what is left.
//!
//! The deed runs in a process of its own, which is this test program started anew for one test, the *actor*. It is
//! traced (`ptrace(2)`), so that it dies at exactly the call that is meant, not by chance:
//!
//! ```no_run
//! use std::{fs, path::Path};
//! use testkit::crash::{self, Attempt};
//!
//! #[test]
//! fn actor_replaces_a() {
//!     // Not started as an actor: nothing to do.
//!     let Some(stage) = crash::stage() else { return };
//!     crash::act(|| fs::write(stage.join("a"), "new").unwrap());
//! }
//!
//! #[test]
//! fn a_crash_leaves_old_or_new() {
//!     let set = |stage: &Path| fs::write(stage.join("a"), "old").unwrap();
//!     let look = |stage: &Path, attempt: &Attempt| {
//!         let text = fs::read_to_string(stage.join("a")).unwrap();
//!         assert!(text == "old" || text == "new", "{text:?} after {attempt}");
//!     };
//!     // None: this machine does not let us trace, which was said aloud.
//!     let Some(calls) = crash::kill_everywhere("actor_replaces_a", set, look) else { return };
//!     assert!(calls.iter().any(|call| call.name() == "write"));
//! }
//! ```
//!
//! The actor's name is the whole path of the test, as `--exact` takes it. What the actor does before and after
//! [`act`] is not counted, and an actor whose test fails fails the one that started it. Calls that only concern
//! threads, memory and waiting are not counted either: they come and go from run to run, and leave no trace on a disk.

#![allow(clippy::expect_used, clippy::panic, reason = "it serves tests, and a test panics when it fails")]

mod actor;
mod call;
mod tracer;

use std::{fmt, path::Path};

use nix::errno::Errno;

pub use actor::{act, stage};
pub use call::SystemCall;

use tracer::{Plan, Traced};

/// One run of an actor: how it was disturbed, and how far it came.
#[derive(Debug)]
pub struct Attempt {
    /// The calls that it began, in order; the last one is the one that was disturbed, and was not carried out.
    pub calls: Vec<SystemCall>,
    /// What the call failed with. None: the process was killed at it.
    pub error: Option<i32>,
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.calls.len();
        let call = self.calls.last().map_or("nothing".to_owned(), SystemCall::to_string);
        match self.error {
            None => write!(f, "a kill at call {at}, {call}"),
            Some(error) => write!(f, "{} at call {at}, {call}", Errno::from_raw(error)),
        }
    }
}

/// Runs the actor undisturbed on `stage`, and tells the calls that it made. None: this machine does not let us trace,
/// and the test that asked is skipped aloud.
///
/// # Panics
/// When the actor fails, or does not reach the end of its deed.
#[track_caller]
pub fn rehearse(actor: &str, stage: &Path) -> Option<Vec<SystemCall>> {
    run(actor, stage, Plan::Watch).map(|traced| traced.calls)
}

/// Kills the actor at its first call, then anew at its second, and so on until it comes to its end before that. `set`
/// fills each stage, an empty directory; `look` sees what is left there. Gives the calls of the undisturbed run.
///
/// # Panics
/// When the actor fails, and when `set` or `look` do.
#[track_caller]
pub fn kill_everywhere(
    actor: &str,
    set: impl FnMut(&Path),
    look: impl FnMut(&Path, &Attempt),
) -> Option<Vec<SystemCall>> {
    disturb_everywhere(actor, Plan::Kill, None, set, look)
}

/// The same, but the call is not carried out and fails with `error` (an `errno`), and the actor goes on. It must come
/// to its end: the actor has to expect that its deed may fail.
///
/// # Panics
/// As [`kill_everywhere`].
#[track_caller]
pub fn fail_everywhere(
    actor: &str,
    error: i32,
    set: impl FnMut(&Path),
    look: impl FnMut(&Path, &Attempt),
) -> Option<Vec<SystemCall>> {
    if !tracer::CAN_FAIL_CALLS {
        crate::skip("failing a system call is written for x86-64 only");
        return None;
    }
    disturb_everywhere(actor, |at| Plan::Fail { at, error }, Some(error), set, look)
}

#[track_caller]
fn disturb_everywhere(
    actor: &str,
    plan: impl Fn(usize) -> Plan,
    error: Option<i32>,
    mut set: impl FnMut(&Path),
    mut look: impl FnMut(&Path, &Attempt),
) -> Option<Vec<SystemCall>> {
    let mut at = 0;
    loop {
        let stage = tempfile::tempdir().expect("a directory for the stage");
        set(stage.path());
        let mut traced = run(actor, stage.path(), plan(at))?;
        if !traced.disturbed {
            return Some(traced.calls);
        }
        let whole = traced.calls.split_off(at + 1);
        assert!(error.is_some() || whole.is_empty(), "a killed process went on with {whole:?}");
        look(stage.path(), &Attempt { calls: traced.calls, error });
        at += 1;
    }
}

#[track_caller]
fn run(actor: &str, stage: &Path, plan: Plan) -> Option<Traced> {
    match tracer::run(actor, stage, plan) {
        Ok(traced) => Some(traced),
        Err(Errno::EPERM | Errno::EACCES | Errno::ENOSYS) => {
            crate::skip("needs the permission to trace a process (ptrace)");
            None
        }
        Err(error) => panic!("cannot trace {actor}: {error}"),
    }
}

#[cfg(test)]
mod tests;
