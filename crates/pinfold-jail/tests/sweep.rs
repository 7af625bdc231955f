//! What a crash left behind goes at the next start, and nothing else does.

#![allow(clippy::disallowed_methods, reason = "a test makes the trees, and looks at them past the jail")]
#![allow(clippy::unwrap_used, reason = "a test panics when it fails")]

#[path = "support/world.rs"]
#[allow(dead_code, reason = "each test file uses a part of it")]
mod world;

use std::{
    fs::{self, File, Metadata},
    os::unix::fs::MetadataExt,
};

use pinfold_jail::{Access, Jail, Resolver};

use world::{World, find};

const RANDOM: &str = "0123456789abcdef01234567";

fn fresh() -> String {
    format!(".pinfold-{RANDOM}.tmp")
}

/// The name under which the file of inode `own` changes places with `old`.
fn exchanging(own: u64, old: &Metadata) -> String {
    let modified =
        u128::try_from(old.mtime()).unwrap() * 1_000_000_000 + u128::try_from(old.mtime_nsec()).unwrap();
    format!(".pinfold-{RANDOM}-{own:x}-{:x}-{:x}-{modified:x}.tmp", old.ino(), old.size())
}

fn meta(world: &World, path: &str) -> Metadata {
    fs::metadata(world.path(path)).unwrap()
}

/// A crash in `jail/d`, which left the file `name`.
fn crashed(name: &str) -> World {
    World::new(&["jail/d/a=kept", "jail/.pinfold-at-0.tmp@pinfold:/d", &format!("jail/d/{name}=left")])
}

fn sweep(world: &World) -> usize {
    world.jail(Resolver::Best).sweep(&|_| true)
}

#[test]
fn what_was_never_in_place_goes_and_so_does_the_mark() {
    let world = crashed(&fresh());
    assert_eq!((sweep(&world), world.leftovers()), (1, vec![]));
    assert_eq!(world.read("jail/d/a"), "kept");
    assert_eq!(sweep(&world), 0);
}

#[test]
fn nothing_is_searched_for_without_a_mark() {
    let world = World::new(&[&format!("jail/d/{}=left", fresh()), &format!("jail/{}=left", fresh())]);
    assert_eq!((sweep(&world), world.leftovers().len()), (0, 2));
}

#[test]
fn the_root_itself_is_swept() {
    let world = World::new(&["jail/.pinfold-at-31.tmp@pinfold:/", &format!("jail/{}=left", fresh())]);
    assert_eq!((sweep(&world), world.leftovers()), (1, vec![]));
}

#[test]
fn what_is_in_use_stays() {
    let world = crashed(&fresh());
    let working = File::open(world.path("jail/d")).unwrap();
    working.lock_shared().unwrap();
    let before = world.photo("");
    assert_eq!((sweep(&world), world.photo("")), (0, before));
    drop(working);
    assert_eq!((sweep(&world), world.leftovers()), (1, vec![]));
}

#[test]
fn an_exchange_that_was_not_made_or_was_made_whole_is_done_with() {
    // Not made: the name stands for our own file.
    let world = crashed("new");
    let name = exchanging(meta(&world, "jail/d/new").ino(), &meta(&world, "jail/d/a"));
    fs::rename(world.path("jail/d/new"), world.path("jail/d").join(name)).unwrap();
    assert_eq!((sweep(&world), world.leftovers(), &*world.read("jail/d/a")), (1, vec![], "kept"));
    // Made: the name stands for what was read.
    let world = crashed("old");
    let name = exchanging(meta(&world, "jail/d/a").ino(), &meta(&world, "jail/d/old"));
    fs::rename(world.path("jail/d/old"), world.path("jail/d").join(name)).unwrap();
    assert_eq!((sweep(&world), world.leftovers(), &*world.read("jail/d/a")), (1, vec![], "kept"));
}

#[test]
fn what_somebody_else_wrote_in_that_moment_is_shown() {
    for meddle in [
        |world: &World| fs::write(world.path("jail/d/old"), "theirs, longer").unwrap(),
        |world: &World| {
            fs::write(world.path("jail/d/other"), "theirs, longer").unwrap();
            fs::rename(world.path("jail/d/other"), world.path("jail/d/old")).unwrap();
        },
    ] {
        let world = crashed("old");
        let name = exchanging(meta(&world, "jail/d/a").ino(), &meta(&world, "jail/d/old"));
        meddle(&world);
        fs::rename(world.path("jail/d/old"), world.path("jail/d").join(name)).unwrap();
        assert_eq!((sweep(&world), world.leftovers()), (1, vec![]));
        let names = fs::read_dir(world.path("jail/d")).unwrap();
        let rescued = names
            .map(|entry| entry.unwrap().path())
            .find(|path| path.file_name().unwrap().to_string_lossy().starts_with("pinfold-rescued-"));
        assert_eq!(fs::read_to_string(rescued.unwrap()).unwrap(), "theirs, longer");
    }
}

