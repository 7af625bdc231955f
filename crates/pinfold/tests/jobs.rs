//! Background commands: where they are allowed, how many, who sees them, and what ends them; with processes and without.

#![allow(clippy::disallowed_methods, reason = "the test makes its own root")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

use std::{collections::BTreeMap, time::Duration};

use pinfold::{
    Context, Failure, FailureType, JobStatus, Memory, Policy, Reason, RunResult, Workspace,
    policy::{BackgroundPolicy, ShellPolicy},
};
use serde_json::{Value, json};
use tempfile::TempDir;

fn policy(dir: &std::path::Path, background: Option<BackgroundPolicy>) -> Policy {
    let shell = ShellPolicy {
        allow: Some(vec!["sh".into(), "sleep".into(), "true".into()]),
        env: BTreeMap::from([("PATH".into(), "/usr/bin:/bin".into())]),
        background,
        ..ShellPolicy::default()
    };
    Policy { shell: Some(shell), ..Policy::new(dir) }
}

fn said(stdout: &str, exit_code: i32) -> RunResult {
    let (stdout, stdout_bytes) = (stdout.to_owned(), stdout.len() as u64);
    RunResult { exit_code, stdout, stdout_bytes, ..RunResult::default() }
}

const SERVER: &str = "sh -c 'echo ready; exec sleep 1000'";
const SHORT: &str = "sh -c 'echo done; exit 3'";

/// The same place with processes and without.
fn both(background: Option<BackgroundPolicy>) -> (TempDir, [Workspace; 2]) {
    let dir = TempDir::new().unwrap();
    let memory = Memory::new().running(SERVER, said("ready\n", 0)).command(SHORT, said("done\n", 3));
    let policy = policy(dir.path(), background);
    let local = Workspace::open(policy.clone()).unwrap();
    (dir, [local, Workspace::in_memory(policy, memory).unwrap()])
}

fn two() -> Option<BackgroundPolicy> {
    Some(BackgroundPolicy { max_jobs: 2, timeout_ms: None })
}

async fn call(workspace: &Workspace, tool: &str, arguments: Value) -> Result<Value, Failure> {
    workspace.call(tool, arguments, Context::default()).await
}

async fn start(workspace: &Workspace) -> Value {
    call(workspace, "run_shell", json!({"command": SERVER, "background": true})).await.unwrap()
}

#[tokio::test]
async fn a_job_is_started_looked_at_and_killed() {
    let (_dir, places) = both(two());
    for workspace in &places {
        let started = start(workspace).await;
        assert_eq!(
            (&started["background"], &started["id"], &started["status"]),
            (&json!(true), &json!("job-1"), &json!("running"))
        );
        let look = call(workspace, "shell_output", json!({"id": "job-1", "waitMs": 30_000})).await.unwrap();
        assert_eq!((&look["stdout"], &look["cursor"]), (&json!("ready\n"), &json!(6)));
        assert_eq!((&look["exitCode"], &look["droppedBytes"]), (&json!(null), &json!(0)));
        let again = call(workspace, "shell_output", json!({"id": "job-1"})).await.unwrap();
        assert_eq!(again["stdout"], "", "only what is new");
        let since =
            call(workspace, "shell_output", json!({"id": "job-1", "since": 1, "tail": 1})).await.unwrap();
        assert_eq!(since["stdout"], "eady\n");
        let killed = call(workspace, "shell_kill", json!({"id": "job-1"})).await.unwrap();
        assert_eq!((&killed["status"], &killed["exitCode"]), (&json!("killed"), &json!(137)));
        let list = call(workspace, "shell_output", json!({})).await.unwrap();
        assert_eq!((&list["jobs"][0]["id"], &list["jobs"][0]["command"]), (&json!("job-1"), &json!(SERVER)));
    }
}

#[tokio::test]
async fn one_that_ends_says_how() {
    let (_dir, places) = both(two());
    for workspace in &places {
        let job = workspace.start_shell(SHORT).await.unwrap();
        let arguments = json!({"id": job.id, "waitFor": "never", "waitMs": 30_000});
        let look = call(workspace, "shell_output", arguments).await.unwrap();
        assert_eq!(
            (&look["status"], &look["exitCode"], &look["stdout"]),
            (&json!("exited"), &json!(3), &json!("done\n"))
        );
        let killed = workspace.shell_kill(job.id).await.unwrap();
        assert_eq!(killed.status, JobStatus::Exited, "killed is not exited");
    }
}

#[tokio::test]
async fn without_a_say_nothing_runs_in_the_background() {
    let (_dir, places) = both(None);
    for workspace in &places {
        let refused =
            call(workspace, "run_shell", json!({"command": SERVER, "background": true})).await.unwrap_err();
        assert_eq!(refused.failure_type(), FailureType::DeniedCommand);
        assert_eq!(refused.details().reason, Some(Reason::NotAllowed));
        let names: Vec<_> = workspace.tools().into_iter().map(|tool| tool.tool).collect();
        assert!(!names.contains(&"shell_output") && !names.contains(&"shell_kill"));
        let run = workspace.tools().into_iter().find(|tool| tool.tool == "run_shell").unwrap();
        assert!(run.input_schema()["properties"]["background"].is_null());
    }
}

