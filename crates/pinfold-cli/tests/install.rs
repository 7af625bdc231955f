//! `pinfold install`: settings that people have, and what becomes of them.

#![allow(clippy::disallowed_methods, reason = "a test starts programs and lays out files")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test panics when it fails")]

#[path = "support/command.rs"]
mod support;

use std::{fs, path::Path};

use serde_json::Value;
use support::{command, in_folder, pinfold, said, settled, told};
use tempfile::TempDir;

/// Every client, the ending of its settings, and where they are looked for: in the project, or from the home.
const CLIENTS: &[(&str, &str, Option<&str>, &str)] = &[
    ("claude-code", "json", Some(".mcp.json"), ".claude.json"),
    ("claude-desktop", "json", None, ".config/Claude/claude_desktop_config.json"),
    ("codex", "toml", None, ".codex/config.toml"),
    ("cursor", "json", Some(".cursor/mcp.json"), ".cursor/mcp.json"),
    ("vscode", "json", Some(".vscode/mcp.json"), ".config/Code/User/mcp.json"),
    ("zed", "json", None, ".config/zed/settings.json"),
    ("gemini", "json", Some(".gemini/settings.json"), ".gemini/settings.json"),
    ("opencode", "json", Some("opencode.json"), ".config/opencode/opencode.json"),
];

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/settings")
}

/// What depends on the machine.
fn plain(text: &str, dir: &TempDir) -> String {
    let text = text.replace(env!("CARGO_BIN_EXE_pinfold"), "/usr/bin/pinfold");
    text.replace(dir.path().to_str().unwrap(), "/home/ada")
}

