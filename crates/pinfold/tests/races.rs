//! Races: a thread swaps a directory and a file for links to the outside, by plain renames and by `RENAME_EXCHANGE` in
//! turn, while each operation runs. Nothing outside may change, and no answer may hold anything of it.
//!
//! `PINFOLD_RACE_SECONDS` says how long each operation is tried with each resolver; 1 if it says nothing. From 60 on, at
//! least 10,000 swaps have to be seen for each.

#![allow(clippy::disallowed_methods, reason = "the attacker changes the disk behind the workspace's back")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

mod races {
    pub(crate) mod attacker;
    pub(crate) mod operation;
    pub(crate) mod yard;
}

use std::{
    env,
    io::Write as _,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use pinfold::Resolver;
use races::{attacker::Attacker, operation::Operation, yard::Yard};
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};

/// What came of one operation.
#[derive(Default)]
struct Score {
    swaps: u64,
    calls: u64,
    ok: u64,
    refused: u64,
}

#[test]
fn no_operation_leaves_through_a_link_that_was_swapped_in() {
    let seconds = env::var("PINFOLD_RACE_SECONDS").map_or(1, |text| text.parse().unwrap());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for (resolver, name) in [(Resolver::Kernel, "kernel"), (Resolver::Walk, "walk")] {
        if resolver == Resolver::Kernel && !has_openat2() {
            testkit::skip("needs openat2(2)");
            continue;
        }
        for operation in Operation::ALL {
            let score = race(&runtime, operation, resolver, Duration::from_secs(seconds));
            let Score { swaps, calls, ok, refused } = score;
            let op = operation.name();
            let line = format!(
                "op={op} resolver={name} seconds={seconds} swaps={swaps} calls={calls} ok={ok} refused={refused}"
            );
            // Not println!, which the test runner swallows while the test passes.
            writeln!(std::io::stderr(), "races: {line}").unwrap();
            assert!(ok > 0, "{line}: never succeeded, so nothing was tried");
            assert!(swaps > 0, "{line}: nothing was swapped");
            assert!(seconds < 60 || (swaps >= 10_000 && refused > 0), "{line}: too few swaps were met");
        }
    }
}

fn has_openat2() -> bool {
    openat2(CWD, ".", OFlags::PATH, Mode::empty(), ResolveFlags::BENEATH).is_ok()
}

/// Stops the attacker, also when a check has failed.
struct Stopping<'a>(&'a AtomicBool);

impl Drop for Stopping<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Calls `operation` again and again while the attacker swaps.
fn race(
    runtime: &tokio::runtime::Runtime,
    operation: Operation,
    resolver: Resolver,
    how_long: Duration,
) -> Score {
    let yard = Yard::new();
    let workspace = yard.open(resolver);
    let outside = yard.outside();
    let stop = AtomicBool::new(false);
    let mut score = Score::default();
    thread::scope(|scope| {
        let attack = scope.spawn(|| Attacker::new(&yard).run(&stop));
        let stopping = Stopping(&stop);
        let end = Instant::now() + how_long;
        // A slow disk gets more time, until something has succeeded.
        let patience = end + 20 * how_long;
        while (Instant::now() < end || (score.ok == 0 && Instant::now() < patience)) && !attack.is_finished()
        {
            let done = runtime.block_on(operation.call(&workspace, score.calls));
            score.calls += 1;
            let (told, counter) = match done {
                Ok(result) => (result.to_string(), &mut score.ok),
                Err(failure) => (serde_json::to_string(&failure).unwrap(), &mut score.refused),
            };
            *counter += 1;
            yard.check_answer(operation.name(), &told);
        }
        drop(stopping);
        score.swaps = attack.join().unwrap();
    });
    assert_eq!(yard.outside(), outside, "{}: the outside changed", operation.name());
    assert_eq!(yard.leftovers(), [] as [std::path::PathBuf; 0], "{}", operation.name());
    score
}
