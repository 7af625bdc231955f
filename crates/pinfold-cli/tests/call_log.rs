//! The log of calls: what is written down, what is left out, and how it is shown and explained.

#![allow(clippy::disallowed_methods, reason = "a test starts programs and lays out files")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test panics when it fails")]

#[path = "support/command.rs"]
mod support;

use std::{
    fs,
    io::{BufRead, BufReader},
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::Stdio,
};

use serde_json::Value;
use support::{command, in_folder, said, told};
use tempfile::TempDir;

/// A workspace `shop` beside a policy.
fn place() -> TempDir {
    let dir = TempDir::new().unwrap();
    fs::create_dir(dir.path().join("shop")).unwrap();
    fs::write(dir.path().join("shop/a.txt"), "hello\n").unwrap();
    fs::write(dir.path().join("shop/keys.pem"), "KEY\n").unwrap();
    fs::write(
        dir.path().join("policy.toml"),
        "cwd = \"shop\"\ndeny_paths = [\"secrets\", \"*.pem\"]\n\n[shell]\nallow = [\"echo\"]\ndeny = [\"rm\"]\ninherit_env = [\"PATH\"]\n\
         env = { API_KEY = \"top-secret-1\", PAGER = \"cat\" }\n",
    )
    .unwrap();
    let root = dir.path().join("shop");
    let policy = fs::read_to_string(dir.path().join("policy.toml")).unwrap();
    fs::write(dir.path().join("policy.toml"), policy.replace("\"shop\"", &format!("{root:?}"))).unwrap();
    dir
}

fn call(dir: &Path, tool: &str, arguments: &str) {
    in_folder(dir, &["call", "--policy", "policy.toml", "--log", "calls.jsonl", tool, arguments]);
}

