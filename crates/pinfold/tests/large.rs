//! Edits that find their text very often: counted, bounded, refused with advice.

#![allow(clippy::disallowed_methods, reason = "the test starts a process, and looks at its memory")]
#![allow(clippy::unwrap_used, reason = "a test panics when it fails")]

use std::{env, fs, process::Command};

use pinfold::{FailureType, Memory, Policy, Workspace, tools::EditFile};
use tempfile::TempDir;

const PLACE: &str = "PINFOLD_TEST_LARGE";
const MIB: usize = 1 << 20;

fn edit(replace_all: Option<bool>) -> EditFile {
    let (old_string, new_string) = ("a".into(), "b".into());
    EditFile { path: "f".into(), old_string, new_string, replace_all, ..EditFile::default() }
}

#[tokio::test]
async fn more_places_than_one_edit_replaces_are_counted_and_refused() {
    let workspace = Workspace::in_memory(Policy::new("/w"), Memory::new()).unwrap();
    let text = "a".repeat(1_000_001);
    workspace.write_file("f", text.clone()).await.unwrap();
    let no = workspace.edit_file(edit(None)).await.unwrap_err();
    assert!(no.message().contains("occurs 1000001 times"), "{no:?}");
    let no = workspace.edit_file(edit(Some(true))).await.unwrap_err();
    assert_eq!(no.failure_type(), FailureType::TooLarge, "{no:?}");
    assert!(no.message().contains("1000001 times") && no.advice().is_some(), "{no:?}");
    workspace.write_file("f", text[1..].to_owned()).await.unwrap();
    assert_eq!(workspace.edit_file(edit(Some(true))).await.unwrap().replacements, 1_000_000);
}

/// Runs in a process of its own, whose memory is looked at: see the test below.
#[tokio::test]
async fn child_that_edits_a_large_file() {
    let Some(place) = env::var_os(PLACE) else { return };
    let workspace = Workspace::open(Policy::new(place)).unwrap();
    for replace_all in [None, Some(true)] {
        workspace.edit_file(edit(replace_all)).await.unwrap_err();
    }
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: usize = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak * 1024 < 150 * MIB, "{peak} kB at most");
}

/// 32 million places would need half a gigabyte if each were kept.
#[test]
fn what_is_not_unique_takes_little_more_memory_than_the_file() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("f"), "a".repeat(32 * MIB)).unwrap();
    let ran = Command::new(env::current_exe().unwrap())
        .args(["--exact", "child_that_edits_a_large_file"])
        .env(PLACE, dir.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success() && said.contains("1 passed"), "{ran:?}");
}
