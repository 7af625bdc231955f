//! The *env* dialect through the doors of the program: `pinfold mcp`, `pinfold call`, `pinfold tools`.

#![allow(clippy::disallowed_methods, reason = "a test reads the disk and starts programs")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

use std::{
    fs,
    io::{BufRead, BufReader, Lines, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::{Value, json};

/// Every tool of the dialect, in canonical order.
const TOOLS: [&str; 8] = [
    "read_file",
    "write_file",
    "edit_file",
    "list_files",
    "glob_files",
    "grep_files",
    "delete_path",
    "run_shell",
];

fn pinfold(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pinfold"));
    // The policy of whoever runs the tests is not for them.
    command.env("XDG_CONFIG_HOME", "/nonexistent").args(arguments);
    command
}

/// A running server. Each request waits for its answer; whatever else it writes is no answer.
struct Server {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    asked: u64,
}

impl Server {
    fn start(dir: &Path) -> Server {
        let mut command = pinfold(&["mcp", "--dialect", "env", "--allow", "echo", dir.to_str().unwrap()]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Server { child, input, output: BufReader::new(output).lines(), asked: 0 }
    }

    fn result(&mut self, method: &str, params: &Value) -> Value {
        self.asked += 1;
        let request = json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params});
        writeln!(self.input, "{request}").unwrap();
        loop {
            let line = self.output.next().unwrap().unwrap();
            let mut message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == self.asked {
                return message["result"].take();
            }
        }
    }

    /// The JSON of a tool's one text, and whether it is an error.
    fn call(&mut self, tool: &str, arguments: &Value) -> (Value, bool) {
        let result = self.result("tools/call", &json!({"name": tool, "arguments": arguments}));
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {result}"));
        (serde_json::from_str(text).unwrap(), result["isError"] == true)
    }

    fn done(&mut self, tool: &str, arguments: &Value) -> Value {
        let (answer, failed) = self.call(tool, arguments);
        assert!(!failed, "{answer}");
        answer
    }

    fn refused(&mut self, tool: &str, arguments: &Value) -> String {
        let (answer, failed) = self.call(tool, arguments);
        assert!(failed, "{answer}");
        answer["error"]["type"].as_str().unwrap().to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

#[test]
fn a_session_from_the_greeting_to_the_disk() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("notes.md"), "one\ntwo\none\n").unwrap();
    fs::write(dir.path().join(".env"), "TOKEN=s3cret\n").unwrap();
    let root = dir.path().canonicalize().unwrap().display().to_string();
    let mut server = Server::start(dir.path());
    let client = json!({"name": "raw", "version": "1"});
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    let greeting = server.result("initialize", &hello);
    let instructions = greeting["instructions"].as_str().unwrap();
    assert!(instructions.contains(&root) && instructions.contains("`/a/b`"), "{instructions}");
    let list = server.result("tools/list", &json!({}));
    let names: Vec<&str> =
        list["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, TOOLS);

    let read =
        server.done("read_file", &json!({"path": format!("{root}/notes.md"), "startLine": 2, "endLine": 2}));
    assert_eq!((&read["path"], &read["content"]), (&json!("notes.md"), &json!("two\n")));
    let edited = server.done(
        "edit_file",
        &json!({"path": "/notes.md", "oldString": "one", "newString": "1", "expectCount": 2}),
    );
    assert_eq!((&edited["replacementCount"], &edited["bytesWritten"]), (&json!(2), &json!(8)));
    assert_eq!(fs::read_to_string(dir.path().join("notes.md")).unwrap(), "1\ntwo\n1\n");
    server.done("write_file", &json!({"path": "src/a.ts", "content": "alpha\n"}));
    assert_eq!(fs::read_to_string(dir.path().join("src/a.ts")).unwrap(), "alpha\n");
    assert_eq!(server.done("list_files", &json!({}))["entries"], json!(["notes.md", "src"]));
    let found = server.done("glob_files", &json!({"pattern": "/src/*.ts"}));
    assert_eq!(found["matches"], json!(["src/a.ts"]));
    let found = server.done("grep_files", &json!({"pattern": "pha", "root": "src"}));
    assert_eq!(found["matches"][0]["columnNumber"], 3);
    assert_eq!(
        server.done("grep_files", &json!({"pattern": "s3cret", "includeHidden": true}))["matches"],
        json!([])
    );
    let run = server.done("run_shell", &json!({"command": "echo hi", "cwd": "/src"}));
    assert_eq!((&run["stdout"], &run["cwd"], &run["exitCode"]), (&json!("hi\n"), &json!("src"), &json!(0)));
    assert_eq!(server.done("delete_path", &json!({"path": "src", "recursive": true}))["deleted"], true);
    assert!(!dir.path().join("src").exists());

    assert_eq!(server.refused("read_file", &json!({"path": "/.env"})), "path-escape");
    assert_eq!(server.refused("read_file", &json!({"path": "../x"})), "path-escape");
    assert_eq!(server.refused("read_file", &json!({"path": "/etc/passwd"})), "not-found");
    assert_eq!(server.refused("run_shell", &json!({"command": "cat notes.md"})), "denied-command");
    assert_eq!(server.refused("delete_path", &json!({"path": "/", "recursive": true})), "path-escape");
}

#[test]
fn scripts_have_the_same_calls() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a"), "αβγ").unwrap();
    let call = |tool: &str, json: &str| {
        let root = dir.path().to_str().unwrap();
        let output = pinfold(&["call", "--root", root, "--dialect", "env", tool, json]).output().unwrap();
        (output.status.code(), serde_json::from_slice::<Value>(&output.stdout).unwrap())
    };
    let (status, read) = call("read_file", r#"{"path": "/a"}"#);
    assert_eq!((status, &read["content"], &read["contentBytes"]), (Some(0), &json!("αβγ"), &json!(6)));
    let (status, no) = call("list_dir", "{}");
    assert_eq!((status, &no["error"]["type"]), (Some(1), &json!("unknown-tool")));
    assert!(no["error"]["hint"].as_str().unwrap().contains("list_files"), "{no}");
}

#[test]
fn the_tools_of_either_dialect_are_listed() {
    let names = |arguments: &[&str]| {
        let output = pinfold(arguments).output().unwrap();
        let tools: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&["tools", "--json", "--dialect", "env"]), TOOLS);
    assert_eq!(names(&["tools", "--json", "--dialect", "coding"]), names(&["tools", "--json"]));
    assert_eq!(pinfold(&["tools", "--dialect", "other"]).output().unwrap().status.code(), Some(2));
}
