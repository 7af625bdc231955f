//! Many writers on one file, in one process and in two: one success per hash, and no edit is lost.
//!
//! `PINFOLD_EDITS` says how many edits have to succeed; without it a few hundred do.

#![allow(
    clippy::disallowed_methods,
    reason = "the test starts processes, and looks at the files past the jail"
)]
#![allow(clippy::unwrap_used, reason = "a test panics when it fails")]
#![allow(clippy::print_stdout, reason = "it says how often writers met")]

use std::{
    collections::HashMap,
    env, fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use pinfold::{
    Failure, FailureType, Policy, Workspace,
    tools::{Edit, EditFile, MultiEdit, WriteFile},
};
use tempfile::TempDir;
use tokio::task::JoinSet;

const WRITERS: usize = 16;
const PLACE: &str = "PINFOLD_TEST_WRITERS";

fn wanted() -> usize {
    env::var("PINFOLD_EDITS").ok().map_or(300, |text| text.parse().unwrap())
}

/// What one writer did: the hashes that its edits were pinned to, and how often it came too late.
#[derive(Debug, Default)]
struct Done {
    pinned: Vec<String>,
    late: usize,
}

/// The file when it is at `number`. No one of them holds another.
fn text(number: usize) -> String {
    format!("[{number}]")
}

/// Counts the number in `f` up by one, again and again, until it is at `last`. Each edit is pinned to what was read, by
/// its hash or by its text, and each of the ways to change a file takes its turn.
async fn count(workspace: Workspace, own: usize, last: usize) -> Done {
    let mut done = Done::default();
    loop {
        let read = workspace.read_file("f").await.unwrap();
        let number: usize = read.content.split(['[', ']']).nth(1).unwrap().parse().unwrap();
        if number >= last {
            return done;
        }
        match step(&workspace, own + done.late, number, &read.hash).await {
            Ok(()) => done.pinned.push(read.hash),
            Err(no) => {
                let late = [FailureType::StaleHash, FailureType::EditNotFound];
                assert!(late.contains(&no.failure_type()), "{no:?}");
                done.late += 1;
            }
        }
    }
}

async fn step(workspace: &Workspace, way: usize, number: usize, hash: &str) -> Result<(), Failure> {
    let (old, new, hash) = (text(number), text(number + 1), Some(hash.to_owned()));
    let path = PathBuf::from("f");
    match way % 4 {
        pinned @ (0 | 3) => {
            let expect_hash = hash.filter(|_| pinned == 0);
            let edit =
                EditFile { path, old_string: old, new_string: new, expect_hash, ..EditFile::default() };
            workspace.edit_file(edit).await.map(drop)
        }
        1 => {
            let edits = vec![Edit { old_string: old, new_string: new, ..Edit::default() }];
            workspace.multi_edit(MultiEdit { path, edits, expect_hash: hash }).await.map(drop)
        }
        _ => {
            let write = WriteFile { path, content: new, expect_hash: hash, ..WriteFile::default() };
            workspace.write(write).await.map(drop)
        }
    }
}

/// All writers of one process.
fn count_together(dir: &Path, last: usize) -> Vec<Done> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    runtime.block_on(async {
        let workspace = Workspace::open(Policy::new(dir)).unwrap();
        let mut writers = JoinSet::new();
        for own in 0..WRITERS {
            writers.spawn(count(workspace.clone(), own, last));
        }
        writers.join_all().await
    })
}

/// Every success was pinned to another hash, and every one is in the number at the end.
fn assert_nothing_lost(dir: &Path, last: usize, all: &[Done]) {
    let mut pinned = HashMap::new();
    for hash in all.iter().flat_map(|done| &done.pinned) {
        *pinned.entry(hash).or_insert(0) += 1;
    }
    assert!(pinned.values().all(|times| *times == 1), "two edits pinned to one hash both succeeded");
    let number = fs::read_to_string(dir.join("f")).unwrap();
    assert_eq!((pinned.len(), number), (last, text(last)));
    let names: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["f"]);
    let late: usize = all.iter().map(|done| done.late).sum();
    println!("writers: {last} edits by {} writers, {late} came too late and were refused", all.len());
}

#[test]
fn sixteen_writers_in_one_process() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("f"), text(0)).unwrap();
    let all = count_together(dir.path(), wanted());
    assert_nothing_lost(dir.path(), wanted(), &all);
}

/// Runs in a process of its own: see the test below.
#[test]
fn child_that_counts() {
    let Some(place) = env::var_os(PLACE).map(PathBuf::from) else { return };
    let all = count_together(&place.join("w"), wanted());
    let lines = all.iter().map(|done| format!("{} {}\n", done.late, done.pinned.join(" ")));
    fs::write(place.join(std::process::id().to_string()), lines.collect::<String>()).unwrap();
}

fn child(place: &Path, last: usize) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "child_that_counts"])
        .env(PLACE, place)
        .env("PINFOLD_EDITS", last.to_string())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn sixteen_writers_in_each_of_two_processes() {
    let top = TempDir::new().unwrap();
    let dir = top.path().join("w");
    fs::create_dir(&dir).unwrap();
    fs::write(dir.join("f"), text(0)).unwrap();
    let children = [child(top.path(), wanted()), child(top.path(), wanted())];
    let mut all = Vec::new();
    for mut child in children {
        let id = child.id();
        assert!(child.wait().unwrap().success());
        let text = fs::read_to_string(top.path().join(id.to_string())).unwrap();
        let own: Vec<Done> = text.lines().map(read_done).collect();
        let made: usize = own.iter().map(|done| done.pinned.len()).sum();
        println!("writers: one process made {made}");
        all.extend(own);
    }
    assert_nothing_lost(&dir, wanted(), &all);
}

fn read_done(line: &str) -> Done {
    let mut words = line.split_whitespace();
    let late = words.next().unwrap().parse().unwrap();
    Done { late, pinned: words.map(str::to_owned).collect() }
}

/// One process is killed somewhere, again and again: the other finds the file whole and its locks free, and what was left
/// goes with the next start.
#[test]
fn a_killed_process_holds_up_no_other() {
    for round in 0..10 {
        let top = TempDir::new().unwrap();
        let dir = top.path().join("w");
        fs::create_dir(&dir).unwrap();
        fs::write(dir.join("f"), text(0)).unwrap();
        let (mut killed, mut other) = (child(top.path(), 300), child(top.path(), 300));
        while fs::read_to_string(dir.join("f")).unwrap() == text(0) {
            thread::yield_now();
        }
        thread::sleep(Duration::from_millis(round * 3));
        killed.kill().unwrap();
        killed.wait().unwrap();
        assert!(other.wait().unwrap().success());
        Workspace::open(Policy::new(&dir)).unwrap();
        let names: Vec<_> = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!((names, fs::read_to_string(dir.join("f")).unwrap()), (vec!["f".into()], text(300)));
    }
}
