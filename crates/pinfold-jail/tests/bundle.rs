//! Several files that change together: all of them or none, also when the process is killed at any of its system calls.

#![allow(clippy::disallowed_methods, reason = "a test makes the trees, and looks at them past the jail")]
#![allow(clippy::unwrap_used, reason = "a test panics when it fails")]

#[path = "support/world.rs"]
#[allow(dead_code, reason = "each test file uses a part of it")]
mod world;

use std::{fs, path::Path};

use pinfold_jail::{
    Access, ErrorKind, Jail, JailError, JailedPath, Receipt, Resolver, Root,
    snapshot::bundle::{Broken, Ledger, Part},
};
use rustix::io::Errno;
use testkit::crash::{self, Attempt};

use world::{World, find, find_itself};

const MAX: u64 = 1 << 20;

fn jail(top: &Path) -> Jail {
    Jail::new(Root::open(top, Access::ReadWrite).unwrap(), Resolver::Best)
}

fn replace(jail: &Jail, name: &str, text: &str) -> Part {
    Part::Write(find(jail, name).unwrap().snapshot(MAX).unwrap().draft(text.into()))
}

fn make(jail: &Jail, name: &str, text: &str) -> Part {
    Part::Write(find(jail, name).unwrap().glance().unwrap().draft(text.into()))
}

fn remove(jail: &Jail, name: &str) -> Part {
    Part::Remove(find(jail, name).unwrap().snapshot(MAX).unwrap().removal())
}

/// Two files are replaced, one is made where nothing is, one goes.
fn parts(jail: &Jail) -> Vec<Part> {
    vec![
        replace(jail, "a", "new a"),
        replace(jail, "d/b", "new b"),
        make(jail, "d/c", "new c"),
        remove(jail, "gone"),
    ]
}

fn commit(jail: &Jail, parts: &[Part]) -> Result<Vec<Option<Receipt>>, Broken> {
    Ledger::of(jail.home()).commit(parts)
}

const NAMES: [&str; 4] = ["a", "d/b", "d/c", "gone"];
const OLD: [Option<&str>; 4] = [Some("old a"), Some("old b"), None, Some("old")];
const NEW: [Option<&str>; 4] = [Some("new a"), Some("new b"), Some("new c"), None];

fn set(top: &Path) {
    fs::create_dir(top.join("d")).unwrap();
    for (name, text) in NAMES.iter().zip(OLD) {
        if let Some(text) = text {
            fs::write(top.join(name), text).unwrap();
        }
    }
}

fn content(top: &Path) -> [Option<String>; 4] {
    NAMES.map(|name| fs::read_to_string(top.join(name)).ok())
}

fn is(now: &[Option<String>; 4], wanted: [Option<&str>; 4]) -> bool {
    now.iter().map(Option::as_deref).eq(wanted)
}

/// As at a start: what was half done is undone, then what is left is swept.
fn restart(top: &Path) {
    let jail = jail(top);
    let mut admit = |place: &Path| -> Option<JailedPath> { find_itself(&jail, place.to_str().unwrap()).ok() };
    Ledger::of(jail.home()).recover(&mut admit).unwrap();
    jail.sweep(&|_| true);
}

fn leftovers(top: &Path) -> Vec<String> {
    let names = |dir: &Path| {
        let names = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.contains("pinfold-")).collect::<Vec<_>>()
    };
    [names(top), names(&top.join("d"))].concat()
}

#[test]
fn all_parts_are_made() {
    let dir = tempfile::tempdir().unwrap();
    set(dir.path());
    let jail = jail(dir.path());
    let receipts = commit(&jail, &parts(&jail)).unwrap();
    let created: Vec<_> = receipts.iter().map(|receipt| receipt.as_ref().map(Receipt::created)).collect();
    assert_eq!(created, [Some(false), Some(false), Some(true), None]);
    assert!(is(&content(dir.path()), NEW));
    assert_eq!(leftovers(dir.path()), [""; 0]);
}

#[test]
fn one_that_was_changed_stops_all() {
    type Meddle = fn(&Path);
    let meddlings: [(usize, Meddle); 4] = [
        (0, |top| fs::write(top.join("a"), "theirs").unwrap()),
        (1, |top| fs::remove_file(top.join("d/b")).unwrap()),
        (2, |top| fs::write(top.join("d/c"), "theirs").unwrap()),
        (3, |top| fs::write(top.join("gone"), "theirs").unwrap()),
    ];
    for (part, meddle) in meddlings {
        let dir = tempfile::tempdir().unwrap();
        set(dir.path());
        let jail = jail(dir.path());
        let parts = parts(&jail);
        meddle(dir.path());
        let before = content(dir.path());
        let broken = commit(&jail, &parts).unwrap_err();
        assert_eq!((broken.part, broken.error.kind()), (Some(part), ErrorKind::Stale));
        assert_eq!((content(dir.path()), leftovers(dir.path())), (before, vec![]));
    }
}

#[test]
fn a_part_in_a_root_for_reading_stops_all() {
    let world = World::new(&["jail/a=old", "extra/b=old"]);
    let mut jail = world.jail(Resolver::Best);
    jail.add(world.root("extra", Access::ReadOnly));
    let before = world.photo("");
    let parts = [replace(&jail, "a", "new"), replace(&jail, &world.fill("$/extra/b"), "new")];
    let broken = commit(&jail, &parts).unwrap_err();
    assert_eq!(broken, Broken { part: Some(1), error: JailError::from(ErrorKind::ReadOnlyRoot) });
    assert_eq!(world.photo(""), before);
}

#[test]
fn actor_changes_four_files() {
    let Some(top) = crash::stage() else { return };
    let jail = jail(&top);
    let parts = parts(&jail);
    // Whether it may fail is for those to say who disturb it.
    let done = crash::act(|| commit(&jail, &parts).is_ok());
    fs::write(top.join("told"), done.to_string()).unwrap();
}

#[test]
fn a_kill_leaves_all_old_or_all_new() {
    let (mut old, mut new) = (0, 0);
    let look = |top: &Path, attempt: &Attempt| {
        restart(top);
        let now = content(top);
        assert!(is(&now, OLD) || is(&now, NEW), "{now:?} after {attempt}");
        assert_eq!(leftovers(top), [""; 0], "after {attempt}");
        if is(&now, NEW) { new += 1 } else { old += 1 }
    };
    let Some(_) = crash::kill_everywhere("actor_changes_four_files", set, look) else { return };
    assert!(old > 50 && new > 5, "{old} times all old, {new} times all new");
}

#[test]
fn a_call_that_fails_leaves_what_is_told() {
    let look = |top: &Path, attempt: &Attempt| {
        let told = fs::read_to_string(top.join("told")).unwrap();
        restart(top);
        let now = content(top);
        let wanted = if told == "true" { NEW } else { OLD };
        assert!(is(&now, wanted), "{now:?}, told {told} after {attempt}");
        assert_eq!(leftovers(top), [""; 0], "told {told} after {attempt}");
    };
    let failed = crash::fail_everywhere("actor_changes_four_files", Errno::NOSPC.raw_os_error(), set, look);
    if let Some(calls) = failed {
        assert!(calls.iter().any(|call| call.name() == "renameat2"));
    }
}
