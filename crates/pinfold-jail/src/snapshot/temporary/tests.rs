//! Taking an exchange back while others write: the steps of the race, one by one.

#![allow(clippy::disallowed_methods, reason = "a test looks at the files past the jail")]

use std::{fs, os::fd::OwnedFd, path::Path};

use super::Temporary;
use crate::{Access, ErrorKind, Root, snapshot::Stay};

/// A directory with the file `a`, holding "theirs", which our file has just changed places with.
fn exchanged(then: impl FnOnce(&Path)) -> (String, usize, bool) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a"), "theirs").unwrap();
    let held = OwnedFd::from(fs::File::open(dir.path()).unwrap());
    let root = Root::open(dir.path(), Access::ReadWrite).unwrap();
    let stay = Stay::begin(root.anchor(), None, &held);
    let ours = Temporary::write(&stay, b"ours", None).unwrap();
    if !ours.exchange(b"a").unwrap() {
        eprintln!("SKIPPED: this file system cannot exchange files");
        return (String::new(), 0, false);
    }
    then(dir.path());
    ours.put_back(b"a").unwrap();
    let text = fs::read_to_string(dir.path().join("a")).unwrap_or_default();
    (text, fs::read_dir(dir.path()).unwrap().count(), true)
}

#[test]
fn theirs_comes_back() {
    let (text, files, ran) = exchanged(|_| {});
    assert!(!ran || (text, files) == ("theirs".into(), 1));
}

#[test]
fn what_is_newest_stays() {
    let (text, files, ran) = exchanged(|dir| {
        fs::write(dir.join("b"), "newer").unwrap();
        fs::rename(dir.join("b"), dir.join("a")).unwrap();
    });
    assert!(!ran || (&*text, files) == ("newer", 1), "{text:?}, {files} files");
}

#[test]
fn what_was_removed_stays_so() {
    let (text, files, ran) = exchanged(|dir| fs::remove_file(dir.join("a")).unwrap());
    assert!(!ran || (text, files) == (String::new(), 0));
}

#[test]
fn nothing_takes_the_place_of_something() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a"), "theirs").unwrap();
    let held = OwnedFd::from(fs::File::open(dir.path()).unwrap());
    let root = Root::open(dir.path(), Access::ReadWrite).unwrap();
    let stay = Stay::begin(root.anchor(), None, &held);
    let refused = Temporary::write(&stay, b"ours", None).unwrap().appear(b"a").unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Stale);
    Temporary::write(&stay, b"ours", None).unwrap().appear(b"b").unwrap();
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
}
