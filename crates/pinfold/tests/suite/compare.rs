//! What was expected against what came.

use pinfold::Failure;
use serde_json::{Value, json};

use super::{case::Call, fill::filled};

/// Stands for a field that must not be there, or be null.
const ABSENT: &str = "<absent>";
/// Before a text that only has to be part of the one that came.
const PART: &str = "part:";

/// The answer of one call, as JSON, the top's own path taken out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Answer {
    Result(Value),
    Failure(Value),
}

impl Answer {
    pub(crate) fn json(&self) -> &Value {
        match self {
            Answer::Result(value) | Answer::Failure(value) => value,
        }
    }
}

/// Whether `got` holds at least what `expected` says; else, where it does not.
pub(crate) fn holds(expected: &Value, got: &Value, at: &str) -> Result<(), String> {
    match (expected, got) {
        (Value::Object(expected), Value::Object(got)) => {
            for (key, one) in expected {
                match got.get(key) {
                    None | Some(Value::Null) if one == ABSENT => {}
                    None => return Err(format!("{at}.{key} is missing")),
                    Some(own) => holds(one, own, &format!("{at}.{key}"))?,
                }
            }
            Ok(())
        }
        (Value::Array(expected), Value::Array(got)) if expected.len() == got.len() => expected
            .iter()
            .zip(got)
            .enumerate()
            .try_for_each(|(index, (one, own))| holds(one, own, &format!("{at}[{index}]"))),
        (Value::String(part), Value::String(own)) if part.starts_with(PART) => {
            let part = &part[PART.len()..];
            if own.contains(part) { Ok(()) } else { Err(format!("{at}: no {part:?} in {own:?}")) }
        }
        _ if expected == got => Ok(()),
        _ => Err(format!("{at}: expected {expected}, got {got}")),
    }
}

/// What is wrong with the answer to `call`.
pub(crate) fn judge(call: &Call, answer: &Answer) -> Vec<String> {
    let mut wrong = match (answer, &call.gives, &call.error) {
        (Answer::Result(got), Some(expected), _) => {
            holds(&filled(expected, "$TOP"), got, "result").err().into_iter().collect()
        }
        (Answer::Failure(got), _, Some(error)) => failed(error, &call.says, call.fields.as_ref(), got),
        _ => vec![format!("came {}", answer.json())],
    };
    let text = answer.json().to_string();
    wrong.extend(
        call.lacks.iter().filter(|word| text.contains(*word)).map(|word| format!("{word:?} in {text}")),
    );
    wrong.into_iter().map(|what| format!("{} {}: {what}", call.tool(), call.arguments())).collect()
}

/// What is wrong with a failure.
pub(crate) fn failed(error: &str, says: &[String], fields: Option<&Value>, got: &Value) -> Vec<String> {
    let (kind, failure_type) = error.split_once('/').unwrap_or_default();
    let expected = json!({"error": {"kind": kind, "type": failure_type}});
    let mut wrong: Vec<String> = holds(&expected, got, "failure").err().into_iter().collect();
    if let Some(fields) = fields {
        wrong.extend(holds(&filled(fields, "$TOP"), &got["error"], "failure").err());
    }
    let own = &got["error"];
    let told = [&own["message"], &own["hint"]].map(|text| text.as_str().unwrap_or_default()).join(" ");
    wrong.extend(
        says.iter().filter(|word| !told.contains(*word)).map(|word| format!("no {word:?} in {told:?}")),
    );
    wrong
}

/// Where the answers of two settings differ. A direct method may tell less than its tool.
pub(crate) fn differing(first: &[Answer], other: &[Answer], direct: bool) -> Vec<String> {
    let same = |a: &Answer, b: &Answer| a == b || (direct && holds(b.json(), a.json(), "").is_ok());
    let pairs = first.iter().zip(other).enumerate().filter(|(_, (a, b))| !same(a, b));
    pairs
        .map(|(at, (a, b))| format!("call {at} differs from the first setting: {} / {}", a.json(), b.json()))
        .collect()
}

pub(crate) fn failure_json(failure: &Failure) -> Value {
    serde_json::to_value(failure).unwrap()
}
