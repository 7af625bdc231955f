//! What a line holds.

use std::{
    io::{self, Write},
    time::SystemTime,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::redact::Redactor;
use crate::{Failure, FailureType, Kind};

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// When the call began: UTC, as RFC 3339 writes it, with milliseconds.
    pub at: String,
    /// The tool or direct method, by its own name.
    pub tool: String,
    /// The arguments, without texts of files and what looks like a secret.
    pub arguments: Value,
    /// What came of it.
    pub verdict: Verdict,
    /// Why, if nothing good did.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refused>,
    /// Milliseconds until the answer.
    pub ms: f64,
    /// Bytes of the answer as JSON.
    pub bytes: u64,
    /// Lines before this one that could not be written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost_before: Option<u64>,
}

/// What came of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A result; a command that ends with another status than 0 is one.
    Done,
    /// The policy said no.
    Refused,
    /// Anything else went wrong.
    Failed,
    /// The caller went away before there was an answer.
    GivenUp,
}

/// Why there was no result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refused {
    /// The family of the type: `policy`, `io`, ….
    pub kind: String,
    /// The stable type: `path-escape`, `denied-command`, ….
    pub r#type: String,
    /// Why the shell policy refused a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The rule of the policy that said no: `denyPaths[1]`, `shell.deny[0]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// What the caller was told.
    pub message: String,
}

impl Verdict {
    pub(super) fn of(outcome: &Result<Value, Failure>) -> Verdict {
        match outcome.as_ref().map_err(Failure::kind) {
            Ok(_) => Verdict::Done,
            Err(Kind::Policy) => Verdict::Refused,
            Err(_) => Verdict::Failed,
        }
    }

    /// The name in the log.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Done => "done",
            Verdict::Refused => "refused",
            Verdict::Failed => "failed",
            Verdict::GivenUp => "given-up",
        }
    }
}

impl Refused {
    pub(super) fn of(failure: &Failure, redactor: &Redactor) -> Refused {
        let details = failure.details();
        // What an edit missed is told with the text around it.
        let told = match failure.failure_type() {
            FailureType::EditNotFound | FailureType::EditNotUnique | FailureType::StaleHash => {
                failure.message().split('\n').next().unwrap_or_default()
            }
            _ => failure.message(),
        };
        let reason =
            details.reason.and_then(|reason| Some(serde_json::to_value(reason).ok()?.as_str()?.to_owned()));
        Refused {
            kind: failure.kind().as_str().to_owned(),
            r#type: failure.failure_type().as_str().to_owned(),
            reason,
            rule: details.rule.clone(),
            message: redactor.text(told),
        }
    }
}

/// The size of the answer, without making it.
pub(super) fn bytes(outcome: &Result<Value, Failure>) -> u64 {
    struct Counted(u64);
    impl Write for Counted {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len() as u64;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut counted = Counted(0);
    let written = match outcome {
        Ok(value) => serde_json::to_writer(&mut counted, value),
        Err(failure) => serde_json::to_writer(&mut counted, failure),
    };
    written.map_or(0, |()| counted.0)
}

pub(super) fn stamp(at: SystemTime) -> String {
    humantime::format_rfc3339_millis(at).to_string()
}
