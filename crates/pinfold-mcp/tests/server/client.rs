//! A client that is nothing but lines on a stream, and a workspace to talk about.

use std::{fs::Permissions, os::unix::fs::PermissionsExt, time::Duration};

use pinfold::{Policy, Workspace};
use pinfold_mcp::{Options, ServeError, instructions, serve};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines},
    task::JoinHandle,
    time::timeout,
};
use tokio_util::sync::CancellationToken;

const PATIENCE: Duration = Duration::from_secs(20);

/// A folder with two lines in `a.txt`, a secret in `.env`, and `wait.sh`, which writes its process id and waits for
/// ever; and the policy of an agent that may run `echo` and `wait.sh`.
pub(crate) struct Place {
    pub(crate) folder: TempDir,
    pub(crate) structured: bool,
    pub(crate) policy: Policy,
}

pub(crate) fn agent_workspace() -> Place {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.txt"), "one\ntwo\n").unwrap();
    std::fs::write(folder.path().join(".env"), "TOKEN=1\n").unwrap();
    let script = folder.path().join("wait.sh");
    std::fs::write(&script, "#!/bin/sh\necho $$ > pid\nsleep 1000\ntrue\n").unwrap();
    std::fs::set_permissions(&script, Permissions::from_mode(0o755)).unwrap();
    let policy = Policy::for_agent(folder.path()).allow(["echo", "wait.sh"]);
    Place { folder, structured: false, policy }
}

pub(crate) struct Client {
    pub(crate) place: Place,
    input: Option<DuplexStream>,
    output: Option<Lines<BufReader<DuplexStream>>>,
    server: JoinHandle<Result<(), ServeError>>,
    pub(crate) stop: CancellationToken,
    last_id: u64,
}

impl Client {
    pub(crate) fn of(place: Place) -> Client {
        let workspace = Workspace::open(place.policy.clone()).unwrap();
        let (input, server_input) = tokio::io::duplex(1 << 16);
        let (server_output, output) = tokio::io::duplex(1 << 16);
        let stop = CancellationToken::new();
        let options = Options {
            instructions: instructions(&place.policy, pinfold::Dialect::Coding),
            structured: place.structured,
            stop: stop.clone(),
            progress_every: Duration::from_millis(100),
        };
        let server = tokio::spawn(serve(workspace, options, server_input, server_output));
        let output = Some(BufReader::new(output).lines());
        Client { place, input: Some(input), output, server, stop, last_id: 0 }
    }

    /// A client after its handshake.
    pub(crate) async fn ready(place: Place) -> Client {
        let mut client = Client::of(place);
        client.initialize("2025-06-18").await;
        client
    }

    pub(crate) async fn initialize(&mut self, revision: &str) -> Value {
        let params = json!({
            "protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "lines", "version": "0"},
        });
        let mut answer = self.ask("initialize", params).await;
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        answer["result"].take()
    }

    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await
    }

    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.start(method, params).await;
        let answer = self.next().await;
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Asks without waiting for the answer; returns the request's id.
    pub(crate) async fn start(&mut self, method: &str, params: Value) -> u64 {
        self.last_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})).await;
        self.last_id
    }

    pub(crate) async fn cancel(&mut self, id: u64) {
        let params = json!({"requestId": id, "reason": "enough"});
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})).await;
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        self.send_raw(&message.to_string()).await;
    }

    pub(crate) async fn send_raw(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes()).await;
    }

    pub(crate) async fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).await.unwrap();
    }

    pub(crate) async fn next(&mut self) -> Value {
        let output = self.output.as_mut().unwrap();
        let line = timeout(PATIENCE, output.next_line())
            .await
            .expect("no answer")
            .unwrap()
            .expect("the server ended");
        serde_json::from_str(&line).unwrap()
    }

    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    pub(crate) fn close_output(&mut self) {
        self.output = None;
    }

    /// The server ends by itself within `limit`.
    pub(crate) async fn finished(self, limit: Duration) {
        timeout(limit, self.server).await.expect("the server did not end").unwrap().unwrap();
    }

    /// No more questions: the server ends at once, and said nothing that was not read.
    pub(crate) async fn end(mut self) {
        self.close_input();
        let left = timeout(PATIENCE, self.output.as_mut().unwrap().next_line()).await.unwrap().unwrap();
        assert_eq!(left, None);
        self.finished(Duration::from_secs(2)).await;
    }
}

/// Parameters with what the stateless revision wants in every request.
pub(crate) fn modern(mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "lines", "version": "0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    params
}

/// The JSON in a tool result's text block.
pub(crate) fn text(answer: &Value) -> Value {
    let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {answer}"));
    serde_json::from_str(text).unwrap()
}
