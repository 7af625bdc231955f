//! What there is to race for: a workspace with a directory and a file, the links that will stand in their places, and
//! what those lead to.

use std::{
    collections::BTreeMap,
    fs, io,
    os::unix::fs::{MetadataExt, symlink},
    path::{Path, PathBuf},
};

use pinfold::{Policy, Resolver, Workspace, policy::ShellPolicy};
use pinfold_jail::snapshot::sha256;
use tempfile::TempDir;

/// Stands in every name and every content that lies outside.
const MARK: &str = "OUTSIDE";
/// A size that nothing inside has.
const OUTSIDE_SIZE: usize = 7919;

pub(crate) struct Yard {
    top: PathBuf,
    _dir: TempDir,
}

impl Yard {
    pub(crate) fn new() -> Yard {
        // In memory, if there is such a place: the fewer waits for a disk, the more races.
        let dir = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).unwrap();
        let yard = Yard { top: dir.path().canonicalize().unwrap(), _dir: dir };
        fs::create_dir(yard.home()).unwrap();
        fs::create_dir_all(yard.top.join("out/dir/sub")).unwrap();
        for path in ["out/f", "out/dir/f", "out/dir/sub/f", "out/dir/OUTSIDE-only", "out/dir/only"] {
            fs::write(yard.top.join(path), content()).unwrap();
        }
        yard.restore_dir().unwrap();
        yard.restore_file().unwrap();
        yard
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.top.join("home")
    }

    pub(crate) fn open(&self, resolver: Resolver) -> Workspace {
        let shell = ShellPolicy {
            allow: Some(vec!["cat".into()]),
            env: BTreeMap::from([("PATH".into(), "/usr/bin:/bin".into())]),
            ..ShellPolicy::default()
        };
        Workspace::with_resolver(Policy { shell: Some(shell), ..Policy::new(self.home()) }, resolver).unwrap()
    }

    /// Puts the directory and its link back, whatever has become of them. A call may come between, and then it fails.
    pub(crate) fn restore_dir(&self) -> io::Result<()> {
        let (dir, link, was) = (self.home().join("d"), self.home().join("d.link"), self.home().join("d.was"));
        for path in [&dir, &link, &was] {
            clear(path);
        }
        fs::create_dir_all(dir.join("sub"))?;
        fs::write(dir.join("f"), "inside A\n")?;
        fs::write(dir.join("sub/f"), "inside A\n")?;
        symlink("../out/dir", link)
    }

    /// Puts the file and its link back.
    pub(crate) fn restore_file(&self) -> io::Result<()> {
        let (file, link, was) =
            (self.home().join("g"), self.home().join("g.link"), self.home().join("g.was"));
        for path in [&file, &link, &was] {
            clear(path);
        }
        fs::write(file, "inside A\n")?;
        symlink(self.top.join("out/f"), link)
    }

    /// Nothing in `told` comes from outside.
    pub(crate) fn check_answer(&self, op: &str, told: &str) {
        let size = format!("\"size\":{OUTSIDE_SIZE}");
        for never in [MARK, &sha256(content().as_bytes()), &size] {
            assert!(!told.contains(never), "{op} told {never:?}: {told}");
        }
    }

    /// Everything outside: inode, mode, size, content, and the times at which it or its names changed.
    pub(crate) fn outside(&self) -> Vec<String> {
        let mut seen = Vec::new();
        look(&self.top.join("out"), &mut seen);
        seen
    }

    /// Temporary files, anywhere.
    pub(crate) fn leftovers(&self) -> Vec<PathBuf> {
        let mut all = Vec::new();
        names(&self.top, &mut all);
        all.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().contains("pinfold")));
        all
    }
}

fn content() -> String {
    format!("{MARK} A\n{}", "x".repeat(OUTSIDE_SIZE - MARK.len() - 3))
}

fn clear(path: &Path) {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_dir() => fs::remove_dir_all(path).ok(),
        Ok(_) => fs::remove_file(path).ok(),
        Err(_) => None,
    };
}

fn look(path: &Path, seen: &mut Vec<String>) {
    let meta = fs::symlink_metadata(path).unwrap();
    let content = if meta.is_file() { sha256(&fs::read(path).unwrap()) } else { String::new() };
    let changed = (meta.mtime(), meta.mtime_nsec(), meta.ctime(), meta.ctime_nsec());
    seen.push(format!(
        "{} {} {:o} {} {changed:?} {content}",
        path.display(),
        meta.ino(),
        meta.mode(),
        meta.size()
    ));
    for below in sorted(path) {
        look(&below, seen);
    }
}

fn names(path: &Path, all: &mut Vec<PathBuf>) {
    all.push(path.to_owned());
    if !path.is_symlink() {
        sorted(path).iter().for_each(|below| names(below, all));
    }
}

fn sorted(dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}
