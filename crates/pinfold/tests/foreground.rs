//! A command that runs longer than `shell.foregroundMs` goes on in the background, with what it wrote.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

use std::{collections::BTreeMap, time::Duration};

use pinfold::{
    Context, JobOutput, JobStarted, JobStatus, Policy, RunResult, Workspace,
    policy::{BackgroundPolicy, ShellPolicy},
    tools::{RunShell, ShellOutput, ShellOutputResult, ShellResult},
};
use serde_json::json;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

fn open(dir: &TempDir, change: impl FnOnce(&mut ShellPolicy)) -> Workspace {
    let mut shell = ShellPolicy {
        allow: Some(["sh", "seq", "sleep", "true"].map(Into::into).into()),
        env: BTreeMap::from([("PATH".into(), "/usr/bin:/bin".into())]),
        background: Some(BackgroundPolicy::default()),
        foreground_ms: 300,
        ..ShellPolicy::default()
    };
    change(&mut shell);
    Workspace::open(Policy { shell: Some(shell), ..Policy::new(dir.path()) }).unwrap()
}

async fn run(workspace: &Workspace, command: impl Into<RunShell>) -> ShellResult {
    workspace.run_shell(command, Context::default()).await.unwrap()
}

fn started(result: ShellResult) -> JobStarted {
    let ShellResult::Started(started) = result else { panic!("{result:?}") };
    started
}

fn done(result: ShellResult) -> RunResult {
    let ShellResult::Done(result) = result else { panic!("{result:?}") };
    result
}

/// Looks until the job has ended; all that it kept since the beginning.
async fn ended(workspace: &Workspace, id: &str) -> JobOutput {
    loop {
        let look = ShellOutput { id: Some(id.into()), since: Some(0), ..ShellOutput::default() };
        let ShellOutputResult::Job(job) = workspace.shell_output(look).await.unwrap() else { panic!() };
        if job.status != JobStatus::Running {
            return job;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

const SLOW: &str = "sh -c 'echo first; echo beside >&2; sleep 1; echo second; exit 3'";

#[tokio::test]
async fn a_long_command_becomes_a_job_and_loses_nothing() {
    let dir = TempDir::new().unwrap();
    let workspace = open(&dir, |_| {});
    let started = started(run(&workspace, SLOW).await);
    assert_eq!((&*started.id, started.background, started.status), ("job-1", true, JobStatus::Running));
    assert!(started.note.unwrap().contains("after 0.3 s"));
    let job = ended(&workspace, "job-1").await;
    assert_eq!((&*job.stdout, &*job.stderr), ("first\nsecond\n", "beside\n"));
    assert_eq!((job.status, job.exit_code, job.dropped_bytes), (JobStatus::Exited, Some(3), 0));
    assert!(job.duration_ms >= 1_000, "it counts from the start");
}

#[tokio::test]
async fn a_short_one_and_one_that_may_not_go_on_are_waited_for() {
    let dir = TempDir::new().unwrap();
    let workspace = open(&dir, |_| {});
    assert_eq!(done(run(&workspace, "true").await).exit_code, 0);
    // The direct method promises a result.
    assert_eq!(workspace.exec(SLOW, Context::default()).await.unwrap().exit_code, 3);
    let changes: [fn(&mut ShellPolicy); 2] =
        [|shell| shell.background = None, |shell| shell.foreground_ms = 0];
    for change in changes {
        assert_eq!(done(run(&open(&dir, change), SLOW).await).exit_code, 3);
    }
    let full =
        open(&dir, |shell| shell.background = Some(BackgroundPolicy { max_jobs: 1, ..Default::default() }));
    full.start_shell("sleep 1000").await.unwrap();
    assert_eq!(done(run(&full, SLOW).await).stdout, "first\nsecond\n");
    full.dispose().await;
}

#[tokio::test]
async fn of_a_flood_the_newest_bytes_go_along() {
    let dir = TempDir::new().unwrap();
    for limit in [10_000, 1_000] {
        let workspace = open(&dir, |shell| shell.max_output_bytes = limit);
        let line = "sh -c 'seq 100000; sleep 1; echo last'";
        let id = started(run(&workspace, line).await).id;
        let job = ended(&workspace, &id).await;
        // Of a limit below 1,024 bytes only the beginning was kept, so the end is missing before `last`.
        assert!(job.stdout.ends_with("last\n") && job.stdout.len() <= limit, "{}", job.stdout.len());
        assert_eq!(limit == 10_000, job.stdout.ends_with("99999\n100000\nlast\n"));
        assert_eq!(job.cursor, 588_895 + 5);
        assert_eq!(job.dropped_bytes + job.stdout.len() as u64, job.cursor);
    }
}

#[tokio::test]
async fn the_call_can_be_cancelled_the_job_only_killed() {
    let dir = TempDir::new().unwrap();
    let workspace = open(&dir, |shell| shell.foreground_ms = 500);
    let cancel = CancellationToken::new();
    let context = || Context { cancel: cancel.clone(), ..Context::default() };
    let stopping = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        cancel.cancel();
    };
    let (result, ()) = tokio::join!(workspace.run_shell("sleep 1000", context()), stopping);
    assert!(done(result.unwrap()).cancelled);
    assert!(done(workspace.run_shell("sleep 1000", context()).await.unwrap()).cancelled);
    let cancel = CancellationToken::new();
    let context = Context { cancel: cancel.clone(), ..Context::default() };
    let id = started(workspace.run_shell(SLOW, context).await.unwrap()).id;
    cancel.cancel();
    assert_eq!(ended(&workspace, &id).await.exit_code, Some(3));
    let id = started(run(&workspace, "sleep 1000").await).id;
    assert_eq!(workspace.shell_kill(id).await.unwrap().status, JobStatus::Killed);
}

#[tokio::test]
async fn a_time_that_was_asked_for_holds_in_the_background_too() {
    let dir = TempDir::new().unwrap();
    let workspace = open(&dir, |shell| shell.timeout_ms = 600);
    // The policy's own limit is for commands that are waited for.
    let id = started(run(&workspace, SLOW).await).id;
    assert_eq!(ended(&workspace, &id).await.exit_code, Some(3));
    let call = json!({"command": "sleep 1000", "timeoutMs": 600});
    let answer = workspace.call("run_shell", call, Context::default()).await.unwrap();
    let job = ended(&workspace, answer["id"].as_str().unwrap()).await;
    assert_eq!(job.status, JobStatus::TimedOut);
    assert!((600..5_000).contains(&job.duration_ms), "{}", job.duration_ms);
}
