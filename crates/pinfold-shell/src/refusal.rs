//! Why a line was refused, in words that the caller can act on.

use std::{error, fmt, ops::Range};

use serde::Serialize;

/// Why a line was refused: a closed list with stable names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// An unquoted operator, where no shell will read it.
    Metacharacter,
    /// A quote that is never closed, or a backslash with nothing behind it.
    UnbalancedQuotes,
    /// The executable is on the deny list.
    DeniedExecutable,
    /// Not on the allow list, refused by the host, not the name of a program, empty, or no command may run at all.
    NotAllowed,
    /// A denied pattern matches the command.
    DeniedPattern,
    /// A program that runs another program which the policy cannot see.
    NestedCommand,
    /// Syntax that shells read differently, or that is not read with confidence; also a line over the limits.
    UnsupportedSyntax,
    /// A redirection or `cd` that leaves the workspace.
    PathEscape,
}

impl Reason {
    /// The name that programs compare: `metacharacter`, `not-allowed`, ….
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::Metacharacter => "metacharacter",
            Reason::UnbalancedQuotes => "unbalanced-quotes",
            Reason::DeniedExecutable => "denied-executable",
            Reason::NotAllowed => "not-allowed",
            Reason::DeniedPattern => "denied-pattern",
            Reason::NestedCommand => "nested-command",
            Reason::UnsupportedSyntax => "unsupported-syntax",
            Reason::PathEscape => "path-escape",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A refused line: nothing was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    reason: Reason,
    message: String,
    hint: Option<String>,
    executable: Option<String>,
    path: Option<String>,
    rule: Option<String>,
    span: Option<Range<usize>>,
}

impl Refusal {
    pub(crate) fn new(reason: Reason, message: impl Into<String>) -> Refusal {
        let message = message.into();
        Refusal(Box::new(Inner {
            reason,
            message,
            hint: None,
            executable: None,
            path: None,
            rule: None,
            span: None,
        }))
    }

    #[must_use]
    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Refusal {
        self.0.hint = Some(hint.into());
        self
    }

    #[must_use]
    pub(crate) fn about(mut self, executable: impl Into<String>) -> Refusal {
        self.0.executable = Some(executable.into());
        self
    }

    #[must_use]
    pub(crate) fn about_path(mut self, path: impl Into<String>) -> Refusal {
        self.0.path = Some(path.into());
        self
    }

    #[must_use]
    pub(crate) fn by(mut self, rule: impl Into<String>) -> Refusal {
        self.0.rule = Some(rule.into());
        self
    }

    #[must_use]
    pub(crate) fn at(mut self, span: Range<usize>) -> Refusal {
        self.0.span = Some(span);
        self
    }

    /// Why, one of a closed list.
    pub fn reason(&self) -> Reason {
        self.0.reason
    }

    /// What was refused, one sentence; for operators it proposes the commands to run instead.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What to try next, one sentence, if there is advice beyond the message.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// The executable that the refusal is about: its basename, or the entry of the deny list that it matches.
    pub fn executable(&self) -> Option<&str> {
        self.0.executable.as_deref()
    }

    /// The path that the refusal is about, as it was written: of a redirection or a `cd`.
    pub fn path(&self) -> Option<&str> {
        self.0.path.as_deref()
    }

    /// The rule that refused: the field of the policy's `shell` section, with the entry of a list: `deny[0]`. Absent when
    /// no rule of the policy says so, but the way that lines are read.
    pub fn rule(&self) -> Option<&str> {
        self.0.rule.as_deref()
    }

    /// Where in the line, in bytes; absent when the line as a whole is meant.
    pub fn span(&self) -> Option<Range<usize>> {
        self.0.span.clone()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        match &self.0.hint {
            Some(hint) => write!(f, " {hint}"),
            None => Ok(()),
        }
    }
}

impl error::Error for Refusal {}
