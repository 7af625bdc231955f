//! The JSON Schema of a policy file, made from the types: what an editor checks while somebody writes.

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings, json_schema};
use serde_json::{Map, Value};

use super::Policy;

/// The JSON Schema (draft 2020-12) of a policy file. Every field is there in both spellings, camelCase and snake_case.
///
/// It is looser than the program: examples, globs and regular expressions are tried only when the policy is read.
pub fn schema() -> Value {
    let mut schema = plain_schema();
    spell_both_ways(&mut schema);
    schema
}

/// The same with camelCase alone.
pub(crate) fn plain_schema() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<Policy>().to_value();
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("title".into(), "Policy of Pinfold".into());
    }
    // The library that makes the schema knows no second names of variants.
    if let Some(backends) = schema["properties"]["backend"]["oneOf"].as_array_mut() {
        backends.push(serde_json::json!({"description": "Another word for `memory`.", "const": "mock"}));
    }
    schema
}

/// Every field: its section (empty for none) and its name.
pub(crate) fn fields() -> Vec<(String, String)> {
    let schema = plain_schema();
    let top = properties(&schema);
    let sections = top.iter().flat_map(|(section, value)| {
        properties(value).into_iter().map(move |(name, _)| (section.clone(), name))
    });
    top.iter().map(|(name, _)| (String::new(), name.clone())).chain(sections).collect()
}

/// The fields of an object, or of the object that a value may also be.
pub(crate) fn properties(schema: &Value) -> Vec<(String, Value)> {
    let own = schema["properties"].as_object();
    let either =
        schema["anyOf"].as_array().into_iter().flatten().find_map(|one| one["properties"].as_object());
    own.or(either).into_iter().flatten().map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn spell_both_ways(schema: &mut Value) {
    match schema {
        Value::Array(all) => all.iter_mut().for_each(spell_both_ways),
        Value::Object(object) => {
            object.values_mut().for_each(spell_both_ways);
            if let Some(Value::Object(properties)) = object.get_mut("properties") {
                *properties =
                    std::mem::take(properties).into_iter().flat_map(both_spellings).collect::<Map<_, _>>();
            }
        }
        _ => {}
    }
}

fn both_spellings((name, schema): (String, Value)) -> impl Iterator<Item = (String, Value)> {
    let snake = super::mistake::snake_case(&name);
    let second = (snake != name).then(|| (snake, schema.clone()));
    [(name, schema)].into_iter().chain(second)
}

/// An entry of `shell.allow`.
pub(super) enum AllowEntrySchema {}

impl JsonSchema for AllowEntrySchema {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AllowEntry".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"anyOf": [
            {"type": "string", "minLength": 1, "pattern": "^[^ \\t*?]+$"},
            {
                "type": "object",
                "properties": {"name": {"type": "string", "minLength": 1}, "matches": lines(), "misses": lines()},
                "required": ["name"],
                "additionalProperties": false
            }
        ]})
    }
}

/// An entry of `shell.denyPatterns`.
pub(super) enum DenyPatternSchema {}

impl JsonSchema for DenyPatternSchema {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "DenyPattern".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let table = |form: &str| {
            json_schema!({
                "type": "object",
                "properties": {form: {"type": "string", "minLength": 1}, "matches": lines(), "misses": lines()},
                "required": [form],
                "additionalProperties": false
            })
        };
        json_schema!({"anyOf": [{"type": "string", "minLength": 1}, table("regex"), table("prefix")]})
    }
}

fn lines() -> Value {
    serde_json::json!({"type": "array", "items": {"type": "string"}})
}

/// `shell.background`: a word, or the limits.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
pub(super) enum BackgroundSchema {
    /// With the default limits, or none.
    Word(bool),
    /// With these limits.
    Limits(super::BackgroundPolicy),
}

#[cfg(test)]
mod tests;
