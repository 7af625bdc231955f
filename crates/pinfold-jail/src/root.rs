//! A root: a directory held open, and the names it is known by.

use std::{
    ffi::OsString,
    os::{
        fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
        unix::ffi::{OsStrExt, OsStringExt},
    },
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use rustix::fs::{CWD, Mode, OFlags, openat, readlinkat};

use crate::{ErrorKind, JailError, RelPath};

/// Whether a root may be written below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Read and written.
    ReadWrite,
    /// Only read.
    ReadOnly,
}

/// One root of a jail. The descriptor is what counts; the names are for reading absolute paths and for showing.
#[derive(Debug, Clone)]
pub struct Root {
    dir: Arc<OwnedFd>,
    real: PathBuf,
    written: Option<PathBuf>,
    access: Access,
    anchor: Arc<Anchor>,
}

/// The root that was opened first, of which this one may be a part: where marks of work in progress are made.
#[derive(Debug)]
pub(crate) struct Anchor {
    dir: Arc<OwnedFd>,
    real: PathBuf,
}

impl Anchor {
    pub(crate) fn dir(&self) -> &OwnedFd {
        &self.dir
    }

    /// The place of an absolute, link-free path below it.
    pub(crate) fn relative(&self, absolute: &Path) -> Option<RelPath> {
        below(&self.real, absolute)
    }
}

impl Root {
    /// Opens the directory `path`, which must be absolute. Links on the way to it are followed, once, now.
    pub fn open(path: &Path, access: Access) -> Result<Root, JailError> {
        if !path.is_absolute() {
            return Err(ErrorKind::Escape.into());
        }
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let dir = openat(CWD, path, flags, Mode::empty())?;
        Root::held(dir, Some(path), access, None)
    }

    /// A root that is already open.
    pub(crate) fn held(
        dir: OwnedFd,
        written: Option<&Path>,
        access: Access,
        part_of: Option<&Arc<Anchor>>,
    ) -> Result<Root, JailError> {
        let (real, dir) = (real_path(dir.as_fd())?, Arc::new(dir));
        let own = || Arc::new(Anchor { dir: Arc::clone(&dir), real: real.clone() });
        let anchor = part_of.map_or_else(own, Arc::clone);
        Ok(Root { dir, real, written: written.and_then(plain), access, anchor })
    }

    /// Its path without links, as it was when it was opened.
    pub fn real_path(&self) -> &Path {
        &self.real
    }

    /// Whether it may be written below.
    pub fn access(&self) -> Access {
        self.access
    }

    pub(crate) fn dir(&self) -> &Arc<OwnedFd> {
        &self.dir
    }

    pub(crate) fn anchor(&self) -> &Arc<Anchor> {
        &self.anchor
    }

    /// How many components of the absolute path `names` name this root: one answer for each of its names that fits.
    pub(crate) fn named_by<'a>(&'a self, names: &'a [&[u8]]) -> impl Iterator<Item = usize> + 'a {
        let own = [Some(&self.real), self.written.as_ref()];
        own.into_iter().flatten().filter_map(|own| prefix_len(own, names))
    }

    /// What the place `rel` below it is called by whoever says the root's name as it was written.
    pub(crate) fn written(&self, rel: &RelPath) -> Option<PathBuf> {
        self.written.as_ref().map(|own| own.join(rel.as_os_str()))
    }

    /// The place of an absolute, link-free path below this root.
    pub fn relative(&self, absolute: &Path) -> Option<RelPath> {
        below(&self.real, absolute)
    }
}

fn below(root: &Path, absolute: &Path) -> Option<RelPath> {
    RelPath::new(absolute.strip_prefix(root).ok()?.as_os_str().as_bytes()).ok()
}

fn prefix_len(root: &Path, names: &[&[u8]]) -> Option<usize> {
    let own = root.as_os_str().as_bytes().split(|&b| b == b'/').filter(|name| !name.is_empty());
    let count = own.clone().count();
    (names.len() >= count && own.zip(names).all(|(own, name)| own == *name)).then_some(count)
}

/// The path as it was written, if it can be compared letter by letter: `..` after a link would mean another place.
fn plain(path: &Path) -> Option<PathBuf> {
    let climbs = path.components().any(|part| part == Component::ParentDir);
    (!climbs).then(|| path.components().collect())
}

/// The kernel's own name for an open directory: `proc_pid_fd(5)`.
fn real_path(dir: BorrowedFd<'_>) -> Result<PathBuf, JailError> {
    let link = format!("/proc/self/fd/{}", dir.as_raw_fd());
    let text = readlinkat(CWD, link, Vec::new())?;
    let real = PathBuf::from(OsString::from_vec(text.into_bytes()));
    if real.is_absolute() { Ok(real) } else { Err(ErrorKind::NotFound.into()) }
}
