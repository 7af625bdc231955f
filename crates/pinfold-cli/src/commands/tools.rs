//! `pinfold tools`: what a model may call.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anstyle::{AnsiColor, Style};
use pinfold::{
    Dialect, Failure, Policy, ToolDefinition, Workspace,
    policy::{BackendKind, BackgroundPolicy, ShellPolicy},
};
use serde_json::{Value, json};

use super::Outcome;
use crate::{arguments::ToolsArguments, output};

const NAME: Style = AnsiColor::Cyan.on_default().bold();

pub(super) fn run(arguments: &ToolsArguments) -> Outcome {
    let tools = match all_tools(arguments.spoken.dialect) {
        Ok(tools) => tools,
        Err(failure) => return output::json(&failure).map(|()| ExitCode::FAILURE),
    };
    if arguments.json {
        output::json(&tools.iter().map(described).collect::<Vec<_>>())?;
    } else {
        output::coloured(|out| tools.iter().try_for_each(|tool| write_tool(out, tool)))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Every tool there is: those of a workspace that denies none.
fn all_tools(dialect: Dialect) -> Result<Vec<ToolDefinition>, Failure> {
    let mut policy = Policy::new("/workspace");
    policy.backend = BackendKind::Memory;
    policy.shell =
        Some(ShellPolicy { background: Some(BackgroundPolicy::default()), ..ShellPolicy::default() });
    policy.tests.command = Some("cargo test".into());
    Ok(Workspace::open(policy)?.tools().dialect(dialect).into_iter().collect())
}

fn described(tool: &ToolDefinition) -> Value {
    json!({
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema(),
        "readOnly": tool.read_only,
        "destructive": tool.destructive,
        "idempotent": tool.idempotent,
        "openWorld": tool.open_world,
    })
}

fn write_tool(out: &mut dyn Write, tool: &ToolDefinition) -> io::Result<()> {
    let changes = if tool.read_only { "" } else { ", changes things" };
    writeln!(out, "{NAME}{}{NAME:#}  {}{changes}", tool.name, tool.title)?;
    let required = tool.input_schema()["required"].as_array().cloned().unwrap_or_default();
    let properties = tool.input_schema()["properties"].as_object().cloned().unwrap_or_default();
    for (name, property) in &properties {
        let needed = if required.iter().any(|required| required == name) { "" } else { ", optional" };
        let what = property["description"].as_str().unwrap_or_default();
        writeln!(out, "    {name} ({}{needed})  {what}", type_of(property))?;
    }
    writeln!(out)
}

fn type_of(property: &Value) -> String {
    match &property["type"] {
        Value::String(name) => name.clone(),
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => "any".to_owned(),
    }
}
