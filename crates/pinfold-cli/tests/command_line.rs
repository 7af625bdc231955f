//! The command line as such: help, completions, man pages, exit statuses, colours.

#![allow(clippy::disallowed_methods, reason = "a test starts programs and lays out files")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test panics when it fails")]

#[path = "support/command.rs"]
mod support;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value;
use support::{command, in_folder, pinfold, said, settled, told};
use tempfile::TempDir;
use testkit::need;

const COMMANDS: &[&str] = &[
    "",
    "mcp",
    "call",
    "ls",
    "read",
    "grep",
    "glob",
    "edit",
    "run",
    "check",
    "explain",
    "log",
    "policy",
    "policy init",
    "policy show",
    "policy check",
    "policy test",
    "policy limits",
    "policy schema",
    "policy import",
    "install",
    "mcp-config",
    "tools",
    "doctor",
    "completions",
    "man",
    "demo",
];

fn texts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/help")
}

#[test]
fn every_command_has_help_with_an_example() {
    for name in COMMANDS {
        let words: Vec<&str> = name.split(' ').filter(|word| !word.is_empty()).chain(["--help"]).collect();
        let output = command(&words).env("COLUMNS", "100").output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{name}");
        let file = if name.is_empty() { "pinfold".to_owned() } else { name.replace(' ', "-") };
        settled(&texts().join(format!("{file}.txt")), &said(&output));
        let groups = ["", "policy", "policy schema"];
        assert!(groups.contains(name) || said(&output).contains("Example"), "{name}");
    }
    // None is forgotten.
    let known = said(&pinfold(&["--help"]));
    let listed = known.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    for line in listed.take_while(|line| line.starts_with("  ")) {
        let name = line.split_whitespace().next().unwrap();
        assert!(name == "help" || COMMANDS.contains(&name), "{name}");
    }
}

#[test]
fn man_pages_are_made_from_the_command() {
    settled(&texts().join("pinfold.1"), &said(&pinfold(&["man"])));
    settled(&texts().join("pinfold-policy-check.1"), &said(&pinfold(&["man", "policy", "check"])));
    let unknown = pinfold(&["man", "polcy"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(
        told(&unknown).contains("`pinfold` has no command `polcy`; it has mcp, call"),
        "{}",
        told(&unknown)
    );
}

#[test]
fn completions_are_scripts_of_their_shells() {
    settled(&texts().join("pinfold.fish"), &said(&pinfold(&["completions", "fish"])));
    for shell in ["bash", "zsh"] {
        let script = said(&pinfold(&["completions", shell]));
        for word in ["policy", "mcp-config", "--read-only", "claude-desktop"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
        let there = Command::new(shell).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if need(shell, there.ok().filter(|status| status.success())).is_none() {
            continue;
        }
        let dir = TempDir::new().unwrap();
        fs::write(dir.path().join("script"), script).unwrap();
        let read = Command::new(shell).args(["-n", "script"]).current_dir(dir.path()).status().unwrap();
        assert!(read.success(), "{shell}");
    }
}

/// What was typed in a folder with a few files, and how it ends.
#[test]
fn the_exit_status_tells() {
    let dir = place();
    let rows = fs::read_to_string(texts().with_file_name("statuses.tsv")).unwrap();
    for row in rows.lines().filter(|row| !row.starts_with('#')) {
        let (status, typed) = row.split_once('\t').unwrap();
        let words: Vec<&str> = typed.split(' ').collect();
        let output = in_folder(dir.path(), &words);
        assert_eq!(output.status.code(), status.parse().ok(), "{row}\n{}{}", said(&output), told(&output));
    }
}

fn place() -> TempDir {
    let dir = TempDir::new().unwrap();
    fs::create_dir_all(dir.path().join("src/deep")).unwrap();
    fs::write(dir.path().join("src/a.rs"), "fn main() {}\n// TODO\n").unwrap();
    fs::write(dir.path().join(".env"), "KEY=1\n").unwrap();
    dir
}

#[test]
fn people_see_what_is_there_and_what_is_not() {
    let dir = place();
    let run = |words: &[&str]| in_folder(dir.path(), words);
    assert_eq!(said(&run(&["ls", "--depth", "2"])), "src/\n  a.rs  21 bytes\n  deep/\n");
    assert_eq!(said(&run(&["read", "src/a.rs", "--offset", "2"])), "     2\t// TODO\n");
    let part = run(&["read", "src/a.rs", "--limit", "1"]);
    assert_eq!(told(&part), "line 1 of 2; go on with --offset 2\n");
    assert_eq!(said(&run(&["grep", "TODO"])), "src/a.rs:2: // TODO\n");
    assert_eq!(said(&run(&["glob", "**/*.rs"])), "src/a.rs\n");
    assert_eq!(said(&run(&["run", "--allow", "echo", "--", "echo", "a b"])), "a b\n");
    let edited = said(&run(&["edit", "src/a.rs", "--old", "TODO", "--new", "DONE"]));
    assert!(edited.contains("-// TODO\n+// DONE\n"), "{edited}");
    let refused = run(&["read", ".env"]);
    assert!(
        told(&refused).starts_with("pinfold: ") && told(&refused).contains("\nhint: "),
        "{}",
        told(&refused)
    );
    let json: Value = serde_json::from_slice(&run(&["read", ".env", "--json"]).stdout).unwrap();
    assert_eq!(json["error"]["type"], "path-escape");
}

#[test]
fn colours_are_for_terminals_and_for_those_who_want_them() {
    let dir = place();
    let coloured = |name: &str, value: &str| {
        let output = command(&["grep", "TODO"]).env(name, value).current_dir(dir.path()).output().unwrap();
        said(&output).contains('\u{1b}')
    };
    assert!(!coloured("X", "1"), "a pipe is no terminal");
    assert!(coloured("CLICOLOR_FORCE", "1"));
    assert!(!coloured("NO_COLOR", "1"));
    // On a terminal: `script` is one, with and without NO_COLOR.
    let there = Command::new("script").arg("--version").output();
    if need("script", there.ok()).is_none() {
        return;
    }
    let on_terminal = |more: &str| {
        let line = format!("{more} {} grep TODO", env!("CARGO_BIN_EXE_pinfold"));
        let mut script = Command::new("script");
        script.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm").env_remove("NO_COLOR");
        let output = script.env("XDG_CONFIG_HOME", "/nonexistent").current_dir(dir.path()).output().unwrap();
        said(&output).contains("\u{1b}[")
    };
    assert!(on_terminal("env"));
    assert!(!on_terminal("env NO_COLOR=1"));
}
