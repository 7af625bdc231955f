//! Protocol requests ⇄ tool calls.

use std::{
    borrow::Cow,
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    sync::{Arc, OnceLock},
    task::Poll,
    time::Duration,
};

use pinfold::{Context, Failure, Progress, ToolDefinition, Tools, Workspace};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
        ErrorCode, Implementation, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
        ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
    },
    service::RequestContext,
};
use serde_json::{Map, Value};
use tokio::sync::Semaphore;

use crate::progress;

/// The revisions that are spoken.
pub(crate) const REVISIONS: &[ProtocolVersion] =
    &[ProtocolVersion::V_2025_06_18, ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28];

/// Calls that run at once. More wait their turn, first come, first served; each holds a thread or a process while it runs.
const MOST_RUNNING: usize = 64;

/// A workspace that answers requests.
pub(crate) struct Server {
    offer: Tools,
    /// Made when it is first asked for. It never changes while the server runs, as the newest revision demands.
    tools: OnceLock<Vec<Tool>>,
    structured: bool,
    running: Arc<Semaphore>,
    about: ServerConfig,
    progress_every: Duration,
}

impl Server {
    pub(crate) fn new(workspace: &Workspace, instructions: String, structured: bool) -> Server {
        let offer = workspace.tools();
        let identity = Implementation::new("pinfold", env!("CARGO_PKG_VERSION")).with_title("Pinfold");
        let mut about = ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(identity)
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE);
        if !instructions.is_empty() {
            about = about.with_instructions(instructions);
        }
        let running = Arc::new(Semaphore::new(MOST_RUNNING));
        Server {
            offer,
            tools: OnceLock::new(),
            structured,
            running,
            about,
            progress_every: Duration::from_secs(10),
        }
    }

    /// How often a client that asks for progress is told of it.
    pub(crate) fn telling_every(mut self, time: Duration) -> Server {
        self.progress_every = time;
        self
    }

    fn unknown_tool(&self, name: &str) -> ErrorData {
        let names: Vec<&str> = self.offer.all().iter().map(|tool| &*tool.name).collect();
        ErrorData::invalid_params(
            format!("There is no tool `{name}`. The tools are: {}.", names.join(", ")),
            None,
        )
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        self.about.clone()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(REVISIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.tools.get_or_init(|| self.offer.all().iter().map(described).collect());
        Ok(ListToolsResult::with_all_items(tools.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        // The workspace knows calls that are not offered to a model, and tools that this projection of it hides.
        if !self.offer.all().iter().any(|tool| tool.name == request.name) {
            return Err(self.unknown_tool(&request.name));
        }
        let (offer, progress) = (self.offer.clone(), Progress::default());
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let running = Arc::clone(&self.running);
        let told = context
            .meta
            .get_progress_token()
            .map(|token| progress::tell(context.peer.clone(), token, progress.clone(), self.progress_every));
        let call = async move {
            let _turn = running.acquire().await;
            let context = Context { cancel: context.ct, progress: Some(progress) };
            offer.call(&request.name, arguments, context).await
        };
        let outcome = tokio::select! {
            outcome = caught(call) => outcome,
            never = progress::until_the_end(told) => match never {},
        };
        match outcome {
            Some(outcome) => Ok(answer(outcome, self.structured).into()),
            None => {
                Err(ErrorData::internal_error("The call came to no end. This is a bug in Pinfold.", None))
            }
        }
    }

    /// Requests whose method or parameters are not those of the protocol end here.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method == "tools/call" {
            let message =
                "`params` of tools/call must be an object with `name`, a string, and `arguments`, an object.";
            return Err(ErrorData::invalid_params(message, None));
        }
        Err(ErrorData::new(
            ErrorCode::METHOD_NOT_FOUND,
            format!("There is no method `{}`.", request.method),
            None,
        ))
    }
}

/// What comes of the call; none if it panics, so that the client still gets an answer. The call is not polled again then,
/// and what it shares with others is behind locks that outlive a panic.
async fn caught<T>(call: impl Future<Output = T>) -> Option<T> {
    let mut call = pin!(call);
    poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| call.as_mut().poll(context)));
        polled.map_or(Poll::Ready(None), |polled| polled.map(Some))
    })
    .await
}

/// What a client shows to its model: one text. Some clients show the object instead of the text if there is one, so
/// nothing may be in the text alone.
fn answer(outcome: Result<Value, Failure>, structured: bool) -> CallToolResult {
    match outcome {
        Err(failure) => refusal(&failure),
        Ok(mut result) => {
            let image = image(&mut result);
            let text = result.to_string();
            let object = structured.then(|| object(&result, &text));
            let content = image.into_iter().chain([ContentBlock::text(text)]).collect();
            let mut answer = CallToolResult::success(content);
            answer.structured_content = object;
            answer
        }
    }
}

/// Takes the image out of a result: it goes to the model as one, not as text.
fn image(result: &mut Value) -> Option<ContentBlock> {
    let Value::Object(mut image) = result.as_object_mut()?.shift_remove("image")? else { return None };
    match (image.remove("data")?, image.get("mimeType")?.as_str()?) {
        (Value::String(data), mime_type) => Some(ContentBlock::image(data, mime_type)),
        _ => None,
    }
}

/// The whole text, and beside it the facts that are short: numbers, switches, a path, a hash. A model that is shown the
/// object pays for the content of a file once.
fn object(result: &Value, text: &str) -> Value {
    let short =
        |key: &str, value: &Value| matches!(key, "path" | "hash") || value.is_number() || value.is_boolean();
    let facts = result.as_object().into_iter().flatten().filter(|(key, value)| short(key, value));
    let mut object: Map<String, Value> = facts.map(|(key, value)| (key.clone(), value.clone())).collect();
    object.insert("text".into(), text.into());
    object.into()
}

/// A failure in the words that every door uses.
pub(crate) fn refusal(failure: &Failure) -> CallToolResult {
    let text = serde_json::to_string(failure).unwrap_or_else(|_| failure.to_string());
    CallToolResult::error(vec![ContentBlock::text(text)])
}

fn described(tool: &ToolDefinition) -> Tool {
    let schema = tool.input_schema().as_object().cloned().unwrap_or_default();
    let hints = ToolAnnotations::with_title(tool.title)
        .read_only(tool.read_only)
        .destructive(tool.destructive)
        .idempotent(tool.idempotent)
        .open_world(tool.open_world);
    Tool::new(tool.name.clone(), tool.description, Arc::new(schema)).with_annotations(hints)
}
