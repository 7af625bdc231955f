//! Seen → planned → on disk: what a commit keeps, what it refuses, and what it leaves behind.

#![allow(clippy::disallowed_methods, reason = "a test makes the trees, and looks at them past the jail")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

#[path = "support/nobody.rs"]
mod nobody;
#[path = "support/world.rs"]
#[allow(dead_code, reason = "each test file uses a part of it")]
mod world;

use std::{
    fs::{self, File, Permissions},
    os::unix::{
        fs::{MetadataExt, PermissionsExt, chown, symlink},
        process::ExitStatusExt,
    },
    process::Command,
    sync::Barrier,
    thread,
};

use pinfold_jail::{Access, Draft, ErrorKind, Guard, Jail, JailError, Receipt, Resolver};

use nobody::{as_nobody, give_away};
use world::{World, find};

const MAX: u64 = 1 << 20;

fn draft(jail: &Jail, name: &str, text: &str) -> Draft {
    find(jail, name).unwrap().snapshot(MAX).unwrap().draft(text.into())
}

fn write(jail: &Jail, name: &str, text: &str) -> Result<Receipt, JailError> {
    find(jail, name).unwrap().glance()?.draft(text.into()).commit(Guard::Overwrite)
}

fn mode(world: &World, name: &str) -> u32 {
    fs::metadata(world.path(name)).unwrap().mode() & 0o7777
}

fn kind<T: std::fmt::Debug>(result: Result<T, JailError>) -> ErrorKind {
    result.unwrap_err().kind()
}

