//! The guard corpora, tried on the built binary: every path case with each of the two resolvers, and the command lines of
//! argv mode.

#![allow(clippy::disallowed_methods, reason = "a test reads the disk and starts programs")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test panics when it fails")]

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

#[test]
fn paths_hold_with_the_resolver_of_this_machine() {
    run("paths", None);
}

#[test]
fn paths_hold_with_the_walk() {
    run("paths", Some("walk"));
}

#[test]
fn command_lines_are_judged_as_they_should() {
    run("argv", None);
}

#[test]
fn lines_of_a_shell_are_judged_as_they_should() {
    run("sh", None);
}

/// A case that is never read would be a case that always holds.
#[test]
fn every_corpus_is_whole() {
    for (name, least) in [("paths.jsonl", 150), ("shell_argv.jsonl", 100), ("shell_sh.jsonl", 400)] {
        let text = fs::read_to_string(corpora().join(name)).unwrap();
        let ids = text.lines().map(|line| {
            let case: Value =
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}: {line}"));
            case["id"].as_str().unwrap_or_else(|| panic!("{name}: no id: {line}")).to_owned()
        });
        let ids: Vec<String> = ids.collect();
        let different: HashSet<&String> = ids.iter().collect();
        assert!(ids.len() >= least, "{name} has only {} cases", ids.len());
        assert_eq!(different.len(), ids.len(), "{name} uses an id twice");
    }
    for name in ["fixture.json", "lines.json"] {
        let text = fs::read_to_string(corpora().join(name)).unwrap();
        serde_json::from_str::<Value>(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

fn run(corpus: &str, resolver: Option<&str>) {
    let Some(python) = testkit::need("python3", python()) else { return };
    let mut command = Command::new(python);
    command.arg(corpora().join("run.py")).args(["--pinfold", env!("CARGO_BIN_EXE_pinfold"), corpus]);
    command.env_remove("PINFOLD_RESOLVER").envs(resolver.map(|name| ("PINFOLD_RESOLVER", name)));
    let done = command.output().expect("python3 starts");
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(
        done.status.success(),
        "{corpus}, resolver {resolver:?}:\n{said}{}",
        String::from_utf8_lossy(&done.stderr)
    );
}

fn python() -> Option<PathBuf> {
    let found = Command::new("python3").arg("--version").output().is_ok_and(|done| done.status.success());
    found.then(|| PathBuf::from("python3"))
}

fn corpora() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpora")
}
