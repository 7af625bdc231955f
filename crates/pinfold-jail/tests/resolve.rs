//! Resolution on both resolvers: a table of cases, their cross-check, and random trees beside the system's own answer.

#![allow(clippy::disallowed_methods, reason = "a test makes the trees, and looks at them past the jail")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

#[path = "resolve/cases.rs"]
mod cases;
#[path = "resolve/random.rs"]
mod random;
#[path = "support/world.rs"]
#[allow(dead_code, reason = "each test file uses a part of it")]
mod world;

use std::{
    ffi::OsStr,
    fs,
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::{Path, PathBuf},
};

use pinfold_jail::{Access, Ask, ErrorKind, Jail, JailedPath, NodeKind, Resolver, Root};
use rustix::fs::fstat;

use cases::{CASES, Case, Roots, TREE, Want};
use world::{RESOLVERS, World, ask, find, find_itself};

/// What can be compared between two resolvers: place, kind and inode, or the error.
type Seen = Result<(PathBuf, Option<NodeKind>, Option<u64>), ErrorKind>;

fn seen(jail: &Jail, ask: Ask<'_>) -> Seen {
    match jail.resolve(ask) {
        Ok(path) => Ok((path.place().to_owned(), path.kind(), inode(&path))),
        Err(no) => Err(no.error.kind()),
    }
}

fn inode(path: &JailedPath) -> Option<u64> {
    match path.kind()? {
        NodeKind::File => path.open_file().ok().map(|file| file.metadata().unwrap().ino()),
        NodeKind::Directory => Some(fstat(path.dir_fd().unwrap()).unwrap().st_ino),
        NodeKind::Symlink | NodeKind::Other => None,
    }
}

/// The answers of both resolvers, which must be one.
fn agreed(jails: &[Jail; 2], ask: Ask<'_>) -> Seen {
    let [kernel, walk] = jails.each_ref().map(|jail| seen(jail, ask));
    assert_eq!(kernel, walk, "the resolvers disagree on {ask:?}");
    kernel
}

fn jails(world: &World, roots: Roots) -> [Jail; 2] {
    RESOLVERS.map(|resolver| {
        let mut jail = match roots {
            Roots::Alias => Jail::new(world.root("alias", Access::ReadWrite), resolver),
            _ => world.jail(resolver),
        };
        match roots {
            Roots::Home | Roots::Alias => {}
            Roots::And(extra) => jail.add(world.root(extra, Access::ReadOnly)),
            Roots::Scope(name) => jail = jail.scoped(&find(&jail, name).unwrap()).unwrap(),
        }
        jail
    })
}

fn check(world: &World, Case { roots, name, last, want, why }: &Case) {
    let name = world.fill(name);
    let found = agreed(&jails(world, *roots), Ask { last: *last, ..ask(&name) });
    let found = found.map(|(place, kind, _)| (place, kind));
    let expected = match want {
        Want::At(kind, place) => Ok((PathBuf::from(world.fill(place)), *kind)),
        Want::No(error) => Err(*error),
    };
    assert_eq!(found, expected, "{name:?} below {roots:?}: {why}");
}

#[test]
fn every_case_on_both_resolvers() {
    let world = World::new(TREE);
    CASES.iter().for_each(|case| check(&world, case));
    println!("resolve: {} cases on {} resolvers, all cross-checked", CASES.len(), RESOLVERS.len());
}

#[test]
fn the_kernel_resolver_is_there() {
    let world = World::new(&[]);
    if world.jail(Resolver::Best).resolver() != Resolver::Kernel {
        testkit::skip("no openat2 here: the kernel resolver walks like the other one");
    }
}

#[test]
fn links_are_followed_forty_times() {
    let world = World::new(&["jail/c0=end"]);
    for at in 1..=41 {
        std::os::unix::fs::symlink(format!("c{}", at - 1), world.path(&format!("jail/c{at}"))).unwrap();
    }
    let jails = jails(&world, Roots::Home);
    assert!(agreed(&jails, ask("c40")).is_ok());
    assert_eq!(agreed(&jails, ask("c41")).unwrap_err(), ErrorKind::TooManyLinks);
}

#[test]
fn links_that_multiply_end() {
    let tree: Vec<String> = (0..40).map(|at| format!("jail/m{at}@{}", "m40/../".repeat(500))).collect();
    let world = World::new(&tree.iter().map(String::as_str).chain(["jail/m40/"]).collect::<Vec<_>>());
    let name = (0..40).map(|at| format!("m{at}/")).collect::<String>();
    assert_eq!(agreed(&jails(&world, Roots::Home), ask(&name)).unwrap_err(), ErrorKind::TooManyLinks);
}

