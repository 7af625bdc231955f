//! The verdict on a line, for whoever wants to know it without running anything.

use std::ops::Range;

use serde::Serialize;

use crate::{
    refusal::{Reason, Refusal},
    words::Words,
};

/// What the rules say about a line. Nothing was run or looked up; no program of it needs to exist.
///
/// Serializes to camelCase JSON; what is absent is left out. What a name resolves to on disk is judged only when the
/// command is run, so an allowed line may still be refused then: a link to a denied program is denied.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// Whether the rules let the line run.
    pub allowed: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// What was refused, one sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What to try instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The executable that the refusal is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executable: Option<String>,
    /// The path that the refusal is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The rule that refused: the field of the policy's `shell` section, such as `denyPatterns[1]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Where in the line the refused part stands, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<Range<usize>>,
    /// The words of the line, all known, if it could be read as plain words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argv: Option<Words>,
    /// Every command that was judged, outer before inner; the last is the refused one.
    pub commands: Vec<JudgedCommand>,
    /// The paths that the line itself opens or moves to. Without a shell there are none.
    pub paths: Vec<JudgedPath>,
}

/// One command of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JudgedCommand {
    /// Its words; `None` for one that only a shell would know when it runs.
    pub argv: Words,
    /// Another command of the line runs it.
    pub nested: bool,
}

/// A path that a line opens by a redirection or moves to by `cd`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JudgedPath {
    /// As it was written.
    pub path: String,
    /// `read`, `write` or `cd`.
    #[serde(rename = "use")]
    pub purpose: String,
}

impl Verdict {
    /// The no of a line about which nothing else is known.
    pub fn refused(refusal: &Refusal) -> Verdict {
        Verdict {
            allowed: false,
            reason: Some(refusal.reason()),
            message: Some(refusal.message().to_owned()),
            hint: refusal.hint().map(str::to_owned),
            executable: refusal.executable().map(str::to_owned),
            path: refusal.path().map(str::to_owned),
            rule: refusal.rule().map(str::to_owned),
            span: refusal.span(),
            ..Verdict::default()
        }
    }

    /// A no that does not come from the rules: with `reason`, in these words.
    pub fn refused_as(reason: Reason, message: impl Into<String>, hint: impl Into<String>) -> Verdict {
        Verdict::refused(&Refusal::new(reason, message).with_hint(hint))
    }
}
