//! What of a call is written down.

use std::{borrow::Cow, sync::LazyLock};

use regex::Regex;
use serde_json::{Map, Value};

/// Bytes of one text that are kept.
const LONGEST: usize = 1_000;

/// Texts of a list that are kept.
const MOST: usize = 50;

/// Values shorter than this may be anything: `1`, `true`, `prod`.
const SHORTEST_SECRET: usize = 6;

/// Arguments that hold texts of files: only their length is kept.
const TEXTS: &[&str] = &["content", "oldString", "newString", "old_string", "new_string", "patch", "todos"];

/// What the name of a variable says about its value.
pub(super) fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["token", "secret", "passw", "passphrase", "key", "credential", "auth"]
        .iter()
        .any(|part| name.contains(part))
}

/// Stands for what is left out.
const GONE: &str = "***";

/// Leaves secrets out.
pub(super) struct Redactor {
    values: Vec<String>,
}

impl Redactor {
    /// Leaves these values out too, the longest first.
    pub(super) fn hiding(values: impl IntoIterator<Item = String>) -> Redactor {
        let mut values: Vec<String> =
            values.into_iter().filter(|value| value.chars().count() >= SHORTEST_SECRET).collect();
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        Redactor { values }
    }

    /// The arguments of a call.
    pub(super) fn arguments(&self, given: &Value) -> Value {
        match given {
            Value::String(text) => self.text(text).into(),
            Value::Array(all) => {
                let kept = all.iter().take(MOST).map(|value| self.arguments(value));
                let more = all.len().saturating_sub(MOST);
                kept.chain((more > 0).then(|| format!("{more} more").into())).collect()
            }
            Value::Object(fields) => Value::Object(self.fields(fields)),
            plain => plain.clone(),
        }
    }

    fn fields(&self, fields: &Map<String, Value>) -> Map<String, Value> {
        let kept = |(name, value): (&String, &Value)| match value {
            Value::String(text) if TEXTS.contains(&name.as_str()) => (name.clone(), size(text.len()).into()),
            Value::Array(all) if TEXTS.contains(&name.as_str()) => {
                (name.clone(), format!("({} entries)", all.len()).into())
            }
            value => (name.clone(), self.arguments(value)),
        };
        fields.iter().map(kept).collect()
    }

    /// A text without what looks like a secret, cut.
    pub(super) fn text(&self, text: &str) -> String {
        let mut out = Cow::Borrowed(text);
        for value in self.values.iter().filter(|value| text.contains(value.as_str())) {
            out = out.replace(value.as_str(), GONE).into();
        }
        for (shape, kept) in SHAPES.iter() {
            if let Cow::Owned(replaced) = shape.replace_all(&out, *kept) {
                out = replaced.into();
            }
        }
        if out.len() <= LONGEST {
            return out.into_owned();
        }
        let end = out.floor_char_boundary(LONGEST);
        format!("{} … {}", &out[..end], size(out.len() - end))
    }
}

fn size(bytes: usize) -> String {
    format!("({bytes} bytes)")
}

/// Shapes of secrets, and what is kept of each.
static SHAPES: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let shapes = [
        (r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)", GONE),
        (r"(?i)\b((?:authorization|proxy-authorization)\s*:\s*(?:[a-z]+\s+)?)[^\s'\x22]+", "${1}***"),
        (r"(?i)\b(bearer\s+)[a-z0-9._~+/=-]{8,}", "${1}***"),
        (r"\b([A-Za-z][A-Za-z0-9+.-]*://[^\s/:@]*:)[^\s/@]+@", "${1}***@"),
        (
            r#"(?i)([a-z0-9_.-]*(?:token|secret|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|credential)[a-z0-9_]*["']?\s*[=:]\s*)(?:"[^"]*"|'[^']*'|[^\s&;|"']+)"#,
            "${1}***",
        ),
        (
            r#"(?i)(--?(?:token|secret|passw(?:or)?d|api[_-]?key|access[_-]?key)\s+)(?:"[^"]*"|'[^']*'|[^\s&;|"']+)"#,
            "${1}***",
        ),
        (
            r"\b(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{20,}|glpat-[\w-]{16,}|sk-[\w-]{16,}|xox[abprs]-[\w-]{10,}|(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{30,}|npm_[A-Za-z0-9]{30,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)",
            GONE,
        ),
    ];
    let compiled = |(shape, kept): (&str, &'static str)| Some((Regex::new(shape).ok()?, kept));
    shapes.into_iter().filter_map(compiled).collect()
});

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_shape_compiles() {
        assert_eq!(SHAPES.len(), 7);
    }

    #[test]
    fn what_looks_like_a_secret_is_left_out() {
        let cases = [
            ("curl -H 'Authorization: Bearer abc.def' x", "curl -H 'Authorization: Bearer ***' x"),
            ("curl -u x https://me:hunter2@host/x", "curl -u x https://me:***@host/x"),
            ("env GITHUB_TOKEN=abc git push", "env GITHUB_TOKEN=*** git push"),
            ("env DB_PASSWORD='a b' psql", "env DB_PASSWORD=*** psql"),
            ("tool --token abc --password \"a b\" x", "tool --token *** --password *** x"),
            ("tool --api-key=abc", "tool --api-key=***"),
            ("{\"apiKey\": \"abc\"}", "{\"apiKey\": ***}"),
            ("echo ghp_0123456789abcdef0123", "echo ***"),
            ("echo AKIAABCDEFGHIJKLMNOP", "echo ***"),
            ("x -----BEGIN RSA PRIVATE KEY-----\nabc\n", "x ***"),
            ("echo my-own-value!", "echo ***!"),
            ("git log --oneline tokens.rs", "git log --oneline tokens.rs"),
            ("rg 'secret' src", "rg 'secret' src"),
        ];
        let redactor = Redactor::hiding(["my-own-value".to_owned(), "1".to_owned()]);
        for (text, expected) in cases {
            assert_eq!(redactor.text(text), expected);
        }
    }

    #[test]
    fn texts_of_files_are_only_counted_and_long_ones_cut() {
        let redactor = Redactor::hiding([]);
        let given = json!({"path": "a", "content": "s3cret", "edits": [{"oldString": "ab", "newString": ""}], "n": 1});
        let kept = json!({"path": "a", "content": "(6 bytes)",
            "edits": [{"oldString": "(2 bytes)", "newString": "(0 bytes)"}], "n": 1});
        assert_eq!(redactor.arguments(&given), kept);
        let long = redactor.text(&"é".repeat(2_000));
        assert!(long.ends_with(" … (3000 bytes)") && long.len() < 1_100, "{long}");
        let many = redactor.arguments(&json!(vec!["x"; 60]));
        assert_eq!((many[49].as_str(), many[50].as_str()), (Some("x"), Some("10 more")));
    }
}
