//! How each server is started, and how it spells each operation.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use crate::fixtures::Fixtures;

/// What is asked of a server. Paths are relative to the root.
pub(crate) enum Op {
    Read {
        path: String,
        first: u64,
        lines: u64,
    },
    /// The same, for the last lines: some servers have no other way to ask for them.
    ReadEnd {
        path: String,
        first: u64,
        lines: u64,
    },
    Write {
        path: String,
        content: String,
    },
    Edit {
        path: String,
        old: String,
        new: String,
    },
    MultiEdit {
        path: String,
        edits: Vec<(String, String)>,
    },
}

/// A server.
pub(crate) struct Peer {
    pub(crate) name: &'static str,
    pub(crate) command: Vec<OsString>,
    /// How to get it, if it does not belong to this repository.
    install: &'static str,
    spell: fn(&Op, &Path) -> (&'static str, Value),
    root: PathBuf,
}

impl Peer {
    /// Tool and arguments.
    pub(crate) fn spell(&self, op: &Op) -> Value {
        let (name, arguments) = (self.spell)(op, &self.root);
        json!({"name": name, "arguments": arguments})
    }

    /// How to install it, if it is not there.
    pub(crate) fn missing(&self) -> Option<&'static str> {
        let there = |program: &OsString| {
            let path = env::var_os("PATH").unwrap_or_default();
            Path::new(program).exists() || env::split_paths(&path).any(|folder| folder.join(program).exists())
        };
        let files = self.command.iter().take(if self.command[0] == "node" { 2 } else { 1 });
        (!files.into_iter().all(there)).then_some(self.install)
    }
}

/// All of them; the floor that the others are compared with is one.
pub(crate) fn all(programs: &Path, fixtures: &Fixtures) -> Vec<Peer> {
    let root = &fixtures.root;
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules/.bin");
    let command =
        |words: &[&dyn AsRef<std::ffi::OsStr>]| words.iter().map(|word| word.as_ref().to_owned()).collect();
    let peer = |name, command, install, spell| Peer { name, command, install, spell, root: root.clone() };
    vec![
        peer("rmcp-floor", command(&[&programs.join("rmcp-floor"), root]), "", ours),
        peer(
            "pinfold",
            command(&[&programs.join("pinfold"), &"mcp", root, &"--allow", &"true,cat"]),
            "",
            ours,
        ),
        peer(
            "mcp-fs",
            command(&[&"node", &modules.join("mcp-server-filesystem"), root]),
            "run `npm ci --prefix crates/bench`",
            filesystem,
        ),
        peer(
            "rust-mcp-fs",
            command(&[&"rust-mcp-filesystem", &"--allow-write", root]),
            "run `cargo install --locked rust-mcp-filesystem`",
            rust_filesystem,
        ),
    ]
}

/// Pinfold's names; the floor has them too.
fn ours(op: &Op, _root: &Path) -> (&'static str, Value) {
    match op {
        Op::Read { path, first, lines } | Op::ReadEnd { path, first, lines } => {
            ("read_file", json!({"path": path, "startLine": first, "limit": lines}))
        }
        Op::Write { path, content } => ("write_file", json!({"path": path, "content": content})),
        Op::Edit { path, old, new } => {
            ("edit_file", json!({"path": path, "oldString": old, "newString": new}))
        }
        Op::MultiEdit { path, edits } => {
            let edit = |(old, new): &(String, String)| json!({"oldString": old, "newString": new});
            ("multi_edit", json!({"path": path, "edits": edits.iter().map(edit).collect::<Vec<Value>>()}))
        }
    }
}

/// `@modelcontextprotocol/server-filesystem`: no offset, so everything above the window is read as well.
fn filesystem(op: &Op, root: &Path) -> (&'static str, Value) {
    match op {
        Op::Read { path, first, lines } => {
            ("read_text_file", json!({"path": root.join(path), "head": first + lines - 1}))
        }
        Op::ReadEnd { path, lines, .. } => {
            ("read_text_file", json!({"path": root.join(path), "tail": lines}))
        }
        other => changes(other, root),
    }
}

fn rust_filesystem(op: &Op, root: &Path) -> (&'static str, Value) {
    match op {
        Op::Read { path, first, lines } | Op::ReadEnd { path, first, lines } => {
            ("read_file_lines", json!({"path": root.join(path), "offset": first - 1, "limit": lines}))
        }
        other => changes(other, root),
    }
}

/// What both file servers call alike.
fn changes(op: &Op, root: &Path) -> (&'static str, Value) {
    let edit = |old: &String, new: &String| json!({"oldText": old, "newText": new});
    match op {
        Op::Read { path, .. } | Op::ReadEnd { path, .. } => {
            ("read_text_file", json!({"path": root.join(path)}))
        }
        Op::Write { path, content } => ("write_file", json!({"path": root.join(path), "content": content})),
        Op::Edit { path, old, new } => {
            ("edit_file", json!({"path": root.join(path), "edits": [edit(old, new)]}))
        }
        Op::MultiEdit { path, edits } => {
            let edits: Vec<Value> = edits.iter().map(|(old, new)| edit(old, new)).collect();
            ("edit_file", json!({"path": root.join(path), "edits": edits}))
        }
    }
}
