//! A temporary file beside its target: random name, made exclusively, gone again unless it takes the target's place.

use std::{
    fs::File,
    io::Write,
    os::fd::{AsFd, OwnedFd},
};

use rustix::{
    fs::{
        AtFlags, Gid, Mode, OFlags, RenameFlags, Stat, Uid, fchmod, fchown, fstat, fsync, linkat, openat,
        renameat, renameat_with, unlinkat,
    },
    io::Errno,
};

use super::{
    Before, Stay,
    commit::holds,
    sweep::{Name, show},
};
use crate::{ErrorKind, JailError};

/// Exchanges that are tried until nobody comes in between.
const MOST_TURNS: usize = 128;

pub(super) struct Temporary<'a> {
    stay: &'a Stay<'a>,
    name: Option<String>,
    /// The file that was written. Held open, so that no other file can get its inode number.
    own: File,
}

impl<'a> Temporary<'a> {
    /// Writes `bytes`, syncs them and reads them back; what replaces a file gets its mode, attributes and owner.
    pub(super) fn write(
        stay: &'a Stay<'a>,
        bytes: &[u8],
        before: Option<&Before>,
    ) -> Result<Self, JailError> {
        Temporary::named(random_name()?, stay, bytes, before)
    }

    /// The same under a name that was chosen before.
    pub(super) fn named(
        name: String,
        stay: &'a Stay<'a>,
        bytes: &[u8],
        before: Option<&Before>,
    ) -> Result<Self, JailError> {
        // Nobody but the owner may look before the mode of the old file is set; a new file gets what umask leaves.
        let mode = if before.is_some() { 0o600 } else { 0o666 };
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = openat(stay.dir(), &*name, flags, Mode::from_raw_mode(mode))?;
        let mut made = Temporary { stay, name: Some(name), own: File::from(file) };
        made.own.write_all(bytes)?;
        if let Some(before) = before {
            keep(&made.own, before)?;
        }
        fsync(&made.own)?;
        if holds(&made.own, bytes)? { Ok(made) } else { Err(ErrorKind::NotReadBack.into()) }
    }

    /// Takes a name that tells, after a crash, whether it still stands for this file or already for the other.
    pub(super) fn get_ready_to_exchange(&mut self, other: &Before) -> Result<(), JailError> {
        let name = other.exchanging(&fstat(&self.own)?).text()?;
        renameat(self.stay.dir(), self.name(), self.stay.dir(), &*name)?;
        self.name = Some(name);
        Ok(())
    }

    /// Takes the place of `target`, whatever is there.
    pub(super) fn replace(mut self, target: &[u8]) -> Result<(), JailError> {
        renameat(self.stay.dir(), self.name(), self.stay.dir(), target)?;
        self.name = None;
        self.stay.sync();
        Ok(())
    }

    /// Becomes `target`, where nothing may be.
    pub(super) fn appear(mut self, target: &[u8]) -> Result<(), JailError> {
        match renameat_with(self.stay.dir(), self.name(), self.stay.dir(), target, RenameFlags::NOREPLACE) {
            Ok(()) => self.name = None,
            // A file system without that flag: a second name, and the temporary one goes when this is dropped.
            Err(Errno::INVAL | Errno::NOSYS) => {
                linkat(self.stay.dir(), self.name(), self.stay.dir(), target, AtFlags::empty())
                    .map_err(taken)?;
            }
            Err(error) => return Err(taken(error)),
        }
        self.stay.sync();
        Ok(())
    }

    /// Changes places with `target`. False: this file system cannot do that.
    pub(super) fn exchange(&self, target: &[u8]) -> Result<bool, JailError> {
        match renameat_with(self.stay.dir(), self.name(), self.stay.dir(), target, RenameFlags::EXCHANGE) {
            Ok(()) => Ok(true),
            Err(Errno::INVAL | Errno::NOSYS) => Ok(false),
            Err(Errno::NOENT) => Err(ErrorKind::Stale.into()),
            Err(error) => Err(error.into()),
        }
    }

    /// Takes an exchange back, so that `target` is again what was found there.
    pub(super) fn put_back(mut self, target: &[u8]) -> Result<(), JailError> {
        let done = self.turn_back(target);
        if done.is_err() {
            // Better a file with an odd name than somebody's work destroyed.
            show(self.stay.dir(), self.name()).ok();
            self.name = None;
        }
        done
    }

