//! Somebody swaps directories and files for links that lead out, as fast as the kernel lets them, while each operation
//! runs again and again on both resolvers. Nothing outside may change, and nothing of it may be read.
//!
//! `PINFOLD_RACE_SECONDS` says how long each operation runs on each resolver; half a second if it is not set.

#![allow(clippy::disallowed_methods, reason = "a test makes the trees, and looks at them past the jail")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

#[path = "support/world.rs"]
#[allow(dead_code, reason = "each test file uses a part of it")]
mod world;

use std::{
    io::{Read, Write},
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use pinfold_jail::{Guard, Jail, JailError, Resolver};
use rustix::fs::{CWD, RenameFlags, openat, renameat, renameat_with, symlinkat, unlinkat};
use rustix::{
    fd::OwnedFd,
    fs::{AtFlags, Mode, OFlags},
};

use world::{OUTSIDE, RESOLVERS, World, find, find_itself};

/// `d` and `f` are what the operations ask for; `evil` and `evil-f` are the links that take their places. The outside
/// has the same names, so that an operation that is led there finds what it looks for.
const TREE: &[&str] = &[
    "jail/d/f=inside",
    "jail/d/sub/f=inside",
    "jail/f=inside",
    "jail/evil@../out",
    "jail/evil-f@../out/f",
    "jail/l@d",
    "out/f=OUTSIDE-CONTENT",
    "out/sub/f=OUTSIDE-CONTENT",
    "out/victim/a/f=OUTSIDE-CONTENT",
    "out/victim/a/b/f=OUTSIDE-CONTENT",
    "out/marker=OUTSIDE-CONTENT",
];

/// The ways to one directory: straight, through `..`, through a link. (Straight is what `openat2` does at once.)
const WAYS: [&str; 3] = ["d", "d/sub/..", "l"];

/// Who swaps: by descriptors, so that its own tricks never lead it outside.
struct Attacker {
    jail: OwnedFd,
    d: OwnedFd,
    out: PathBuf,
}

impl Attacker {
    fn new(world: &World) -> Attacker {
        let open = |name| openat(CWD, world.path(name), OFlags::RDONLY, Mode::empty()).unwrap();
        Attacker { jail: open("jail"), d: open("jail/d"), out: world.path("out") }
    }

    /// Swaps until told to stop; says how often.
    fn attack(&self, stop: &AtomicBool) -> usize {
        let mut swaps = 0;
        while !stop.load(Ordering::Relaxed) {
            for _ in 0..8 {
                swaps +=
                    self.exchange("f", "evil-f") + self.exchange("d", "evil") + self.exchange("f", "evil-f");
            }
            swaps += self.replace() + self.plant() + self.trap();
        }
        swaps
    }

    fn exchange(&self, one: &str, other: &str) -> usize {
        usize::from(renameat_with(&self.jail, one, &self.jail, other, RenameFlags::EXCHANGE).is_ok())
    }

    /// The same in steps, with a moment in which nothing is there.
    fn replace(&self) -> usize {
        let jail = &self.jail;
        let away = renameat(jail, "d", jail, "away").and_then(|()| symlinkat("../out", jail, "d"));
        let back = unlinkat(jail, "d", AtFlags::empty()).and_then(|()| renameat(jail, "away", jail, "d"));
        usize::from(away.is_ok()) + usize::from(back.is_ok())
    }

    /// A link where a file or a directory is about to be made.
    fn plant(&self) -> usize {
        let planted =
            ["made", "new"].iter().filter(|name| symlinkat(&self.out, &self.d, **name).is_ok()).count();
        ["made", "new"].iter().for_each(|name| unlinkat(&self.d, *name, AtFlags::empty()).unwrap_or(()));
        planted
    }

    /// A link for a directory in the middle of a tree that is about to be removed.
    fn trap(&self) -> usize {
        let swap = || renameat_with(&self.d, "victim/a", &self.jail, "trap", RenameFlags::EXCHANGE).is_ok();
        symlinkat(self.out.join("victim/a"), &self.jail, "trap").ok();
        let swaps = usize::from(swap()) + usize::from(swap());
        // If the link was removed in between, the directory is here now.
        unlinkat(&self.jail, "trap/b", AtFlags::REMOVEDIR).ok();
        unlinkat(&self.jail, "trap", AtFlags::REMOVEDIR).ok();
        swaps
    }
}

/// Runs `call` against the attacker. It is given the jail and a number, and says whether it got through.
fn race(op: &str, call: impl Fn(&Jail, usize) -> Result<(), JailError> + Sync) {
    for resolver in RESOLVERS {
        let world = World::new(TREE);
        let before = world.photo("out");
        let (swaps, calls, through) = run(&world, resolver, &call);
        assert_eq!(world.photo("out"), before, "{op} with {resolver:?} changed the outside");
        assert!(swaps > 0 && calls > 0, "{op} with {resolver:?}: nothing was raced");
        let line =
            format!("races: op={op} resolver={resolver:?} swaps={swaps} calls={calls} through={through}\n");
        // Past the capture of the test runner: these figures are what the test is run for.
        std::io::stderr().write_all(line.as_bytes()).unwrap();
    }
}

fn run(
    world: &World,
    resolver: Resolver,
    call: &(impl Fn(&Jail, usize) -> Result<(), JailError> + Sync),
) -> (usize, usize, usize) {
    let seconds =
        std::env::var("PINFOLD_RACE_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(0.5);
    let (jail, stop) = (world.jail(resolver), AtomicBool::new(false));
    let attacker = Attacker::new(world);
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    thread::scope(|scope| {
        let attack = scope.spawn(|| attacker.attack(&stop));
        let _told = Told(&stop);
        let (mut calls, mut through) = (0, 0);
        while Instant::now() < end {
            through += usize::from(call(&jail, calls).is_ok());
            calls += 1;
        }
        stop.store(true, Ordering::Relaxed);
        (attack.join().unwrap(), calls, through)
    })
}

/// The attacker stops also when the call panics.
struct Told<'a>(&'a AtomicBool);

impl Drop for Told<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn inside(mut file: impl Read) {
    let mut text = String::new();
    file.read_to_string(&mut text).unwrap();
    assert!(!text.contains(OUTSIDE), "outside content was read");
}

fn way(at: usize, rest: &str) -> String {
    format!("{}/{rest}", WAYS[at % WAYS.len()])
}

#[test]
fn open_file() {
    race("open_file", |jail, at| {
        let name = if at % 2 == 0 { "f".to_owned() } else { way(at, ["f", "sub/f"][at / 2 % 2]) };
        let path = find(jail, &name).map_err(|no| no.error)?;
        assert!(path.place().starts_with(jail.home().real_path()));
        inside(path.open_file()?);
        Ok(())
    });
}

#[test]
fn open_dir_and_entries() {
    race("open_dir+entries", |jail, at| {
        let dir = find(jail, &way(at, "")).map_err(|no| no.error)?.open_dir()?;
        for child in dir.entries()? {
            assert_ne!(child.name, b"marker", "the outside was listed");
            if child.name == b"f" {
                inside(dir.open_file(b"f")?);
                dir.size(b"f")?;
            }
        }
        inside(dir.open_dir(b"sub")?.open_file(b"f")?);
        Ok(())
    });
}

#[test]
fn snapshot_draft_commit() {
    race("snapshot+draft+commit", |jail, at| {
        let name = if at % 4 == 0 { "f".to_owned() } else { way(at, ["f", "sub/f"][at % 2]) };
        let seen = find(jail, &name).map_err(|no| no.error)?.snapshot(1 << 20)?;
        inside(seen.content().unwrap_or_default());
        let guard = [Guard::Unchanged, Guard::Overwrite][at / 2 % 2];
        seen.draft(format!("inside {at}").into_bytes()).commit(guard).map(drop)
    });
}

#[test]
fn glance_commit_new() {
    race("glance+commit(new)", |jail, at| {
        let name = way(at, ["new", "made/for/new", "sub/new"][at / 3 % 3]);
        let seen = find(jail, &name).map_err(|no| no.error)?.glance()?;
        let guard = [Guard::Unchanged, Guard::Overwrite][at % 2];
        let done = seen.draft(b"new".to_vec()).commit(guard);
        clear(jail, name.strip_suffix("/for/new").unwrap_or(&name));
        done.map(drop)
    });
}

#[test]
fn make_dir() {
    race("make_dir", |jail, at| {
        let done = find(jail, &way(at, "made/deep/er")).map_err(|no| no.error)?.make_dir();
        clear(jail, "d/made");
        done.map(drop)
    });
}

#[test]
fn remove() {
    race("remove", |jail, at| {
        for _ in 0..4 {
            if find(jail, "d/victim/a/b").is_ok_and(|path| path.make_dir().is_ok()) {
                break;
            }
        }
        let name = way(at, ["victim", "victim/", "victim/a"][at / 3 % 3]);
        find_itself(jail, &name).map_err(|no| no.error)?.remove(&|_| false)
    });
}

/// Makes room for the next turn, if the attacker lets us.
fn clear(jail: &Jail, name: &str) {
    let cleared = |_| find_itself(jail, name).is_ok_and(|path| path.remove(&|_| false).is_ok());
    (0..4).any(cleared);
}

/// Where the kernel cannot exchange, the attack is only the slower one; it must not look as if both had run.
#[test]
fn the_kernel_can_exchange() {
    let world = World::new(TREE);
    if Attacker::new(&world).exchange("d", "evil") == 0 {
        testkit::skip("no RENAME_EXCHANGE on this file system: the races run without it");
    }
}