#[test]
fn a_dry_run_shows_the_change_and_makes_none() {
    for (client, extension, ..) in CLIENTS {
        let dir = TempDir::new().unwrap();
        let file = dir.path().join(format!("settings.{extension}"));
        let before = fs::read(folder().join(format!("{client}.{extension}"))).unwrap();
        fs::write(&file, &before).unwrap();
        let arguments =
            ["install", "--client", client, "--dry-run", "--allow", "git", "--file", file.to_str().unwrap()];
        let output = in_folder(dir.path(), &arguments);
        assert!(output.status.success(), "{client}: {}", told(&output));
        settled(&folder().join(format!("{client}.diff")), &plain(&said(&output), &dir));
        assert_eq!(fs::read(&file).unwrap(), before, "{client}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "{client}");
    }
}

/// Every line stays, in its order and letter by letter, except those of the entry itself; the line before a new one may
/// get a comma.
#[test]
fn nothing_else_changes_and_a_second_time_nothing_at_all() {
    for endings in ["\n", "\r\n"] {
        for (client, extension, ..) in CLIENTS {
            let dir = TempDir::new().unwrap();
            let file = dir.path().join("settings");
            let before = fs::read_to_string(folder().join(format!("{client}.{extension}"))).unwrap();
            let before = before.replace('\n', endings);
            fs::write(&file, &before).unwrap();
            let arguments =
                ["install", "--client", client, "--allow", "git", "--file", file.to_str().unwrap()];
            assert!(in_folder(dir.path(), &arguments).status.success(), "{client}");
            let after = fs::read_to_string(&file).unwrap();
            let mut left = after.split(endings);
            for line in before.split(endings) {
                let own = *client == "gemini" && line.contains("/old/place");
                let stays = left.any(|kept| kept == line || kept == with_comma(line));
                assert!(stays || own, "{client}: {line}\n{after}");
                if own {
                    left = after.split(endings);
                }
            }
            let broken = after.matches('\n').count() - after.matches(endings).count();
            assert_eq!(broken, 0, "{client}: {after:?}");
            assert_eq!(fs::read_to_string(dir.path().join("settings.pinfold-bak")).unwrap(), before);
            let again = in_folder(dir.path(), &arguments);
            assert!(said(&again).ends_with("nothing to do\n"), "{client}: {}", said(&again));
            assert_eq!(fs::read_to_string(&file).unwrap(), after, "{client}");
        }
    }
}

/// A comma goes behind the value, before the comment.
fn with_comma(line: &str) -> String {
    match line.split_once(" //") {
        Some((value, comment)) => format!("{value}, //{comment}"),
        None => format!("{line},"),
    }
}

#[test]
fn settings_are_made_where_the_client_looks_for_them() {
    for (client, extension, project, users) in CLIENTS {
        let home = TempDir::new().unwrap();
        let root = home.path().join("shop");
        fs::create_dir(&root).unwrap();
        let run = |more: &[&str]| {
            let arguments = [&["install", "--client", client, "--allow", "git"], more].concat();
            let output = command(&arguments)
                .env("HOME", home.path())
                .env_remove("XDG_CONFIG_HOME")
                .env_remove("CODEX_HOME")
                .current_dir(&root)
                .output()
                .unwrap();
            assert!(output.status.success(), "{client}: {}{}", said(&output), told(&output));
        };
        run(&["--user"]);
        let text = fs::read_to_string(home.path().join(users)).unwrap();
        settled(&folder().join(format!("{client}.user.{extension}")), &plain(&text, &home));
        if let Some(project) = project {
            run(&[]);
            let text = fs::read_to_string(root.join(project)).unwrap();
            settled(&folder().join(format!("{client}.project.{extension}")), &plain(&text, &home));
        }
    }
}

#[test]
fn what_cannot_be_read_is_left_alone() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("settings");
    let cases = [
        ("cursor", "{\"mcpServers\": {"),
        ("cursor", "[]"),
        ("cursor", "{\"mcpServers\": []}"),
        ("cursor", "{'a': 1}"),
        ("cursor", "{\"mcpServers\": {\"pinfold\": 3}}"),
        ("codex", "a = "),
        ("codex", "mcp_servers = 3"),
    ];
    for (client, text) in cases {
        fs::write(&file, text).unwrap();
        let output = pinfold(&[
            "install",
            "--client",
            client,
            "--file",
            file.to_str().unwrap(),
            dir.path().to_str().unwrap(),
            "--json",
        ]);
        assert_eq!(output.status.code(), Some(1), "{text}: {}", said(&output));
        let failure: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(failure["error"]["type"], "bad-arguments", "{text}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
    fs::write(&file, "{}").unwrap();
    let output = pinfold(&[
        "install",
        "--client",
        "cursor",
        "--file",
        file.to_str().unwrap(),
        "--policy",
        "/no/such/policy.toml",
    ]);
    assert_eq!(output.status.code(), Some(1), "a server that cannot start is not put in");
    assert_eq!(fs::read_to_string(&file).unwrap(), "{}");
}

/// What is installed is what a client starts: it answers.
#[test]
fn the_installed_server_answers() {
    use std::{
        io::Write,
        process::{Command, Stdio},
    };
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("settings.json");
    let arguments = [
        "install",
        "--client",
        "claude-desktop",
        "--file",
        file.to_str().unwrap(),
        "--allow",
        "git",
        dir.path().to_str().unwrap(),
    ];
    assert!(pinfold(&arguments).status.success());
    let settings: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let server = &settings["mcpServers"]["pinfold"];
    let words: Vec<&str> =
        server["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    let mut child = Command::new(server["command"].as_str().unwrap());
    child.args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = child.spawn().unwrap();
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    writeln!(child.stdin.take().unwrap(), "{hello}").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(said(&output).contains("\"name\":\"pinfold\""), "{}", said(&output));
}

/// The page shows what is installed, for every client.
#[test]
fn the_page_about_clients_shows_what_is_installed() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/clients.md");
    let page = fs::read_to_string(page).unwrap();
    for (client, extension, project, _) in CLIENTS {
        let whose = if project.is_some() { "project" } else { "user" };
        let shown = fs::read_to_string(folder().join(format!("{client}.{whose}.{extension}"))).unwrap();
        assert!(page.contains(&format!("```{extension}\n{shown}```")), "{client}");
        assert!(page.contains(&format!("`--client {client}`")), "{client}");
    }
}
