//! The process is killed at each system call of a write and of a multi_edit: all of the old content is there or all of
//! the new.

#![allow(clippy::disallowed_methods, reason = "the test makes the files, and looks at them past the jail")]
#![allow(clippy::unwrap_used, reason = "a test panics when it fails")]
#![allow(clippy::print_stdout, reason = "PINFOLD_SHOW_CALLS asks for the system calls that were made")]

use std::{fs, future::Future, path::Path};

use pinfold::{
    Policy, Workspace,
    tools::{Edit, EditFiles, FileEdits, ListDir, MultiEdit},
};
use testkit::crash::{self, Attempt, SystemCall};

/// What an actor does with its workspace, as a whole call of the house.
fn act<F: Future<Output = Result<T, pinfold::Failure>>, T>(call: impl FnOnce(Workspace) -> F) {
    let Some(stage) = crash::stage() else { return };
    let workspace = Workspace::open(Policy::new(&stage)).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    crash::act(|| runtime.block_on(call(workspace)).map(drop)).unwrap();
}

#[test]
fn actor_writes() {
    act(|workspace| async move { workspace.write_file("d/f", new()).await });
}

#[test]
fn actor_makes() {
    act(|workspace| async move { workspace.write_file("d/x/y/f", new()).await });
}

#[test]
fn actor_edits() {
    let edit =
        |old: &str, new: &str| Edit { old_string: old.into(), new_string: new.into(), ..Edit::default() };
    let edits = vec![edit("old 1\n", "new 1\n"), edit("old 2\n", "new 2\n")];
    act(|workspace| async move {
        workspace.multi_edit(MultiEdit { path: "d/f".into(), edits, expect_hash: None }).await
    });
}

/// One file is changed, one made in new directories, one removed, and one changed and moved.
#[test]
fn actor_patches() {
    act(|workspace| async move { workspace.apply_patch(PATCH).await });
}

#[test]
fn actor_edits_three_files() {
    let file = |path: &str| FileEdits {
        path: path.into(),
        edits: vec![Edit { old_string: "old 1\n".into(), new_string: "new 1\n".into(), ..Edit::default() }],
        expect_hash: None,
    };
    let files = ["d/f", "d/g", "e/h"].map(file).into();
    act(|workspace| async move { workspace.edit_files(EditFiles { files }).await });
}

/// In a part of the workspace: the next start is one of the whole.
#[test]
fn actor_edits_in_a_scope() {
    act(|workspace| async move {
        let edit = pinfold::tools::EditFile {
            path: "f".into(),
            old_string: "old".into(),
            new_string: "new".into(),
            replace_all: Some(true),
            ..Default::default()
        };
        workspace.scope("d").unwrap().edit_file(edit).await
    });
}

const PATCH: &str = "*** Begin Patch\n*** Update File: d/f\n@@\n-old 1\n+new 1\n*** Add File: x/y/made\n+made\n\
    *** Delete File: d/g\n*** Update File: e/h\n*** Move to: e/i\n@@\n-old 1\n+new 1\n*** End Patch\n";

fn old() -> String {
    (1..3).map(|at| format!("old {at}\n")).collect()
}

fn new() -> String {
    old().replace("old", "new")
}

fn set(stage: &Path) {
    fs::create_dir(stage.join("d")).unwrap();
    fs::write(stage.join("d/f"), old()).unwrap();
}

fn look(stage: &Path, file: &str, attempt: &Attempt) {
    let now = fs::read_to_string(stage.join(file)).unwrap_or_default();
    let before = if file == "d/f" { old() } else { String::new() };
    assert!(now == before || now == new(), "{now:?} after {attempt}");
    // Nobody is shown what was left, and the next start takes it away.
    let left = leftovers(stage);
    let reader = Workspace::open(Policy { read_only: true, ..Policy::new(stage) }).unwrap();
    let seen = shown(&reader);
    assert!(!seen.contains("pinfold-"), "{seen} after {attempt}");
    assert_eq!(leftovers(stage), left, "a workspace that only reads changes nothing");
    let workspace = Workspace::open(Policy::new(stage)).unwrap();
    assert_eq!(leftovers(stage), [""; 0], "after {attempt}");
    let made = stage.join("d/x").exists();
    assert_eq!(made, file.starts_with("d/x") && !now.is_empty(), "directories after {attempt}");
    let again = fs::read_to_string(stage.join(file)).unwrap_or_default();
    assert_eq!(again, now, "swept after {attempt}");
    drop(workspace);
}

/// All that listing and searching tell.
fn shown(workspace: &Workspace) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let list = ListDir { depth: Some(5), ..ListDir::default() };
        let list = workspace.list_dir(list).await.unwrap();
        let (glob, grep) = (workspace.glob("**/*").await.unwrap(), workspace.grep("old|new").await.unwrap());
        assert!(!list.entries.is_empty() && !glob.paths.is_empty());
        format!("{list:?} {glob:?} {grep:?}")
    })
}

