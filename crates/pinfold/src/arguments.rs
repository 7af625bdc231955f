//! From a model's JSON to typed arguments: common misspellings are rewritten, everything else unknown is refused.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{Failure, FailureType, policy::nearest::nearest, words::clipped};

/// Names that models know from other tools, and the ones they mean here.
const SAME: &[(&str, &str)] = &[
    ("file", "path"),
    ("filename", "path"),
    ("filePath", "path"),
    ("dir", "path"),
    ("directory", "path"),
    ("root", "path"),
    ("folder", "path"),
    ("path", "root"),
    ("dir", "root"),
    ("directory", "root"),
    ("glob", "pattern"),
    ("hidden", "includeHidden"),
    ("end", "endLine"),
    ("text", "content"),
    ("contents", "content"),
    ("fileText", "content"),
    ("data", "content"),
    ("oldText", "oldString"),
    ("oldStr", "oldString"),
    ("old", "oldString"),
    ("newText", "newString"),
    ("newStr", "newString"),
    ("new", "newString"),
    ("all", "replaceAll"),
    ("hash", "expectHash"),
    ("expectedHash", "expectHash"),
    ("expectedCount", "expectCount"),
    ("expectedReplacements", "expectCount"),
    ("changes", "edits"),
    ("offset", "startLine"),
    ("start", "startLine"),
    ("lines", "limit"),
    ("regex", "pattern"),
    ("query", "pattern"),
    ("include", "glob"),
    ("caseInsensitive", "ignoreCase"),
    ("maxResults", "maxMatches"),
    ("headLimit", "maxMatches"),
    ("filter", "pattern"),
    ("items", "todos"),
    ("task", "content"),
    ("state", "status"),
    ("cmd", "command"),
    ("script", "command"),
    ("timeout", "timeoutMs"),
    ("dir", "cwd"),
    ("directory", "cwd"),
    ("workdir", "cwd"),
    ("workingDirectory", "cwd"),
    ("maxDepth", "depth"),
];

/// Reads `arguments` as those of tool `name`, whose JSON Schema is `schema`.
pub(crate) fn read<T: DeserializeOwned>(name: &str, schema: &Value, arguments: Value) -> Result<T, Failure> {
    let given = match arguments {
        Value::Object(given) => given,
        Value::Null => Map::new(),
        other => {
            return Err(bad(
                name,
                &format!("the arguments must be an object, not {}", kind_of(&other)),
                schema,
            ));
        }
    };
    let read = renamed(given, schema).map_err(|why| bad(name, &why, schema))?;
    serde_json::from_value(Value::Object(read)).map_err(|error| bad(name, &error.to_string(), schema))
}

/// The same arguments under their own names, each in the type that the schema wants if it can be told.
fn renamed(given: Map<String, Value>, schema: &Value) -> Result<Map<String, Value>, String> {
    let mut read = Map::with_capacity(given.len());
    for (key, value) in given {
        let own = own_name(&key, schema).ok_or_else(|| unknown(&key, schema))?;
        let property = &schema["properties"][&own];
        let value =
            items_renamed(fit(value, property), property).map_err(|why| format!("in `{own}`, {why}"))?;
        in_range(&own, &value, property)?;
        if value.is_null() {
            continue;
        }
        if read.insert(own.clone(), value).is_some() {
            return Err(format!("`{own}` is given twice, once as `{key}`"));
        }
    }
    Ok(read)
}

/// The same for the objects in a list, which have arguments of their own.
fn items_renamed(value: Value, property: &Value) -> Result<Value, String> {
    let schema = &property["items"];
    let (Value::Array(items), Some("object")) = (&value, schema["type"].as_str()) else { return Ok(value) };
    let item = |(at, item): (usize, &Value)| match item {
        Value::Object(given) => {
            renamed(given.clone(), schema).map(Value::Object).map_err(|why| format!("item {}: {why}", at + 1))
        }
        other => Ok(other.clone()),
    };
    items.iter().enumerate().map(item).collect()
}

/// The argument that `key` means: itself, its camelCase, or what other tools call so.
fn own_name(key: &str, schema: &Value) -> Option<String> {
    let has = |name: &str| schema["properties"].get(name).is_some();
    let camel = camel_case(key);
    if has(&camel) {
        return Some(camel);
    }
    SAME.iter().find(|(other, own)| *other == camel && has(own)).map(|(_, own)| (*own).to_owned())
}