#[test]
fn long_and_odd_names() {
    let world = World::new(&["jail/ lead=", "jail/a\\b=", "jail/~=", "jail/%2e%2e="]);
    let jails = jails(&world, Roots::Home);
    for name in [" lead", "a\\b", "~", "%2e%2e"] {
        assert!(matches!(agreed(&jails, ask(name)), Ok((_, Some(NodeKind::File), _))), "{name:?}");
    }
    for (name, error) in [
        ("a\0b".to_owned(), ErrorKind::BadName),
        ("n".repeat(256), ErrorKind::NameTooLong),
        (format!("new/{}", "n".repeat(256)), ErrorKind::NameTooLong),
        ("d/".repeat(2048), ErrorKind::NameTooLong),
        ("d/".repeat(300), ErrorKind::TooDeep),
    ] {
        assert_eq!(agreed(&jails, ask(&name)).unwrap_err(), error, "{} bytes", name.len());
    }
    let (longest, at_most) = ("n".repeat(255), format!("{}x", "./".repeat(2047)));
    assert!(matches!(agreed(&jails, ask(&longest)), Ok((_, None, _))));
    assert!(matches!(agreed(&jails, ask(&at_most)), Ok((_, None, _))));
}

#[test]
fn a_tree_deeper_than_is_walked_uses_up_no_descriptors() {
    let world = World::new(&["jail/d/"]);
    let mut dir = fs::File::open(world.path("jail/d")).unwrap();
    for _ in 0..300 {
        rustix::fs::mkdirat(&dir, "d", rustix::fs::Mode::RWXU).unwrap();
        dir = rustix::fs::openat(&dir, "d", rustix::fs::OFlags::RDONLY, rustix::fs::Mode::empty())
            .unwrap()
            .into();
    }
    let jails = jails(&world, Roots::Home);
    assert!(agreed(&jails, ask(&"d/".repeat(256))).is_ok());
    assert_eq!(agreed(&jails, ask(&"d/".repeat(257))).unwrap_err(), ErrorKind::TooDeep);
}

#[test]
fn names_that_are_not_utf8() {
    let world = World::new(&["jail/sub/"]);
    let real = OsStr::from_bytes(b"caf\xe9.txt");
    fs::write(world.path("jail/sub").join(real), "latin").unwrap();
    let jails = jails(&world, Roots::Home);
    let exact = agreed(&jails, ask(&Path::new("sub").join(real))).unwrap();
    let shown = Ask { lossy: true, ..ask("sub/caf\u{fffd}.txt") };
    assert_eq!(agreed(&jails, shown).unwrap(), exact);
    assert_eq!(exact.0, world.path("jail/sub").join(real));
    assert_eq!(agreed(&jails, Ask { lossy: false, ..shown }).unwrap().1, None, "only where it is asked for");

    fs::write(world.path("jail/sub").join(OsStr::from_bytes(b"caf\xe8.txt")), "grave").unwrap();
    assert_eq!(agreed(&jails, shown).unwrap().1, None, "two are shown alike");
    fs::write(world.path("jail/sub/caf\u{fffd}.txt"), "itself").unwrap();
    assert_eq!(agreed(&jails, shown).unwrap().1, Some(NodeKind::File), "the name itself comes first");
}

/// Whoever denies `secret` must be told of it by every way that touches it, also where the answer is an error.
#[test]
fn what_was_passed_is_told() {
    let world = World::new(&[
        "jail/secret/sub/key=",
        "jail/secret/out@$/out",
        "jail/alias@secret/sub",
        "jail/via@alias/key",
        "jail/a=",
        "jail/loop@secret/loop2",
        "jail/secret/loop2@../loop",
    ]);
    let secret = world.path("jail/secret");
    for jail in jails(&world, Roots::Home) {
        for name in [
            "secret",
            "secret/sub/key",
            "secret/none/x",
            "secret/sub/key/x",
            "secret/../a",
            "secret/none/../../a",
            "secret/sub/../../a",
            "./secret/.",
            "alias/key",
            "via",
            "alias/none",
            "secret/out/x",
            "secret/../../out",
            "$/jail/secret/../a",
            "alias/../../a",
            "loop",
            "secret/nnn/../../../jail/a",
        ] {
            let (mut places, what) = match find(&jail, &world.fill(name)) {
                Ok(path) => (path.passed().to_vec(), Some(path.place().to_owned())),
                Err(no) => (no.passed, None),
            };
            places.extend(what);
            assert!(places.iter().any(|place| place.starts_with(&secret)), "{name:?}: {places:?}");
        }
    }
}

