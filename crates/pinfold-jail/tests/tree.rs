//! Making directories, and removing files, links and trees.

#![allow(clippy::disallowed_methods, reason = "a test makes the trees, and looks at them past the jail")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

#[path = "support/world.rs"]
#[allow(dead_code, reason = "each test file uses a part of it")]
mod world;

use std::{
    fs::{self, Permissions},
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

use pinfold_jail::{Access, ErrorKind, Jail, JailError, NodeKind, Resolver};
use rustix::fs::{CWD, FileType, Mode, OFlags, mkdirat, mknodat, openat};

use world::{World, find, find_itself};

fn make(jail: &Jail, name: &str) -> Result<bool, JailError> {
    find(jail, name).map_err(|no| no.error)?.make_dir()
}

fn remove(jail: &Jail, name: &str) -> Result<(), JailError> {
    find_itself(jail, name).map_err(|no| no.error)?.remove(&|_| false)
}

#[test]
fn directories_are_made_with_what_is_missing_above() {
    let world =
        World::new(&["jail/a=", "jail/d/", "jail/l@d", "jail/later@d/new/er", "jail/l-out@$/out/new"]);
    let jail = world.jail(Resolver::Best);
    for (name, made) in [("d", Ok(false)), ("d/", Ok(false)), ("", Ok(false)), ("x/y/z/", Ok(true))] {
        assert_eq!(make(&jail, name), made, "{name:?}");
    }
    assert_eq!((make(&jail, "l/in"), make(&jail, "later")), (Ok(true), Ok(true)));
    assert!(["x/y/z", "d/in", "d/new/er"].iter().all(|name| world.path("jail").join(name).is_dir()));
    for (name, error) in [
        ("a", ErrorKind::NotDirectory),
        ("a/b", ErrorKind::NotDirectory),
        ("l-out", ErrorKind::Escape),
        ("../new", ErrorKind::Escape),
        ("new/../x", ErrorKind::NotFound),
    ] {
        assert_eq!(make(&jail, name).unwrap_err().kind(), error, "{name:?}");
    }
    assert_eq!(world.photo("out"), [""; 0]);
}

#[test]
fn what_was_made_goes_again_if_the_rest_cannot_be() {
    let world = World::new(&[]);
    let jail = world.jail(Resolver::Best);
    let path = find(&jail, "x/y/z").unwrap();
    fs::create_dir(world.path("jail/x")).unwrap();
    symlink(world.path("out"), world.path("jail/x/y")).unwrap();
    let before = world.photo("");
    assert_eq!(path.make_dir().unwrap_err().kind(), ErrorKind::NotDirectory);
    assert_eq!(world.photo(""), before);
}

#[test]
fn single_things_are_removed() {
    let world = World::new(&[
        "jail/a=",
        "jail/ro=",
        "jail/p|",
        "jail/l-out@$/out",
        "jail/l-file@$/out/secret",
        "jail/dangling@none",
        "jail/loop@loop",
        "jail/d/",
        "out/secret=OUTSIDE-CONTENT",
    ]);
    fs::set_permissions(world.path("jail/ro"), Permissions::from_mode(0o000)).unwrap();
    let outside = world.photo("out");
    let jail = world.jail(Resolver::Best);
    for name in ["a", "ro", "p", "l-out", "l-file", "dangling", "loop", "d/"] {
        assert_eq!(remove(&jail, name), Ok(()), "{name:?}");
    }
    assert_eq!((world.photo("jail"), world.photo("out")), (vec![], outside));
}

#[test]
fn what_cannot_be_removed() {
    let world = World::new(&["jail/a=", "jail/l@$/out", "jail/d/", "jail/ld@d", "out/secret="]);
    let before = world.photo("");
    let jail = world.jail(Resolver::Best);
    for (name, error) in [
        ("", ErrorKind::RootItself),
        (".", ErrorKind::RootItself),
        ("d/..", ErrorKind::RootItself),
        ("none", ErrorKind::NotFound),
        ("none/x", ErrorKind::NotFound),
        ("a/", ErrorKind::NotDirectory),
        ("ld/", ErrorKind::NotDirectory),
        ("a/x", ErrorKind::NotDirectory),
        ("l/secret", ErrorKind::Escape),
        ("..", ErrorKind::Escape),
    ] {
        assert_eq!(remove(&jail, name).unwrap_err().kind(), error, "{name:?}");
    }
    assert_eq!(world.photo(""), before);
}

#[test]
fn roots_and_what_holds_them_stay() {
    let world = World::new(&["jail/vendor/lib/a=", "other/b=", "jail/l@$/jail/vendor/lib"]);
    let mut jail = world.jail(Resolver::Best);
    jail.add(world.root("jail/vendor/lib", Access::ReadWrite));
    jail.add(world.root("", Access::ReadWrite));
    let before = world.photo("");
    for name in
        ["vendor", "vendor/lib", "vendor/lib/", "../other/../jail", "$/jail", "$/other/../jail/vendor", ".."]
    {
        let found = remove(&jail, &world.fill(name)).unwrap_err();
        assert_eq!(found.kind(), ErrorKind::RootItself, "{name:?}");
    }
    assert_eq!(world.photo(""), before);
    assert_eq!((remove(&jail, "vendor/lib/a"), remove(&jail, "l")), (Ok(()), Ok(())));
}

#[test]
fn trees_go_with_all_that_is_in_them_and_nothing_else() {
    let world = World::new(&[
        "jail/t/a=",
        "jail/t/b/c/d=",
        "jail/t/p|",
        "jail/t/b/l-out@$/out",
        "jail/t/l-up@../keep",
        "jail/keep/x=",
        "jail/t/b/empty/",
        "out/secret=OUTSIDE-CONTENT",
        "jail/t/dangling@none",
    ]);
    fs::hard_link(world.path("out/secret"), world.path("jail/t/b/hl")).unwrap();
    let kept = [world.photo("out"), world.photo("jail/keep")];
    assert_eq!(remove(&world.jail(Resolver::Best), "t"), Ok(()));
    assert!(!world.path("jail/t").exists());
    assert_eq!([world.photo("out"), world.photo("jail/keep")], kept);
}

#[test]
fn one_denied_path_keeps_the_whole_tree() {
    for denied in ["jail/t/b/c/.env", "jail/t/z", "jail/t/b/empty", "jail/t/l"] {
        let world =
            World::new(&["jail/t/a=", "jail/t/b/c/.env=", "jail/t/b/empty/", "jail/t/z=", "jail/t/l@a"]);
        let before = world.photo("");
        let is_denied = |place: &Path| place == world.path(denied);
        let path = find_itself(&world.jail(Resolver::Best), "t").unwrap();
        assert_eq!(path.remove(&is_denied).unwrap_err().kind(), ErrorKind::Denied, "{denied}");
        assert_eq!(world.photo(""), before, "{denied}");
    }
}

#[test]
fn a_tree_deeper_than_is_walked_stays() {
    let world = World::new(&["jail/t/a="]);
    let mut dir = openat(CWD, world.path("jail/t"), OFlags::RDONLY, Mode::empty()).unwrap();
    for _ in 0..300 {
        mkdirat(&dir, "d", Mode::RWXU).unwrap();
        dir = openat(&dir, "d", OFlags::RDONLY, Mode::empty()).unwrap();
    }
    let jail = world.jail(Resolver::Best);
    assert_eq!(remove(&jail, "t").unwrap_err().kind(), ErrorKind::TooDeep);
    assert!(world.path("jail/t/a").exists() && world.path("jail/t/d/d/d").exists());
    // From further down it can be done, in two turns.
    assert_eq!(remove(&jail, &format!("t/{}", "d/".repeat(200))), Ok(()));
    assert_eq!(remove(&jail, "t"), Ok(()));
}

#[test]
fn a_thing_that_became_another_is_not_removed_for_it() {
    let world = World::new(&["jail/a=", "jail/d/x=", "out/keep="]);
    let jail = world.jail(Resolver::Best);
    let (file, dir) = (find_itself(&jail, "a").unwrap(), find_itself(&jail, "d").unwrap());
    fs::remove_file(world.path("jail/a")).unwrap();
    fs::create_dir(world.path("jail/a")).unwrap();
    assert_eq!(file.remove(&|_| false).unwrap_err().kind(), ErrorKind::Changed);
    fs::rename(world.path("jail/d"), world.path("jail/moved")).unwrap();
    symlink(world.path("out"), world.path("jail/d")).unwrap();
    assert_eq!(dir.remove(&|_| false).unwrap_err().kind(), ErrorKind::Changed);
    assert!(
        world.path("jail/a").is_dir() && world.path("jail/d").is_symlink() && world.path("out/keep").exists()
    );
}

#[test]
fn sockets_and_devices_are_removed_like_files() {
    let world = World::new(&["jail/t/"]);
    let _socket = std::os::unix::net::UnixListener::bind(world.path("jail/t/socket")).unwrap();
    let null = rustix::fs::makedev(1, 3);
    if mknodat(CWD, world.path("jail/t/null"), FileType::CharacterDevice, Mode::RWXU, null).is_err() {
        testkit::skip("only the superuser makes devices: the rest of the test runs");
    }
    let jail = world.jail(Resolver::Best);
    let entries = find(&jail, "t").unwrap().open_dir().unwrap().entries().unwrap();
    assert!(entries.iter().all(|child| child.kind == NodeKind::Other) && !entries.is_empty());
    assert_eq!(remove(&jail, "t"), Ok(()));
}
