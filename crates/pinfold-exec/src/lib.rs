//! Runs checked commands: bounded output, time-out, cancellation, the whole process group. Linux only so far.
//!
//! ```text
//! PATH, cwd ── SearchPath ──► Rules::check ──► CheckedCommand<Executable> ──┐
//!                                                    RunTerms, token ───────┴─► run ──► Finished
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`program`] | [`Executable`]: a program that was found, and is held open |
//! | [`search`] | [`SearchPath`]: how a name becomes an [`Executable`] |
//! | [`terms`] | [`RunTerms`]: directory, environment and limits of a run |
//! | [`mod@run`] | [`run()`]: start, drain, wait, kill, reap |
//! | [`foreground`] | [`Foreground`]: the same, where it may go on in the background |
//! | [`capture`] | [`Captured`]: what is kept of a stream, and [`Keep`] |
//! | [`overflow`] | [`Overflow`]: who takes output that is too long |
//! | [`mod@plain`] | [`plain()`]: output for a terminal as text |
//! | [`mod@ward`] | [`Ward`]: the one owner of processes; [`run_if_ward`] |
//! | [`job`] | [`Job`]: a command in the background |
//! | [`mod@means`] | [`Means`]: which means of ending processes hold here |
//! | [`progress`] | [`Progress`]: the last line of a running command |
//! | [`finished`] | [`Finished`]: how it ended and what it wrote |
//! | [`enforced`] | [`Enforced`]: which walls held |
//!
//! Nothing here takes text that was not checked: the only way in is a
//! [`CheckedCommand`](pinfold_shell::CheckedCommand), which only the rules can make.
//!
//! Not held here: what a program does while it runs. It reads and writes what the user may, and reaches the network.
//! Without a ward, a descendant that leaves the process group (setsid(2)) is not followed. [`Enforced`] says so with each
//! run.

#![forbid(unsafe_code)]

#[cfg(not(target_os = "linux"))]
compile_error!("pinfold-exec holds programs and directories through /proc/self/fd, which only Linux has");

pub mod capture;
mod captured;
mod descriptor;
mod drain;
pub mod enforced;
pub mod error;
pub mod finished;
pub mod foreground;
mod group;
mod hold;
pub mod job;
mod launch;
mod log;
pub mod means;
pub mod overflow;
pub mod plain;
mod plan;
pub mod program;
pub mod progress;
pub mod run;
pub mod search;
pub mod terms;
pub mod ward;

pub use capture::{Captured, Keep};
pub use enforced::{Enforced, Held};
pub use error::RunError;
pub use finished::{Finished, LeftBehind};
pub use foreground::Foreground;
pub use job::{Job, Look};
pub use log::Since;
pub use means::{Means, means};
pub use overflow::{Overflow, SpillTerms, Taking, Whole};
pub use plain::plain;
pub use program::Executable;
pub use progress::Progress;
pub use run::run;
pub use search::SearchPath;
pub use terms::{LastLook, RunTerms};
pub use ward::{Ward, run_if_ward};
