//! Making and removing directories.

use std::{
    ffi::OsStr,
    os::{fd::OwnedFd, unix::ffi::OsStrExt},
    path::{Path, PathBuf},
    sync::Arc,
};

use rustix::{
    fs::{AtFlags, Mode, OFlags, fstat, mkdirat, openat, statat, unlinkat},
    io::Errno,
};

use crate::{
    Dir, ErrorKind, JailError, JailedPath, NodeKind,
    jailed::{At, Node},
    snapshot::sync_dir,
};

/// Levels of directories that are walked: one open descriptor each.
pub const MAX_DEPTH: usize = 256;

impl JailedPath {
    /// Makes the directory and what is missing above it. False: it was there.
    pub fn make_dir(self) -> Result<bool, JailError> {
        self.writable()?;
        match (&self.at, self.kind()) {
            (_, Some(NodeKind::Directory)) => Ok(false),
            (At::Missing { base, names }, _) => {
                Made::below(base, names)?.keep();
                Ok(true)
            }
            _ => Err(ErrorKind::NotDirectory.into()),
        }
    }

    /// Removes the file, the link itself, or the directory with all below it. `denied` is asked about every path in
    /// such a directory before anything is removed; where it says yes, everything stays ([`ErrorKind::Denied`]).
    pub fn remove(self, denied: &dyn Fn(&Path) -> bool) -> Result<(), JailError> {
        self.writable()?;
        if self.holds_root {
            return Err(ErrorKind::RootItself.into());
        }
        let At::Entry { parent, name, node } = &self.at else { return Err(ErrorKind::NotFound.into()) };
        match node.kind {
            NodeKind::Directory => remove_dir(parent, name, node, self.place(), denied),
            _ => Ok(unlinkat(parent, &**name, AtFlags::empty()).map_err(replaced)?),
        }
    }
}

impl JailedPath {
    /// Removes the file, the link itself, or the directory if nothing is in it ([`ErrorKind::NotEmpty`]).
    pub fn remove_alone(self) -> Result<(), JailError> {
        self.writable()?;
        if self.holds_root {
            return Err(ErrorKind::RootItself.into());
        }
        let At::Entry { parent, name, node } = &self.at else { return Err(ErrorKind::NotFound.into()) };
        if node.kind != NodeKind::Directory {
            return unlinkat(parent, &**name, AtFlags::empty()).map_err(replaced);
        }
        unlinkat(parent, &**name, AtFlags::REMOVEDIR).map_err(|error| match error {
            Errno::NOTEMPTY | Errno::EXIST => JailError::told(ErrorKind::NotEmpty, error),
            _ => error.into(),
        })
    }
}

/// `EISDIR`: a directory took the place of what was to be removed.
fn replaced(error: Errno) -> JailError {
    if error == Errno::ISDIR { ErrorKind::Changed.into() } else { error.into() }
}

fn remove_dir(
    parent: &OwnedFd,
    name: &[u8],
    node: &Node,
    place: &Path,
    denied: &dyn Fn(&Path) -> bool,
) -> Result<(), JailError> {
    let dir = Dir::below(node.fd())?;
    let mut removal = Removal { place: place.to_owned(), denied, depth: 0 };
    removal.look(&dir)?;
    removal.empty(&dir)?;
    if !same_dir(parent, name, node.fd())? {
        return Err(ErrorKind::Changed.into());
    }
    Ok(unlinkat(parent, name, AtFlags::REMOVEDIR)?)
}

/// The name still stands for the directory that was emptied. (If it is swapped right after, only an empty directory
/// of that name can go, which was judged too.)
fn same_dir(parent: &OwnedFd, name: &[u8], held: &OwnedFd) -> Result<bool, JailError> {
    let (now, was) = (statat(parent, name, AtFlags::SYMLINK_NOFOLLOW)?, fstat(held)?);
    Ok((now.st_dev, now.st_ino) == (was.st_dev, was.st_ino))
}

/// What somebody else removed meanwhile need not be removed.
fn or_gone(done: Result<(), JailError>) -> Result<(), JailError> {
    done.or_else(|error| if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

/// What to do with one entry of a directory.
type Act<'a, Of> = dyn FnMut(&mut Of, &Dir, &[u8], NodeKind) -> Result<(), JailError> + 'a;

struct Removal<'a> {
    place: PathBuf,
    denied: &'a dyn Fn(&Path) -> bool,
    depth: usize,
}

impl Removal<'_> {
    /// Is anything in there denied?
    fn look(&mut self, dir: &Dir) -> Result<(), JailError> {
        self.each(dir, &mut |this, dir, name, kind| match kind {
            NodeKind::Directory => this.look(&dir.open_dir(name)?),
            _ => Ok(()),
        })
    }

    fn empty(&mut self, dir: &Dir) -> Result<(), JailError> {
        self.each(dir, &mut |this, dir, name, kind| {
            if kind == NodeKind::Directory {
                this.empty(&dir.open_dir(name)?)?;
                return Ok(unlinkat(dir.fd(), name, AtFlags::REMOVEDIR)?);
            }
            unlinkat(dir.fd(), name, AtFlags::empty()).map_err(replaced)
        })
    }

    /// Does `act` for each entry, none of which may be denied.
    fn each(&mut self, dir: &Dir, act: &mut Act<'_, Self>) -> Result<(), JailError> {
        if self.depth == MAX_DEPTH {
            return Err(ErrorKind::TooDeep.into());
        }
        let children = dir.entries()?;
        self.depth += 1;
        for child in children {
            self.place.push(OsStr::from_bytes(&child.name));
            if (self.denied)(&self.place) {
                return Err(ErrorKind::Denied.into());
            }
            or_gone(act(self, dir, &child.name, child.kind))?;
            self.place.pop();
        }
        self.depth -= 1;
        Ok(())
    }
}

/// Directories that were made on the way to something; unless kept, those that are still empty go again.
pub(crate) struct Made {
    levels: Vec<(Arc<OwnedFd>, Vec<u8>)>,
    innermost: Arc<OwnedFd>,
}

impl Made {
    /// Makes `names`, each in the one before, the first in `base`. One that somebody else makes at the same time is
    /// entered if it is a directory, never if it is a link.
    pub(crate) fn below(base: &Arc<OwnedFd>, names: &[Vec<u8>]) -> Result<Made, JailError> {
        let mut made = Made { levels: Vec::new(), innermost: Arc::clone(base) };
        for name in names {
            match mkdirat(&made.innermost, &**name, Mode::from_raw_mode(0o777)) {
                Ok(()) => made.levels.push((Arc::clone(&made.innermost), name.clone())),
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            // Only held: a directory that may be entered and written need not be one that may be read.
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            made.innermost = Arc::new(openat(&made.innermost, &**name, flags, Mode::empty())?);
        }
        Ok(made)
    }

    pub(crate) fn innermost(&self) -> &OwnedFd {
        &self.innermost
    }

    pub(crate) fn keep(mut self) {
        self.levels.drain(..).for_each(|(dir, _)| sync_dir(&dir));
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        for (dir, name) in self.levels.iter().rev() {
            unlinkat(dir, &**name, AtFlags::REMOVEDIR).ok();
        }
    }
}
