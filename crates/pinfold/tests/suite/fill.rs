//! What the text of a case stands for.
//!
//! | text | stands for |
//! |---|---|
//! | `$TOP`, `$ROOT` | the directory above everything, and the workspace's own below it |
//! | `{{abc*300}}` | `abc`, 300 times |
//! | `{{0xff}}` | that byte; in lines about files only |
//! | `sha256:text` | the hash of that text; where it is the whole text |

use pinfold_jail::snapshot::sha256;
use serde_json::Value;

/// The name of the workspace's own directory below the top.
pub(crate) const HOME: &str = "home";

/// Fills every text inside `value`; `top` is what `$TOP` stands for.
pub(crate) fn filled(value: &Value, top: &str) -> Value {
    match value {
        Value::String(text) => Value::String(text_of(text, top)),
        Value::Array(list) => list.iter().map(|one| filled(one, top)).collect(),
        Value::Object(map) => {
            Value::Object(map.iter().map(|(key, one)| (key.clone(), filled(one, top))).collect())
        }
        other => other.clone(),
    }
}

/// Fills one text, which has to be UTF-8 afterwards.
pub(crate) fn text_of(text: &str, top: &str) -> String {
    match text.strip_prefix("sha256:") {
        Some(hashed) => sha256(&bytes_of(hashed, top)),
        None => String::from_utf8(bytes_of(text, top)).unwrap(),
    }
}

/// Fills one text, which may hold any byte afterwards.
pub(crate) fn bytes_of(text: &str, top: &str) -> Vec<u8> {
    let text = text.replace("$ROOT", &format!("$TOP/{HOME}")).replace("$TOP", top);
    let mut out = Vec::new();
    let mut rest = &*text;
    while let Some((before, after)) = rest.split_once("{{") {
        out.extend_from_slice(before.as_bytes());
        let special = after.split_once("}}").and_then(|(inner, after)| Some((special(inner)?, after)));
        match special {
            Some((bytes, after)) => {
                out.extend_from_slice(&bytes);
                rest = after;
            }
            None => {
                out.extend_from_slice(b"{{");
                rest = after;
            }
        }
    }
    out.extend_from_slice(rest.as_bytes());
    out
}

fn special(inner: &str) -> Option<Vec<u8>> {
    if let Some(hex) = inner.strip_prefix("0x") {
        return u8::from_str_radix(hex, 16).ok().map(|byte| vec![byte]);
    }
    let (text, count) = inner.rsplit_once('*')?;
    Some(text.as_bytes().repeat(count.parse().ok()?))
}
