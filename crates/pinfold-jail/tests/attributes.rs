//! Extended attributes and access lists: new content carries them on, or there is none.

#![allow(clippy::disallowed_methods, reason = "a test makes the trees, and looks at them past the jail")]
#![allow(clippy::unwrap_used, reason = "a test panics when it fails")]

#[path = "support/nobody.rs"]
mod nobody;
#[path = "support/world.rs"]
#[allow(dead_code, reason = "each test file uses a part of it")]
mod world;

use std::{
    fs::{self, Permissions},
    os::unix::fs::{MetadataExt, PermissionsExt},
};

use pinfold_jail::{ErrorKind, Guard, Jail, JailError, Resolver};
use rustix::fs::{XattrFlags, getxattr, listxattr, setxattr};

use nobody::{as_nobody, give_away};
use world::{World, find};

const ACL: &str = "system.posix_acl_access";
const DEFAULT_ACL: &str = "system.posix_acl_default";

/// An access list as the kernel keeps it: the owner reads and writes, user 1234 may `named`, the mask lets that through.
fn access_list(named: u16) -> Vec<u8> {
    let entry = |tag: u16, may: u16, id: u32| {
        [&tag.to_le_bytes()[..], &may.to_le_bytes(), &id.to_le_bytes()].concat()
    };
    let nobody = u32::MAX;
    let entries =
        [(1, 6, nobody), (2, named, 1234), (4, 4, nobody), (16, named | 4, nobody), (32, 0, nobody)];
    let entries = entries.map(|(tag, may, id)| entry(tag, may, id)).concat();
    [&2u32.to_le_bytes()[..], &entries].concat()
}

fn set(world: &World, path: &str, name: &str, value: &[u8]) -> Option<()> {
    let set = setxattr(world.path(path), name, value, XattrFlags::empty());
    testkit::need(&format!("a file system and rights for `{name}`"), set.ok())
}

fn get(world: &World, path: &str, name: &str) -> Option<Vec<u8>> {
    let mut value = [0; 65_536];
    let length = getxattr(world.path(path), name, &mut value[..]).ok()?;
    Some(value[..length].to_vec())
}

/// Both ways of replacing: after a glance, and after reading.
fn replace(jail: &Jail, name: &str, guard: Guard) -> Result<(), JailError> {
    let path = find(jail, name).unwrap();
    let seen = if guard == Guard::Overwrite { path.glance()? } else { path.snapshot(1 << 20)? };
    seen.draft(b"new".to_vec()).commit(guard).map(drop)
}

const GUARDS: [Guard; 2] = [Guard::Overwrite, Guard::Unchanged];

#[test]
fn attributes_and_access_lists_stay() {
    for guard in GUARDS {
        let world = World::new(&["jail/a=old"]);
        let long = vec![b'x'; 1000];
        let values = [("user.note", &b"a\0b"[..]), ("user.empty", b""), ("user.long", &long)];
        for (name, value) in values {
            let Some(()) = set(&world, "jail/a", name, value) else { return };
        }
        let Some(()) = set(&world, "jail/a", ACL, &access_list(6)) else { return };
        let mode = fs::metadata(world.path("jail/a")).unwrap().mode();
        replace(&world.jail(Resolver::Best), "a", guard).unwrap();
        assert_eq!(world.read("jail/a"), "new");
        for (name, value) in values {
            assert_eq!(get(&world, "jail/a", name).as_deref(), Some(value), "{name}");
        }
        assert_eq!(get(&world, "jail/a", ACL), Some(access_list(6)));
        assert_eq!(fs::metadata(world.path("jail/a")).unwrap().mode(), mode);
        assert_eq!(world.leftovers(), [""; 0]);
    }
}