#[test]
fn bytes_and_hash() {
    let world = World::new(&["jail/a=old"]);
    let jail = world.jail(Resolver::Best);
    let seen = find(&jail, "a").unwrap().snapshot(MAX).unwrap();
    assert_eq!(seen.content().unwrap(), b"old");
    let receipt = seen.draft(b"n\xff\0w\r\n".to_vec()).commit(Guard::Unchanged).unwrap();
    assert_eq!(fs::read(world.path("jail/a")).unwrap(), b"n\xff\0w\r\n");
    assert_eq!((receipt.bytes(), receipt.created()), (6, false));
    let empty = write(&jail, "new", "").unwrap();
    assert!(empty.created() && empty.bytes() == 0);
    assert_eq!(empty.hash(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_eq!(world.leftovers(), [""; 0]);
}

#[test]
fn an_old_file_keeps_its_mode() {
    let world = World::new(&["jail/a=old"]);
    let jail = world.jail(Resolver::Best);
    for wanted in [0o755, 0o600, 0o444, 0o640, 0o000, 0o4755, 0o2750, 0o1644] {
        fs::set_permissions(world.path("jail/a"), Permissions::from_mode(wanted)).unwrap();
        write(&jail, "a", "new").unwrap();
        assert_eq!(mode(&world, "jail/a"), wanted, "{wanted:o} is not kept");
    }
}

#[test]
fn a_new_file_gets_what_umask_leaves() {
    let world = World::new(&[]);
    fs::write(world.path("jail/by-std"), "").unwrap();
    fs::create_dir(world.path("jail/dir-by-std")).unwrap();
    write(&world.jail(Resolver::Best), "dir/by-us", "").unwrap();
    assert_eq!(mode(&world, "jail/dir/by-us"), mode(&world, "jail/by-std"));
    assert_eq!(mode(&world, "jail/dir"), mode(&world, "jail/dir-by-std"));
}

#[test]
fn owners_stay_and_set_id_bits_go_where_they_cannot() {
    if !rustix::process::geteuid().is_root() {
        return testkit::skip("only the superuser can give files away");
    }
    let world = World::new(&["jail/a=old", "jail/b=old"]);
    chown(world.path("jail/a"), Some(1234), Some(4321)).unwrap();
    fs::set_permissions(world.path("jail/a"), Permissions::from_mode(0o6755)).unwrap();
    write(&world.jail(Resolver::Best), "a", "new").unwrap();
    let meta = fs::metadata(world.path("jail/a")).unwrap();
    assert_eq!((meta.uid(), meta.gid(), meta.mode() & 0o7777), (1234, 4321, 0o6755));

    fs::set_permissions(world.path("jail/b"), Permissions::from_mode(0o4755)).unwrap();
    give_away(&world, &["jail"]);
    as_nobody(|| write(&world.jail(Resolver::Best), "b", "new").map(drop)).unwrap();
    let meta = fs::metadata(world.path("jail/b")).unwrap();
    assert_eq!((meta.uid(), meta.mode() & 0o7777), (65534, 0o755), "root's file must not run as nobody");

    chown(world.path("jail/b"), Some(65534), Some(0)).unwrap();
    fs::set_permissions(world.path("jail/b"), Permissions::from_mode(0o674)).unwrap();
    as_nobody(|| write(&world.jail(Resolver::Best), "b", "newer").map(drop)).unwrap();
    assert_eq!(mode(&world, "jail/b"), 0o644, "another group gets what everybody gets");
}

#[test]
fn a_directory_that_gives_its_group_away() {
    let world = World::new(&["jail/d/old=old"]);
    fs::set_permissions(world.path("jail/d"), Permissions::from_mode(0o2775)).unwrap();
    let group = fs::metadata(world.path("jail/d/old")).unwrap().gid();
    let jail = world.jail(Resolver::Best);
    write(&jail, "d/old", "new").unwrap();
    write(&jail, "d/sub/new", "new").unwrap();
    assert_eq!(fs::metadata(world.path("jail/d/old")).unwrap().gid(), group);
    assert_eq!(mode(&world, "jail/d/sub") & 0o2000, 0o2000, "new directories pass the bit on");
}

#[test]
fn a_hard_link_outside_keeps_the_old_content() {
    let world = World::new(&["out/secret=OUTSIDE-CONTENT"]);
    fs::hard_link(world.path("out/secret"), world.path("jail/hl")).unwrap();
    let before = world.photo("out");
    let jail = world.jail(Resolver::Best);
    draft(&jail, "hl", "new").commit(Guard::Unchanged).unwrap();
    write(&jail, "hl", "newer").unwrap();
    assert_eq!((world.photo("out"), &*world.read("jail/hl")), (before, "newer"));
}

#[test]
fn links_are_written_through_to_their_place() {
    let world = World::new(&["jail/real=old", "jail/l@real", "jail/sub/dangling@../later/new"]);
    let jail = world.jail(Resolver::Best);
    write(&jail, "l", "new").unwrap();
    write(&jail, "sub/dangling", "made").unwrap();
    assert_eq!((world.read("jail/real"), world.read("jail/later/new")), ("new".into(), "made".into()));
    assert!(world.path("jail/l").is_symlink() && world.path("jail/sub/dangling").is_symlink());
}

/// What somebody may do to a file between the look and the commit, and what has to be there afterwards.
type Meddling = (&'static str, fn(&World), Option<&'static str>);

const MEDDLINGS: [Meddling; 9] = [
    ("written in place, same size", |w| fs::write(w.path("jail/a"), "OLD").unwrap(), Some("OLD")),
    ("written in place, longer", |w| fs::write(w.path("jail/a"), "longer").unwrap(), Some("longer")),
    ("emptied", |w| fs::write(w.path("jail/a"), "").unwrap(), Some("")),
    (
        "appended to",
        |w| {
            let mut file = File::options().append(true).open(w.path("jail/a")).unwrap();
            std::io::Write::write_all(&mut file, b"+").unwrap();
        },
        Some("old+"),
    ),
    ("replaced by another file", |w| replace_with(w, "other"), Some("other")),
    ("replaced by a file of the same content", |w| replace_with(w, "old"), Some("old")),
    ("removed", |w| fs::remove_file(w.path("jail/a")).unwrap(), None),
    (
        "replaced by a directory",
        |w| {
            fs::remove_file(w.path("jail/a")).unwrap();
            fs::create_dir(w.path("jail/a")).unwrap();
        },
        None,
    ),
    (
        "replaced by a link that leads out",
        |w| {
            fs::remove_file(w.path("jail/a")).unwrap();
            symlink(w.path("out/secret"), w.path("jail/a")).unwrap();
        },
        Some("OUTSIDE-CONTENT"),
    ),
];

fn replace_with(world: &World, text: &str) {
    fs::write(world.path("jail/b"), text).unwrap();
    fs::rename(world.path("jail/b"), world.path("jail/a")).unwrap();
}

#[test]
fn a_file_that_was_changed_stays_as_it_is() {
    for (what, meddle, after) in MEDDLINGS {
        let world = World::new(&["jail/a=old", "out/secret=OUTSIDE-CONTENT"]);
        let draft = draft(&world.jail(Resolver::Best), "a", "new");
        meddle(&world);
        let before = world.photo("");
        assert_eq!(kind(draft.commit(Guard::Unchanged)), ErrorKind::Stale, "{what}");
        assert_eq!(world.photo(""), before, "{what}: something changed");
        assert_eq!(fs::read_to_string(world.path("jail/a")).ok().as_deref(), after, "{what}");
    }
}

#[test]
fn a_file_that_was_changed_is_overwritten_where_that_is_meant() {
    for (what, meddle, _) in MEDDLINGS {
        let world = World::new(&["jail/a=old", "out/secret=OUTSIDE-CONTENT"]);
        let draft = draft(&world.jail(Resolver::Best), "a", "new");
        meddle(&world);
        let outside = world.photo("out");
        match draft.commit(Guard::Overwrite) {
            Ok(_) => assert_eq!(world.read("jail/a"), "new", "{what}"),
            Err(error) => {
                assert_eq!((error.kind(), what), (ErrorKind::IsDirectory, "replaced by a directory"));
            }
        }
        assert_eq!((world.photo("out"), world.leftovers()), (outside, vec![]), "{what}");
    }
}

#[test]
fn where_nothing_was_nothing_may_be() {
    for text in ["a=theirs", "a@$/out/secret", "a@none", "a/"] {
        let world = World::new(&["out/secret=OUTSIDE-CONTENT"]);
        let draft = find(&world.jail(Resolver::Best), "a").unwrap().glance().unwrap().draft(b"ours".to_vec());
        world.make(&format!("jail/{text}"));
        let before = world.photo("");
        assert_eq!(kind(draft.commit(Guard::Unchanged)), ErrorKind::Stale, "{text}");
        assert_eq!(world.photo(""), before, "{text}");
    }
    let world = World::new(&[]);
    let seen = find(&world.jail(Resolver::Best), "d/a").unwrap().glance().unwrap();
    assert!(seen.draft(b"ours".to_vec()).commit(Guard::Unchanged).unwrap().created());
    assert_eq!((&*world.read("jail/d/a"), world.leftovers()), ("ours", vec![]));
}

#[test]
fn a_glance_is_never_known_to_be_unchanged() {
    let world = World::new(&["jail/a=old"]);
    let seen = find(&world.jail(Resolver::Best), "a").unwrap().glance().unwrap();
    assert_eq!(seen.content(), None);
    assert_eq!(kind(seen.draft(b"new".to_vec()).commit(Guard::Unchanged)), ErrorKind::Stale);
    assert_eq!(world.read("jail/a"), "old");
}

/// Of several writers that saw the same, exactly one succeeds, and its content is what stays.
#[test]
fn of_many_writers_one_wins() {
    for writers in [2, 2, 2, 3, 5, 8].into_iter().cycle().take(120) {
        let world = World::new(&["jail/a=old"]);
        let jail = world.jail(Resolver::Best);
        let drafts: Vec<_> =
            (0..writers).map(|at| (at, draft(&jail, "a", &format!("writer {at}")))).collect();
        let start = Barrier::new(writers);
        let won: Vec<usize> = thread::scope(|scope| {
            let runs: Vec<_> = drafts
                .into_iter()
                .map(|(at, draft)| {
                    let start = &start;
                    scope.spawn(move || {
                        start.wait();
                        draft.commit(Guard::Unchanged).map(|_| at)
                    })
                })
                .collect();
            let ended = runs.into_iter().map(|run| run.join().unwrap());
            ended
                .filter_map(|end| end.inspect_err(|no| assert_eq!(no.kind(), ErrorKind::Stale)).ok())
                .collect()
        });
        assert_eq!(won.len(), 1, "{won:?} of {writers} won");
        assert_eq!((world.read("jail/a"), world.leftovers()), (format!("writer {}", won[0]), vec![]));
    }
}

/// The lock that puts writers in order is a courtesy: whoever keeps it stops nobody.
#[test]
fn a_lock_that_is_never_given_back() {
    let world = World::new(&["jail/a=old"]);
    let kept = File::open(world.path("jail/a")).unwrap();
    kept.lock().unwrap();
    draft(&world.jail(Resolver::Best), "a", "new").commit(Guard::Unchanged).unwrap();
    assert_eq!(world.read("jail/a"), "new");
}

/// Somebody who replaces the file by renaming, over and over, never loses a write to a commit that was refused.
#[test]
fn a_refused_commit_gives_back_what_it_took() {
    let world = World::new(&["jail/a=0"]);
    let jail = world.jail(Resolver::Best);
    thread::scope(|scope| {
        let theirs = scope.spawn(|| {
            for at in 1..=2000 {
                fs::write(world.path("jail/theirs"), at.to_string()).unwrap();
                fs::rename(world.path("jail/theirs"), world.path("jail/a")).unwrap();
            }
        });
        let mut refused = 0;
        while !theirs.is_finished() {
            let Ok(seen) = find(&jail, "a").unwrap().snapshot(MAX) else { continue };
            let same = seen.content().unwrap().to_vec();
            refused += usize::from(seen.draft(same).commit(Guard::Unchanged).is_err());
        }
        println!("snapshot: {refused} commits refused while another writer replaced the file");
    });
    // Our own commits write back what was read, so at the end the last of theirs is there.
    assert_eq!((&*world.read("jail/a"), world.leftovers()), ("2000", vec![]));
}

#[test]
fn directories_are_made_and_unmade() {
    let world = World::new(&["jail/old/"]);
    let jail = world.jail(Resolver::Best);
    write(&jail, "old/x/y/z", "new").unwrap();
    assert_eq!(world.read("jail/old/x/y/z"), "new");

    let seen = find(&jail, "old/p/q/r").unwrap().glance().unwrap();
    fs::create_dir_all(world.path("jail/old/p/q/r/in-the-way")).unwrap();
    let before = world.photo("");
    assert_eq!(kind(seen.draft(vec![1]).commit(Guard::Overwrite)), ErrorKind::IsDirectory);
    assert_eq!(world.photo(""), before, "what others made stays");

    // The third level is in the way, so the two above it, which are ours, go again.
    let seen = find(&jail, "old/k/l/m").unwrap().glance().unwrap();
    symlink(world.path("out"), world.path("jail/old/k")).unwrap();
    assert_eq!(kind(seen.draft(vec![1]).commit(Guard::Overwrite)), ErrorKind::NotDirectory);
    assert_eq!(world.photo("out"), [""; 0], "nothing was made through the link");
}

#[test]
fn a_base_that_was_removed_takes_no_file() {
    let world = World::new(&["jail/d/"]);
    let seen = find(&world.jail(Resolver::Best), "d/x/y").unwrap().glance().unwrap();
    fs::remove_dir(world.path("jail/d")).unwrap();
    assert_eq!(kind(seen.draft(vec![1]).commit(Guard::Overwrite)), ErrorKind::NotFound);
    assert_eq!(world.photo("jail"), [""; 0]);
}

#[test]
fn what_is_no_file_is_refused() {
    let world = World::new(&["jail/d/", "jail/p|"]);
    let jail = world.jail(Resolver::Best);
    for (name, error) in
        [("", ErrorKind::IsDirectory), ("d", ErrorKind::IsDirectory), ("p", ErrorKind::SpecialFile)]
    {
        assert_eq!(kind(write(&jail, name, "x")), error, "{name:?}");
        assert_eq!(kind(find(&jail, name).unwrap().snapshot(MAX)), error, "{name:?}");
    }
    assert_eq!(kind(find(&jail, "none").unwrap().snapshot(MAX)), ErrorKind::NotFound);
}

#[test]
fn a_root_for_reading_is_never_written() {
    let world = World::new(&["extra/a=old", "extra/d/", "extra/l@a", "jail/l@$/extra/new"]);
    let mut jail = world.jail(Resolver::Best);
    jail.add(world.root("extra", Access::ReadOnly));
    let before = world.photo("extra");
    let name = |name: &str| world.fill(&format!("$/extra/{name}"));
    assert_eq!(kind(write(&jail, &name("a"), "x")), ErrorKind::ReadOnlyRoot);
    assert_eq!(kind(write(&jail, &name("new"), "x")), ErrorKind::ReadOnlyRoot);
    assert_eq!(kind(write(&jail, "l", "x")), ErrorKind::ReadOnlyRoot);
    assert_eq!(kind(draft(&jail, &name("a"), "x").commit(Guard::Unchanged)), ErrorKind::ReadOnlyRoot);
    assert_eq!(kind(find(&jail, &name("new")).unwrap().make_dir()), ErrorKind::ReadOnlyRoot);
    assert_eq!(kind(find(&jail, &name("d")).unwrap().remove(&|_| false)), ErrorKind::ReadOnlyRoot);
    assert_eq!(world.photo("extra"), before);
}

#[test]
fn too_large_is_said_before_anything_is_read() {
    let world = World::new(&["jail/a=12345"]);
    let sparse = File::create(world.path("jail/sparse")).unwrap();
    sparse.set_len(1 << 42).unwrap();
    let jail = world.jail(Resolver::Best);
    let snapshot = |name: &str, max| find(&jail, name).unwrap().snapshot(max);
    assert!(snapshot("a", 5).is_ok());
    assert_eq!(kind(snapshot("a", 4)), ErrorKind::TooLarge);
    assert_eq!(kind(snapshot("sparse", MAX)), ErrorKind::TooLarge);
}

#[test]
fn a_directory_that_may_be_written_but_not_read() {
    let world = World::new(&["jail/d/a=old"]);
    fs::set_permissions(world.path("jail/d"), Permissions::from_mode(0o333)).unwrap();
    give_away(&world, &["jail", "jail/d", "jail/d/a"]);
    as_nobody(|| {
        let jail = world.jail(Resolver::Best);
        draft(&jail, "d/a", "new").commit(Guard::Unchanged).unwrap();
        write(&jail, "d/b", "made").unwrap();
        write(&jail, "d/sub/c", "made").unwrap();
    });
    assert_eq!((&*world.read("jail/d/a"), &*world.read("jail/d/sub/c")), ("new", "made"));
    fs::set_permissions(world.path("jail/d"), Permissions::from_mode(0o755)).unwrap();
    assert_eq!(world.leftovers(), [""; 0]);
}

#[test]
fn a_file_that_may_be_replaced_but_not_read() {
    let world = World::new(&["jail/a=old"]);
    fs::set_permissions(world.path("jail/a"), Permissions::from_mode(0o200)).unwrap();
    give_away(&world, &["jail", "jail/a"]);
    as_nobody(|| {
        let jail = world.jail(Resolver::Best);
        assert_eq!(kind(find(&jail, "a").unwrap().snapshot(MAX)), ErrorKind::PermissionDenied);
        write(&jail, "a", "new").unwrap();
    });
    assert_eq!(mode(&world, "jail/a"), 0o200);
    fs::set_permissions(world.path("jail/a"), Permissions::from_mode(0o600)).unwrap();
    assert_eq!(world.read("jail/a"), "new");
}

#[test]
fn a_directory_that_may_not_be_written() {
    let world = World::new(&["jail/d/a=old"]);
    give_away(&world, &["jail", "jail/d", "jail/d/a"]);
    fs::set_permissions(world.path("jail/d"), Permissions::from_mode(0o555)).unwrap();
    as_nobody(|| {
        let jail = world.jail(Resolver::Best);
        assert_eq!(kind(write(&jail, "d/a", "new")), ErrorKind::PermissionDenied);
        assert_eq!(kind(write(&jail, "d/b", "new")), ErrorKind::PermissionDenied);
        assert_eq!(kind(find(&jail, "d/x/y").unwrap().make_dir()), ErrorKind::PermissionDenied);
    });
    fs::set_permissions(world.path("jail/d"), Permissions::from_mode(0o755)).unwrap();
    assert_eq!((&*world.read("jail/d/a"), world.leftovers()), ("old", vec![]));
}

/// Runs in a process of its own, whose files may not grow beyond a limit: see the test below.
#[test]
fn child_that_cannot_write_much() {
    let Some(top) = std::env::var_os("PINFOLD_TEST_SMALL_FILES") else { return };
    let jail = Jail::new(pinfold_jail::Root::open(top.as_ref(), Access::ReadWrite).unwrap(), Resolver::Best);
    let large = "x".repeat(1 << 20);
    assert_eq!(kind(draft(&jail, "a", &large).commit(Guard::Unchanged)), ErrorKind::Other);
    assert_eq!(kind(write(&jail, "a", &large)), ErrorKind::Other);
    assert_eq!(kind(write(&jail, "made/for/b", &large)), ErrorKind::Other);
}

#[test]
fn a_write_that_fails_leaves_nothing() {
    let world = World::new(&["jail/a=old"]);
    let before = world.photo("");
    let script = "trap '' XFSZ; ulimit -f 16; exec \"$0\" --exact child_that_cannot_write_much";
    let child = Command::new("sh")
        .args(["-c", script])
        .arg(std::env::current_exe().unwrap())
        .env("PINFOLD_TEST_SMALL_FILES", world.path("jail"))
        .output()
        .unwrap();
    assert!(child.status.success() && child.status.signal().is_none(), "{child:?}");
    assert!(String::from_utf8_lossy(&child.stdout).contains("1 passed"), "{child:?}");
    assert_eq!(world.photo(""), before);
}