/// Everything below the stage that is ours and not the caller's.
fn leftovers(dir: &Path) -> Vec<String> {
    let mut left = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap().to_string_lossy().contains("pinfold-") {
            left.push(path.display().to_string());
        } else if path.is_dir() {
            left.extend(leftovers(&path));
        }
    }
    left.sort();
    left
}

/// Content is synced before it takes its place, and its place is synced after that.
fn assert_order(calls: &[SystemCall]) {
    let names: Vec<&str> = calls.iter().map(SystemCall::name).collect();
    let wanted = ["write", "fsync", "rename", "fsync"];
    let mut left = names.iter();
    let found = wanted.iter().all(|wanted| left.any(|name| name.starts_with(wanted)));
    assert!(found, "{wanted:?} are not in this order: {names:?}");
    // Before its content is synced no file changes its name.
    let before = names.iter().position(|name| *name == "fsync").unwrap();
    assert!(!names[..before].iter().any(|name| name.starts_with("rename")), "{names:?}");
    if std::env::var_os("PINFOLD_SHOW_CALLS").is_some() {
        println!("{}", names.join(" "));
    }
}

#[test]
fn a_killed_write_leaves_old_or_new() {
    let look = |stage: &Path, attempt: &Attempt| look(stage, "d/f", attempt);
    let Some(calls) = crash::kill_everywhere("actor_writes", set, look) else { return };
    assert_order(&calls);
}

#[test]
fn a_killed_first_write_leaves_nothing_or_new() {
    let look = |stage: &Path, attempt: &Attempt| look(stage, "d/x/y/f", attempt);
    let Some(calls) = crash::kill_everywhere("actor_makes", set, look) else { return };
    assert_order(&calls);
}

#[test]
fn a_killed_multi_edit_leaves_old_or_new() {
    let look = |stage: &Path, attempt: &Attempt| look(stage, "d/f", attempt);
    let Some(calls) = crash::kill_everywhere("actor_edits", set, look) else { return };
    assert_order(&calls);
}

fn set_three(stage: &Path) {
    for (dir, file) in [("d", "f"), ("d", "g"), ("e", "h")] {
        fs::create_dir_all(stage.join(dir)).unwrap();
        fs::write(stage.join(dir).join(file), old()).unwrap();
    }
}

/// What each of the files holds; none where none is.
fn contents(stage: &Path, files: &[&str]) -> Vec<Option<String>> {
    files.iter().map(|file| fs::read_to_string(stage.join(file)).ok()).collect()
}

/// The next start finds all old or makes it so, or finds all new; and nothing else is left.
fn look_at_all(stage: &Path, attempt: &Attempt, files: &[&str], after: &[Option<String>]) {
    let workspace = Workspace::open(Policy::new(stage)).unwrap();
    let now = contents(stage, files);
    let before: Vec<_> = files.iter().map(|file| ["d/f", "d/g", "e/h"].contains(file).then(old)).collect();
    assert!(now == before || now == after, "{now:?} after {attempt}");
    assert_eq!(leftovers(stage), [""; 0], "after {attempt}");
    assert_eq!(stage.join("x").exists(), now[0] == after[0] && files.contains(&"x/y/made"), "{attempt}");
    drop(workspace);
}

#[test]
fn a_killed_edit_of_three_files_leaves_all_old_or_all_new() {
    let new = || Some(old().replace("old 1", "new 1"));
    let look = |stage: &Path, attempt: &Attempt| {
        look_at_all(stage, attempt, &["d/f", "d/g", "e/h"], &[new(), new(), new()]);
    };
    let Some(calls) = crash::kill_everywhere("actor_edits_three_files", set_three, look) else { return };
    assert_order(&calls);
}

#[test]
fn a_killed_patch_leaves_all_old_or_all_new() {
    let new = || Some(old().replace("old 1", "new 1"));
    let after = [new(), None, None, new(), Some("made\n".to_owned())];
    let look = |stage: &Path, attempt: &Attempt| {
        look_at_all(stage, attempt, &["d/f", "d/g", "e/h", "e/i", "x/y/made"], &after);
    };
    let Some(calls) = crash::kill_everywhere("actor_patches", set_three, look) else { return };
    assert_order(&calls);
}

#[test]
fn a_killed_edit_in_a_scope_leaves_old_or_new() {
    let look = |stage: &Path, attempt: &Attempt| look(stage, "d/f", attempt);
    let Some(calls) = crash::kill_everywhere("actor_edits_in_a_scope", set, look) else { return };
    assert_order(&calls);
}
