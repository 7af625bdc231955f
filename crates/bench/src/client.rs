//! The least MCP client: a server, its pipes, and one request after another.

use std::{
    ffi::OsString,
    fs,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::{Value, json};

use crate::Result;

const REVISION: &str = "2025-06-18";
const BUFFER: usize = 256 * 1024;

/// A running server. Dropping it ends the server.
pub(crate) struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// What the server says it is.
    pub(crate) version: String,
}

impl Client {
    /// Starts a server and shakes hands.
    pub(crate) fn start(command: &[OsString]) -> Result<Client> {
        let (program, arguments) = command.split_first().ok_or("a server without a program")?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = child.stdin.take().ok_or("no standard input")?;
        let output = BufReader::with_capacity(BUFFER, child.stdout.take().ok_or("no standard output")?);
        let mut client = Client { child, input, output, version: String::new() };
        let about = json!({"protocolVersion": REVISION, "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}});
        let answer = client.request("initialize", &about)?;
        answer["serverInfo"]["version"].as_str().unwrap_or("?").clone_into(&mut client.version);
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}), 1)?;
        Ok(client)
    }

    /// One request and its result.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Result<Value> {
        let mut answers = self.requests(method, params, 1)?;
        answers.pop().ok_or_else(|| "no answer".into())
    }

    /// The same request `count` times in one write; all results, in the order in which they come.
    pub(crate) fn requests(&mut self, method: &str, params: &Value, count: usize) -> Result<Vec<Value>> {
        self.send(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}), count)?;
        (0..count).map(|_| self.answer()).collect()
    }

    fn send(&mut self, message: &Value, count: usize) -> Result<()> {
        let mut lines = String::new();
        for id in 1..=count {
            let mut message = message.clone();
            if let Some(own) = message.get_mut("id") {
                *own = id.into();
            }
            lines += &message.to_string();
            lines.push('\n');
        }
        Ok(self.input.write_all(lines.as_bytes())?)
    }

    /// The next result. What the server says of its own accord is passed over, and its requests are declined.
    fn answer(&mut self) -> Result<Value> {
        let mut line = Vec::new();
        loop {
            line.clear();
            if self.output.read_until(b'\n', &mut line)? == 0 {
                return Err("the server has ended".into());
            }
            let Ok(mut message) = serde_json::from_slice::<Value>(&line) else { continue };
            match (message.get("method").is_some(), message.get("id")) {
                (true, Some(id)) => {
                    let error = json!({"code": -32601, "message": "not supported"});
                    self.send(&json!({"jsonrpc": "2.0", "id": id, "error": error}), 1)?;
                }
                (true, None) => {}
                (false, _) if message.get("error").is_some() => {
                    return Err(message["error"].to_string().into());
                }
                (false, _) => return Ok(message["result"].take()),
            }
        }
    }

    /// The most memory that the server has had resident, in MB.
    pub(crate) fn peak_memory(&self) -> Result<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM")?;
        let kilobytes: f64 = line.trim().trim_end_matches(" kB").parse()?;
        Ok(kilobytes / 1000.0)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A server that has ended by itself cannot be killed.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