#[test]
fn an_access_list_of_the_directory_lets_nobody_into_an_old_file() {
    for guard in GUARDS {
        let world = World::new(&["jail/a=old", "jail/b=old"]);
        fs::set_permissions(world.path("jail/a"), Permissions::from_mode(0o660)).unwrap();
        let Some(()) = set(&world, "jail/b", ACL, &access_list(4)) else { return };
        let Some(()) = set(&world, "jail", DEFAULT_ACL, &access_list(6)) else { return };
        let jail = world.jail(Resolver::Best);
        replace(&jail, "a", guard).unwrap();
        replace(&jail, "b", guard).unwrap();
        find(&jail, "c").unwrap().glance().unwrap().draft(vec![]).commit(guard).unwrap();
        assert_eq!(get(&world, "jail/a", ACL), None, "it had none");
        assert_eq!(fs::metadata(world.path("jail/a")).unwrap().mode() & 0o777, 0o660);
        assert_eq!(get(&world, "jail/b", ACL), Some(access_list(4)), "it had its own");
        assert!(get(&world, "jail/c", ACL).is_some(), "a new file inherits");
    }
}

#[test]
fn what_only_the_superuser_sets_stays_where_we_are_it() {
    let world = World::new(&["jail/a=old"]);
    // cap_net_raw, permitted and effective: the kernel's own form.
    let capability = [&0x0200_0001u32.to_le_bytes()[..], &(1u32 << 13).to_le_bytes(), &[0; 12]].concat();
    for (name, value) in [("trusted.note", &b"t"[..]), ("security.capability", &capability)] {
        let Some(()) = set(&world, "jail/a", name, value) else { return };
    }
    for guard in GUARDS {
        replace(&world.jail(Resolver::Best), "a", guard).unwrap();
        assert_eq!(get(&world, "jail/a", "trusted.note").as_deref(), Some(&b"t"[..]));
        assert_eq!(get(&world, "jail/a", "security.capability"), Some(capability.clone()));
    }
    // Rights that a file gives go where they cannot be set, as with any plain write.
    let world = World::new(&["jail/a=old"]);
    set(&world, "jail/a", "security.capability", &capability).unwrap();
    give_away(&world, &["jail"]);
    fs::set_permissions(world.path("jail/a"), Permissions::from_mode(0o666)).unwrap();
    as_nobody(|| replace(&world.jail(Resolver::Best), "a", Guard::Unchanged)).unwrap();
    assert_eq!((&*world.read("jail/a"), get(&world, "jail/a", "security.capability")), ("new", None));
}

#[test]
fn what_cannot_be_carried_over_is_a_refusal() {
    if !rustix::process::geteuid().is_root() {
        return testkit::skip("only the superuser can make files of two owners");
    }
    for guard in GUARDS {
        // An access list says what the owner may, and the new content would have another.
        let world = World::new(&["jail/a=old"]);
        let Some(()) = set(&world, "jail/a", ACL, &access_list(6)) else { return };
        give_away(&world, &["jail"]);
        fs::set_permissions(world.path("jail/a"), Permissions::from_mode(0o666)).unwrap();
        let before = world.photo("");
        let refused = as_nobody(|| replace(&world.jail(Resolver::Best), "a", guard)).unwrap_err();
        assert_eq!((refused.kind(), world.photo("")), (ErrorKind::AttributesLost, before));
    }
    // A note in a file that may be replaced but not read.
    let world = World::new(&["jail/a=old"]);
    let Some(()) = set(&world, "jail/a", "user.note", b"x") else { return };
    fs::set_permissions(world.path("jail/a"), Permissions::from_mode(0o200)).unwrap();
    give_away(&world, &["jail", "jail/a"]);
    let before = world.photo("");
    let refused = as_nobody(|| replace(&world.jail(Resolver::Best), "a", Guard::Overwrite)).unwrap_err();
    assert_eq!((refused.kind(), world.photo("")), (ErrorKind::AttributesLost, before));
}

#[test]
fn nothing_is_added_to_a_plain_file() {
    let world = World::new(&["jail/a=old"]);
    let names = || {
        let mut names = [0; 4096];
        listxattr(world.path("jail/a"), &mut names[..])
            .map(|length| names[..length].to_vec())
            .unwrap_or_default()
    };
    let before = names();
    for guard in GUARDS {
        replace(&world.jail(Resolver::Best), "a", guard).unwrap();
        assert_eq!(names(), before);
    }
}