pub(crate) fn camel_case(key: &str) -> String {
    let mut words = key.split(['_', '-']).filter(|word| !word.is_empty());
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    camel
}

/// `"10"` for 10 and `"true"` for true, where the schema wants those.
fn fit(value: Value, property: &Value) -> Value {
    let Value::String(text) = &value else { return value };
    match property["type"].as_str() {
        Some("integer") => text.trim().parse::<u64>().map_or(value, Value::from),
        Some("boolean") => match text.trim() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => value,
        },
        Some("array") => match serde_json::from_str(text) {
            Ok(list @ Value::Array(_)) => list,
            _ => Value::Array(vec![value]),
        },
        _ => value,
    }
}

fn in_range(name: &str, value: &Value, property: &Value) -> Result<(), String> {
    let Some(number) = value.as_f64() else { return Ok(()) };
    let (least, most) = (property["minimum"].as_f64(), property["maximum"].as_f64());
    match (least, most) {
        (Some(least), _) if number < least => Err(format!("`{name}` must be at least {least}, not {number}")),
        (_, Some(most)) if number > most => Err(format!("`{name}` must be at most {most}, not {number}")),
        _ => Ok(()),
    }
}

fn unknown(key: &str, schema: &Value) -> String {
    let names = names(schema);
    let key = &*clipped(key);
    match nearest(key, names.iter().map(String::as_str)) {
        Some(own) => format!("there is no argument `{key}`; did you mean `{own}`?"),
        None => format!("there is no argument `{key}`"),
    }
}

fn bad(name: &str, why: &str, schema: &Value) -> Failure {
    let required = |own: &String| {
        schema["required"].as_array().is_some_and(|list| list.iter().any(|one| one.as_str() == Some(own)))
    };
    let shown = names(schema)
        .iter()
        .map(|own| format!("`{own}`{}", if required(own) { "" } else { "?" }))
        .collect::<Vec<_>>();
    let hint =
        if shown.is_empty() { "It takes none.".into() } else { format!("It takes {}.", shown.join(", ")) };
    let why = why.trim_end_matches('.');
    Failure::new(FailureType::BadArguments, format!("Arguments of {name}: {why}.")).hint(hint)
}

fn names(schema: &Value) -> Vec<String> {
    schema["properties"].as_object().map(|all| all.keys().cloned().collect()).unwrap_or_default()
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Sample {
        path: String,
        start_line: Option<u64>,
        replace_all: Option<bool>,
    }

    fn schema() -> Value {
        json!({"required": ["path"], "properties": {
            "path": {"type": "string"}, "startLine": {"type": "integer", "minimum": 1}, "replaceAll": {"type": "boolean"},
        }})
    }

    #[test]
    fn rewrites_what_models_know_from_elsewhere() {
        for given in [
            json!({"path": "a", "startLine": 10, "replaceAll": true}),
            json!({"file_path": "a", "start_line": "10", "replace_all": "true"}),
            json!({"filename": "a", "offset": 10, "all": true}),
        ] {
            let read: Sample = read("sample", &schema(), given.clone()).unwrap();
            let expected = Sample { path: "a".into(), start_line: Some(10), replace_all: Some(true) };
            assert_eq!(read, expected, "{given}");
        }
    }

    #[test]
    fn refuses_the_rest_and_names_the_right_ones() {
        for (given, said) in [
            (json!({"path": "a", "colour": 1}), "no argument `colour`"),
            (json!({"path": "a", "start": 0}), "at least 1"),
            (json!({"pathh": "a"}), "did you mean `path`"),
            (json!({}), "missing field `path`"),
            (json!({"path": 1}), "invalid type"),
            (json!({"path": "a", "file": "b"}), "given twice"),
            (json!([1]), "must be an object"),
        ] {
            let failure = read::<Sample>("sample", &schema(), given).unwrap_err();
            assert!(failure.message().contains(said), "{failure}");
            assert_eq!(failure.advice(), Some("It takes `path`, `startLine`?, `replaceAll`?."));
        }
    }
}
