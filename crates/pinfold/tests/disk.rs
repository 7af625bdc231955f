//! A full disk, a used up quota, a disk mounted read-only, a permission that was lost, and each system call failing:
//! typed errors, the old content intact, nothing left behind.

#![allow(
    clippy::disallowed_methods,
    reason = "the test starts processes, and looks at the files past the jail"
)]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test panics when it fails")]

use std::{
    env, fs,
    future::Future,
    path::{Path, PathBuf},
    pin::pin,
    process::{Command, Output},
    task::{Context, Poll, Waker},
    thread,
};

use pinfold::{
    Failure, FailureType, Policy, Workspace,
    tools::{Edit, EditFile, MultiEdit},
};
use rustix::io::Errno;
use tempfile::TempDir;
use testkit::crash::{self, Attempt};
use tokio::runtime::{Builder, Runtime};

const PLACE: &str = "PINFOLD_TEST_DISK";
const OLD: &str = "old content\n";

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    runtime().block_on(work)
}

/// Asks again and again: a runtime that sleeps is woken by a system call, and would sleep on when that fails.
fn poll<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(done) = work.as_mut().poll(&mut context) {
            return done;
        }
        thread::yield_now();
    }
}

/// Runs `work` as the deed of an actor; what it comes to is told outside of the workspace.
fn act<T, F: Future<Output = Result<T, Failure>>>(work: impl FnOnce(Workspace) -> F) {
    let Some(stage) = crash::stage() else { return };
    let (runtime, workspace) = (runtime(), Workspace::open(Policy::new(stage.join("w"))).unwrap());
    let _inside = runtime.enter();
    let done = crash::act(|| poll(work(workspace)).map(drop));
    let told = done.map_or_else(|no| format!("{:?}", no.failure_type()), |()| "done".into());
    fs::write(stage.join("told"), told).unwrap();
}

fn edit(new: &str) -> EditFile {
    EditFile {
        path: "f".into(),
        old_string: "old content".into(),
        new_string: new.into(),
        ..EditFile::default()
    }
}

/// Every way to change something, each with this much text.
async fn changes(workspace: &Workspace, bytes: usize) -> Vec<(&'static str, Result<(), Failure>)> {
    let text = "x".repeat(bytes);
    let single = Edit { old_string: "old content".into(), new_string: text.clone(), ..Edit::default() };
    let several = MultiEdit { path: "f".into(), edits: vec![single], expect_hash: None };
    vec![
        ("write", workspace.write_file("f", text.clone()).await.map(drop)),
        ("write anew", workspace.write_file("new/deep/f", text.clone()).await.map(drop)),
        ("edit", workspace.edit_file(edit(&text)).await.map(drop)),
        ("multi_edit", workspace.multi_edit(several).await.map(drop)),
    ]
}

/// Each change is refused as `expected`, and afterwards everything is as before.
fn assert_refused(dir: &Path, bytes: usize, expected: FailureType) {
    let before = photo(dir);
    let workspace = Workspace::open(Policy::new(dir)).unwrap();
    for (what, done) in block_on(changes(&workspace, bytes)) {
        let no = done.expect_err(what);
        assert_eq!(no.failure_type(), expected, "{what}: {no:?}");
        assert!(no.advice().is_some(), "{what}: {no:?}");
    }
    assert_eq!(photo(dir), before);
}

/// Every name below `dir`, with its content.
fn photo(dir: &Path) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    let mut seen = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        seen.push((path.clone(), fs::read(&path).ok()));
        if path.is_dir() {
            seen.extend(photo(&path));
        }
    }
    seen.sort();
    seen
}

/// Runs the test `child` in a process of its own with its own mounts: `script` makes `$1` what it has to be.
fn on_a_disk(script: &str, child: &str) -> Option<Output> {
    let dir = TempDir::new().unwrap();
    let made = Command::new("unshare")
        .args(["--mount", "--propagation", "private"])
        .args(if rustix::process::geteuid().is_root() { &[][..] } else { &["--map-root-user"] })
        .args(["sh", "-euc", &format!("{script}\nexec $RUN \"$0\" --exact {child}")])
        .arg(env::current_exe().unwrap())
        .arg(dir.path())
        .env("RUN", "")
        .env(PLACE, dir.path())
        .output();
    testkit::need("unshare (util-linux)", made.ok())
}

/// `mount` is asked first, alone, so that a machine without the right to is told from a failure.
fn assert_on_a_disk(mount: &str, then: &str, child: &str) {
    let Some(tried) = on_a_disk(mount, "no_such_test") else { return };
    let may = testkit::need(&format!("the right to `{mount}`"), tried.status.success().then_some(()));
    let Some(()) = may else { return };
    let Some(ran) = on_a_disk(&format!("{mount}\n{then}"), child) else { return };
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success() && said.contains("1 passed"), "{ran:?}");
}

fn place() -> Option<PathBuf> {
    env::var_os(PLACE).map(PathBuf::from)
}

#[test]
fn child_on_a_full_disk() {
    let Some(dir) = place() else { return };
    fs::write(dir.join("f"), OLD).unwrap();
    assert_refused(&dir, 100_000, FailureType::NoSpace);
    // What fits still does.
    let workspace = Workspace::open(Policy::new(&dir)).unwrap();
    block_on(workspace.edit_file(edit("new content"))).unwrap();
}

#[test]
fn a_full_disk() {
    assert_on_a_disk("mount -t tmpfs -o size=64k none \"$1\"", "", "child_on_a_full_disk");
}

