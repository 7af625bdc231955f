//! The one error that leaves the house.
//!
//! A [`Failure`] has a stable type (a closed list), one sentence that says what happened, one that says what to try
//! next, and fields for programs. The same words reach Rust, MCP and the terminal.

use std::{error, fmt};

use serde::{Serialize, Serializer, ser::SerializeMap};

/// The family of a [`FailureType`]: which part of the house said no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The policy refuses it.
    Policy,
    /// An edit does not apply to the file as it is.
    Edit,
    /// A background job cannot be reached or started.
    Job,
    /// The file system answers with an error.
    Io,
    /// The call itself is not well formed.
    Input,
    /// The backend cannot be reached, or cannot do this.
    Backend,
}

/// Every type of failure there is. The names are stable; more may be added with a new minor version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailureType {
    /// The path leaves the workspace, or is denied by the policy.
    PathEscape,
    /// The shell policy refused the command line; see [`Reason`].
    DeniedCommand,
    /// The search pattern is refused before it is compiled.
    UnsafePattern,
    /// A call that changes something, on a read-only workspace.
    ReadOnly,
    /// The text to replace is not in the file.
    EditNotFound,
    /// The text to replace is there more than once.
    EditNotUnique,
    /// The file is not the one that the caller read.
    StaleHash,
    /// The edit would change nothing.
    NoOp,
    /// There is no job of that name.
    JobNotFound,
    /// As many jobs run as may run at once.
    JobTooMany,
    /// The workspace was disposed.
    JobClosed,
    /// There is no such file or directory.
    NotFound,
    /// A file was needed, this is a directory.
    IsDirectory,
    /// A directory was needed, this is something else.
    NotDirectory,
    /// A name or path is longer than the file system takes.
    NameTooLong,
    /// A pipe, socket or device: it is never opened.
    SpecialFile,
    /// The file's bytes are not text.
    NotText,
    /// Larger than the policy allows.
    TooLarge,
    /// No space, or no quota, is left.
    NoSpace,
    /// The operating system does not permit it.
    PermissionDenied,
    /// The file system is mounted read-only.
    ReadOnlyFs,
    /// Any other error of the file system; the message holds its text.
    IoOther,
    /// Arguments are missing, unknown, of the wrong type or out of range.
    BadArguments,
    /// No tool has this name.
    UnknownTool,
    /// The policy cannot be read, or contradicts itself.
    BadPolicy,
    /// The backend cannot be reached.
    Unavailable,
    /// The backend cannot do this.
    Unsupported,
    /// The backend was lost while it worked.
    Lost,
}

impl FailureType {
    /// The family that this type belongs to.
    pub fn kind(self) -> Kind {
        use FailureType as T;
        match self {
            T::PathEscape | T::DeniedCommand | T::UnsafePattern | T::ReadOnly => Kind::Policy,
            T::EditNotFound | T::EditNotUnique | T::StaleHash | T::NoOp => Kind::Edit,
            T::JobNotFound | T::JobTooMany | T::JobClosed => Kind::Job,
            T::BadArguments | T::UnknownTool | T::BadPolicy => Kind::Input,
            T::Unavailable | T::Unsupported | T::Lost => Kind::Backend,
            _ => Kind::Io,
        }
    }

    /// The name that programs compare, unique within its [`Kind`]: `path-escape`, `not-found`, ….
    pub fn as_str(self) -> &'static str {
        use FailureType as T;
        match self {
            T::PathEscape => "path-escape",
            T::DeniedCommand => "denied-command",
            T::UnsafePattern => "unsafe-pattern",
            T::ReadOnly => "read-only",
            T::EditNotFound | T::JobNotFound | T::NotFound => "not-found",
            T::EditNotUnique => "not-unique",
            T::StaleHash => "stale-hash",
            T::NoOp => "no-op",
            T::JobTooMany => "too-many",
            T::JobClosed => "closed",
            T::IsDirectory => "is-directory",
            T::NotDirectory => "not-directory",
            T::NameTooLong => "name-too-long",
            T::SpecialFile => "special-file",
            T::NotText => "not-text",
            T::TooLarge => "too-large",
            T::NoSpace => "no-space",
            T::PermissionDenied => "permission-denied",
            T::ReadOnlyFs => "read-only-fs",
            T::IoOther => "other",
            T::BadArguments => "bad-arguments",
            T::UnknownTool => "unknown-tool",
            T::BadPolicy => "bad-policy",
            T::Unavailable => "unavailable",
            T::Unsupported => "unsupported",
            T::Lost => "lost",
        }
    }
}

