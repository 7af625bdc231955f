//! Seen → planned → on disk.
//!
//! A [`Snapshot`] says what a file was, a [`Draft`] what it shall become, a [`Receipt`] that it is on disk. Each is made
//! only from the one before. The new content goes to a temporary file in the same directory, through the descriptor
//! that the jail holds; it is synced and then takes the old file's place in one step, so a crash leaves the one or the
//! other, and a hard link elsewhere keeps the old content.

mod attributes;
pub mod bundle;
mod commit;
mod stay;
mod sweep;
mod temporary;

pub(crate) use stay::Stay;
pub(crate) use temporary::{readable, sync_dir};

use std::{
    fs::File,
    os::fd::{AsFd, BorrowedFd},
    thread,
};

use rustix::{
    buffer::spare_capacity,
    fs::{Stat, fstat},
    io::{Errno, read},
};
use sha2::{Digest, Sha256};

use crate::{ErrorKind, JailError, JailedPath, NodeKind, jailed::At};
use attributes::Attributes;
use sweep::Fingerprint;

/// A file as it was seen: nothing there, only its attributes, or its whole content.
#[derive(Debug)]
pub struct Snapshot {
    path: JailedPath,
    before: Option<Before>,
    content: Option<Vec<u8>>,
}

/// Which file it was, and what to keep of it.
#[derive(Debug, Clone)]
struct Before {
    dev: u64,
    ino: u64,
    mode: u32,
    uid: u32,
    gid: u32,
    attributes: Attributes,
    fingerprint: Fingerprint,
}

/// What a file shall become.
#[derive(Debug)]
pub struct Draft {
    seen: Snapshot,
    bytes: Vec<u8>,
    /// The file whose mode and owner a new one gets.
    like: Option<Before>,
}

/// That a file shall be gone. One of several [`bundle::Part`]s; alone, [`JailedPath::remove`] does it.
#[derive(Debug)]
pub struct Removal {
    seen: Snapshot,
}

/// Proof that a draft is on disk.
#[derive(Debug)]
pub struct Receipt {
    bytes: u64,
    hash: String,
    created: bool,
}

/// What to do if somebody else has written in the meantime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// Nothing is changed, and the error is [`ErrorKind::Stale`]. A file that was read must still be that file with that
    /// content; where nothing was, nothing may be; a file that was only glanced at is never known to be unchanged.
    ///
    /// What somebody else writes through a descriptor that they opened before, and after the last look, is lost: no
    /// system call tells of it.
    Unchanged,
    /// The last writer wins.
    Overwrite,
}

impl JailedPath {
    /// Looks at the attributes only: for replacing the whole file, or making it.
    pub fn glance(self) -> Result<Snapshot, JailError> {
        let before = match self.kind() {
            None if self.directory => return Err(ErrorKind::NotDirectory.into()),
            None => None,
            // Opening needs permission to read, which replacing does not: so only the held node is asked.
            Some(NodeKind::File) => Some(Before::of(self.held()?)?),
            kind => return Err(self.not_a_file(kind)),
        };
        Ok(Snapshot { path: self, before, content: None })
    }

    /// Reads the whole file, of at most `max_bytes`.
    pub fn snapshot(self, max_bytes: u64) -> Result<Snapshot, JailError> {
        let file = self.open_file()?;
        let before = Before::of(file.as_fd())?;
        let content = read_all(&file, max_bytes)?;
        Ok(Snapshot { path: self, before: Some(before), content: Some(content) })
    }

    fn held(&self) -> Result<BorrowedFd<'_>, JailError> {
        match &self.at {
            At::Entry { node, .. } => Ok(node.fd().as_fd()),
            _ => Err(ErrorKind::NotFound.into()),
        }
    }
}

impl Before {
    fn of(file: BorrowedFd<'_>) -> Result<Before, JailError> {
        let stat = fstat(file)?;
        Ok(Before {
            dev: stat.st_dev,
            ino: stat.st_ino,
            mode: stat.st_mode & 0o7777,
            uid: stat.st_uid,
            gid: stat.st_gid,
            attributes: Attributes::of(file)?,
            fingerprint: Fingerprint::of(&stat),
        })
    }

