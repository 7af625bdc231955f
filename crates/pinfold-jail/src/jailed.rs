//! The handle on what a name stood for, and what can be done with it.

use std::{
    fs::File,
    os::fd::{AsFd, OwnedFd},
    path::{Path, PathBuf},
    sync::Arc,
};

use rustix::fs::{FileType, Mode, OFlags, Stat, fstat, openat};

use crate::{
    Access, Dir, ErrorKind, JailError, RelPath, Root, resolve::Resolved, root::Anchor, snapshot::Stay,
};

/// What is at a place, links not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A pipe, socket or device.
    Other,
}

impl NodeKind {
    pub(crate) fn of(mode: u32) -> NodeKind {
        match FileType::from_raw_mode(mode) {
            FileType::RegularFile => NodeKind::File,
            FileType::Directory => NodeKind::Directory,
            FileType::Symlink => NodeKind::Symlink,
            _ => NodeKind::Other,
        }
    }
}

/// Proof that a place lies in a root of a jail: made only by [`crate::Jail::resolve`], and held by descriptors.
///
/// It is inert: it tells names and kinds, and opens or changes something only when a method is called on it by whoever
/// was given it. Nothing is looked up by its whole name again; at most the last name is, in the directory held here,
/// without following a link.
#[derive(Debug)]
pub struct JailedPath {
    pub(crate) at: At,
    pub(crate) directory: bool,
    access: Access,
    anchor: Arc<Anchor>,
    place: PathBuf,
    passed: Vec<PathBuf>,
    pub(crate) holds_root: bool,
}

/// Where the place is, in descriptors.
#[derive(Debug)]
pub(crate) enum At {
    /// A root itself.
    Root(Arc<OwnedFd>),
    /// Something that exists, and the directory it is in.
    Entry { parent: Arc<OwnedFd>, name: Vec<u8>, node: Node },
    /// Nothing yet: the nearest directory that exists, and the names that would have to be made below it.
    Missing { base: Arc<OwnedFd>, names: Vec<Vec<u8>> },
}

/// The end of what exists on the way to a place where nothing is.
#[derive(Debug)]
pub struct Missing<'a> {
    /// The nearest directory that exists.
    pub dir: Dir,
    /// Where that is: absolute, without links.
    pub place: &'a Path,
    /// The names that are missing, each in the one before. At least one.
    pub names: &'a [Vec<u8>],
}

/// Something that exists, held with `O_PATH`.
#[derive(Debug)]
pub(crate) struct Node {
    held: Arc<OwnedFd>,
    pub(crate) kind: NodeKind,
    pub(crate) size: u64,
}

impl Node {
    pub(crate) fn held(held: OwnedFd) -> Result<Node, JailError> {
        let Stat { st_mode, st_size, .. } = fstat(&held)?;
        let size = u64::try_from(st_size).unwrap_or(0);
        Ok(Node { held: Arc::new(held), kind: NodeKind::of(st_mode), size })
    }

    pub(crate) fn directory(held: Arc<OwnedFd>) -> Node {
        Node { held, kind: NodeKind::Directory, size: 0 }
    }

    pub(crate) fn into_dir(self) -> Arc<OwnedFd> {
        self.held
    }

    pub(crate) fn fd(&self) -> &OwnedFd {
        &self.held
    }
}

impl JailedPath {
    pub(crate) fn new(
        found: Resolved,
        root: &Root,
        place: PathBuf,
        passed: Vec<PathBuf>,
        holds_root: bool,
    ) -> JailedPath {
        let (access, anchor) = (root.access(), Arc::clone(root.anchor()));
        JailedPath { at: found.at, directory: found.directory, access, anchor, place, passed, holds_root }
    }

    pub(crate) fn anchor(&self) -> &Arc<Anchor> {
        &self.anchor
    }

    /// Begins to work in the directory that it lies in, which is `dir`.
    pub(crate) fn stay<'a>(&'a self, dir: &'a OwnedFd) -> Stay<'a> {
        Stay::begin(&self.anchor, self.above().as_ref(), dir)
    }

    /// Begins to make the `count` directories that are missing above it, the first of them in `base`.
    pub(crate) fn stay_making<'a>(&'a self, count: usize, base: &'a OwnedFd) -> Option<Stay<'a>> {
        (count > 0).then(|| Stay::making(&self.anchor, self.above().as_ref(), count, base))
    }

