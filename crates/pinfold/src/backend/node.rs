//! What a permit unlocks: one resolved thing, on which a tool acts without looking its name up again.

use std::{
    fs::File,
    io::{Cursor, Read, Seek},
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    time::SystemTime,
};

use pinfold_jail::{
    Child, Dir, Guard, JailError, JailedPath, NodeKind, Receipt, Snapshot, Version, jailed::Missing,
    snapshot::bundle,
};

use super::memory::{MemoryFolder, MemoryNode, MemoryPart, MemorySeen};

/// A thing of either backend. A closed list: the tools use its methods and cannot tell which it is.
#[derive(Debug)]
pub(crate) enum Node {
    Local(JailedPath),
    Memory(MemoryNode),
}

/// Names that are looked at to find the one that was meant.
const MOST_NAMES: usize = 2_000;

/// The place on a path where it leads nowhere.
pub(crate) struct Gap {
    /// The nearest directory that exists: absolute, without links.
    pub(crate) place: PathBuf,
    /// The name that is not in it.
    pub(crate) missing: Vec<u8>,
    /// Whether that is the last name of the path.
    pub(crate) last: bool,
    /// Names that are in it, denied ones too.
    pub(crate) names: Vec<Vec<u8>>,
}

/// An open file.
pub(crate) trait Stored: Read + Seek + Send {
    /// Its state now; none where states are not told apart.
    fn version(&self) -> Option<Version>;

    /// When it was changed last, in milliseconds since 1970; 0 where no time is kept.
    fn changed_ms(&self) -> Option<i64>;
}

impl Stored for File {
    fn version(&self) -> Option<Version> {
        Version::of(self).ok()
    }

    fn changed_ms(&self) -> Option<i64> {
        let since = self.metadata().ok()?.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        i64::try_from(since.as_millis()).ok()
    }
}

impl Stored for Cursor<Vec<u8>> {
    fn version(&self) -> Option<Version> {
        None
    }

    fn changed_ms(&self) -> Option<i64> {
        Some(0)
    }
}

/// A file as it was seen.
pub(crate) enum Seen {
    Local(Snapshot),
    Memory(MemorySeen),
}

/// What becomes of one of several files that change together.
pub(crate) enum Part {
    Local(Box<bundle::Part>),
    Memory(MemoryPart),
}

/// What a commit put in place.
pub(crate) struct Written {
    pub(crate) bytes: u64,
    pub(crate) hash: String,
    pub(crate) created: bool,
}

/// An open directory.
#[derive(Clone)]
pub(crate) enum Folder {
    Local(Dir),
    Memory(MemoryFolder),
}

impl Node {
    pub(crate) fn kind(&self) -> Option<NodeKind> {
        match self {
            Node::Local(path) => path.kind(),
            Node::Memory(node) => node.kind(),
        }
    }

    pub(crate) fn size(&self) -> Option<u64> {
        match self {
            Node::Local(path) => path.size(),
            Node::Memory(node) => node.size(),
        }
    }

    /// What lies where the first of its names is missing; none where something is.
    pub(crate) fn gap(&self) -> Option<Gap> {
        match self {
            Node::Local(path) => {
                let Missing { dir, place, names } = path.missing().ok()??;
                let (missing, rest) = names.split_first()?;
                let place = place.to_owned();
                Some(Gap {
                    place,
                    missing: missing.clone(),
                    last: rest.is_empty(),
                    names: dir.names(MOST_NAMES).ok()?,
                })
            }
            Node::Memory(node) => node.gap(MOST_NAMES),
        }
    }

    /// Opens the regular file for reading.
    pub(crate) fn open_file(&self) -> Result<Box<dyn Stored>, JailError> {
        match self {
            Node::Local(path) => Ok(Box::new(path.open_file()?)),
            Node::Memory(node) => node.open_file(),
        }
    }

    pub(crate) fn open_dir(&self) -> Result<Folder, JailError> {
        match self {
            Node::Local(path) => path.open_dir().map(Folder::Local),
            Node::Memory(node) => node.open_dir().map(Folder::Memory),
        }
    }

    /// Looks at the attributes only, for replacing or making the file.
    pub(crate) fn glance(self) -> Result<Seen, JailError> {
        match self {
            Node::Local(path) => path.glance().map(Seen::Local),
            Node::Memory(node) => node.glance().map(Seen::Memory),
        }
    }

    /// Reads the whole file, of at most `max_bytes`.
    pub(crate) fn snapshot(self, max_bytes: u64) -> Result<Seen, JailError> {
        match self {
            Node::Local(path) => path.snapshot(max_bytes).map(Seen::Local),
            Node::Memory(node) => node.snapshot(max_bytes).map(Seen::Memory),
        }
    }