impl Kind {
    /// The name that programs compare: `policy`, `edit`, `job`, `io`, `input` or `backend`.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Policy => "policy",
            Kind::Edit => "edit",
            Kind::Job => "job",
            Kind::Io => "io",
            Kind::Input => "input",
            Kind::Backend => "backend",
        }
    }
}

/// Why the shell policy refused a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// An unquoted operator, where no shell will read it.
    Metacharacter,
    /// A quote or substitution that is never closed.
    UnbalancedQuotes,
    /// The executable is on the deny list.
    DeniedExecutable,
    /// Not on the allow list, refused by the host, empty, or no command may run at all.
    NotAllowed,
    /// A denied pattern matches the command.
    DeniedPattern,
    /// A program that runs another program which the policy cannot see.
    NestedCommand,
    /// Syntax that shells read differently, or that is not read with confidence.
    UnsupportedSyntax,
    /// A redirection or `cd` that leaves the workspace.
    PathEscape,
}

/// What a program may want to branch on, beside the type. Absent facts are left out of the JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    /// The path that the failure is about, as the caller wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The command line that was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Why it was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The executable that the refusal is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executable: Option<String>,
    /// Which of several edits failed, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edit_index: Option<usize>,
    /// The field of the policy that is wrong, such as `allowPaths[1]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The rule of the policy that said no, such as `denyPaths[1]` or `shell.deny[0]`. For logs: models are not shown it.
    #[serde(skip)]
    pub rule: Option<String>,
}

/// What went wrong, in words that the caller can act on.
///
/// Serializes to `{"error": {"kind", "type", "message", "hint", …}}` with the [`Details`] beside them; `hint` is left out when
/// there is nothing to advise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    failure_type: FailureType,
    message: String,
    hint: Option<String>,
    details: Details,
}

impl Failure {
    /// A failure of type `failure_type`; `message` is one sentence that says what happened.
    pub fn new(failure_type: FailureType, message: impl Into<String>) -> Failure {
        Failure(Box::new(Inner {
            failure_type,
            message: message.into(),
            hint: None,
            details: Details::default(),
        }))
    }

    /// Adds one sentence that says what to try instead.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Failure {
        self.0.hint = Some(hint.into());
        self
    }

    /// Adds the path that the failure is about.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>) -> Failure {
        self.0.details.path = Some(path.into());
        self
    }

    /// Adds the field of the policy that the failure is about, such as `allowPaths[1]`.
    #[must_use]
    pub fn in_field(self, field: impl Into<String>) -> Failure {
        self.with(|details| details.field = Some(field.into()))
    }

    /// The same failure in other words.
    #[must_use]
    pub fn saying(mut self, message: impl Into<String>) -> Failure {
        self.0.message = message.into();
        self
    }

    /// Adds facts for programs.
    #[must_use]
    pub fn with(mut self, add: impl FnOnce(&mut Details)) -> Failure {
        add(&mut self.0.details);
        self
    }

    /// Which part of the house said no.
    pub fn kind(&self) -> Kind {
        self.0.failure_type.kind()
    }

    /// The type, one of a closed list.
    pub fn failure_type(&self) -> FailureType {
        self.0.failure_type
    }

    /// What happened, one sentence.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What to try instead, if there is advice.
    pub fn advice(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// Facts for programs.
    pub fn details(&self) -> &Details {
        &self.0.details
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        match &self.0.hint {
            Some(hint) => write!(f, " {hint}"),
            None => Ok(()),
        }
    }
}

impl error::Error for Failure {}

impl Serialize for Failure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Shown<'a> {
            kind: &'a str,
            r#type: &'a str,
            message: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            hint: Option<&'a str>,
            #[serde(flatten)]
            details: &'a Details,
        }
        let shown = Shown {
            kind: self.kind().as_str(),
            r#type: self.failure_type().as_str(),
            message: self.message(),
            hint: self.advice(),
            details: self.details(),
        };
        let mut outer = serializer.serialize_map(Some(1))?;
        outer.serialize_entry("error", &shown)?;
        outer.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serializes_under_one_key_and_leaves_out_what_is_absent() {
        let failure = Failure::new(FailureType::PathEscape, "`../x` leaves the workspace.").at("../x");
        let json = serde_json::to_value(&failure).unwrap();
        let expected = serde_json::json!({"error": {
            "kind": "policy", "type": "path-escape", "message": "`../x` leaves the workspace.", "path": "../x",
        }});
        assert_eq!(json, expected);
    }

    #[test]
    fn display_joins_message_and_hint() {
        let failure = Failure::new(FailureType::NotFound, "No such file: a.").hint("Did you mean b?");
        assert_eq!(failure.to_string(), "No such file: a. Did you mean b?");
    }
}
