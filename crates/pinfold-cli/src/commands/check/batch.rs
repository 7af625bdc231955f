//! `pinfold check --batch`: many lines, each with a policy of its own, as JSON Lines.

use std::{
    io::{self, BufRead},
    process::ExitCode,
};

use pinfold::{
    Failure, FailureType, Policy, Verdict,
    policy::{AllowCommand, Answer, file::Format},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{super::Outcome, verdict};
use crate::{arguments::CheckMode, output};

/// One question.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    #[serde(rename = "id", default)]
    _id: Value,
    mode: Option<String>,
    /// As in a policy file; absent: the policy of the command line.
    policy: Option<Map<String, Value>>,
    line: String,
}

/// What can be told of a question that is wrong.
#[derive(Deserialize)]
struct Id {
    #[serde(default)]
    id: Value,
}

/// One answer.
#[derive(Serialize)]
struct Answered {
    id: Value,
    #[serde(flatten)]
    answer: Said,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Said {
    Verdict(Box<Verdict>),
    /// Under `error`.
    Failure(Failure),
}

pub(super) fn run(policy: &Policy, mode: Option<CheckMode>) -> Outcome {
    let rows = io::stdin().lock().split(b'\n');
    let asked = rows.filter(|row| !matches!(row, Ok(row) if row.trim_ascii().is_empty()));
    output::json_lines(asked.map(|row| Ok(answer(&row?, policy, mode))))?;
    Ok(ExitCode::SUCCESS)
}

fn answer(row: &[u8], policy: &Policy, mode: Option<CheckMode>) -> Answered {
    let id = serde_json::from_slice(row).map_or(Value::Null, |Id { id }| id);
    let answer = match judge(row, policy, mode) {
        Ok(verdict) => Said::Verdict(Box::new(verdict)),
        Err(failure) => Said::Failure(failure),
    };
    Answered { id, answer }
}

fn judge(row: &[u8], policy: &Policy, mode: Option<CheckMode>) -> Result<Verdict, Failure> {
    let row: Row = serde_json::from_slice(row).map_err(|error| {
        Failure::new(FailureType::BadArguments, format!("The row cannot be read: {error}."))
            .hint("A row is one JSON object with `id`, `line`, and if needed `mode` and `policy`.")
    })?;
    let mode = match row.mode.as_deref() {
        None => mode,
        Some("argv") => Some(CheckMode::Argv),
        Some("sh") => Some(CheckMode::Sh),
        Some(other) => {
            let message = format!("There is no mode `{}`.", other.escape_debug());
            return Err(Failure::new(FailureType::BadArguments, message).hint("Write `argv` or `sh`."));
        }
    };
    match row.policy {
        None => verdict(policy, mode, &row.line),
        Some(own) => verdict(&read(own, policy, mode)?, mode, &row.line),
    }
}

/// Reads the policy of a row. A stand-in for the function of a host is taken out of it first, and so is the interpreter,
/// when the mode says it already.
fn read(
    mut policy: Map<String, Value>,
    default: &Policy,
    mode: Option<CheckMode>,
) -> Result<Policy, Failure> {
    let mut ask = None;
    if let Some(Value::Object(shell)) = policy.get_mut("shell") {
        ask = ["allowCommand", "allow_command"].into_iter().find_map(|name| shell.remove(name));
        if mode.is_some() {
            shell.remove("interpreter");
        }
    }
    let has_root = policy.contains_key("cwd");
    let text = Value::Object(policy).to_string();
    let mut policy = if has_root {
        Policy::from_text(&text, Format::Json)
    } else {
        Policy::from_text_at(&text, Format::Json, &default.cwd)
    }?;
    if let (Some(ask), Some(shell)) = (ask, &mut policy.shell) {
        shell.allow_command = Some(stand_in(ask)?);
    }
    Ok(policy)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StandIn {
    #[serde(rename = "refusePrefix", alias = "refuse_prefix")]
    refuse_prefix: Vec<Vec<String>>,
}

/// A function that refuses every command that begins with one of these words.
fn stand_in(ask: Value) -> Result<AllowCommand, Failure> {
    let StandIn { refuse_prefix } = serde_json::from_value(ask).map_err(|error| {
        Failure::new(FailureType::BadPolicy, format!("`shell.allowCommand` cannot be read: {error}."))
            .hint("In a batch it is {\"refusePrefix\": [[\"git\", \"push\"]]}; a program gives a function.")
    })?;
    Ok(AllowCommand::new(move |argv, _| {
        let refused = refuse_prefix.iter().find(|prefix| argv.starts_with(prefix));
        refused.map_or(Answer::Allow, |prefix| {
            Answer::Refuse(format!("The host refuses `{}`.", prefix.join(" ")))
        })
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(row: &str) -> Value {
        let answered = answer(row.as_bytes(), &Policy::new("/w"), None);
        serde_json::to_value(answered).unwrap()
    }

    #[test]
    fn a_row_is_answered_with_its_id() {
        let row = r#"{"id": [1], "mode": "argv", "line": "time git push",
            "policy": {"cwd": "/no/such", "shell": {"allow": ["git", "time"], "interpreter": "sh",
            "allowCommand": {"refusePrefix": [["git", "push"]]}}}}"#;
        let said = asked(row);
        assert_eq!((&said["id"], &said["allowed"]), (&serde_json::json!([1]), &Value::Bool(false)));
        assert_eq!((&said["reason"], &said["rule"]), (&"not-allowed".into(), &"allowCommand".into()));
        assert_eq!(said["commands"].as_array().unwrap().len(), 2);
        assert!(said["message"].as_str().unwrap().ends_with("The host refuses `git push`."), "{said}");
    }

    #[test]
    fn a_bad_row_is_answered_with_an_error() {
        let cases = [
            ("{", Value::Null, "bad-arguments"),
            ("7", Value::Null, "bad-arguments"),
            (r#"{"id": 1}"#, 1.into(), "bad-arguments"),
            (r#"{"id": 1, "line": "\ud800"}"#, 1.into(), "bad-arguments"),
            (r#"{"id": 1, "line": "ls", "mode": "fish"}"#, 1.into(), "bad-arguments"),
            (r#"{"id": 1, "line": "ls", "policy": {"cwd": "x"}}"#, 1.into(), "bad-policy"),
            (r#"{"id": 1, "line": "ls", "policy": {"shell": {"alow": []}}}"#, 1.into(), "bad-policy"),
            (r#"{"id": 1, "line": "ls", "policy": {"shell": {"allow": [""]}}}"#, 1.into(), "bad-policy"),
            (r#"{"id": 1, "line": "ls", "policy": {"shell": {"allowCommand": 1}}}"#, 1.into(), "bad-policy"),
            (
                r#"{"id": 1, "line": "ls", "policy": {"shell": {"denyPatterns": [{"regex": "("}]}}}"#,
                1.into(),
                "bad-policy",
            ),
        ];
        for (row, id, kind) in cases {
            let said = asked(row);
            assert_eq!((&said["id"], &said["error"]["type"]), (&id, &kind.into()), "{row}: {said}");
        }
    }

    #[test]
    fn without_a_policy_that_of_the_command_line_holds() {
        assert_eq!(asked(r#"{"line": "ls"}"#)["reason"], "not-allowed");
        assert_eq!(asked(r#"{"line": "ls", "policy": {"shell": {}}}"#)["allowed"], true);
    }
}
