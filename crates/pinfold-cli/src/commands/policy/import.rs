//! `pinfold policy import`: the permission rules of another program as a policy.
//!
//! What comes out never allows more than the rules did; where that cannot be said in a policy, less. Whatever was lost
//! or made stricter is listed.

mod claude_code;
mod codex;
mod draft;
mod starlark;
mod uses;

use std::{io::Write, path::Path, process::ExitCode};

use pinfold::{Failure, FailureType};
use serde::Serialize;
use serde_json::json;

use super::{Outcome, fail};
use crate::{
    arguments::{ImportArguments, Origin},
    output, own_files,
    place::absolute,
};
use draft::Draft;

/// A rule that is not in the policy, or not as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Lost {
    /// The rule as it was written.
    rule: String,
    /// What became of it, and why.
    why: String,
}

impl Lost {
    fn new(rule: impl Into<String>, why: impl Into<String>) -> Lost {
        Lost { rule: rule.into(), why: why.into() }
    }
}

pub(super) fn run(arguments: &ImportArguments) -> Outcome {
    let draft = match read(arguments) {
        Ok(draft) => draft,
        Err(failure) => return fail(arguments.json, &failure),
    };
    let text = match draft.text() {
        Ok(text) => text,
        Err(failure) => return fail(arguments.json, &failure),
    };
    if arguments.json {
        let policy: serde_json::Value = toml::from_str(&text).unwrap_or_default();
        output::json(&json!({"policy": policy, "lost": draft.lost()}))?;
        return Ok(ExitCode::SUCCESS);
    }
    match &arguments.output {
        None => output::text(&text)?,
        Some(file) => {
            if let Err(failure) = own_files::put(file, &text, arguments.force) {
                return fail(false, &failure);
            }
        }
    }
    let mut stderr = anstream::stderr().lock();
    for Lost { rule, why } in draft.lost() {
        writeln!(stderr, "lost: {rule}\n      {why}")?;
    }
    writeln!(
        stderr,
        "{} rules carried over, {} not or not as they were",
        draft.carried(),
        draft.lost().len()
    )?;
    Ok(ExitCode::SUCCESS)
}

fn read(arguments: &ImportArguments) -> Result<Draft, Failure> {
    let root = absolute(arguments.root.as_deref().unwrap_or(Path::new(".")))?;
    let shown = arguments.file.display().to_string();
    let bytes = std::fs::read(&arguments.file).map_err(|error| {
        Failure::new(FailureType::IoOther, format!("The rules cannot be read: {error}.")).at(shown.clone())
    })?;
    let text = String::from_utf8_lossy(&bytes);
    let draft = Draft::new(root, &shown);
    match arguments.from {
        Origin::ClaudeCode => claude_code::read(&text, draft).map_err(|failure| failure.at(shown)),
        Origin::Codex => Ok(codex::read(&text, draft)),
    }
}
