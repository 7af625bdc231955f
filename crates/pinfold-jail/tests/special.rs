//! Pipes, sockets, devices and links to them: an error at once, never a wait.

#![allow(clippy::disallowed_methods, reason = "a test makes the trees, and looks at them past the jail")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

#[path = "support/world.rs"]
#[allow(dead_code, reason = "each test file uses a part of it")]
mod world;

use std::{fs, os::unix::net::UnixListener, sync::mpsc, thread, time::Duration};

use pinfold_jail::{ErrorKind, Guard, Jail, NodeKind, Resolver};
use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};

use world::{RESOLVERS, World, find, find_itself};

/// Lets `act` hang without hanging the test: what takes a minute has not come back at once.
fn comes_back(what: &str, act: impl FnOnce() + Send + 'static) {
    let (done, wait) = mpsc::channel();
    let run = thread::spawn(move || {
        act();
        done.send(()).ok();
    });
    match wait.recv_timeout(Duration::from_mins(1)) {
        Ok(()) | Err(mpsc::RecvTimeoutError::Disconnected) => run.join().unwrap(),
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("{what} hangs"),
    }
}

/// Every operation that takes a name, on one that is no file.
fn all_refuse(jail: Jail, name: &'static str, error: ErrorKind) {
    comes_back(name, move || {
        let path = || find(&jail, name);
        let refused = match path() {
            Err(no) => [no.error.kind(); 4],
            Ok(found) => {
                assert_eq!(found.kind(), Some(NodeKind::Other));
                [
                    found.open_file().unwrap_err().kind(),
                    found.snapshot(1 << 20).unwrap_err().kind(),
                    path().unwrap().glance().unwrap_err().kind(),
                    match path().unwrap().make_dir().unwrap_err().kind() {
                        ErrorKind::NotDirectory => ErrorKind::SpecialFile,
                        other => other,
                    },
                ]
            }
        };
        assert_eq!(refused, [error; 4], "{name:?}");
        assert!(path().is_err() || path().unwrap().open_dir().is_err());
    });
}

#[test]
fn everything_is_refused_at_once() {
    let world = World::new(&[
        "jail/pipe|",
        "jail/l-pipe@pipe",
        "jail/l-zero@/dev/zero",
        "jail/l-tty@/dev/tty",
        "jail/l-stdin@/dev/stdin",
        "jail/l-random@/dev/random",
        "jail/l-fd@/proc/self/fd/0",
        "jail/d/",
    ]);
    let _socket = UnixListener::bind(world.path("jail/socket")).unwrap();
    for resolver in RESOLVERS {
        for name in ["pipe", "l-pipe", "socket"] {
            all_refuse(world.jail(resolver), name, ErrorKind::SpecialFile);
        }
        for name in
            ["l-zero", "l-tty", "l-stdin", "l-random", "l-fd", "/dev/zero", "/dev/tty", "/proc/self/mem"]
        {
            all_refuse(world.jail(resolver), name, ErrorKind::Escape);
        }
        let devices: [(&str, FileType, (u32, u32)); 3] = [
            ("zero", FileType::CharacterDevice, (1, 5)),
            ("tty", FileType::CharacterDevice, (5, 0)),
            ("loop", FileType::BlockDevice, (7, 250)),
        ];
        for (name, kind, (major, minor)) in devices {
            let place = world.path("jail").join(name);
            fs::remove_file(&place).ok();
            if mknodat(CWD, &place, kind, Mode::RWXU, makedev(major, minor)).is_err() {
                return testkit::skip("only the superuser makes devices");
            }
            all_refuse(world.jail(resolver), name, ErrorKind::SpecialFile);
        }
    }
}

/// A pipe that takes a file's place after the look is opened without waiting, seen for what it is, and closed.
#[test]
fn a_pipe_in_a_files_place() {
    for resolver in RESOLVERS {
        let world = World::new(&["jail/a=old", "jail/b=old", "jail/d/c="]);
        let jail = world.jail(resolver);
        let (file, seen) = (find(&jail, "a").unwrap(), find(&jail, "b").unwrap().snapshot(9).unwrap());
        let dir = find(&jail, "d").unwrap().open_dir().unwrap();
        for name in ["a", "b", "d/c"] {
            fs::remove_file(world.path("jail").join(name)).unwrap();
            world.make(&format!("jail/{name}|"));
        }
        comes_back("a pipe", move || {
            assert_eq!(file.open_file().unwrap_err().kind(), ErrorKind::SpecialFile);
            assert_eq!(dir.open_file(b"c").unwrap_err().kind(), ErrorKind::SpecialFile);
            assert_eq!(dir.open_dir(b"c").unwrap_err().kind(), ErrorKind::NotDirectory);
            assert_eq!(seen.draft(vec![1]).commit(Guard::Unchanged).unwrap_err().kind(), ErrorKind::Stale);
        });
        let itself = find_itself(&jail, "b").unwrap();
        assert_eq!(itself.kind(), Some(NodeKind::Other), "the pipe is still there");
        itself.remove(&|_| false).unwrap();
    }
}

/// Many calls on pipes at once leave the others undisturbed.
#[test]
fn pipes_block_nobody_else() {
    let world = World::new(&["jail/pipe|", "jail/a=text"]);
    let jail = world.jail(Resolver::Best);
    comes_back("a read beside pipes", move || {
        thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| assert!(find(&jail, "pipe").unwrap().open_file().is_err()));
            }
            scope.spawn(|| assert!(find(&jail, "a").unwrap().open_file().is_ok()));
        });
        drop(world);
    });
}
