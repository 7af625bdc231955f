//! The surface that models see: each rendering against a stored schema of what its receivers accept
//! (`surface/*.schema.json`), and the whole of it against a snapshot (`surface/*.json`).
//!
//! A change that is meant: `PINFOLD_BLESS=1 cargo test -p pinfold --test surface` writes the snapshots anew; read the diff.

#![allow(clippy::disallowed_methods, reason = "the test reads and writes its snapshots")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

use std::{env, fs, path::Path};

use jsonschema::Validator;
use pinfold::{
    Context, Dialect, FailureType, Memory, Policy, Rendering, Tools, Workspace,
    policy::{BackendKind, BackgroundPolicy, ShellPolicy},
};
use serde_json::{Map, Value, json};

const RENDERINGS: [(Rendering, &str); 3] =
    [(Rendering::Mcp, "mcp"), (Rendering::OpenAiStrict, "openai_strict"), (Rendering::Gemini, "gemini")];

const DIALECTS: [Dialect; 2] = [Dialect::Coding, Dialect::Env];

/// Every tool there is.
fn tools(dialect: Dialect) -> Tools {
    let shell = Some(ShellPolicy { background: Some(BackgroundPolicy::default()), ..ShellPolicy::default() });
    let mut policy = Policy { shell, backend: BackendKind::Memory, ..Policy::new("/srv/app") };
    policy.tests.command = Some("npm test".into());
    let memory = Memory::new().file("a.txt", "hello\n");
    Workspace::in_memory(policy, memory).unwrap().tools().dialect(dialect)
}

fn stored(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/surface").join(name)
}

fn validator(name: &str) -> Validator {
    let text = fs::read_to_string(stored(&format!("{name}.schema.json"))).unwrap();
    jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap()
}

#[test]
fn each_rendering_is_what_its_receivers_accept() {
    for (rendering, name) in RENDERINGS {
        let validator = validator(name);
        for tool in DIALECTS.into_iter().flat_map(|dialect| tools(dialect).definitions(rendering)) {
            let wrong: Vec<String> = validator.iter_errors(&tool).map(|error| error.to_string()).collect();
            assert!(wrong.is_empty(), "{name}, {}: {wrong:?}\n{tool:#}", tool["name"]);
        }
    }
}

/// A schema that no receiver takes has to be refused by the stored one, or the test above could not fail.
#[test]
fn the_stored_schemas_refuse_what_is_known_to_fail() {
    let spoilt: [fn(&mut Value); 6] = [
        |property| property["type"] = json!(["string", "integer"]),
        |property| property["anyOf"] = json!([{"type": "string"}]),
        |property| property["$ref"] = json!("#/$defs/x"),
        |property| property["format"] = json!("uint64"),
        |property| property["default"] = Value::Null,
        |property| drop(property.as_object_mut().unwrap().remove("description")),
    ];
    for (rendering, name) in RENDERINGS {
        let validator = validator(name);
        let tool = tools(Dialect::Coding).pick(&["read_file"]).definitions(rendering).remove(0);
        assert!(validator.is_valid(&tool));
        for spoil in spoilt {
            let mut tool = tool.clone();
            let schema = if rendering == Rendering::Mcp { "inputSchema" } else { "parameters" };
            spoil(&mut tool[schema]["properties"]["path"]);
            assert!(!validator.is_valid(&tool), "{name} takes {}", tool[schema]["properties"]["path"]);
        }
    }
}

fn for_each_object(schema: &Value, see: &mut impl FnMut(&Map<String, Value>)) {
    let Value::Object(own) = schema else { return };
    if own.contains_key("properties") {
        see(own);
    }
    own.values().for_each(|value| for_each_object(value, see));
}

#[test]
fn in_strict_mode_every_argument_is_required_and_what_was_optional_may_be_null() {
    let all = DIALECTS.map(tools);
    let strict = all.iter().flat_map(|tools| tools.definitions(Rendering::OpenAiStrict));
    for (strict, tool) in strict.zip(all.iter().flatten()) {
        for_each_object(&strict["parameters"], &mut |object| {
            let names: Vec<&String> = object["properties"].as_object().unwrap().keys().collect();
            assert_eq!(json!(names), object["required"], "{}", tool.name);
        });
        let required = tool.input_schema()["required"].as_array().cloned().unwrap_or_default();
        for (name, property) in strict["parameters"]["properties"].as_object().unwrap() {
            let nullable = property["type"].as_array().is_some_and(|types| types.contains(&json!("null")));
            assert_eq!(nullable, !required.contains(&json!(name)), "{}.{name}", tool.name);
        }
    }
}

/// What a strict model sends: every argument, null for those that it leaves out.
#[tokio::test]
async fn null_means_left_out() {
    let given = json!({"path": "a.txt", "startLine": null, "limit": null});
    let read = tools(Dialect::Coding).call("read_file", given, Context::default()).await.unwrap();
    assert_eq!(read["totalLines"], 1);
    let given = json!({"path": "a.txt", "startLine": null, "endLine": null});
    let read = tools(Dialect::Env).call("read_file", given, Context::default()).await.unwrap();
    assert_eq!(read["content"], "hello\n");
    for (tools, tool) in DIALECTS.into_iter().flat_map(|dialect| {
        let tools = tools(dialect);
        let definitions = tools.definitions(Rendering::OpenAiStrict);
        definitions.into_iter().map(move |tool| (tools.clone(), tool))
    }) {
        let names = tool["parameters"]["properties"].as_object().unwrap().keys();
        let nulls: Map<String, Value> = names.map(|name| (name.clone(), Value::Null)).collect();
        let answer = tools.call(tool["name"].as_str().unwrap(), nulls.into(), Context::default()).await;
        let Err(failure) = answer else { continue };
        let missing = failure.message().contains("missing field");
        assert!(
            failure.failure_type() != FailureType::BadArguments || missing,
            "{}: {failure}",
            tool["name"]
        );
    }
}

#[test]
fn the_whole_surface_is_as_it_was() {
    for (dialect, (rendering, name)) in
        DIALECTS.into_iter().flat_map(|dialect| RENDERINGS.map(|rendering| (dialect, rendering)))
    {
        let name = if dialect == Dialect::Coding { name.to_owned() } else { format!("{dialect}_{name}") };
        let now = serde_json::to_string_pretty(&tools(dialect).definitions(rendering)).unwrap() + "\n";
        let path = stored(&format!("{name}.json"));
        if env::var_os("PINFOLD_BLESS").is_some() {
            fs::write(&path, &now).unwrap();
        }
        let then = fs::read_to_string(&path).unwrap_or_default();
        let changed = now.lines().zip(then.lines()).find(|(now, then)| now != then);
        assert!(
            now == then,
            "surface/{name}.json differs, first in {changed:?}; if that is meant, see above"
        );
    }
}