    /// What comes out of an exchange has to be what was put in before. If it is not, somebody put theirs in its place
    /// meanwhile: theirs is the newest, and the next turn gives it its place again.
    pub(super) fn turn_back(&self, target: &[u8]) -> Result<(), JailError> {
        let mut put = self.own.as_fd().try_clone_to_owned()?;
        for _ in 0..MOST_TURNS {
            let held = self.hold()?;
            match self.exchange(target) {
                // Whoever removed the target meant the file that is held here.
                Err(gone) if gone.kind() == ErrorKind::Stale => return Ok(()),
                exchanged => exchanged?,
            };
            if identity(&self.hold()?)? == identity(&put)? {
                return Ok(());
            }
            put = held;
        }
        Ok(())
    }

    /// What the temporary name stands for now.
    fn hold(&self) -> Result<OwnedFd, JailError> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(self.stay.dir(), self.name(), flags, Mode::empty())?)
    }

    /// The file that was written: one more descriptor of it, wherever its name goes.
    pub(super) fn file(&self) -> Result<File, JailError> {
        Ok(self.own.try_clone()?)
    }

    /// Gives its name up without removing what has it.
    pub(super) fn abandon(mut self) {
        self.name = None;
    }

    /// Its name: after an exchange, the old file's.
    pub(super) fn name(&self) -> &[u8] {
        self.name.as_deref().unwrap_or_default().as_bytes()
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if let Some(name) = self.name.take() {
            match unlinkat(self.stay.dir(), name, AtFlags::empty()) {
                Ok(()) | Err(Errno::NOENT) => {}
                Err(_) => self.stay.leave_mark(),
            }
        }
    }
}

fn identity(held: &OwnedFd) -> Result<(u64, u64), JailError> {
    let stat = fstat(held)?;
    Ok((stat.st_dev, stat.st_ino))
}

fn taken(error: Errno) -> JailError {
    if error == Errno::EXIST { ErrorKind::Stale.into() } else { error.into() }
}

/// Makes the names in `dir` durable, as far as the system lets us: a directory that may be written but not read cannot
/// be opened for syncing, and some file systems sync no directories. The names are in place by then, so that is no
/// failure, and the kernel's own time has to do.
pub(crate) fn sync_dir(dir: &OwnedFd) {
    readable(dir).and_then(fsync).ok();
}

/// The same directory once more: the descriptor may be one that only holds it (`O_PATH`), which can be neither synced nor
/// locked nor read.
pub(crate) fn readable(dir: &OwnedFd) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    openat(dir, ".", flags, Mode::empty())
}

/// Owner first: changing it takes set-user-id bits away again. Only the superuser may give files away, so another
/// owner stays a wish; but then such a bit would lend *our* rights to whoever runs the file, so it goes.
fn keep(file: &File, before: &Before) -> Result<(), JailError> {
    if !owned_as(&fstat(file)?, before) {
        let gid = Some(Gid::from_raw(before.gid));
        fchown(file.as_fd(), Some(Uid::from_raw(before.uid)), gid)
            .or_else(|_| fchown(file.as_fd(), None, gid))
            .ok();
    }
    let now = fstat(file)?;
    if before.attributes.has_access_list() && !owned_as(&now, before) {
        // It is about that owner and group.
        return Err(ErrorKind::AttributesLost.into());
    }
    before.attributes.give(file)?;
    let mut mode = if owned_as(&now, before) { before.mode } else { before.mode & 0o1777 };
    if now.st_gid != before.gid {
        // What only the old group might do, no other group was given.
        mode &= !0o070 | ((mode & 0o007) << 3);
    }
    // Some file systems know no modes, and refuse to set even the one that is there.
    if fstat(file)?.st_mode & 0o7777 != mode {
        fchmod(file, Mode::from_raw_mode(mode))?;
    }
    Ok(())
}

fn owned_as(stat: &Stat, before: &Before) -> bool {
    (stat.st_uid, stat.st_gid) == (before.uid, before.gid)
}

/// A name of its own for what has not been in any place yet, or is put aside.
pub(super) fn random_name() -> Result<String, JailError> {
    Name::Fresh.text()
}

pub(super) fn random() -> Result<[u8; 12], JailError> {
    let mut random = [0; 12];
    getrandom::fill(&mut random).map_err(|_| ErrorKind::Other)?;
    Ok(random)
}

#[cfg(test)]
mod tests;
