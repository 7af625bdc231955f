//! Cancelling a call: commands are killed with all that they started, searches stop and say so.

#![allow(clippy::disallowed_methods, reason = "the test looks at what a command has left")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

use std::{collections::BTreeMap, fs, path::Path, time::Duration};

use pinfold::{Context, Policy, Workspace, policy::ShellPolicy};
use serde_json::json;
use tempfile::TempDir;

fn open(dir: &Path) -> Workspace {
    let shell = ShellPolicy {
        allow: Some(vec!["sh".into()]),
        env: BTreeMap::from([("PATH".into(), "/usr/bin:/bin".into())]),
        ..ShellPolicy::default()
    };
    Workspace::open(Policy { shell: Some(shell), ..Policy::new(dir) }).unwrap()
}

fn cancelled() -> Context {
    let context = Context::default();
    context.cancel.cancel();
    context
}

#[tokio::test]
async fn a_command_that_was_cancelled_before_is_not_started() {
    let dir = TempDir::new().unwrap();
    let run = open(dir.path()).exec("sh -c 'echo made > file'", cancelled()).await.unwrap();
    assert_eq!((run.exit_code, run.cancelled, run.timed_out), (130, true, false));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0, "it ran");
}

#[tokio::test]
async fn a_command_that_is_cancelled_is_killed_with_its_children() {
    let dir = TempDir::new().unwrap();
    let context = Context::default();
    let (workspace, own) = (open(dir.path()), context.clone());
    let line = "sh -c '(sleep 2; echo late > late) & echo begun; touch begun; sleep 60'";
    let run = tokio::spawn(async move { workspace.exec(line, own).await });
    while !dir.path().join("begun").exists() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    context.cancel.cancel();
    let run = run.await.unwrap().unwrap();
    assert_eq!((run.exit_code, run.cancelled, run.timed_out, run.leaked), (130, true, false, 0));
    assert_eq!(run.stdout, "begun\n", "what it had written is kept");
    tokio::time::sleep(Duration::from_millis(2500)).await;
    assert!(!dir.path().join("late").exists(), "a child lived on");
}

#[tokio::test]
async fn searches_that_are_cancelled_say_that_they_are_not_complete() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("a"), "needle\n").unwrap();
    let workspace = open(dir.path());
    let grep = workspace.call("grep", json!({"pattern": "needle"}), cancelled()).await.unwrap();
    assert_eq!((&grep["complete"], &grep["searched"]), (&json!(false), &json!(0)));
    let glob = workspace.call("glob", json!({"pattern": "**"}), cancelled()).await.unwrap();
    assert_eq!(glob, json!({"paths": [], "truncated": true}));
    let list = workspace.call("list_dir", json!({}), cancelled()).await.unwrap();
    assert_eq!((&list["entries"], &list["truncated"]), (&json!([]), &json!(true)));
}
