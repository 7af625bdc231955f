//! The host's own say: a function that is asked about every command.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

/// What a host says about one command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It may run, as far as the host is concerned. The other rules still hold.
    Allow,
    /// It may not; the text is shown to the model.
    Refuse(String),
}

/// What is known about a command beside its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CommandContext {
    /// Another command of the line runs it: a wrapper such as `time`, or an option that holds a command.
    pub nested: bool,
}

/// A function of the host that is asked about every command, after all other rules. It can only narrow what they allow.
///
/// It is synchronous, and must not block. When it panics, the command is refused.
///
/// ```
/// use pinfold_shell::{AllowCommand, Answer};
///
/// let no_push = AllowCommand::new(|argv, _context| match argv {
///     [git, push, ..] if git == "git" && push == "push" => Answer::Refuse("The release job pushes.".into()),
///     _ => Answer::Allow,
/// });
/// # let _ = no_push;
/// ```
#[derive(Clone)]
pub struct AllowCommand(Arc<Function>);

type Function = dyn Fn(&[String], CommandContext) -> Answer + Send + Sync;

impl AllowCommand {
    /// Wraps the function. It gets the words of a command, without quotes.
    pub fn new(ask: impl Fn(&[String], CommandContext) -> Answer + Send + Sync + 'static) -> AllowCommand {
        AllowCommand(Arc::new(ask))
    }

    /// Asks this one, and if it allows the command the other one: both have to.
    #[must_use]
    pub fn and(self, other: AllowCommand) -> AllowCommand {
        AllowCommand::new(move |argv, context| match (self.0)(argv, context) {
            Answer::Allow => (other.0)(argv, context),
            refused => refused,
        })
    }

    /// The words of the refusal, if it is one.
    pub(crate) fn refusal(&self, argv: &[String], nested: bool) -> Option<String> {
        // A host that was left in an odd state by its own panic has to live with it; nothing of ours is shared with it.
        match catch_unwind(AssertUnwindSafe(|| (self.0)(argv, CommandContext { nested }))) {
            Ok(Answer::Allow) => None,
            Ok(Answer::Refuse(text)) => Some(text),
            Err(_) => Some("The check of the host failed, so the command is refused.".to_owned()),
        }
    }
}

impl fmt::Debug for AllowCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AllowCommand(..)")
    }
}

/// Two are the same when they are the same function, not only one that does the same.
impl PartialEq for AllowCommand {
    fn eq(&self, other: &AllowCommand) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for AllowCommand {}
