//! Many calls at once: none blocks another, none mixes with another.

#![allow(clippy::disallowed_methods, reason = "the test makes the files that the calls meet")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

use std::{
    fs,
    future::Future,
    path::Path,
    pin::{Pin, pin},
    task::{Poll, Waker},
    thread,
    time::{Duration, Instant},
};

use pinfold::{
    Context, Failure, FailureType, Memory, Policy, Workspace,
    policy::ShellPolicy,
    tools::{Edit, EditFile, MultiEdit},
};
use pinfold_jail::snapshot::sha256;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::json;
use tempfile::TempDir;
use tokio::{
    task::{JoinHandle, JoinSet},
    time::timeout,
};

/// Longer than anything here takes, unless something hangs.
const PATIENCE: Duration = Duration::from_secs(30);

fn local(dir: &TempDir) -> Workspace {
    Workspace::open(Policy::new(dir.path())).unwrap()
}

fn memory() -> Workspace {
    Workspace::in_memory(Policy::new("/w"), Memory::new()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_edits_pinned_to_one_hash_exactly_one_is_made() {
    let dir = TempDir::new().unwrap();
    for workspace in [local(&dir), memory()] {
        for round in 0..100 {
            workspace.write_file("f", "start").await.unwrap();
            let both = [1, 2].map(|number| edit(&workspace, number));
            let mut done = Vec::new();
            for one in both {
                done.push(one.await.unwrap());
            }
            let made: Vec<_> = done.iter().flatten().collect();
            assert_eq!(made.len(), 1, "round {round}: {done:?}");
            let refused = done.iter().find_map(|one| one.as_ref().err()).unwrap();
            assert_eq!(refused.failure_type(), FailureType::StaleHash, "round {round}");
            assert_eq!(workspace.read_file("f").await.unwrap().hash, made[0].hash, "round {round}");
        }
    }
}

fn edit(workspace: &Workspace, number: u32) -> JoinHandle<Result<pinfold::EditResult, Failure>> {
    let workspace = workspace.clone();
    let edit = EditFile {
        path: "f".into(),
        old_string: "start".into(),
        new_string: format!("edit {number}"),
        expect_hash: Some(sha256(b"start")),
        ..EditFile::default()
    };
    tokio::spawn(async move { workspace.edit_file(edit).await })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn edits_without_a_hash_each_apply_to_what_the_other_left() {
    let dir = TempDir::new().unwrap();
    for workspace in [local(&dir), memory()] {
        workspace.write_file("f", "a b c d e f g h").await.unwrap();
        let mut edits = JoinSet::new();
        for letter in "abcdefgh".chars() {
            let workspace = workspace.clone();
            let edit = EditFile {
                path: "f".into(),
                old_string: letter.into(),
                new_string: letter.to_uppercase().to_string(),
                ..EditFile::default()
            };
            edits.spawn(async move { workspace.edit_file(edit).await.map(drop) });
        }
        edits.join_all().await.into_iter().for_each(|done| done.unwrap());
        assert_eq!(workspace.read_file("f").await.unwrap().content, "     1\tA B C D E F G H");
    }
}

#[test]
fn pipes_hold_nobody_up() {
    // Four threads for all that waits: were one call stuck on a pipe, the others would soon wait for it.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(4)
        .enable_all()
        .build()
        .unwrap();
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("plain"), "text\n").unwrap();
    for number in 0..8 {
        pipe(&dir.path().join(format!("pipe{number}")));
    }
    let shell = ShellPolicy { allow: Some(vec!["cat".into()]), ..ShellPolicy::default() };
    let workspace = Workspace::open(Policy { shell: Some(shell), ..Policy::new(dir.path()) }).unwrap();
    runtime.block_on(async {
        let waiting = commands_on_pipes(&workspace);
        assert_eq!(timeout(PATIENCE, calls_on_pipes(&workspace)).await, Ok(24), "calls on pipes");
        assert_eq!(timeout(PATIENCE, reads(&workspace)).await, Ok(32), "plain reads");
        assert!(waiting.iter().all(|(_, run)| !run.is_finished()), "`cat` of a pipe waits for a writer");
        for (cancel, run) in waiting {
            cancel.cancel.cancel();
            assert!(timeout(PATIENCE, run).await.unwrap().unwrap().unwrap().cancelled);
        }
    });
}

fn pipe(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
}

type Running = (Context, JoinHandle<Result<pinfold::RunResult, Failure>>);

/// Commands may well wait for a pipe: they do not wait in here.
fn commands_on_pipes(workspace: &Workspace) -> Vec<Running> {
    let run = |number: u32| {
        let (workspace, context) = (workspace.clone(), Context::default());
        let own = context.clone();
        (context, tokio::spawn(async move { workspace.exec(format!("/bin/cat pipe{number}"), own).await }))
    };
    (0..8).map(run).collect()
}

/// Reads, edits and writes of pipes; how many were refused as what they are.
async fn calls_on_pipes(workspace: &Workspace) -> usize {
    let mut calls = JoinSet::new();
    for number in 0..8 {
        let path = format!("pipe{number}");
        for (tool, arguments) in [
            ("read_file", json!({"path": path})),
            ("write_file", json!({"path": path, "content": "x"})),
            ("edit_file", json!({"path": path, "oldString": "x", "newString": "y"})),
        ] {
            let workspace = workspace.clone();
            calls.spawn(async move { workspace.call(tool, arguments, Context::default()).await });
        }
    }
    let done = calls.join_all().await;
    done.iter()
        .filter(|one| one.as_ref().is_err_and(|no| no.failure_type() == FailureType::SpecialFile))
        .count()
}

async fn reads(workspace: &Workspace) -> usize {
    let mut reads = JoinSet::new();
    for _ in 0..32 {
        let workspace = workspace.clone();
        reads.spawn(async move { workspace.read_file("plain").await.unwrap().content });
    }
    reads.join_all().await.iter().filter(|content| *content == "     1\ttext\n").count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn parallel_writes_of_one_file_never_mix() {
    let dir = TempDir::new().unwrap();
    for workspace in [local(&dir), memory()] {
        let contents: Vec<String> = (0..8).map(|n| format!("{n}").repeat(100_000 + n)).collect();
        let hashes: Vec<String> = contents.iter().map(|content| sha256(content.as_bytes())).collect();
        workspace.write_file("f", contents[0].clone()).await.unwrap();
        let mut writers = JoinSet::new();
        for content in contents {
            let workspace = workspace.clone();
            writers.spawn(async move {
                for _ in 0..4 {
                    workspace.write_file("f", content.clone()).await.unwrap();
                }
            });
        }
        while !writers.is_empty() {
            let read = workspace.read_file("f").await.unwrap();
            assert!(hashes.contains(&read.hash), "a mixture of {} bytes", read.total_bytes);
            while writers.try_join_next().is_some_and(|done| done.is_ok()) {}
        }
        assert!(hashes.contains(&workspace.read_file("f").await.unwrap().hash));
    }
    let names: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["f"], "a temporary file is left");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_call_is_made_whole_or_not_at_all() {
    let dir = TempDir::new().unwrap();
    let workspace = local(&dir);
    workspace.write_file("f", "old").await.unwrap();
    for micros in (0..3000).step_by(100) {
        timeout(Duration::from_micros(micros), workspace.write_file("f", "new")).await.ok();
        // The turn of the next call comes after the one that was dropped.
        let edit = EditFile {
            path: "f".into(),
            old_string: "w".into(),
            new_string: "w".into(),
            ..EditFile::default()
        };
        workspace.edit_file(edit).await.unwrap_err();
        let content = fs::read_to_string(dir.path().join("f")).unwrap();
        assert!(content == "old" || content == "new", "{content:?}");
    }
    // A call that was dropped may still be at work: it ends, and leaves nothing.
    let names = || fs::read_dir(dir.path()).unwrap().count();
    for _ in 0..1000 {
        if names() == 1 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{} names, one file", names());
}

type Change = fn(Workspace) -> Pin<Box<dyn Future<Output = Result<(), Failure>>>>;

/// Each makes `new` of `old`, or the other way round.
const CHANGES: [Change; 3] = [
    |workspace| Box::pin(async move { workspace.write_file("f", turned(&workspace)).await.map(drop) }),
    |workspace| {
        Box::pin(async move {
            let (old_string, new_string) = (content(&workspace), turned(&workspace));
            let edit = EditFile { path: "f".into(), old_string, new_string, ..EditFile::default() };
            workspace.edit_file(edit).await.map(drop)
        })
    },
    |workspace| {
        Box::pin(async move {
            let (old_string, new_string) = (content(&workspace), turned(&workspace));
            let edits = vec![Edit { old_string, new_string, ..Edit::default() }];
            workspace.multi_edit(MultiEdit { path: "f".into(), edits, expect_hash: None }).await.map(drop)
        })
    },
];

fn content(workspace: &Workspace) -> String {
    fs::read_to_string(workspace.root().join("f")).unwrap()
}

fn turned(workspace: &Workspace) -> String {
    if content(workspace) == "old" { "new".into() } else { "old".into() }
}

/// Polls `future` at most `polls` times, a little apart, and drops it. None: it was not ready by then.
fn poll_and_drop<T>(future: impl Future<Output = T>, polls: usize, apart: Duration) -> Option<T> {
    let mut future = pin!(future);
    let mut context = std::task::Context::from_waker(Waker::noop());
    for _ in 0..polls {
        if let Poll::Ready(done) = future.as_mut().poll(&mut context) {
            return Some(done);
        }
        let began = Instant::now();
        while began.elapsed() < apart {
            thread::yield_now();
        }
    }
    None
}

/// Without a waker, so the test alone says when the call goes on, and after how many polls it is dropped.
#[test]
fn a_call_can_be_dropped_after_any_poll() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let dir = TempDir::new().unwrap();
    let workspace = local(&dir);
    fs::write(dir.path().join("f"), "old").unwrap();
    let (mut dropped, mut finished) = (0, 0);
    for round in 0..1000 {
        let (change, polls) = (CHANGES[round % 3], round / 3 % 24);
        let apart = Duration::from_micros([0, 20, 200, 1000][round / 72 % 4]);
        let done = {
            let _inside = runtime.enter();
            poll_and_drop(change(workspace.clone()), polls, apart)
        };
        match done {
            Some(Ok(())) => finished += 1,
            // One that was dropped before was still to come, and turned the content in between.
            Some(Err(no)) => {
                let late = [FailureType::EditNotFound, FailureType::StaleHash];
                assert!(late.contains(&no.failure_type()), "{no:?}");
            }
            None => dropped += 1,
        }
        let now = content(&workspace);
        assert!(now == "old" || now == "new", "{now:?} in round {round}");
        // Whoever comes next gets its turn, and finds the file whole.
        let next = runtime.block_on(async { timeout(PATIENCE, workspace.write_file("f", "old")).await });
        assert!(next.is_ok_and(|next| next.is_ok()), "the turn was never given back in round {round}");
    }
    assert!(dropped > 200 && finished > 50, "{dropped} dropped, {finished} finished: neither is rare");
    // What was dropped may still be at work: it ends with the runtime.
    runtime.shutdown_timeout(PATIENCE);
    let names: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["f"], "something is left");
}
