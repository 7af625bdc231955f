//! A directory handle: its entries, and what lies directly in it. Links in it are entries, never followed.

use std::{
    fs::File,
    os::fd::{AsFd, OwnedFd},
    sync::Arc,
};

use rustix::fs::{AtFlags, Dir as Stream, FileType, Mode, OFlags, RawDir, openat, statat};

use crate::{ErrorKind, JailError, NodeKind, jailed::open_regular, resolve::kind};

/// Bytes of entries that are asked for at once (`getdents64(2)`).
const READ_AT_ONCE: usize = 32 * 1024;

/// An open directory inside a jail.
#[derive(Debug, Clone)]
pub struct Dir {
    held: Arc<OwnedFd>,
}

/// One entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Child {
    /// Its name: any bytes but `/` and NUL.
    pub name: Vec<u8>,
    /// What it is; links are not followed.
    pub kind: NodeKind,
}

impl Dir {
    /// Opens the very directory that `held` holds.
    pub(crate) fn below(held: &OwnedFd) -> Result<Dir, JailError> {
        open_dir(held.as_fd(), b".")
    }

    /// Its entries, sorted by name in byte order, without `.` and `..`.
    pub fn entries(&self) -> Result<Vec<Child>, JailError> {
        // A description of its own: where one has been read to is shared by all who hold it.
        Dir::below(&self.held)?.read()
    }

    /// Opens the directory `name` in it, and reads its entries like [`Dir::entries`].
    pub fn enter(&self, name: &[u8]) -> Result<(Dir, Vec<Child>), JailError> {
        let dir = self.open_dir(name)?;
        let entries = dir.read()?;
        Ok((dir, entries))
    }

    /// Reads what was just opened, to its end.
    fn read(&self) -> Result<Vec<Child>, JailError> {
        let mut entries = Vec::new();
        let mut room = Vec::with_capacity(READ_AT_ONCE);
        let mut stream = RawDir::new(&self.held, room.spare_capacity_mut());
        while let Some(entry) = stream.next() {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if matches!(name, b"." | b"..") {
                continue;
            }
            let kind = match entry.file_type() {
                // Some file systems do not say, and then it may be gone before it is asked.
                FileType::Unknown => match self.kind(name) {
                    Err(gone) if gone.kind() == ErrorKind::NotFound => continue,
                    kind => kind?,
                },
                known => NodeKind::of(known.as_raw_mode()),
            };
            entries.push(Child { name: name.to_vec(), kind });
        }
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    /// At most `most` of its names, as they come.
    ///
    /// # Errors
    /// Those of `getdents64(2)`.
    pub fn names(&self, most: usize) -> Result<Vec<Vec<u8>>, JailError> {
        let names = Stream::read_from(&self.held)?.map(|entry| Ok(entry?.file_name().to_bytes().to_vec()));
        let own = |name: &Result<Vec<u8>, JailError>| !matches!(name.as_deref(), Ok(b"." | b".."));
        names.filter(own).take(most).collect()
    }

    /// What `name` is. Something that vanished meanwhile is [`ErrorKind::NotFound`].
    pub fn kind(&self, name: &[u8]) -> Result<NodeKind, JailError> {
        kind(&self.held, plain(name)?)
    }

    /// Bytes of the file `name`, links not followed.
    pub fn size(&self, name: &[u8]) -> Result<u64, JailError> {
        let stat = statat(&self.held, plain(name)?, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(u64::try_from(stat.st_size).unwrap_or(0))
    }

    /// Bytes of the file `name`, and when it was changed last, in milliseconds since 1970; links not followed.
    pub fn size_and_time(&self, name: &[u8]) -> Result<(u64, i64), JailError> {
        let stat = statat(&self.held, plain(name)?, AtFlags::SYMLINK_NOFOLLOW)?;
        let ms = stat.st_mtime * 1_000 + i64::try_from(stat.st_mtime_nsec / 1_000_000).unwrap_or(0);
        Ok((u64::try_from(stat.st_size).unwrap_or(0), ms))
    }

    /// Opens the directory `name` in it; a link is [`ErrorKind::NotDirectory`].
    pub fn open_dir(&self, name: &[u8]) -> Result<Dir, JailError> {
        open_dir(self.held.as_fd(), plain(name)?)
    }

    /// Opens the regular file `name` in it for reading; anything else is an error, at once.
    pub fn open_file(&self, name: &[u8]) -> Result<File, JailError> {
        open_regular(&self.held, plain(name)?)
    }

    pub(crate) fn fd(&self) -> &OwnedFd {
        &self.held
    }
}

fn open_dir(dir: std::os::fd::BorrowedFd<'_>, name: &[u8]) -> Result<Dir, JailError> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let held = openat(dir, name, flags, Mode::empty())?;
    Ok(Dir { held: Arc::new(held) })
}

/// A name directly in a directory: anything with a way in it is refused.
fn plain(name: &[u8]) -> Result<&[u8], JailError> {
    let way = matches!(name, b"" | b"." | b"..") || name.iter().any(|byte| matches!(byte, b'/' | 0));
    if way { Err(ErrorKind::BadName.into()) } else { Ok(name) }
}
