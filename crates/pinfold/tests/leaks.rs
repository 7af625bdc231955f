//! Leaks: random trees with deny rules, a fifth of them with links into denied places and to the outside. No tool of either
//! dialect may show a denied name or byte, or anything of the outside, also while links are swapped in.
//!
//! What is denied is worked out here anew, from the rules as they were written. `PINFOLD_LEAK_TREES` says how many trees;
//! 5,000 if it says nothing.

#![allow(clippy::disallowed_methods, reason = "a test lays out files")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

mod leaks {
    pub(crate) mod asking;
    pub(crate) mod tree;
}

use std::{
    env,
    os::unix::fs::symlink,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

use leaks::{asking, tree::Tree};
use pinfold::{Memory, Policy, Workspace};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use tempfile::TempDir;

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

fn policy(root: &std::path::Path, deny: &[String]) -> Policy {
    Policy { deny_paths: deny.to_vec(), ..Policy::new(root) }
}

#[test]
fn nothing_denied_is_shown_of_random_trees() {
    let trees: u64 = env::var("PINFOLD_LEAK_TREES").map_or(5_000, |text| text.parse().unwrap());
    let (next, shown) = (AtomicU64::new(0), AtomicU64::new(0));
    let work = || {
        let (runtime, home) = (runtime(), TempDir::new().unwrap());
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= trees {
                break;
            }
            let tree = Tree::random(seed);
            let place = home.path().join(seed.to_string());
            tree.lay_out(&place);
            let root = place.join("root");
            let workspace = Workspace::open(policy(&root, tree.rules())).unwrap();
            shown.fetch_add(runtime.block_on(asking::everything(&workspace, &tree)), Ordering::Relaxed);
            std::fs::remove_dir_all(place).unwrap();
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(work);
        }
    });
    // Were nothing shown at all, nothing would have been tried.
    assert!(shown.load(Ordering::Relaxed) > trees * 5, "{shown:?} names and texts of {trees} trees");
}

#[test]
fn nothing_denied_is_shown_of_trees_in_memory() {
    let (runtime, mut shown) = (runtime(), 0);
    for seed in 0..1_000 {
        let tree = Tree::random(seed).without_links();
        let memory =
            tree.files().fold(Memory::new(), |memory, (path, text)| memory.file(path, text.as_str()));
        let workspace = Workspace::in_memory(policy("/w".as_ref(), tree.rules()), memory).unwrap();
        shown += runtime.block_on(asking::everything(&workspace, &tree));
    }
    assert!(shown > 5_000, "{shown}");
}

/// A directory and a link into a denied one change places all the time.
#[test]
fn nothing_denied_is_shown_while_links_are_swapped_in() {
    let (runtime, home) = (runtime(), TempDir::new().unwrap());
    let tree = Tree::swapped();
    tree.lay_out(home.path());
    let root = home.path().join("root");
    let targets = ["denied", "../outside"];
    let stop = AtomicBool::new(false);
    let swaps = AtomicU64::new(0);
    thread::scope(|scope| {
        scope.spawn(|| {
            for (at, name) in targets.iter().cycle().zip(["a", "b"].iter().cycle()) {
                let (open, link) = (root.join(name), root.join(format!("{name}.link")));
                symlink(at, &link).unwrap();
                for _ in 0..2 {
                    renameat_with(CWD, &open, CWD, &link, RenameFlags::EXCHANGE).unwrap();
                    thread::yield_now();
                }
                std::fs::remove_file(&link).unwrap();
                swaps.fetch_add(1, Ordering::Relaxed);
                if stop.load(Ordering::Relaxed) {
                    return;
                }
            }
        });
        let workspace = Workspace::open(policy(&root, tree.rules())).unwrap();
        let (began, mut shown) = (Instant::now(), 0);
        let tried = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            while began.elapsed() < Duration::from_secs(3) {
                shown += runtime.block_on(asking::everything(&workspace, &tree));
            }
        }));
        stop.store(true, Ordering::Relaxed);
        if let Err(panic) = tried {
            std::panic::resume_unwind(panic);
        }
        assert!(shown > 100, "{shown}");
    });
    assert!(swaps.load(Ordering::Relaxed) > 100, "{swaps:?}");
}
