//! Reads a command line and judges it by a policy. Pure: no disk, no process, no clock.
//!
//! ```text
//! line ── Argv::parse ──► Argv ── Rules::check ──► CheckedCommand ──► a runner
//!            │                        │
//!            └────── Refusal ◄────────┘        a reason, a message, a hint, a place in the line
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`argv`] | [`Argv`]: proof that a whole line was read as plain words, without a shell |
//! | [`mod@line`] | [`Line`]: proof that a whole line was read as every shell would read it |
//! | [`ground`] | the seam to whoever knows where redirections and `cd` lead |
//! | [`rules`] | [`Rules`]: which programs may run, and the judging of a line |
//! | [`mod@allow`], [`pattern`], [`predicate`] | what rules are made of: entries, denied patterns, the host's own say |
//! | [`verdict`] | [`Verdict`]: everything that is known about a line that is not to be run |
//! | [`locate`] | the seam to whoever knows the disk: a name becomes a program |
//! | [`checked`] | [`CheckedCommand`]: proof that a line was judged; what a runner takes |
//! | [`refusal`] | [`Refusal`] and its [`Reason`] |
//! | [`windows`] | quoting for `cmd.exe`, as text; nothing runs there yet |
//! | [`mod@shown`] | how somebody else's text appears in our sentences |
//!
//! What this crate does not do: it does not look at the *arguments* of a program, but for those that hold a command.
//! `cat ../secret` passes when `cat` does; only confinement by the operating system holds that.

#![forbid(unsafe_code)]

pub mod allow;
pub mod argv;
pub mod checked;
pub mod ground;
pub mod line;
pub mod locate;
pub mod pattern;
pub mod predicate;
pub mod refusal;
pub mod rules;
pub mod shown;
pub mod verdict;
pub mod windows;
pub mod words;

pub use allow::AllowEntry;
pub use argv::Argv;
pub use checked::{CheckedCommand, Denied};
pub use ground::{Found, Ground, Outside, Purpose};
pub use line::{Line, cmd::CmdLine};
pub use locate::{Locate, NotLocated, NotLocatedKind, Program};
pub use pattern::DenyPattern;
pub use predicate::{AllowCommand, Answer, CommandContext};
pub use refusal::{Reason, Refusal};
pub use rules::{BadRule, Rules, SHELL, Step, steers_shell};
pub use shown::shown;
pub use verdict::{JudgedCommand, JudgedPath, Verdict};
pub use words::Words;
