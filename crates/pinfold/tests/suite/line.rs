//! One line about something that is, or shall be, on the disk.
//!
//! | line | there is |
//! |---|---|
//! | `a/b=text` | a file; `a/b%755=text` one with that mode |
//! | `a/b/` | a directory |
//! | `a@target` | a symbolic link |
//! | `a^b` | a second name of the file `b` |
//! | `a\|`, `a&` | a pipe, a socket |
//! | `!a` | nothing, nor below it |
//!
//! Paths count from the workspace's own directory, and what lies outside begins with `../`.

use std::{
    ffi::OsStr,
    fs,
    os::unix::{ffi::OsStrExt, fs::PermissionsExt, net::UnixListener},
    path::{Path, PathBuf},
};

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::fill::bytes_of;

pub(crate) struct Line {
    pub(crate) path: PathBuf,
    pub(crate) mode: Option<u32>,
    pub(crate) thing: Thing,
}

pub(crate) enum Thing {
    File(Vec<u8>),
    Directory,
    Link(PathBuf),
    SameAs(PathBuf),
    Pipe,
    Socket,
    Nothing,
}

impl Line {
    pub(crate) fn read(text: &str, top: &str) -> Line {
        let path = |text: &str| PathBuf::from(OsStr::from_bytes(&bytes_of(text, top)));
        if let Some(gone) = text.strip_prefix('!') {
            return Line { path: path(gone), mode: None, thing: Thing::Nothing };
        }
        let at = text.find(['=', '@', '^', '|', '&']).unwrap_or(text.len());
        let (name, rest) = text.split_at(at);
        let (name, mode) = match name.rsplit_once('%') {
            Some((name, mode)) if !name.is_empty() => (name, u32::from_str_radix(mode, 8).ok()),
            _ => (name, None),
        };
        let thing = match rest.split_at_checked(1) {
            Some(("=", content)) => Thing::File(bytes_of(content, top)),
            Some(("@", target)) => Thing::Link(path(target)),
            Some(("^", other)) => Thing::SameAs(path(other)),
            Some(("|", _)) => Thing::Pipe,
            Some(("&", _)) => Thing::Socket,
            _ => Thing::Directory,
        };
        Line { path: path(name.trim_end_matches('/')), mode, thing }
    }

    pub(crate) fn is_outside(&self) -> bool {
        self.path.starts_with("..")
    }

    /// Makes it below `home`.
    pub(crate) fn make(&self, home: &Path) {
        let path = home.join(&self.path);
        if let Some(above) = path.parent() {
            fs::create_dir_all(above).unwrap();
        }
        match &self.thing {
            Thing::File(content) => fs::write(&path, content).unwrap(),
            Thing::Directory => fs::create_dir_all(&path).unwrap(),
            Thing::Link(target) => std::os::unix::fs::symlink(target, &path).unwrap(),
            Thing::SameAs(other) => fs::hard_link(home.join(other), &path).unwrap(),
            Thing::Pipe => mknodat(CWD, &path, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap(),
            Thing::Socket => drop(UnixListener::bind(&path).unwrap()),
            Thing::Nothing => panic!("`!` says what is gone afterwards"),
        }
        if let Some(mode) = self.mode {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
    }
}
