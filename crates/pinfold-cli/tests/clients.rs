//! Clients that we did not write drive `pinfold mcp` over a copy of this repository.
//!
//! They are installed by `.ci/run`; CONTRIBUTING.md says how to do it by hand.

#![allow(clippy::disallowed_methods, reason = "a test reads the disk and starts programs")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test panics when it fails")]

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

/// Made by tools: no part of the repository.
const MADE: [&str; 5] = [".git", "target", "node_modules", ".venv", "__pycache__"];

#[test]
fn python_sdk() {
    let home = repository().join("tests/clients/python");
    let python = installed(home.join(".venv/bin/python"));
    let Some(python) = testkit::need("the Python SDK in tests/clients/python/.venv", python) else { return };
    drive(&python, &home.join("drive.py"));
}

#[test]
fn typescript_sdk() {
    let home = repository().join("tests/clients/typescript");
    let sdk = installed(home.join("node_modules/@modelcontextprotocol/sdk"));
    if testkit::need("`npm ci` in tests/clients/typescript", sdk).is_some() {
        drive(Path::new("node"), &home.join("drive.mjs"));
    }
}

fn installed(path: PathBuf) -> Option<PathBuf> {
    path.exists().then_some(path)
}

/// Runs a script on a copy, so that the checkout stays clean.
fn drive(interpreter: &Path, script: &Path) {
    let (_guard, copy) = copy_of_repository();
    let mut command = Command::new(interpreter);
    // The policy of whoever runs the tests is not for them.
    command.env("XDG_CONFIG_HOME", "/nonexistent").arg(script).arg(env!("CARGO_BIN_EXE_pinfold")).arg(&copy);
    let done = command.output();
    let done = done.unwrap_or_else(|error| panic!("cannot start {}: {error}", interpreter.display()));
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{}\n{said}{}", script.display(), String::from_utf8_lossy(&done.stderr));
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The copy has a neighbour, for the scripts to be refused.
fn copy_of_repository() -> (TempDir, PathBuf) {
    let parent = tempfile::tempdir().unwrap();
    fs::write(parent.path().join("outside.txt"), "outside\n").unwrap();
    let copy = parent.path().join("repository");
    copy_tree(&repository(), &copy).unwrap();
    (parent, copy)
}

fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (name, kind) = (entry.file_name(), entry.file_type()?);
        if kind.is_dir() && !MADE.iter().any(|made| name == *made) {
            copy_tree(&entry.path(), &to.join(name))?;
        } else if kind.is_file() {
            fs::copy(entry.path(), to.join(name))?;
        }
    }
    Ok(())
}