    fn is(&self, stat: &Stat) -> bool {
        (self.dev, self.ino) == (stat.st_dev, stat.st_ino)
    }
}

impl Snapshot {
    /// The whole content, if it was read.
    pub fn content(&self) -> Option<&[u8]> {
        self.content.as_deref()
    }

    /// Plans to replace the whole file by `bytes`, or to make it with them.
    pub fn draft(self, bytes: Vec<u8>) -> Draft {
        Draft { seen: self, bytes, like: None }
    }

    /// Plans to remove the file, which must have been read.
    pub fn removal(self) -> Removal {
        Removal { seen: self }
    }
}

impl Draft {
    /// A file that is made gets the mode and owner of the one that `other` saw, as when that one is moved.
    #[must_use]
    pub fn like(self, other: &Snapshot) -> Draft {
        Draft { like: other.before.clone(), ..self }
    }

    /// Puts it on disk. Missing directories are made. What was written is read back and compared before it takes its
    /// place. An existing file keeps its mode, access list and other extended attributes, or nothing is done
    /// ([`ErrorKind::AttributesLost`]); it keeps its owner and group where the system lets us: only the superuser may give
    /// files away, and then rights that came with them go. A failure leaves the old content, no temporary file, and none
    /// of the directories made for it.
    pub fn commit(self, guard: Guard) -> Result<Receipt, JailError> {
        self.seen.path.writable()?;
        let (created, hash) = while_hashing(&self.bytes, || commit::commit(&self.seen, &self.bytes, guard));
        Ok(self.receipt(created?, hash))
    }

    fn receipt(&self, created: bool, hash: String) -> Receipt {
        Receipt { bytes: self.bytes.len() as u64, hash, created }
    }
}

impl Receipt {
    /// Length of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// SHA-256 of its content, in lowercase hexadecimal.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// There was no file before.
    pub fn created(&self) -> bool {
        self.created
    }
}

fn read_all(file: &File, max_bytes: u64) -> Result<Vec<u8>, JailError> {
    let size = file.metadata()?.len();
    if size > max_bytes {
        return Err(ErrorKind::TooLarge.into());
    }
    // One byte more than it has shows that it has not grown.
    let most = usize::try_from(max_bytes.saturating_add(1)).unwrap_or(usize::MAX);
    let mut room = usize::try_from(size).unwrap_or(usize::MAX).saturating_add(1);
    let mut content = Vec::new();
    loop {
        // A file of holes can claim any size: memory that is not there is an error, not an abort.
        content.try_reserve(room).map_err(|_| ErrorKind::TooLarge)?;
        match read(file, spare_capacity(&mut content)) {
            Ok(0) => return Ok(content),
            Ok(_) if content.len() >= most => return Err(ErrorKind::TooLarge.into()),
            Ok(_) | Err(Errno::INTR) => room = 1,
            Err(error) => return Err(error.into()),
        }
    }
}

/// Bytes from which on hashing takes longer than starting a thread for it.
const WORTH_A_THREAD: usize = 64 * 1024;

/// Does `deed`, which waits for the disk, while another thread hashes `bytes`.
fn while_hashing<T>(bytes: &[u8], deed: impl FnOnce() -> T) -> (T, String) {
    if bytes.len() < WORTH_A_THREAD {
        return (deed(), sha256(bytes));
    }
    thread::scope(|scope| {
        let hashing = thread::Builder::new().spawn_scoped(scope, || sha256(bytes)).ok();
        let done = deed();
        let hash = hashing.and_then(|thread| thread.join().ok());
        (done, hash.unwrap_or_else(|| sha256(bytes)))
    })
}

/// SHA-256 in lowercase hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Lowercase hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble & 15)]);
    bytes.iter().flat_map(|&byte| [digit(byte >> 4), digit(byte)]).collect()
}
