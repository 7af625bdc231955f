//! The seam to whoever knows the disk: a name becomes a program that can be carried.

use std::{error, fmt, path::Path};

/// Finds the program that a name means.
///
/// This crate touches no disk, so the runner (or a test, or a memory backend) implements it.
pub trait Locate {
    /// What was found: something that holds on to the very file that was looked at.
    type Program: Program;

    /// Finds the program for `name`, the first word as it was written: bare, or with a slash.
    ///
    /// # Errors
    /// [`NotLocated`] when there is no such program, or it cannot be executed.
    fn locate(&self, name: &str) -> Result<Self::Program, NotLocated>;
}

/// A program that was found.
pub trait Program {
    /// The last component of the path that the name led to, after every link was followed: `dash` for `sh` on many
    /// systems. The deny list looks at it too. `None` when it is not UTF-8, so that no rule can name it.
    fn resolved_name(&self) -> Option<&str>;

    /// The absolute path of the file, every link resolved, for rules that ask where a program lies. `None`: there is no
    /// disk.
    fn real_path(&self) -> Option<&Path> {
        None
    }
}

/// In which way a program was not found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NotLocatedKind {
    /// There is no such file; shells say 127.
    NotFound,
    /// There is a file, but it is not a program that this process may execute; shells say 126.
    NotExecutable,
}

/// There is no program to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotLocated {
    kind: NotLocatedKind,
    message: String,
    hint: Option<String>,
}

impl NotLocated {
    /// `message` says in one sentence what was looked for and where.
    pub fn new(kind: NotLocatedKind, message: impl Into<String>) -> NotLocated {
        NotLocated { kind, message: message.into(), hint: None }
    }

    /// Adds one sentence that says what to try instead.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> NotLocated {
        self.hint = Some(hint.into());
        self
    }

    /// In which way.
    pub fn kind(&self) -> NotLocatedKind {
        self.kind
    }

    /// What was looked for and where, one sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to try next, one sentence, if there is advice.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for NotLocated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, " {hint}"),
            None => Ok(()),
        }
    }
}

impl error::Error for NotLocated {}
