//! Everything that can be asked of a tree without saying the name of what is denied.

use pinfold::{Context, Dialect, Workspace};
use serde_json::{Value, json};

use super::tree::Tree;

/// Asks all of it, looks for secrets in each answer, and counts the answers that hold something.
pub(crate) async fn everything(workspace: &Workspace, tree: &Tree) -> u64 {
    let secrets = tree.secrets();
    let env = workspace.dialect(Dialect::Env);
    let mut shown = 0;
    for (tool, arguments) in coding(tree) {
        shown += ask(workspace, tool, arguments, &secrets, tree).await;
    }
    for (tool, arguments) in virtual_paths(tree) {
        shown += ask(&env, tool, arguments, &secrets, tree).await;
    }
    shown
}

async fn ask(workspace: &Workspace, tool: &str, arguments: Value, secrets: &[String], tree: &Tree) -> u64 {
    let answer = workspace.call(tool, arguments.clone(), Context::default()).await;
    let (text, well) = match &answer {
        Ok(value) => (value.to_string(), true),
        Err(failure) => (serde_json::to_string(failure).unwrap(), false),
    };
    assert!(!text.contains("bad-arguments"), "{tool} {arguments} asks nothing: {text}");
    // What was asked may be said again.
    let asked = arguments.to_string();
    let text = text.replace(arguments["path"].as_str().unwrap_or("\0"), "");
    // A refusal names the rule, which is the policy's own text.
    let text = tree.rules().iter().fold(text, |text, rule| text.replace(&format!("it matches `{rule}`"), ""));
    for secret in secrets.iter().filter(|secret| !asked.contains(*secret)) {
        assert!(!text.contains(secret), "{tool} {arguments} shows {secret}: {text}\n{tree:#?}");
    }
    u64::from(well && text.contains("n00"))
}

fn coding(tree: &Tree) -> Vec<(&'static str, Value)> {
    let mut calls = vec![
        ("list_dir", json!({"depth": 5, "ignore": []})),
        ("glob", json!({"pattern": "**"})),
        ("glob", json!({"pattern": "**/*n0*"})),
        ("grep", json!({"pattern": "body|beyond", "context": 2})),
        ("grep", json!({"pattern": "needle", "literal": true, "mode": "files", "order": "mtime"})),
        ("grep", json!({"pattern": "needle [a-z]+[0-9]*\nm", "multiline": true, "mode": "count"})),
        ("grep", json!({"pattern": "nothing-of-this"})),
    ];
    for link in tree.links() {
        calls.push(("list_dir", json!({"path": link, "depth": 3})));
        calls.push(("read_file", json!({"path": link})));
        calls.push(("grep", json!({"pattern": "needle", "path": link})));
        calls.push(("glob", json!({"pattern": format!("{link}/**")})));
        calls.push(("exists", json!({"path": format!("{link}/{}", super::tree::OUTSIDE)})));
    }
    // A name that is nearly right: what is meant is guessed, but never a denied one.
    calls.extend(tree.paths().take(3).map(|path| ("read_file", json!({"path": &path[..path.len() - 1]}))));
    calls
}

fn virtual_paths(tree: &Tree) -> Vec<(&'static str, Value)> {
    let mut calls = vec![
        ("list_files", json!({"path": "/"})),
        ("glob_files", json!({"pattern": "**", "includeHidden": true})),
        ("grep_files", json!({"pattern": "needle", "includeHidden": true})),
        ("grep_files", json!({"pattern": "body.", "mode": "regex", "includeHidden": true})),
        ("walk", json!({})),
        ("diff", json!({"previous": ["gone"], "current": []})),
    ];
    for link in tree.links() {
        calls.push(("list_files", json!({"path": link})));
        calls.push(("read_file", json!({"path": link})));
        calls.push(("glob_files", json!({"pattern": "**", "root": link})));
        calls.push(("stat", json!({"path": link})));
    }
    calls
}
