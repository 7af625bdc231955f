//! `pinfold mcp` line by line: each protocol revision, nothing else on standard output, and the end of input.

#![allow(clippy::disallowed_methods, reason = "a test reads the disk and starts programs")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test panics when it fails")]

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(20);
const STATELESS: &str = "2026-07-28";

/// A running server, spoken to in lines.
struct Server {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    asked: i64,
    _workspace: TempDir,
}

impl Server {
    fn start() -> Server {
        let workspace = tempfile::tempdir().unwrap();
        fs::write(workspace.path().join("a.txt"), "hello\n").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_pinfold"));
        // The policy of whoever runs the tests is not for them.
        command.env("XDG_CONFIG_HOME", "/nonexistent");
        command.arg("mcp").arg(workspace.path()).args(["--allow", "sleep"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let lines = read_lines(child.stdout.take().unwrap());
        Server { input: child.stdin.take(), child, lines, asked: 0, _workspace: workspace }
    }

    fn write(&mut self, line: &str) {
        let input = self.input.as_mut().expect("its input is open");
        writeln!(input, "{line}").unwrap();
    }

    fn notify(&mut self, method: &str, params: &Value) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }

    fn ask(&mut self, method: &str, params: &Value) -> i64 {
        self.asked += 1;
        self.write(
            &json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}).to_string(),
        );
        self.asked
    }

    /// Every line must be a message of the protocol; notifications are passed over.
    fn answer(&mut self, id: i64) -> Value {
        loop {
            let line =
                self.lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no answer to request {id}"));
            let message = message(&line);
            if message["id"] == id {
                return message;
            }
            assert!(message.get("method").is_some(), "an answer to nothing: {line}");
        }
    }

    fn result(&mut self, method: &str, params: &Value) -> Value {
        let id = self.ask(method, params);
        let answer = self.answer(id);
        answer.get("result").unwrap_or_else(|| panic!("{method}: {answer}")).clone()
    }

    fn error(&mut self, method: &str, params: &Value) -> Value {
        let id = self.ask(method, params);
        let answer = self.answer(id);
        answer.get("error").unwrap_or_else(|| panic!("{method} was not refused: {answer}")).clone()
    }

    fn initialize(&mut self, revision: &str) -> Value {
        let client = json!({"name": "raw", "version": "1"});
        let params = json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": client});
        let result = self.result("initialize", &params);
        self.notify("notifications/initialized", &json!({}));
        result
    }

    /// Closes its input; what it still says must be protocol, too.
    fn end(mut self) -> ExitStatus {
        drop(self.input.take());
        let started = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(started.elapsed() < Duration::from_secs(5), "it runs on without input");
            thread::sleep(Duration::from_millis(20));
        };
        self.lines.iter().for_each(|line| drop(message(&line)));
        status
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn read_lines(output: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

fn message(line: &str) -> Value {
    let message: Value =
        serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON on standard output: {line}"));
    assert_eq!(message["jsonrpc"], "2.0", "{line}");
    message
}

/// The JSON inside the one text block of a tool's result.
fn told(result: &Value) -> Value {
    let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {result}"));
    serde_json::from_str(text).unwrap_or_else(|_| panic!("not JSON: {text}"))
}

fn read_a() -> Value {
    json!({"name": "read_file", "arguments": {"path": "a.txt"}})
}

/// What each request of the stateless revision carries.
fn stateless(mut params: Value, revision: &str) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": revision,
        "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    params
}