    fn above(&self) -> Option<RelPath> {
        self.place.parent().and_then(|above| self.anchor.relative(above))
    }

    /// Whoever judges has looked at [`JailedPath::access`] before; this holds where it was forgotten.
    pub(crate) fn writable(&self) -> Result<(), JailError> {
        match self.access {
            Access::ReadWrite => Ok(()),
            Access::ReadOnly => Err(ErrorKind::ReadOnlyRoot.into()),
        }
    }

    /// The absolute path without links, as it was when it was resolved: for judging and for showing, not for opening.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// Places beside [`JailedPath::place`] that the name led through: links, and directories left by `..`. Whoever
    /// denies names has to look at these too.
    pub fn passed(&self) -> &[PathBuf] {
        &self.passed
    }

    /// Whether the root it lies in may be written.
    pub fn access(&self) -> Access {
        self.access
    }

    /// What is there. None: nothing.
    pub fn kind(&self) -> Option<NodeKind> {
        match &self.at {
            At::Root(_) => Some(NodeKind::Directory),
            At::Entry { node, .. } => Some(node.kind),
            At::Missing { .. } => None,
        }
    }

    /// Whether this is a root itself.
    pub fn is_root(&self) -> bool {
        matches!(self.at, At::Root(_))
    }

    /// Bytes, of a file.
    pub fn size(&self) -> Option<u64> {
        match &self.at {
            At::Entry { node, .. } if node.kind == NodeKind::File => Some(node.size),
            _ => None,
        }
    }

    /// Opens the file for reading. Only a regular file is ever opened, and without waiting: a pipe or device that took
    /// its place meanwhile gives an error.
    pub fn open_file(&self) -> Result<File, JailError> {
        match (&self.at, self.kind()) {
            (At::Entry { parent, name, .. }, Some(NodeKind::File)) => open_regular(parent, name),
            (_, kind) => Err(self.not_a_file(kind)),
        }
    }

    /// From where on nothing is; none where something is.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub fn missing(&self) -> Result<Option<Missing<'_>>, JailError> {
        let At::Missing { base, names } = &self.at else { return Ok(None) };
        let place = self.place.ancestors().nth(names.len()).unwrap_or(&self.place);
        Ok(Some(Missing { dir: Dir::below(base)?, place, names }))
    }

    /// Opens the directory for looking at its entries.
    pub fn open_dir(&self) -> Result<Dir, JailError> {
        match (&self.at, self.kind()) {
            (At::Root(dir), _) => Dir::below(dir),
            (At::Entry { node, .. }, Some(NodeKind::Directory)) => Dir::below(node.fd()),
            (_, None) => Err(ErrorKind::NotFound.into()),
            _ => Err(ErrorKind::NotDirectory.into()),
        }
    }

    /// A descriptor of the directory that only holds it: for starting a program there.
    pub fn dir_fd(&self) -> Result<OwnedFd, JailError> {
        let held = match (&self.at, self.kind()) {
            (At::Root(dir), _) => dir.as_fd(),
            (At::Entry { node, .. }, Some(NodeKind::Directory)) => node.fd().as_fd(),
            (_, None) => return Err(ErrorKind::NotFound.into()),
            _ => return Err(ErrorKind::NotDirectory.into()),
        };
        Ok(held.try_clone_to_owned()?)
    }

    pub(crate) fn not_a_file(&self, kind: Option<NodeKind>) -> JailError {
        match kind {
            None => ErrorKind::NotFound.into(),
            Some(NodeKind::Directory) => ErrorKind::IsDirectory.into(),
            Some(_) => ErrorKind::SpecialFile.into(),
        }
    }
}

/// Opens `name` directly in `dir` if it is a regular file; never follows a link, never waits, never gets a terminal.
pub(crate) fn open_regular(dir: &OwnedFd, name: &[u8]) -> Result<File, JailError> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = openat(dir, name, flags, Mode::empty())?;
    match NodeKind::of(fstat(&file)?.st_mode) {
        NodeKind::File => Ok(File::from(file)),
        NodeKind::Directory => Err(ErrorKind::IsDirectory.into()),
        NodeKind::Symlink | NodeKind::Other => Err(ErrorKind::SpecialFile.into()),
    }
}