fn entries(dir: &Path) -> Vec<Value> {
    let text = fs::read_to_string(dir.join("calls.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_call_is_one_line_without_secrets() {
    let dir = place();
    let dir = dir.path();
    call(dir, "read_file", r#"{"path": "a.txt"}"#);
    call(dir, "read_file", r#"{"path": "keys.pem"}"#);
    call(dir, "read_file", r#"{"path": "nowhere"}"#);
    call(dir, "write_file", r#"{"path": "b.txt", "content": "the plan"}"#);
    call(dir, "run_shell", r#"{"command": "echo top-secret-1 PASSWORD=hunter2"}"#);
    call(dir, "run_shell", r#"{"command": "rm -rf x"}"#);
    call(dir, "read_file", r#"{"path": 1}"#);
    let entries = entries(dir);
    let told = |entry: &Value| {
        format!(
            "{} {} {}",
            entry["tool"].as_str().unwrap(),
            entry["verdict"].as_str().unwrap(),
            entry["type"]
        )
    };
    let expected = [
        "read_file done null",
        "read_file refused \"path-escape\"",
        "read_file failed \"not-found\"",
        "write_file done null",
        "run_shell done null",
        "run_shell refused \"denied-command\"",
        "read_file failed \"bad-arguments\"",
    ];
    assert_eq!(entries.iter().map(told).collect::<Vec<_>>(), expected);
    assert_eq!(entries[1]["rule"], "denyPaths[1]");
    assert_eq!(
        (&entries[5]["rule"], &entries[5]["reason"]),
        (&"shell.deny[0]".into(), &"denied-executable".into())
    );
    assert!(
        entries.iter().all(|entry| entry["bytes"].as_u64().unwrap() > 0 && entry["ms"].as_f64().is_some())
    );
    let text = fs::read_to_string(dir.join("calls.jsonl")).unwrap();
    for secret in ["top-secret-1", "hunter2", "the plan"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    let mode = fs::metadata(dir.join("calls.jsonl")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn the_agent_cannot_reach_the_log() {
    let dir = place();
    let dir = dir.path();
    symlink("shop/hidden.jsonl", dir.join("link.jsonl")).unwrap();
    fs::write(dir.join("shop/hidden.jsonl"), "").unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(dir.join("pipe")).status().unwrap();
    assert!(pipe.success());
    for log in ["shop/calls.jsonl", "link.jsonl", "pipe", "nowhere/calls.jsonl", "/dev/null", "."] {
        let output = in_folder(dir, &["ls", "--policy", "policy.toml", "--log", log]);
        assert_eq!(output.status.code(), Some(1), "{log}");
        assert!(told(&output).contains("cannot be used"), "{log}: {}", told(&output));
    }
}

#[test]
fn a_log_is_shown_and_filtered() {
    let dir = place();
    let dir = dir.path();
    call(dir, "read_file", r#"{"path": "a.txt"}"#);
    call(dir, "run_shell", r#"{"command": "rm -rf x"}"#);
    let log = |words: &[&str]| said(&in_folder(dir, &[&["log", "calls.jsonl"], words].concat()));
    let all = log(&[]);
    assert!(all.starts_with("   1  ") && all.contains("s ago  done      read_file  a.txt  "), "{all}");
    assert!(all.contains("policy/denied-command (denied-executable), by shell.deny[0]: "), "{all}");
    assert_eq!(log(&["--verdict", "done"]).lines().count(), 1);
    assert_eq!(log(&["--tool", "run_shell", "--json"]).lines().count(), 1);
    assert_eq!(log(&["--since", "1h"]).lines().count(), all.lines().count());
    assert_eq!(log(&["--since", "0s", "--verdict", "given-up"]), "");
    assert!(!all.contains('\u{1b}'), "no colours without a terminal");
}

#[test]
fn a_log_is_followed_as_it_grows() {
    let dir = place();
    let dir = dir.path();
    fs::write(dir.join("calls.jsonl"), "").unwrap();
    let mut follow = command(&["log", "calls.jsonl", "-f", "--json"])
        .current_dir(dir)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(follow.stdout.take().unwrap()).lines();
    for path in ["a.txt", "keys.pem"] {
        call(dir, "read_file", &format!(r#"{{"path": "{path}"}}"#));
        let line: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert_eq!(line["arguments"]["path"], path);
    }
    follow.kill().unwrap();
    follow.wait().unwrap();
}

#[test]
fn a_refusal_is_explained_from_the_log_and_for_a_path() {
    let dir = place();
    let dir = dir.path();
    call(dir, "read_file", r#"{"path": "keys.pem"}"#);
    call(dir, "read_file", r#"{"path": "a.txt"}"#);
    call(dir, "run_shell", r#"{"command": "rm x"}"#);
    let explain =
        |words: &[&str]| said(&in_folder(dir, &[&["explain", "--policy", "policy.toml"], words].concat()));
    let last = explain(&["--log", "calls.jsonl"]);
    assert!(last.starts_with("   3") && last.contains("refused: denied-executable"), "{last}");
    let first = explain(&["--log", "calls.jsonl", "--call", "1"]);
    let expected = "it matches `*.pem`.\n          rule: denyPaths[1], policy.toml:2\n";
    assert!(first.contains(expected), "{first}");
    let path = explain(&["secrets/../keys.pem"]);
    assert!(path.contains("read:     refused: path-escape") && path.contains("write:    refused"), "{path}");
    let fine = explain(&["a.txt"]);
    let root = dir.join("shop").canonicalize().unwrap();
    let root = root.display();
    let expected = format!(
        "a.txt\nroot:     {root} (read and write)\nleads to: {root}/a.txt\nread:     allowed\nwrite:    allowed\n"
    );
    assert_eq!(fine, expected);
    symlink("keys.pem", dir.join("shop/link")).unwrap();
    let json: Value = serde_json::from_str(&explain(&["--json", "link"])).unwrap();
    assert_eq!((&json["read"]["allowed"], &json["read"]["rule"]), (&false.into(), &"denyPaths[1]".into()));
    assert_eq!(json["resolved"], format!("{root}/keys.pem"));
}