#[test]
fn child_without_inodes() {
    let Some(dir) = place() else { return };
    fs::write(dir.join("f"), OLD).unwrap();
    while fs::write(dir.join(format!("filler{}", fs::read_dir(&dir).unwrap().count())), "").is_ok() {}
    assert_refused(&dir, 10, FailureType::NoSpace);
}

#[test]
fn a_disk_without_room_for_names() {
    assert_on_a_disk("mount -t tmpfs -o nr_inodes=8 none \"$1\"", "", "child_without_inodes");
}

#[test]
fn a_real_disk_that_is_full() {
    let image = "truncate -s 1M \"$1/image\"; mkfs.ext4 -q -O ^has_journal \"$1/image\"; \
                 mkdir \"$1/m\"; mount -o loop \"$1/image\" \"$1/m\"";
    assert_on_a_disk(image, "export PINFOLD_TEST_DISK=\"$1/m\"", "child_on_a_full_real_disk");
}

#[test]
fn child_on_a_full_real_disk() {
    let Some(dir) = place() else { return };
    fs::write(dir.join("f"), OLD).unwrap();
    assert_refused(&dir, 2_000_000, FailureType::NoSpace);
}

#[test]
fn child_on_a_disk_for_reading() {
    let Some(dir) = place() else { return };
    assert_refused(&dir, 10, FailureType::ReadOnlyFs);
}

#[test]
fn a_disk_mounted_read_only() {
    let then = "printf 'old content\\n' >\"$1/f\"; mount -o remount,bind,ro \"$1\"";
    assert_on_a_disk("mount -t tmpfs none \"$1\"", then, "child_on_a_disk_for_reading");
}

#[test]
fn child_beyond_its_quota() {
    let Some(dir) = place() else { return };
    fs::write(dir.join("f"), OLD).unwrap();
    assert_refused(&dir, 100_000, FailureType::NoSpace);
}

#[test]
fn a_quota_that_is_used_up() {
    let mount = "mount -t tmpfs -o usrquota,usrquota_block_hardlimit=64k none \"$1\"; setpriv --reuid 65534 --regid 65534 --clear-groups true";
    let then = "chmod 777 \"$1\"; RUN='setpriv --reuid 65534 --regid 65534 --clear-groups'";
    assert_on_a_disk(mount, then, "child_beyond_its_quota");
}

#[test]
fn child_without_permission() {
    let Some(dir) = place() else { return };
    use std::os::unix::fs::PermissionsExt;
    fs::write(dir.join("f"), OLD).unwrap();
    fs::create_dir(dir.join("new")).unwrap();
    // Taken away while the workspace is open, between looking and writing.
    let workspace = Workspace::open(Policy::new(&dir)).unwrap();
    block_on(workspace.read_file("f")).unwrap();
    fs::set_permissions(dir.join("new"), fs::Permissions::from_mode(0o555)).unwrap();
    fs::set_permissions(&dir, fs::Permissions::from_mode(0o555)).unwrap();
    assert_refused(&dir, 10, FailureType::PermissionDenied);
}

#[test]
fn a_permission_that_was_lost() {
    let then = "mkdir \"$1/d\"; chown 65534:65534 \"$1/d\"; export PINFOLD_TEST_DISK=\"$1/d\"; RUN='setpriv --reuid 65534 --regid 65534 --clear-groups'";
    let mount = "mount -t tmpfs none \"$1\"; setpriv --reuid 65534 --regid 65534 --clear-groups true";
    assert_on_a_disk(mount, then, "child_without_permission");
}

#[test]
fn actor_writes() {
    act(|workspace| async move { workspace.write_file("f", "new content\n").await });
}

#[test]
fn actor_makes() {
    act(|workspace| async move { workspace.write_file("new/deep/f", "new content\n").await });
}

#[test]
fn actor_edits() {
    act(|workspace| async move { workspace.edit_file(edit("new content")).await });
}

fn set(stage: &Path) {
    fs::create_dir(stage.join("w")).unwrap();
    fs::write(stage.join("w/f"), OLD).unwrap();
}

/// What was told is what is there; and whatever is left, the next start takes it away.
fn look(stage: &Path, file: &str, attempt: &Attempt, refused: &mut Vec<String>) {
    let told = fs::read_to_string(stage.join("told")).unwrap();
    let (dir, old) = (stage.join("w"), if file == "f" { OLD } else { "" });
    let now = fs::read_to_string(dir.join(file)).unwrap_or_default();
    let wanted = if told == "done" { "new content\n" } else { old };
    assert_eq!(now, wanted, "told {told} after {attempt}");
    Workspace::open(Policy::new(&dir)).unwrap();
    let left = photo(&dir).into_iter().filter(|(path, _)| path.to_string_lossy().contains("pinfold-"));
    assert_eq!(left.count(), 0, "told {told} after {attempt}: {:?}", photo(&dir));
    if told != "done" {
        refused.push(format!("{} {told}", attempt.calls.last().unwrap().name()));
    }
}

#[test]
fn each_call_may_fail() {
    for (error, said) in [(Errno::DQUOT, "NoSpace"), (Errno::IO, "IoOther"), (Errno::ROFS, "ReadOnlyFs")] {
        for (actor, file) in [("actor_writes", "f"), ("actor_makes", "new/deep/f"), ("actor_edits", "f")] {
            let mut refused = Vec::new();
            let look = |stage: &Path, attempt: &Attempt| look(stage, file, attempt, &mut refused);
            let Some(_) = crash::fail_everywhere(actor, error.raw_os_error(), set, look) else { return };
            for call in ["openat", "write", "fsync"] {
                let wanted = format!("{call} {said}");
                assert!(refused.contains(&wanted), "{actor}, {error}: no {wanted} in {refused:?}");
            }
        }
    }
}