    /// Makes the directory; false: it was there.
    pub(crate) fn make_dir(self) -> Result<bool, JailError> {
        match self {
            Node::Local(path) => path.make_dir(),
            Node::Memory(node) => node.make_dir(),
        }
    }

    pub(crate) fn remove(self, denied: &dyn Fn(&Path) -> bool) -> Result<(), JailError> {
        match self {
            Node::Local(path) => path.remove(denied),
            Node::Memory(node) => node.remove(denied),
        }
    }

    /// Removes a file, a link itself, or a directory that nothing is in.
    pub(crate) fn remove_alone(self) -> Result<(), JailError> {
        match self {
            Node::Local(path) => path.remove_alone(),
            Node::Memory(node) => node.remove_alone(),
        }
    }

    /// The directory to start a process in; none where there are no processes.
    pub(crate) fn working_dir(&self) -> Result<Option<OwnedFd>, JailError> {
        match self {
            Node::Local(path) => path.dir_fd().map(Some),
            Node::Memory(node) => node.open_dir().map(|_| None),
        }
    }
}

impl Seen {
    /// The content; empty if only the attributes were looked at.
    pub(crate) fn content(&self) -> &[u8] {
        match self {
            Seen::Local(snapshot) => snapshot.content().unwrap_or_default(),
            Seen::Memory(seen) => seen.content(),
        }
    }

    /// Puts `bytes` in its place.
    pub(crate) fn commit(self, bytes: Vec<u8>, guard: Guard) -> Result<Written, JailError> {
        match self {
            Seen::Local(snapshot) => Ok(snapshot.draft(bytes).commit(guard)?.into()),
            Seen::Memory(seen) => seen.commit(bytes, guard),
        }
    }

    /// Plans to put `bytes` in its place, together with other parts. A file that is made gets the mode of `like`.
    pub(crate) fn write(self, bytes: Vec<u8>, like: Option<&Seen>) -> Part {
        match (self, like) {
            (Seen::Local(own), Some(Seen::Local(like))) => {
                Part::Local(Box::new(bundle::Part::Write(own.draft(bytes).like(like))))
            }
            (Seen::Local(own), _) => Part::Local(Box::new(bundle::Part::Write(own.draft(bytes)))),
            (Seen::Memory(own), _) => Part::Memory(own.part(Some(bytes))),
        }
    }

    /// Plans that it goes, together with other parts.
    pub(crate) fn remove(self) -> Part {
        match self {
            Seen::Local(own) => Part::Local(Box::new(bundle::Part::Remove(own.removal()))),
            Seen::Memory(own) => Part::Memory(own.part(None)),
        }
    }
}

impl From<Receipt> for Written {
    fn from(receipt: Receipt) -> Written {
        Written { bytes: receipt.bytes(), hash: receipt.hash().to_owned(), created: receipt.created() }
    }
}

impl Folder {
    /// Entries in byte order of their names.
    pub(crate) fn entries(&self) -> Result<Vec<Child>, JailError> {
        match self {
            Folder::Local(dir) => dir.entries(),
            Folder::Memory(folder) => folder.entries(),
        }
    }

    /// Bytes of a file in it, and when it was changed last, in milliseconds since 1970; 0 where no time is kept.
    pub(crate) fn size_and_time(&self, name: &[u8]) -> Result<(u64, i64), JailError> {
        match self {
            Folder::Local(dir) => dir.size_and_time(name),
            Folder::Memory(folder) => folder.size(name).map(|size| (size, 0)),
        }
    }

    pub(crate) fn size(&self, name: &[u8]) -> Result<u64, JailError> {
        match self {
            Folder::Local(dir) => dir.size(name),
            Folder::Memory(folder) => folder.size(name),
        }
    }

    pub(crate) fn open_dir(&self, name: &[u8]) -> Result<Folder, JailError> {
        match self {
            Folder::Local(dir) => dir.open_dir(name).map(Folder::Local),
            Folder::Memory(folder) => folder.open_dir(name).map(Folder::Memory),
        }
    }

    /// Opens the directory `name` in it, and reads its entries, in byte order of their names.
    pub(crate) fn enter(&self, name: &[u8]) -> Result<(Folder, Vec<Child>), JailError> {
        match self {
            Folder::Local(dir) => dir.enter(name).map(|(dir, entries)| (Folder::Local(dir), entries)),
            Folder::Memory(folder) => {
                let folder = folder.open_dir(name)?;
                let entries = folder.entries()?;
                Ok((Folder::Memory(folder), entries))
            }
        }
    }

    pub(crate) fn open_file(&self, name: &[u8]) -> Result<Box<dyn Stored>, JailError> {
        match self {
            Folder::Local(dir) => Ok(Box::new(dir.open_file(name)?)),
            Folder::Memory(folder) => folder.open_file(name),
        }
    }
}
