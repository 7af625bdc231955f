//! Being at work in a directory: others can see it, and a crash leaves a note of it.
//!
//! Two things hold while a commit has a temporary file somewhere. A shared lock on that directory (`flock(2)`, which ends
//! with the process) tells [`super::sweep`] that what lies there is in use. And a mark in the root, which is a link that
//! leads nowhere but names the directory, tells the next start where to look, so that it need not search the tree. A mark
//! is made after the lock is held and goes before the lock does: whoever holds the whole lock knows that the marks of
//! that directory are stale.

use std::{
    cell::Cell,
    cmp::Reverse,
    os::{
        fd::{AsFd, OwnedFd},
        unix::ffi::OsStrExt,
    },
};

use rustix::{
    fs::{AtFlags, FlockOperation, flock, fsync, readlinkat, symlinkat, unlinkat},
    io::Errno,
};

use super::{commit::patiently, readable};
use crate::{RelPath, root::Anchor};

/// Marks that one root has at most at a time, so that a start has only so many names to look for. A commit that finds
/// them all taken goes unmarked, and what a crash leaves of it stays until somebody removes it.
const MARKS: usize = 32;
/// Nothing is called so: the link is not there to be followed. Then comes how many directories at the end of the name are
/// being made, if any are, a slash, and the name.
const NOWHERE: &[u8] = b"pinfold:";

/// Proof to others that somebody is at work in a directory: no temporary file is made without one. It outlives that file.
pub(crate) struct Stay<'a> {
    dir: &'a OwnedFd,
    mark: Option<(&'a Anchor, usize)>,
    lock: Option<OwnedFd>,
    left: Cell<bool>,
}

impl<'a> Stay<'a> {
    /// Begins to work in `dir`, which lies at `rel` below the anchor. It never fails: where a lock or a mark cannot be
    /// had, the commit matters more than what a crash would leave.
    pub(crate) fn begin(anchor: &'a Anchor, rel: Option<&RelPath>, dir: &'a OwnedFd) -> Stay<'a> {
        Stay::making(anchor, rel, 0, dir)
    }

    /// Begins to make the last `made` directories of `rel`, the first of them in `dir`.
    pub(crate) fn making(
        anchor: &'a Anchor,
        rel: Option<&RelPath>,
        made: usize,
        dir: &'a OwnedFd,
    ) -> Stay<'a> {
        let lock = readable(dir).ok();
        let locks = |dir| patiently(|| flock(dir, FlockOperation::NonBlockingLockShared));
        let held = lock.as_ref().is_some_and(locks);
        // A mark without the lock would call those who sweep to what is in use.
        let slot = if held { rel.and_then(|rel| mark(anchor, rel, made)) } else { None };
        let mark = slot.map(|slot| (anchor, slot));
        Stay { dir, mark, lock, left: Cell::new(false) }
    }

    pub(super) fn dir(&self) -> &'a OwnedFd {
        self.dir
    }

    /// Makes the names in the directory durable, as far as the system lets us: see [`super::sync_dir`].
    pub(super) fn sync(&self) {
        if let Some(dir) = &self.lock {
            fsync(dir).ok();
        }
    }

    /// A temporary file could not be removed: the mark stays, so that the next start tries again.
    pub(super) fn leave_mark(&self) {
        self.left.set(true);
    }
}

impl Drop for Stay<'_> {
    fn drop(&mut self) {
        if let Some((anchor, slot)) = self.mark
            && !self.left.get()
        {
            // If even this fails, the next start finds nothing to do there.
            unlinkat(anchor.dir(), slot_name(slot), AtFlags::empty()).ok();
        }
        if let Some(lock) = &self.lock {
            // Closing alone is not enough: a child process that is just being started has a copy of the descriptor.
            flock(lock, FlockOperation::Unlock).ok();
        }
    }
}

fn mark(anchor: &Anchor, rel: &RelPath, made: usize) -> Option<usize> {
    let made = if made == 0 { String::new() } else { made.to_string() };
    let target = [NOWHERE, made.as_bytes(), b"/", rel.as_os_str().as_bytes()].concat();
    for slot in 0..MARKS {
        match symlinkat(&*target, anchor.dir().as_fd(), slot_name(slot)) {
            Ok(()) => return Some(slot),
            Err(Errno::EXIST) => {}
            Err(_) => return None,
        }
    }
    None
}

fn slot_name(slot: usize) -> String {
    format!(".pinfold-at-{slot}.tmp")
}

/// A mark that was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mark {
    slot: usize,
    /// The directory that it names, from the root.
    pub(super) rel: RelPath,
    /// How many components at its end were being made.
    pub(super) made: usize,
}

impl Mark {
    /// All that are there now: those of files before those of directories, and the deepest of these first, so that what
    /// is made empty can go.
    pub(super) fn all(anchor: &Anchor) -> Vec<Mark> {
        let mut all: Vec<Mark> = (0..MARKS).filter_map(|slot| Mark::at(anchor, slot)).collect();
        all.sort_by_key(|mark| (mark.made > 0, Reverse(mark.rel.components().count())));
        all
    }

    fn at(anchor: &Anchor, slot: usize) -> Option<Mark> {
        let target = readlinkat(anchor.dir(), slot_name(slot), Vec::new()).ok()?;
        let text = target.as_bytes().strip_prefix(NOWHERE)?;
        let (made, rel) = text.split_at(text.iter().position(|byte| *byte == b'/')?);
        let made = if made.is_empty() { 0 } else { std::str::from_utf8(made).ok()?.parse().ok()? };
        Some(Mark { slot, rel: RelPath::new(&rel[1..]).ok()?, made })
    }

    /// Whether it is still the same: asked with the whole lock on its directory, under which none is made.
    pub(super) fn stands(&self, anchor: &Anchor) -> bool {
        Mark::at(anchor, self.slot).as_ref() == Some(self)
    }

    pub(super) fn remove(&self, anchor: &Anchor) {
        unlinkat(anchor.dir(), slot_name(self.slot), AtFlags::empty()).ok();
    }
}
