//! A folder of our own beside the roots: output that is too long to be shown is kept there, to be read like any file.
//!
//! A file's name comes from what is in it (`run_shell-stdout-0123456789abcdef.txt`), so the same output is kept once, and
//! a reader can tell that nobody has changed it. The folder is bounded in bytes and age; only files with such names are ever
//! removed. It is held open, and nothing in it is followed: who can write there may put links into it.

use std::{
    fs::File,
    io::{self, Write},
    os::fd::{AsFd, OwnedFd},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, Timestamps, UTIME_NOW, UTIME_OMIT};
use sha2::{Digest, Sha256};

use crate::{JailError, snapshot::hex};

/// Bytes of the hash in a name: enough that two outputs do not share one.
const NAMED_BYTES: usize = 8;

/// What a file is called until it is whole. It has no other process's number, so only its own can take it away.
const UNFINISHED: &str = ".pinfold-spill-";

/// The bounds of the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Bytes of all files together: beyond that the oldest go.
    pub bytes: u64,
    /// Bytes of one file: what comes later is left out.
    pub file_bytes: u64,
    /// How long a file stays after it was last kept.
    pub age: Duration,
}

/// The folder. Clones are the same one.
#[derive(Debug, Clone)]
pub struct SpillFolder(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    dir: OwnedFd,
    path: PathBuf,
    bounds: Bounds,
}

/// Files that this process has begun, in any folder.
static BEGUN: AtomicU64 = AtomicU64::new(0);

/// A file that is being filled. Dropping it leaves nothing.
#[derive(Debug)]
pub struct SpillFile {
    folder: SpillFolder,
    file: File,
    unfinished: String,
    hash: Sha256,
    left: u64,
    done: bool,
}

impl SpillFolder {
    /// Opens the folder `path`, which must be absolute; it is made, for this user alone, if it is not there.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn open(path: &Path, bounds: Bounds) -> Result<SpillFolder, JailError> {
        make(path)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let dir = rustix::fs::openat(CWD, path, flags, Mode::empty())?;
        let path = path.to_owned();
        let folder = SpillFolder(Arc::new(Inner { dir, path, bounds }));
        folder.tidy();
        Ok(folder)
    }

    /// Begins a file.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn begin(&self) -> io::Result<SpillFile> {
        let number = BEGUN.fetch_add(1, Ordering::Relaxed);
        let unfinished = format!("{UNFINISHED}{}-{number}.tmp", std::process::id());
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        // What has this name was left by a process of the same number that is gone.
        let _not_there = rustix::fs::unlinkat(&self.0.dir, &unfinished, AtFlags::empty());
        let file = rustix::fs::openat(&self.0.dir, &unfinished, flags, Mode::RUSR | Mode::WUSR)?;
        let (folder, left) = (self.clone(), self.0.bounds.file_bytes);
        Ok(SpillFile { folder, file: file.into(), unfinished, hash: Sha256::new(), left, done: false })
    }

    /// Removes what is too old, and the oldest of what is too much. What cannot be removed stays.
    fn tidy(&self) {
        let Inner { dir, bounds, .. } = &*self.0;
        let mut files = self.files();
        files.sort_by_key(|(age, ..)| *age);
        let mut bytes = 0_u64;
        for (age, size, name) in files {
            bytes = bytes.saturating_add(size);
            if age > bounds.age || bytes > bounds.bytes {
                let _stays = rustix::fs::unlinkat(dir, &name, AtFlags::empty());
                bytes = bytes.saturating_sub(size);
            }
        }
    }

    /// Ours in the folder: age, size, name. The unfinished of a process that runs are young.
    fn files(&self) -> Vec<(Duration, u64, String)> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let Ok(dir) = rustix::fs::Dir::read_from(self.0.dir.as_fd()) else { return Vec::new() };
        let names = dir.filter_map(|entry| entry.ok()?.file_name().to_str().ok().map(str::to_owned));
        let seen = |name: String| {
            let stat = rustix::fs::statat(&self.0.dir, &name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
            let is_file = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
            let changed = Duration::from_secs(u64::try_from(stat.st_mtime).unwrap_or_default());
            is_file
                .then(|| (now.saturating_sub(changed), u64::try_from(stat.st_size).unwrap_or(u64::MAX), name))
        };
        names.filter(|name| is_ours(name)).filter_map(seen).collect()
    }
}

/// The directory itself and those above it.
fn make(path: &Path) -> Result<(), JailError> {
    let mut above: Vec<&Path> = path.ancestors().collect();
    above.reverse();
    for part in above {
        match rustix::fs::mkdir(part, Mode::RWXU) {
            Ok(()) | Err(rustix::io::Errno::EXIST | rustix::io::Errno::ROFS | rustix::io::Errno::ACCESS) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

fn is_ours(name: &str) -> bool {
    if name.starts_with(UNFINISHED) {
        return name.ends_with(".tmp");
    }
    let hash = name.strip_suffix(".txt").and_then(|name| name.rsplit_once('-')).map(|(_, hash)| hash);
    hash.is_some_and(|hash| {
        hash.len() == 2 * NAMED_BYTES && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

impl Write for SpillFile {
    /// Takes all of it; what is over the bound is left out.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = usize::try_from(self.left).unwrap_or(usize::MAX).min(bytes.len());
        self.file.write_all(&bytes[..room])?;
        self.hash.update(&bytes[..room]);
        self.left -= room as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl SpillFile {
    /// Gives it its name, which begins with `stem`. Returns its absolute path.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn keep(mut self, stem: &str) -> io::Result<PathBuf> {
        let hash = std::mem::take(&mut self.hash).finalize();
        let name = format!("{stem}-{}.txt", hex(&hash[..NAMED_BYTES]));
        let dir = &self.folder.0.dir;
        rustix::fs::renameat(dir, &self.unfinished, dir, &name)?;
        self.done = true;
        // It may replace the same output of another time: it is as young as this one.
        let now = |nanoseconds| rustix::fs::Timespec { tv_sec: 0, tv_nsec: nanoseconds };
        let times = Timestamps { last_access: now(UTIME_OMIT), last_modification: now(UTIME_NOW) };
        let _as_it_is = rustix::fs::futimens(&self.file, &times);
        self.folder.tidy();
        Ok(self.folder.0.path.join(name))
    }
}

impl Drop for SpillFile {
    fn drop(&mut self) {
        if !self.done {
            let _gone = rustix::fs::unlinkat(&self.folder.0.dir, &self.unfinished, AtFlags::empty());
        }
    }
}
