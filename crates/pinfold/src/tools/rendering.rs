//! The same definitions in the forms that clients and models take.
//!
//! Each form is checked in the tests against a stored schema of what its receivers accept.

use serde_json::{Map, Value, json};

use super::ToolDefinition;

/// Who reads the definition of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rendering {
    /// A client of the Model Context Protocol: `inputSchema`, and the annotations.
    Mcp,
    /// A model of OpenAI in strict mode (Responses API): every argument is required, one that may be left out is `null`.
    OpenAiStrict,
    /// A model of Google (function declarations): the subset of OpenAPI that it knows.
    Gemini,
}

/// What Gemini reads of a schema; anything else is an error there, or changes nothing.
const GEMINI: &[&str] = &[
    "type",
    "description",
    "enum",
    "items",
    "properties",
    "required",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
];
/// What stays in strict mode; the bounds of numbers and lists are not enforced by it, and are in the descriptions.
const STRICT: &[&str] =
    &["type", "description", "enum", "items", "properties", "required", "additionalProperties"];

impl ToolDefinition {
    /// The definition as one JSON object, ready to be sent.
    pub fn rendered(&self, rendering: Rendering) -> Value {
        let schema = self.input_schema();
        match rendering {
            Rendering::Mcp => json!({
                "name": self.name,
                "description": self.description,
                "inputSchema": schema,
                "annotations": {
                    "title": self.title,
                    "readOnlyHint": self.read_only,
                    "destructiveHint": self.destructive,
                    "idempotentHint": self.idempotent,
                    "openWorldHint": self.open_world,
                },
            }),
            Rendering::OpenAiStrict => json!({
                "type": "function",
                "name": self.name,
                "description": self.description,
                "strict": true,
                "parameters": strict(schema),
            }),
            Rendering::Gemini => {
                let mut declaration = json!({"name": self.name, "description": self.description});
                // A function without arguments has no parameters there: an object without properties is refused.
                if schema["properties"].as_object().is_some_and(|properties| !properties.is_empty()) {
                    declaration["parameters"] = kept(schema, GEMINI);
                }
                declaration
            }
        }
    }
}

/// The schema with these keywords only, at every depth.
fn kept(schema: &Value, keywords: &[&str]) -> Value {
    let Value::Object(own) = schema else { return schema.clone() };
    let keep = own.iter().filter(|(key, _)| keywords.contains(&key.as_str()));
    let inner = |(key, value): (&String, &Value)| {
        let value = match (key.as_str(), value) {
            ("properties", Value::Object(all)) => all
                .iter()
                .map(|(name, one)| (name.clone(), kept(one, keywords)))
                .collect::<Map<_, _>>()
                .into(),
            ("items", items) => kept(items, keywords),
            _ => value.clone(),
        };
        (key.clone(), value)
    };
    keep.map(inner).collect::<Map<_, _>>().into()
}

/// Every property is required; those that were not may be null.
fn strict(schema: &Value) -> Value {
    all_required(kept(schema, STRICT))
}

fn all_required(mut schema: Value) -> Value {
    let Value::Object(own) = &mut schema else { return schema };
    if let Some(items) = own.get_mut("items") {
        *items = all_required(items.take());
    }
    let required = own.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(Value::Object(properties)) = own.get_mut("properties") else { return schema };
    for (name, property) in properties.iter_mut() {
        *property = all_required(property.take());
        if !required.iter().any(|one| one.as_str() == Some(name)) {
            make_nullable(property);
        }
    }
    let names: Value = properties.keys().map(|name| Value::from(name.as_str())).collect();
    own.insert("required".into(), names);
    schema
}

fn make_nullable(property: &mut Value) {
    property["type"] = json!([property["type"], "null"]);
    if let Some(Value::Array(values)) = property.get_mut("enum") {
        values.push(Value::Null);
    }
}
