//! Makes a recorded call, and compares what happens with what was recorded.

use pinfold::{Context, Failure, Workspace};
use serde_json::Value;

use super::recording::{Expectation, Step};

/// What came of a step.
pub(crate) struct Outcome {
    pub(crate) answer: Result<Value, Failure>,
    /// How that differs from the recording, if it does.
    pub(crate) surprise: Option<String>,
}

/// Makes the step's call in the workspace, as a model would.
pub(crate) async fn play(workspace: &Workspace, step: &Step) -> Outcome {
    let arguments = Value::Object(step.arguments.clone());
    let answer = workspace.call(&step.tool, arguments, Context::default()).await;
    let surprise = surprise(&step.expect, &answer);
    Outcome { answer, surprise }
}

fn surprise(expected: &Expectation, answer: &Result<Value, Failure>) -> Option<String> {
    match (&expected.refused, answer) {
        (Some(wanted), Ok(_)) => Some(format!("it should have been refused: {wanted}")),
        (None, Err(failure)) => Some(format!("it should have been allowed, but {failure}")),
        (Some(wanted), Err(failure)) => wrong_refusal(wanted, expected.reason.as_deref(), failure),
        (None, Ok(result)) => wrong_result(expected, result),
    }
}

fn wrong_refusal(wanted: &str, reason: Option<&str>, failure: &Failure) -> Option<String> {
    let named = failure.failure_type().as_str();
    if named != wanted {
        return Some(format!("it should have been refused as {wanted}, not as {named}"));
    }
    let given = serde_json::to_value(failure.details().reason).unwrap_or_default();
    let differs = reason.is_some_and(|reason| given != reason);
    differs.then(|| format!("the reason should have been {}, not {given}", reason.unwrap_or_default()))
}

fn wrong_result(expected: &Expectation, result: &Value) -> Option<String> {
    if let Some(wanted) = expected.exit_code.filter(|wanted| result["exitCode"] != *wanted) {
        return Some(format!("the command should have ended with {wanted}, not with {}", result["exitCode"]));
    }
    let texts = texts_in(result).join("\n");
    if let Some(leak) = expected.hides.iter().find(|piece| texts.contains(piece.as_str())) {
        return Some(format!("the result should have hidden `{leak}`"));
    }
    let missing = expected.shows.iter().find(|piece| !texts.contains(piece.as_str()))?;
    Some(format!("the result should have shown `{missing}`"))
}

/// All text in a result, wherever it stands.
fn texts_in(result: &Value) -> Vec<&str> {
    match result {
        Value::String(text) => vec![text],
        Value::Array(values) => values.iter().flat_map(texts_in).collect(),
        Value::Object(fields) => fields.values().flat_map(texts_in).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use pinfold::{FailureType, Reason};
    use serde_json::json;

    use super::*;

    #[test]
    fn every_difference_is_a_surprise() {
        let expectation = |json| serde_json::from_value::<Expectation>(json).unwrap();
        let denied = || {
            Err(Failure::new(FailureType::DeniedCommand, "no")
                .with(|it| it.reason = Some(Reason::NotAllowed)))
        };
        let cases = [
            (json!({}), Ok(json!({})), true),
            (json!({}), denied(), false),
            (json!({"refused": "denied-command"}), denied(), true),
            (json!({"refused": "denied-command", "reason": "not-allowed"}), denied(), true),
            (json!({"refused": "denied-command", "reason": "metacharacter"}), denied(), false),
            (json!({"refused": "path-escape"}), denied(), false),
            (json!({"refused": "denied-command"}), Ok(json!({})), false),
            (json!({"exit_code": 1}), Ok(json!({"exitCode": 1})), true),
            (json!({"exit_code": 1}), Ok(json!({"exitCode": 0})), false),
            (json!({"shows": ["b"]}), Ok(json!({"a": [{"x": "abc"}]})), true),
            (json!({"hides": ["b"]}), Ok(json!({"a": [{"x": "abc"}]})), false),
            (json!({"shows": ["d"]}), Ok(json!({"a": [{"x": "abc"}], "d": 1})), false),
        ];
        for (expected, answer, fine) in cases {
            let found = surprise(&expectation(expected.clone()), &answer);
            assert_eq!(found.is_none(), fine, "{expected} {answer:?}: {found:?}");
        }
    }
}