/// The same for a link whose own name is denied, reached through another.
#[test]
fn a_link_on_the_way_is_told() {
    let world = World::new(&[
        "jail/a/f=",
        "jail/secret@a",
        "jail/via@secret",
        "jail/d/far@../via/f",
        "jail/out@$/out",
    ]);
    for jail in jails(&world, Roots::Home) {
        for name in ["secret/f", "via/f", "d/far", "via/../a/f"] {
            let path = find(&jail, name).unwrap();
            assert!(path.passed().contains(&world.path("jail/secret")), "{name:?}: {:?}", path.passed());
        }
        let no = find(&jail, "d/../out/x").unwrap_err();
        assert!(no.passed.contains(&world.path("jail/out")), "{:?}", no.passed);
    }
}

/// A root that was opened by a name that leads through a link in another root: the link's own name can be denied.
#[test]
fn the_link_that_a_root_was_opened_by_is_told() {
    let world = World::new(&["jail/data@$/far", "far/x=", "jail/to@$/jail/data/x", "alias@jail"]);
    for resolver in RESOLVERS {
        let mut jail = Jail::new(world.root("alias", Access::ReadWrite), resolver);
        jail.add(world.root("jail/data", Access::ReadOnly));
        for name in
            ["data/x", "$/jail/data/x", "$/alias/data/x", "to", "$/jail/data/none", "$/jail/../alias/data"]
        {
            let path = find(&jail, &world.fill(name)).unwrap();
            let told = path.passed().iter().any(|place| place.starts_with(world.path("jail/data")));
            assert!(told, "{name:?} with {resolver:?}: {:?}", path.passed());
            assert!(path.place().starts_with(world.path("far")) && path.access() == Access::ReadOnly);
        }
    }
}

#[test]
fn the_innermost_root_says_what_may_be_done() {
    let world = World::new(TREE);
    for (extra, name, access) in [
        ("", "$/jail/README.md", Access::ReadWrite),
        ("", "../jail/README.md", Access::ReadWrite),
        ("", "$/extra/../jail/README.md", Access::ReadWrite),
        ("", "$/extra/l-home", Access::ReadWrite),
        ("", "../extra/doc.txt", Access::ReadOnly),
        ("jail/vendor/lib", "vendor/lib/a.txt", Access::ReadOnly),
        ("jail/vendor/lib", "vendor/lib/new", Access::ReadOnly),
        ("jail/vendor/lib", "l-vendor", Access::ReadOnly),
        ("jail/vendor/lib", "vendor/lib/../b.txt", Access::ReadWrite),
        ("jail/vendor/lib", "vendor/lib/l-up", Access::ReadWrite),
    ] {
        for jail in jails(&world, Roots::And(extra)) {
            assert_eq!(find(&jail, &world.fill(name)).unwrap().access(), access, "{name:?} with {extra:?}");
        }
    }
}

/// The descriptor counts: a directory that took a root's place is not that root.
#[test]
fn a_root_is_the_directory_that_was_opened() {
    let world = World::new(&["top/jail/a=inner", "top/other/"]);
    for resolver in RESOLVERS {
        let mut jail = Jail::new(world.root("top/jail", Access::ReadWrite), resolver);
        jail.add(world.root("top", Access::ReadOnly));
        fs::rename(world.path("top/jail"), world.path("top/moved")).unwrap();
        fs::create_dir(world.path("top/jail")).unwrap();
        fs::write(world.path("top/jail/a"), "impostor").unwrap();
        for name in ["a", "$/top/jail/a", "$/top/other/../jail/a"] {
            let file = find(&jail, &world.fill(name)).unwrap().open_file().unwrap();
            assert_eq!(std::io::read_to_string(file).unwrap(), "inner", "{name:?}");
        }
        fs::remove_dir_all(world.path("top/jail")).unwrap();
        fs::rename(world.path("top/moved"), world.path("top/jail")).unwrap();
    }
}

#[test]
fn a_trailing_slash_wants_a_directory() {
    let world = World::new(TREE);
    for jail in jails(&world, Roots::Home) {
        for name in ["README.md/", "README.md/.", "l-file/", "l-file-slash", "l-file-dot"] {
            assert_eq!(find(&jail, name).unwrap_err().error.kind(), ErrorKind::NotDirectory, "{name:?}");
        }
        for name in ["new/", "new/.", "l-dangling/"] {
            assert_eq!(
                find(&jail, name).unwrap().glance().unwrap_err().kind(),
                ErrorKind::NotDirectory,
                "{name:?}"
            );
        }
        for name in ["src/", "src/.", "l-dir/", "l-slash", "./", ""] {
            assert!(find(&jail, name).unwrap().open_dir().is_ok(), "{name:?}");
        }
        let link = find_itself(&jail, "l-dir/").unwrap_err();
        assert_eq!(link.error.kind(), ErrorKind::NotDirectory);
    }
}