fn names(list: &Value) -> Vec<&str> {
    list["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[test]
fn a_session_speaks_the_revision_that_was_asked_for() {
    for revision in ["2025-06-18", "2025-11-25"] {
        let mut server = Server::start();
        let greeting = server.initialize(revision);
        assert_eq!(greeting["protocolVersion"], revision);
        assert_eq!(greeting["serverInfo"]["name"], "pinfold");
        let list = server.result("tools/list", &json!({}));
        assert!(names(&list).contains(&"read_file"), "{list}");
        let read = server.result("tools/call", &read_a());
        let read = told(&read);
        assert_eq!(read["content"].as_str().map(str::trim_end), Some("     1\thello"), "{read}");
        assert!(server.end().success());
    }
}

#[test]
fn an_unknown_revision_is_answered_with_one_of_ours() {
    let mut server = Server::start();
    let greeting = server.initialize("1999-12-31");
    let revision = greeting["protocolVersion"].as_str().unwrap();
    assert!(["2025-06-18", "2025-11-25"].contains(&revision), "{greeting}");
    assert!(server.end().success());
}

#[test]
fn the_stateless_revision_needs_no_handshake() {
    let mut server = Server::start();
    let found = server.result("server/discover", &stateless(json!({}), STATELESS));
    let revisions = found["supportedVersions"].as_array().unwrap();
    for revision in ["2025-06-18", "2025-11-25", STATELESS] {
        assert!(revisions.contains(&json!(revision)), "{found}");
    }
    assert!(found["capabilities"]["tools"].is_object(), "{found}");
    let list = server.result("tools/list", &stateless(json!({}), STATELESS));
    let again = server.result("tools/list", &stateless(json!({}), STATELESS));
    assert_eq!(names(&list), names(&again), "the order of tools must not vary");
    let read = server.result("tools/call", &stateless(read_a(), STATELESS));
    assert_eq!(told(&read)["totalLines"], 1);
    assert!(server.end().success());
}

#[test]
fn the_first_stateless_request_may_be_a_call() {
    let mut server = Server::start();
    let read = server.result("tools/call", &stateless(read_a(), STATELESS));
    assert_eq!(told(&read)["path"], "a.txt");
    assert!(server.end().success());
}

#[test]
fn a_stateless_request_in_an_unknown_revision_is_told_which_there_are() {
    let mut server = Server::start();
    server.result("server/discover", &stateless(json!({}), STATELESS));
    let error = server.error("tools/list", &stateless(json!({}), "2099-01-01"));
    assert_eq!(error["code"], -32022, "{error}");
    assert!(error["data"]["supported"].as_array().unwrap().contains(&json!(STATELESS)), "{error}");
}

#[test]
fn mistakes_of_the_model_are_results_and_mistakes_of_the_client_are_errors() {
    let mut server = Server::start();
    server.initialize("2025-11-25");
    let result = server.result("tools/call", &json!({"name": "read_file", "arguments": {"pth": "a.txt"}}));
    assert_eq!(result["isError"], true, "{result}");
    assert_eq!(told(&result)["error"]["type"], "bad-arguments");
    let result =
        server.result("tools/call", &json!({"name": "read_file", "arguments": {"path": "../a.txt"}}));
    assert_eq!(result["isError"], true, "{result}");
    assert_eq!(told(&result)["error"]["type"], "path-escape");
    assert_eq!(server.error("tools/call", &json!({"name": "raed_file", "arguments": {}}))["code"], -32602);
    assert_eq!(server.error("tools/cal", &json!({}))["code"], -32601);
}

#[test]
fn a_line_that_is_not_protocol_does_not_end_the_session() {
    let mut server = Server::start();
    server.initialize("2025-11-25");
    server.write("{ this is not JSON");
    let id = server.ask("tools/call", &read_a());
    let answer = loop {
        let said = message(&server.lines.recv_timeout(PATIENCE).expect("it still answers"));
        if said["id"] == id {
            break said;
        }
    };
    assert_eq!(told(&answer["result"])["totalLines"], 1);
}

#[test]
fn a_cancelled_command_is_killed_and_never_answered() {
    let mut server = Server::start();
    server.initialize("2025-11-25");
    let seconds = format!("300.{}", std::process::id());
    let long = json!({"name": "run_shell", "arguments": {"command": format!("sleep {seconds}")}});
    let id = server.ask("tools/call", &long);
    wait_until(|| sleeps(&seconds), "the command did not start");
    server.notify("notifications/cancelled", &json!({"requestId": id, "reason": "enough"}));
    wait_until(|| !sleeps(&seconds), "the cancelled command still runs");
    // The server would have written the answer by now: requests are answered in any order, but this one comes after.
    server.result("tools/call", &read_a());
    assert!(server.end().success());
}

#[test]
fn the_end_of_input_ends_a_running_command_too() {
    let mut server = Server::start();
    server.initialize("2025-11-25");
    let seconds = format!("301.{}", std::process::id());
    server.ask(
        "tools/call",
        &json!({"name": "run_shell", "arguments": {"command": format!("sleep {seconds}")}}),
    );
    wait_until(|| sleeps(&seconds), "the command did not start");
    server.end();
    wait_until(|| !sleeps(&seconds), "the command outlived the server");
}

fn wait_until(holds: impl Fn() -> bool, complaint: &str) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(5), "{complaint}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Whether a process with this argument lives.
fn sleeps(seconds: &str) -> bool {
    let wanted = format!("sleep\0{seconds}\0");
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes
        .into_iter()
        .any(|entry| fs::read(entry.path().join("cmdline")).is_ok_and(|line| line == wanted.as_bytes()))
}
