//! What to answer to a line that is no message.

use pinfold::{Failure, FailureType};
use rmcp::{
    ErrorData, RoleServer,
    model::{CallToolResult, RequestId, ServerResult},
    service::TxJsonRpcMessage,
};
use serde_json::Value;

use crate::server::refusal;

/// What [`pinfold::json::unambiguous`] says, and serde_json never does.
const AMBIGUOUS: &str = "stands twice in an object";

type Answer = TxJsonRpcMessage<RoleServer>;

/// The answer to a line that could not be read, if one is due.
///
/// Models write half of a surrogate pair, and clients pass it on as `\ud800`, which is no text. Such a line is read
/// once more with U+FFFD in its place, only to find out who asked for what.
pub(super) fn answer(line: &[u8], error: &serde_json::Error) -> Option<Answer> {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    if text.is_empty() {
        return None;
    }
    let Ok(guessed) = serde_json::from_str::<Value>(&without_lone_surrogates(text)) else {
        return Some(Answer::error(
            ErrorData::parse_error(format!("This line is not JSON: {error}."), None),
            None,
        ));
    };
    let Some(method) = guessed.get("method").and_then(Value::as_str) else {
        return unlike_a_request(&guessed);
    };
    // Nobody waits for an answer to a notification.
    let id = guessed.get("id")?;
    let Ok(id) = serde_json::from_value::<RequestId>(id.clone()) else {
        return Some(invalid("`id` must be a string or an integer.", None));
    };
    let is_text = serde_json::from_slice::<Value>(line).is_ok();
    let ambiguous = is_text && error.to_string().contains(AMBIGUOUS);
    Some(match (is_text, method) {
        (true, "tools/call") if ambiguous => {
            Answer::response(ServerResult::CallToolResult(read_twice(error)), id)
        }
        (true, _) => invalid("This is not a request of the protocol.", Some(id)),
        (false, "tools/call") => Answer::response(ServerResult::CallToolResult(not_text(error)), id),
        (false, _) => {
            Answer::error(ErrorData::parse_error(format!("This line is not text: {error}."), None), Some(id))
        }
    })
}

/// The answer to a line that was not read to its end.
pub(super) fn too_long(max_bytes: usize, id: Option<RequestId>) -> Answer {
    invalid(format!("A message has at most {max_bytes} bytes. This one was not read."), id)
}

/// The answer to a request whose id is that of another one. It bears none: the id would say that the other is answered.
pub(super) fn id_in_use(id: &RequestId) -> Answer {
    invalid(
        format!("The id {id} is that of a request which is not answered yet. This one was not read."),
        None,
    )
}

fn unlike_a_request(message: &Value) -> Option<Answer> {
    match message {
        // An answer to something that was never asked.
        Value::Object(fields) if fields.contains_key("result") || fields.contains_key("error") => None,
        Value::Array(_) => Some(invalid("Requests come one on each line, not in a list.", None)),
        _ => Some(invalid("A request is an object with `jsonrpc`, `id`, `method` and `params`.", None)),
    }
}

fn read_twice(error: &serde_json::Error) -> CallToolResult {
    let message = format!("The arguments can be read in two ways: {error}.");
    plain(&Failure::new(FailureType::BadArguments, message).hint("Give each argument once."))
}

fn not_text(error: &serde_json::Error) -> CallToolResult {
    let failure = Failure::new(FailureType::BadArguments, format!("The arguments are not text: {error}."))
        .hint("They hold bytes that are not UTF-8, or half of a surrogate pair. Send the call without them.");
    plain(&failure)
}

fn plain(failure: &Failure) -> CallToolResult {
    let mut result = refusal(failure);
    // Only the newest revision knows this field; left out, it means the same there.
    result.result_type = None;
    result
}

fn invalid(message: impl Into<String>, id: Option<RequestId>) -> Answer {
    Answer::error(ErrorData::invalid_request(message.into(), None), id)
}

/// The text with `\ufffd` for every escaped surrogate that has no partner.
fn without_lone_surrogates(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let (shown, used) = escape(rest);
        plain.push_str(shown);
        rest = &rest[used..];
    }
    plain + rest
}

/// What stands for the escape at the beginning of `rest`, and how many bytes it is long.
fn escape(rest: &str) -> (&str, usize) {
    match unit(rest) {
        Some(0xd800..0xdc00) if matches!(unit(&rest[6..]), Some(0xdc00..0xe000)) => (&rest[..12], 12),
        Some(0xd800..0xe000) => ("\\ufffd", 6),
        _ => {
            let used = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
            (&rest[..used], used)
        }
    }
}

/// The UTF-16 unit that `rest` begins with as `\uXXXX`.
fn unit(rest: &str) -> Option<u16> {
    let digits = rest.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_surrogates_without_a_partner_are_replaced() {
        let cases = [
            (r#""a\ud800b""#, r#""a\ufffdb""#),
            (r#""\udc00\ud800""#, r#""\ufffd\ufffd""#),
            (r#""\ud83d\ude00 \n""#, r#""\ud83d\ude00 \n""#),
            (r#""\\ud800""#, r#""\\ud800""#),
            (r#""\ud800\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\u12""#, r#""\u12""#),
            ("\"\\ü\\", "\"\\ü\\"),
        ];
        for (text, plain) in cases {
            assert_eq!(without_lone_surrogates(text), plain);
        }
    }
}
