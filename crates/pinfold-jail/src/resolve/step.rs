//! One step down: the system calls of both resolvers. None of them ever follows a link.

use std::{os::fd::OwnedFd, sync::Arc};

use rustix::{
    fs::{AtFlags, Mode, OFlags, ResolveFlags, openat, openat2, readlinkat, statat},
    io::Errno,
};

use crate::{Dir, ErrorKind, JailError, NodeKind, RelPath, jailed::Node};

const HOLD: OFlags = OFlags::PATH.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
const STRAIGHT: ResolveFlags =
    ResolveFlags::BENEATH.union(ResolveFlags::NO_SYMLINKS).union(ResolveFlags::NO_MAGICLINKS);

/// Old kernels and some sandboxes answer `ENOSYS` or `EPERM`.
pub(super) fn has_openat2(dir: &Arc<OwnedFd>) -> bool {
    openat2(dir, ".", OFlags::PATH | OFlags::CLOEXEC, Mode::empty(), STRAIGHT).is_ok()
}

/// The directory `rel` below `dir`, if every component of it is a real directory. The kernel checks the whole way.
pub(super) fn beneath(dir: &Arc<OwnedFd>, rel: &RelPath) -> Option<Arc<OwnedFd>> {
    if rel.is_root() {
        return Some(Arc::clone(dir));
    }
    let flags = HOLD | OFlags::DIRECTORY;
    openat2(dir, rel.as_bytes(), flags, Mode::empty(), STRAIGHT).ok().map(Arc::new)
}

/// Holds what `name` directly in `dir` is now, the link itself if it is one. None: nothing is there.
pub(super) fn node(dir: &OwnedFd, name: &[u8]) -> Result<Option<Node>, JailError> {
    match openat(dir, name, HOLD, Mode::empty()) {
        Ok(held) => Node::held(held).map(Some),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The text of a held link.
pub(super) fn link_target(link: &Node) -> Result<Vec<u8>, JailError> {
    let target = readlinkat(link.fd(), "", Vec::new())?.into_bytes();
    if target.is_empty() { Err(ErrorKind::NotFound.into()) } else { Ok(target) }
}

/// The one entry of `dir` whose name is not UTF-8 and is shown as `shown`, if there is exactly one.
pub(super) fn shown_as(dir: &OwnedFd, shown: &[u8]) -> Result<Option<Vec<u8>>, JailError> {
    let Ok(text) = std::str::from_utf8(shown) else { return Ok(None) };
    if !text.contains(char::REPLACEMENT_CHARACTER) {
        return Ok(None);
    }
    let names = Dir::below(dir)?.entries()?.into_iter().map(|child| child.name);
    let mut alike =
        names.filter(|name| std::str::from_utf8(name).is_err() && String::from_utf8_lossy(name) == text);
    let first = alike.next();
    Ok(if alike.next().is_none() { first } else { None })
}

/// What `name` directly in `dir` is, without holding it.
pub(crate) fn kind(dir: &OwnedFd, name: &[u8]) -> Result<NodeKind, JailError> {
    let stat = statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(NodeKind::of(stat.st_mode))
}
