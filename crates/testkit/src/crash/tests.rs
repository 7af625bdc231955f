//! Tests of the crash itself: what is done before the call stays done, and what comes after never happens.

use std::{fs, path::Path, thread};

use nix::libc;

use super::{act, fail_everywhere, kill_everywhere, rehearse, stage};

const ACTOR: &str = "crash::tests::actor_makes_three_files";

/// In a thread of its own, as a runtime would.
#[test]
fn actor_makes_three_files() {
    let Some(stage) = stage() else { return };
    fs::write(stage.join("before"), "").unwrap();
    act(|| {
        let made = thread::spawn({
            let stage = stage.clone();
            move || ["a", "b", "c"].map(|name| fs::write(stage.join(name), name).is_ok())
        });
        fs::write(stage.join("done"), format!("{:?}", made.join().unwrap())).ok();
    });
    fs::write(stage.join("after"), "").unwrap();
}

fn names(stage: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(stage).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_rehearsal_sees_every_call_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let Some(calls) = rehearse(ACTOR, dir.path()) else { return };
    let seen: Vec<&str> = calls.iter().map(|call| call.name()).collect();
    assert_eq!(seen, ["openat", "write", "close"].repeat(4), "{calls:?}");
    assert_eq!(names(dir.path()), ["a", "after", "b", "before", "c", "done"]);
}

#[test]
fn a_killed_actor_does_exactly_what_comes_before() {
    let mut kills = 0;
    let look = |stage: &Path, attempt: &super::Attempt| {
        assert_eq!(attempt.calls.len(), kills + 1);
        let made = kills.div_ceil(3);
        let whole = ["a", "b", "c", "done"]
            .iter()
            .filter(|name| fs::read(stage.join(name)).is_ok_and(|text| !text.is_empty()));
        assert_eq!(whole.count(), (kills + 1) / 3, "{attempt}");
        let wanted: Vec<&str> = ["a", "b", "before", "c", "done"]
            .into_iter()
            .filter(|name| *name == "before" || ["a", "b", "c", "done"][..made].contains(name))
            .collect();
        assert_eq!(names(stage), wanted, "{attempt}");
        kills += 1;
    };
    let Some(calls) = kill_everywhere(ACTOR, |_| {}, look) else { return };
    assert_eq!((kills, calls.len()), (12, 12));
}

#[test]
fn a_call_that_fails_is_told_to_the_actor_alone() {
    let mut failed = Vec::new();
    let look = |stage: &Path, attempt: &super::Attempt| {
        assert!(names(stage).contains(&"after".to_owned()), "{attempt}: the actor goes on");
        let told = fs::read_to_string(stage.join("done")).unwrap_or_default();
        failed.push((attempt.calls.last().unwrap().name(), told));
    };
    let Some(_) = fail_everywhere(ACTOR, libc::ENOSPC, |_| {}, look) else { return };
    let told: Vec<(&str, &str)> = failed.iter().map(|(name, told)| (*name, told.as_str())).collect();
    assert_eq!(told[0], ("openat", "[false, true, true]"));
    assert_eq!(told[1], ("write", "[false, true, true]"));
    assert_eq!(told[2], ("close", "[true, true, true]"));
    assert_eq!(told[4], ("write", "[true, false, true]"));
}
