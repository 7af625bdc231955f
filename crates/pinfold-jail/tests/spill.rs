//! The folder for long output: names, bounds, and what it never touches.

#![allow(clippy::disallowed_methods, reason = "the test looks at the folder from outside")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

use std::{
    fs,
    io::Write,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use pinfold_jail::spill::{Bounds, SpillFolder};
use tempfile::TempDir;

const BOUNDS: Bounds = Bounds { bytes: 100, file_bytes: 60, age: Duration::from_secs(3_600) };

fn keep(folder: &SpillFolder, text: &str) -> PathBuf {
    let mut file = folder.begin().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file.keep("run_shell-stdout").unwrap()
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn age(path: &Path, seconds: u64) {
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
}

#[test]
fn the_same_output_has_the_same_name() {
    let top = TempDir::new().unwrap();
    let dir = top.path().join("state/spill");
    let folder = SpillFolder::open(&dir, BOUNDS).unwrap();
    assert_eq!(fs::metadata(&dir).unwrap().permissions().mode() & 0o777, 0o700);
    let (one, again, other) = (keep(&folder, "one"), keep(&folder, "one"), keep(&folder, "two"));
    assert_eq!(one, again);
    assert_ne!(one, other);
    // SHA-256 of "one" begins so.
    assert_eq!(one, dir.join("run_shell-stdout-7692c3ad3540bb80.txt"));
    assert_eq!(fs::read_to_string(&one).unwrap(), "one");
    assert_eq!(fs::metadata(&one).unwrap().permissions().mode() & 0o777, 0o600);
    drop(folder.begin().unwrap());
    assert_eq!(names(&dir).len(), 2, "what is given up leaves nothing");
}

#[test]
fn a_file_and_the_folder_are_bounded() {
    let top = TempDir::new().unwrap();
    let folder = SpillFolder::open(top.path(), BOUNDS).unwrap();
    let long = keep(&folder, &"x".repeat(1_000));
    assert_eq!(fs::metadata(&long).unwrap().len(), 60);
    age(&long, 30);
    let next = keep(&folder, &"y".repeat(50));
    assert!(next.exists() && !long.exists(), "the oldest goes");
    age(&next, 3_700);
    SpillFolder::open(top.path(), BOUNDS).unwrap();
    assert!(!next.exists(), "it was too old");
}

#[test]
fn what_is_not_ours_stays_and_links_are_not_followed() {
    let top = TempDir::new().unwrap();
    let outside = TempDir::new().unwrap();
    let precious = outside.path().join("precious");
    fs::write(&precious, "x").unwrap();
    age(&precious, 10_000);
    let strange =
        ["notes.txt", "run_shell-stdout.txt", "a-0123456789abcdeg.txt"].map(|name| top.path().join(name));
    for path in &strange {
        fs::write(path, "z".repeat(200)).unwrap();
        age(path, 10_000);
    }
    let linked = top.path().join("a-0123456789abcdef.txt");
    symlink(&precious, &linked).unwrap();
    symlink(&precious, top.path().join(format!(".pinfold-spill-{}-0.tmp", std::process::id()))).unwrap();
    let folder = SpillFolder::open(top.path(), BOUNDS).unwrap();
    keep(&folder, "one");
    assert!(strange.iter().all(|path| path.exists()) && linked.exists());
    assert_eq!(fs::read_to_string(&precious).unwrap(), "x");
}