#[tokio::test]
async fn with_a_say_the_tools_are_offered_in_order() {
    let (_dir, [workspace, _]) = both(two());
    let names: Vec<_> = workspace.tools().into_iter().map(|tool| tool.tool).collect();
    let at = names.iter().position(|name| *name == "run_shell").unwrap();
    assert_eq!(names[at..at + 4], ["run_shell", "shell_output", "shell_kill", "grep"]);
    let names: Vec<_> = workspace.readonly().tools().into_iter().map(|tool| tool.tool).collect();
    assert!(!names.contains(&"shell_output"));
}

#[tokio::test]
async fn only_so_many_run_at_once() {
    let (_dir, places) = both(two());
    for workspace in &places {
        start(workspace).await;
        let second = start(workspace).await;
        let refused = workspace.start_shell(SERVER).await.unwrap_err();
        assert_eq!(refused.failure_type(), FailureType::JobTooMany);
        assert!(refused.advice().unwrap().contains("job-2 running"), "{refused}");
        workspace.shell_kill(second["id"].as_str().unwrap()).await.unwrap();
        assert_eq!(start(workspace).await["id"], "job-3");
    }
}

#[tokio::test]
async fn a_line_is_judged_like_any_other() {
    let (_dir, places) = both(two());
    for workspace in &places {
        let refused = workspace.start_shell("curl x").await.unwrap_err();
        assert_eq!(refused.failure_type(), FailureType::DeniedCommand);
        assert_eq!(call(workspace, "shell_output", json!({})).await.unwrap()["jobs"], json!([]));
    }
}

#[tokio::test]
async fn an_unknown_job_is_not_found() {
    let (_dir, places) = both(two());
    for workspace in &places {
        start(workspace).await;
        for id in ["job-9", "1", "", "job-", "job-01x"] {
            for tool in ["shell_output", "shell_kill"] {
                let missing = call(workspace, tool, json!({"id": id})).await.unwrap_err();
                assert_eq!(missing.failure_type(), FailureType::JobNotFound, "{id}");
                assert!(missing.advice().unwrap().contains("job-1"), "{missing}");
            }
        }
        let long =
            call(workspace, "shell_output", json!({"id": "job-1", "waitMs": 30_001})).await.unwrap_err();
        assert_eq!(long.failure_type(), FailureType::BadArguments);
    }
}

#[tokio::test]
async fn all_projections_share_the_jobs_and_a_read_only_one_ends_none() {
    let (_dir, places) = both(two());
    for workspace in &places {
        let reviewer = workspace.readonly();
        start(workspace).await;
        assert_eq!(reviewer.start_shell(SERVER).await.unwrap_err().failure_type(), FailureType::ReadOnly);
        assert_eq!(reviewer.shell_kill("job-1").await.unwrap_err().failure_type(), FailureType::ReadOnly);
        assert!(reviewer.shell_output("job-1").await.is_ok());
    }
}

#[tokio::test]
async fn dispose_ends_all_and_refuses_more() {
    let (_dir, places) = both(two());
    for workspace in &places {
        start(workspace).await;
        let other = workspace.clone();
        let running = tokio::spawn(async move { other.exec("sleep 1000", Context::default()).await });
        tokio::time::sleep(Duration::from_millis(50)).await;
        workspace.readonly().dispose().await;
        let look = call(workspace, "shell_output", json!({"id": "job-1"})).await.unwrap();
        assert_eq!(look["status"], "killed");
        for refused in [
            workspace.exec(SHORT, Context::default()).await.unwrap_err(),
            workspace.start_shell(SHORT).await.unwrap_err(),
        ] {
            assert_eq!(refused.failure_type(), FailureType::JobClosed);
        }
        if let Ok(result) = running.await.unwrap() {
            assert!(result.cancelled);
        }
        assert!(workspace.list_dir(".").await.is_ok(), "files are still there");
    }
}

#[tokio::test]
async fn a_job_has_the_policys_time_and_a_call_can_only_lower_it() {
    let (_dir, [workspace, _]) = both(Some(BackgroundPolicy { max_jobs: 4, timeout_ms: Some(60_000) }));
    let arguments = json!({"command": SERVER, "background": true, "timeoutMs": 200});
    call(&workspace, "run_shell", arguments).await.unwrap();
    let arguments = json!({"id": "job-1", "waitFor": "never", "waitMs": 30_000});
    let look = call(&workspace, "shell_output", arguments).await.unwrap();
    assert_eq!((&look["status"], &look["exitCode"]), (&json!("timed-out"), &json!(124)));
}
