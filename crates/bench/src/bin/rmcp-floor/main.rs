//! The floor: a bare `rmcp` server over stdio with the bodies of Pinfold's tools, and nothing else.
//!
//! Reads give a numbered window, the totals and the hash of the whole file; edits and writes are atomic, hashed and
//! synced. There is no policy, no jail, no bound but those of the tools: what Pinfold costs above this is what its
//! protection costs. Paths are relative to the folder it is started for.

mod command;
mod files;
mod search;

use std::{env, error::Error, sync::Arc};

use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, JsonObject, ListToolsResult,
        PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
    transport::stdio_pipes,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// What a body gives: its result as JSON, or what to say of its failure.
type Outcome = Result<Value, Box<dyn Error + Send + Sync>>;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    if let Some(root) = env::args_os().nth(1) {
        env::set_current_dir(root)?;
    }
    let (input, output) = stdio_pipes();
    Floor { tools: tools() }.serve((input, output)).await?.waiting().await?;
    Ok(())
}

struct Floor {
    tools: Vec<Tool>,
}

impl ServerHandler for Floor {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let given = Value::Object(request.arguments.unwrap_or_default());
        let outcome = call(&request.name, given).await;
        let text = |text: String| vec![ContentBlock::text(text)];
        Ok(match outcome {
            Ok(result) => CallToolResult::success(text(result.to_string())).into(),
            Err(error) => CallToolResult::error(text(error.to_string())).into(),
        })
    }
}

async fn call(name: &str, given: Value) -> Outcome {
    match name {
        "read_file" => files::read(&arguments(given)?),
        "write_file" => files::write(&arguments(given)?),
        "edit_file" => files::edit(&arguments(given)?),
        "multi_edit" => files::multi_edit(&arguments(given)?),
        "list_dir" => search::list(&arguments(given)?),
        "glob" => search::glob(&arguments(given)?),
        "grep" => search::grep(&arguments(given)?),
        "run_shell" => command::run(&arguments(given)?).await,
        _ => Err(format!("no tool {name}").into()),
    }
}

fn arguments<T: DeserializeOwned>(given: Value) -> Result<T, Box<dyn Error + Send + Sync>> {
    Ok(serde_json::from_value(given)?)
}

fn tools() -> Vec<Tool> {
    let (text, number) = (json!({"type": "string"}), json!({"type": "integer"}));
    let edits = json!({"type": "array", "items": {"type": "object", "properties": {"oldString": text, "newString": text}}});
    let tool = |name: &'static str, about: &'static str, properties: Value| {
        let mut schema = JsonObject::new();
        schema.insert("type".into(), "object".into());
        schema.insert("properties".into(), properties);
        Tool::new(name, about, Arc::new(schema))
    };
    vec![
        tool("read_file", "Reads lines.", json!({"path": text, "startLine": number, "limit": number})),
        tool("edit_file", "Replaces text.", json!({"path": text, "oldString": text, "newString": text})),
        tool("multi_edit", "Replaces texts.", json!({"path": text, "edits": edits})),
        tool("write_file", "Writes a file.", json!({"path": text, "content": text})),
        tool("list_dir", "Lists a directory.", json!({"path": text, "depth": number})),
        tool("run_shell", "Runs a program.", json!({"command": text})),
        tool("grep", "Searches lines.", json!({"path": text, "pattern": text})),
        tool("glob", "Finds files.", json!({"path": text, "pattern": text})),
    ]
}