#[test]
fn a_root_must_be_an_absolute_directory() {
    let world = World::new(&["jail/a="]);
    let error = |path: &Path| Root::open(path, Access::ReadWrite).unwrap_err().kind();
    assert_eq!(error(Path::new("relative")), ErrorKind::Escape);
    assert_eq!(error(&world.path("jail/a")), ErrorKind::NotDirectory);
    assert_eq!(error(&world.path("none")), ErrorKind::NotFound);
}

/// A `Dir` takes single names only, in every method.
#[test]
fn a_directory_handle_looks_nowhere_else() {
    let world = World::new(&["out/secret=", "jail/d/in@../../out/secret"]);
    for jail in jails(&world, Roots::Home) {
        let dir = find(&jail, "d").unwrap().open_dir().unwrap();
        for name in ["..", ".", "", "../../out", "../../out/secret", "/etc", "a\0"] {
            let name = name.as_bytes();
            let errors = [
                dir.kind(name).unwrap_err(),
                dir.size(name).unwrap_err(),
                dir.open_dir(name).unwrap_err(),
                dir.open_file(name).unwrap_err(),
            ];
            assert_eq!(errors.map(|error| error.kind()), [ErrorKind::BadName; 4], "{name:?}");
        }
        assert_eq!(dir.kind(b"in").unwrap(), NodeKind::Symlink);
        assert!(dir.open_file(b"in").is_err() && dir.open_dir(b"in").is_err());
    }
}

#[test]
fn links_themselves() {
    let world = World::new(TREE);
    for jail in jails(&world, Roots::Home) {
        for name in ["l-out", "l-loop", "l-dangling", "l-root"] {
            let path = find_itself(&jail, name).unwrap();
            assert_eq!(path.kind(), Some(NodeKind::Symlink));
            assert!(path.open_file().is_err() && path.open_dir().is_err() && path.dir_fd().is_err());
        }
    }
    let ways = find_itself(&world.jail(Resolver::Walk), "l-root/l-out");
    assert_eq!(ways.unwrap().place(), world.path("jail/l-out"));
    let outside = find_itself(&world.jail(Resolver::Walk), "l-out/secret");
    assert_eq!(outside.unwrap_err().error.kind(), ErrorKind::Escape);
}

/// The races, one by one and by hand: what was resolved is swapped for a link that leads out, then used.
#[test]
fn a_link_that_takes_a_place_is_not_followed() {
    let tree =
        ["jail/f=inside", "jail/d/f=inside", "jail/d/sub/f=inside", "out/f=OUTSIDE-CONTENT", "out/sub/f="];
    for resolver in RESOLVERS {
        let world = World::new(&tree);
        let jail = world.jail(resolver);
        let swap = |name: &str, target: &str| {
            let name = world.path("jail").join(name);
            fs::rename(&name, name.with_extension("away")).unwrap();
            std::os::unix::fs::symlink(world.path(target), name).unwrap();
        };
        let [file, again] = [(); 2].map(|()| find(&jail, "f").unwrap());
        let dir = find(&jail, "d").unwrap();
        let (opened, inner, new) =
            (dir.open_dir().unwrap(), find(&jail, "d/f").unwrap(), find(&jail, "d/new/er").unwrap());
        swap("f", "out/f");
        assert_eq!(file.open_file().unwrap_err().kind(), ErrorKind::Changed);
        assert_eq!(again.snapshot(9).unwrap_err().kind(), ErrorKind::Changed);
        swap("d/sub", "out/sub");
        assert_eq!(opened.open_dir(b"sub").unwrap_err().kind(), ErrorKind::NotDirectory);
        swap("d", "out");
        // The directory that was resolved is used, wherever its name leads by now.
        assert_eq!(std::io::read_to_string(inner.open_file().unwrap()).unwrap(), "inside");
        assert_eq!(std::io::read_to_string(opened.open_file(b"f").unwrap()).unwrap(), "inside");
        assert_eq!(dir.open_dir().unwrap().entries().unwrap().len(), 3);
        new.make_dir().unwrap();
        assert!(world.path("jail/d.away/new/er").is_dir() && !world.path("out/new").exists());
    }
}