#[test]
fn directories_that_were_made_for_nothing_go_as_far_as_they_are_empty() {
    let mark = "jail/.pinfold-at-0.tmp@pinfold:3/d/x/y/z";
    // All made, and a file begun; two made; something in one of them; nothing made.
    let begun = format!("jail/d/x/y/z/{}=left", fresh());
    for (there, left) in [
        (vec!["jail/.pinfold-at-1.tmp@pinfold:/d/x/y/z", &begun], vec!["d"]),
        (vec!["jail/d/x/y/"], vec!["d"]),
        (vec!["jail/d/x/y/z/", "jail/d/x/theirs=text"], vec!["d", "d/x", "d/x/theirs"]),
        (vec!["jail/d/"], vec!["d"]),
    ] {
        let world = World::new(&[&[mark][..], &there].concat());
        sweep(&world);
        let mut paths: Vec<String> =
            world.photo("jail").iter().map(|line| line.split(' ').next().unwrap().to_owned()).collect();
        paths.sort();
        let wanted: Vec<String> =
            left.iter().map(|path| world.path(&format!("jail/{path}")).display().to_string()).collect();
        assert_eq!(paths, wanted, "{there:?}");
    }
    // Somebody is at work in one of them, or the mark names more than there is, or leads through a link.
    for (mark, there) in [
        (mark, "jail/d/x/y/z/"),
        ("jail/.pinfold-at-0.tmp@pinfold:4/d/x/y", "jail/d/x/y/"),
        ("jail/.pinfold-at-0.tmp@pinfold:1/link/y", "jail/d/x/y/"),
    ] {
        let world = World::new(&[mark, there, "jail/link@d/x"]);
        let working = File::open(world.path("jail/d/x")).unwrap();
        working.lock_shared().unwrap();
        sweep(&world);
        assert!(world.path("jail/d/x").is_dir(), "{mark}");
        assert!(mark.contains("3/d") || world.path("jail/d/x/y").is_dir(), "{mark}");
    }
}

#[test]
fn only_our_own_is_touched() {
    let random = &RANDOM[1..];
    let not_ours = format!("jail/d/.pinfold-{random}.tmp=short");
    let outside = format!("out/{}=OUTSIDE-CONTENT", fresh());
    let world = World::new(&[
        &format!("jail/d/{}@a", fresh()),
        &not_ours,
        &outside,
        "jail/out@$/out",
        // Marks of a forger: out by `..`, by a link, absolute, to a file, to nothing, and one that is none.
        "jail/.pinfold-at-0.tmp@pinfold:/d",
        "jail/.pinfold-at-1.tmp@pinfold:/../out",
        "jail/.pinfold-at-2.tmp@pinfold:/out",
        "jail/.pinfold-at-3.tmp@$/out",
        "jail/.pinfold-at-4.tmp@pinfold:/d/.pinfold-at-9",
        "jail/.pinfold-at-5.tmp=text",
        "jail/.pinfold-at-6.tmp/sub=text",
    ]);
    let (outside, inside) = (world.photo("out"), world.photo("jail/d"));
    assert_eq!(sweep(&world), 0);
    assert_eq!((world.photo("out"), world.photo("jail/d")), (outside, inside));
}

#[test]
fn parts_of_a_change_of_several_files_wait_for_their_journal() {
    let world = crashed(&fresh());
    world.make(&format!("jail/.pinfold-{RANDOM}.journal=half done"));
    let before = world.photo("");
    assert_eq!((sweep(&world), world.photo("")), (0, before));
    fs::remove_file(world.path(&format!("jail/.pinfold-{RANDOM}.journal"))).unwrap();
    assert_eq!((sweep(&world), world.leftovers()), (1, vec![]));
}

#[test]
fn a_root_for_reading_is_not_swept() {
    let world = crashed(&fresh());
    let before = world.photo("");
    let jail = Jail::new(world.root("jail", Access::ReadOnly), Resolver::Best);
    assert_eq!((jail.sweep(&|_| true), world.photo("")), (0, before));
}

/// Commits in many threads, in and below the root and in a scope, while others sweep: nobody loses anything.
#[test]
fn sweeping_disturbs_nobody() {
    let world = World::new(&["jail/d/a=0", "jail/d/b=0", "jail/c=0"]);
    let outer = world.jail(Resolver::Best);
    let scoped = outer.scoped(&find(&outer, "d").unwrap()).unwrap();
    std::thread::scope(|scope| {
        let workers: Vec<_> = [(&outer, "c"), (&outer, "d/a"), (&scoped, "b")]
            .map(|(jail, name)| {
                scope.spawn(move || {
                    for at in 1..=200 {
                        let seen = find(jail, name).unwrap().snapshot(100).unwrap();
                        seen.draft(at.to_string().into()).commit(pinfold_jail::Guard::Unchanged).unwrap();
                    }
                })
            })
            .into();
        let mut swept = 0;
        while !workers.iter().all(|worker| worker.is_finished()) {
            swept += sweep(&world);
        }
        assert_eq!(swept, 0, "something in use was swept");
    });
    assert_eq!(["c", "d/a", "d/b"].map(|name| world.read(&format!("jail/{name}"))), ["200"; 3]);
    assert_eq!(world.leftovers(), [""; 0]);
}
