//! What is in the cell: made anew before a line if the last one changed it, and compared after it.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{MetadataExt, symlink},
    path::Path,
    time::{Duration, SystemTime},
};

use super::super::{
    fixture::{Kind, MUTABLE, TREE},
    record::Run,
};
use crate::Result;

/// Every path with what tells a change of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Snapshot(BTreeMap<String, Seen>);

#[derive(Debug, PartialEq, Eq)]
struct Seen {
    mode: u32,
    inode: u64,
    /// Nothing for directories, which change with what is in them.
    size: u64,
    modified: (i64, i64),
}

impl Snapshot {
    pub(super) fn take() -> Result<Snapshot> {
        let mut found = BTreeMap::new();
        for folder in MUTABLE {
            look(Path::new(folder), &mut found)?;
        }
        Ok(Snapshot(found))
    }

    /// The path of a file.
    pub(super) fn path(&self, inode: u64) -> Option<&str> {
        self.0.iter().find(|(_, seen)| seen.inode == inode).map(|(path, _)| path.as_str())
    }

    /// Writes into `run` how `self` became `now`.
    pub(super) fn compare(&self, now: &Snapshot, run: &mut Run) {
        for (path, seen) in &now.0 {
            match self.0.get(path) {
                None => run.created.push(path.clone()),
                Some(before) if before != seen => run.modified.push(path.clone()),
                Some(_) => {}
            }
        }
        run.deleted.extend(self.0.keys().filter(|path| !now.0.contains_key(*path)).cloned());
    }
}

fn look(path: &Path, found: &mut BTreeMap<String, Seen>) -> Result<()> {
    let Ok(about) = fs::symlink_metadata(path) else { return Ok(()) };
    let is_dir = about.is_dir();
    let seen = Seen {
        mode: about.mode(),
        inode: about.ino(),
        size: if is_dir { 0 } else { about.len() },
        modified: if is_dir { (0, 0) } else { (about.mtime(), about.mtime_nsec()) },
    };
    found.insert(path.to_string_lossy().into_owned(), seen);
    if is_dir {
        for entry in fs::read_dir(path)? {
            look(&entry?.path(), found)?;
        }
    }
    Ok(())
}

/// Makes the fixture, whatever was there before.
pub(super) fn make() -> Result<()> {
    for folder in MUTABLE {
        if Path::new(folder).exists() {
            fs::remove_dir_all(folder)?;
        }
    }
    for (path, kind) in TREE {
        match kind {
            Kind::Directory => fs::create_dir_all(path)?,
            Kind::Link(target) => symlink(target, path)?,
            Kind::File => {
                fs::write(path, "content\n")?;
                // Long ago, so that every write shows, however coarse the clock is.
                let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
                fs::File::options().write(true).open(path)?.set_modified(long_ago)?;
            }
        }
    }
    Ok(())
}
