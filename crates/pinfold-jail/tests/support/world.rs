//! A little world for one test: a jail, and what must stay out of reach, below one temporary directory.

use std::{
    fs,
    os::unix::fs::{MetadataExt, symlink},
    path::{Path, PathBuf},
};

use pinfold_jail::{Access, Ask, Jail, JailedPath, Last, Resolver, Root, Unresolved};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use tempfile::TempDir;

pub(crate) const RESOLVERS: [Resolver; 2] = [Resolver::Kernel, Resolver::Walk];

/// What no answer may hold.
pub(crate) const OUTSIDE: &str = "OUTSIDE-CONTENT";

pub(crate) struct World {
    top: PathBuf,
    _dir: TempDir,
}

impl World {
    /// Makes `jail` and `out`, and then what each line says: `a/b/` a directory, `a=text` a file, `a@target` a link, `a|`
    /// a pipe. `$` in a target is the directory above all.
    pub(crate) fn new(lines: &[&str]) -> World {
        let dir = TempDir::new().unwrap();
        let world = World { top: dir.path().canonicalize().unwrap(), _dir: dir };
        for line in ["jail/", "out/"].iter().chain(lines) {
            world.make(line);
        }
        world
    }

    pub(crate) fn make(&self, line: &str) {
        let at = line.find(['=', '@', '|']).unwrap_or(line.len());
        let (path, rest) = (self.path(&line[..at]), &line[at..]);
        if let Some(above) = path.parent() {
            fs::create_dir_all(above).unwrap();
        }
        match rest.split_at_checked(1) {
            Some(("=", text)) => fs::write(&path, text).unwrap(),
            Some(("@", target)) => symlink(self.fill(target), &path).unwrap(),
            Some(("|", _)) => mknodat(CWD, &path, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap(),
            _ => fs::create_dir_all(&path).unwrap(),
        }
    }

    /// `$` stands for the directory above all.
    pub(crate) fn fill(&self, text: &str) -> String {
        text.replace('$', self.top.to_str().unwrap())
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.top.join(below)
    }

    pub(crate) fn root(&self, below: &str, access: Access) -> Root {
        Root::open(&self.path(below), access).unwrap()
    }

    /// A jail whose only root is `jail`.
    pub(crate) fn jail(&self, resolver: Resolver) -> Jail {
        Jail::new(self.root("jail", Access::ReadWrite), resolver)
    }

    pub(crate) fn read(&self, below: &str) -> String {
        fs::read_to_string(self.path(below)).unwrap()
    }

    /// Every path below `below` with what is there: kind, inode, mode and content.
    pub(crate) fn photo(&self, below: &str) -> Vec<String> {
        let mut seen = Vec::new();
        photo(&self.path(below), &mut seen);
        seen.sort();
        seen
    }

    /// The temporary files that were left behind.
    pub(crate) fn leftovers(&self) -> Vec<String> {
        self.photo("").into_iter().filter(|line| line.contains(".pinfold-")).collect()
    }
}

fn photo(dir: &Path, seen: &mut Vec<String>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let meta = fs::symlink_metadata(&path).unwrap();
        let content = if meta.is_file() {
            format!("{:?}", fs::read(&path))
        } else if meta.is_symlink() {
            format!("{:?}", fs::read_link(&path))
        } else {
            String::new()
        };
        seen.push(format!("{} {} {:o} {content}", path.display(), meta.ino(), meta.mode()));
        if meta.is_dir() {
            photo(&path, seen);
        }
    }
}

pub(crate) fn ask<S: AsRef<std::ffi::OsStr> + ?Sized>(name: &S) -> Ask<'_> {
    Ask { name: name.as_ref(), last: Last::Follow, lossy: false }
}

pub(crate) fn find(jail: &Jail, name: &str) -> Result<JailedPath, Unresolved> {
    jail.resolve(ask(name))
}

/// The link itself, where the name ends in one.
pub(crate) fn find_itself(jail: &Jail, name: &str) -> Result<JailedPath, Unresolved> {
    jail.resolve(Ask { last: Last::Keep, ..ask(name) })
}
