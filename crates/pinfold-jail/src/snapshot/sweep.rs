//! What a crash left behind goes, at the next start.
//!
//! Only directories that a mark names are looked into ([`super::stay`]), only where nobody is at work, and only regular
//! files with a name of ours are touched, and directories that were being made, if they are empty. What was never seen by anybody is removed. What was exchanged out of its place
//! is removed if it is still what our commit had read; if not, somebody else had written it in that very moment, and it
//! gets a name that shows.

use std::{
    ffi::OsStr,
    os::{fd::OwnedFd, unix::ffi::OsStrExt},
    path::Path,
};

use rustix::fs::{
    AtFlags, Dir as Stream, FileType, FlockOperation, RenameFlags, Stat, flock, renameat_with, statat,
    unlinkat,
};

use super::{Before, hex, readable, stay::Mark, temporary::random};
use crate::{Access, Ask, Jail, JailError, JailedPath, Last, jailed::At, root::Anchor};

/// What a temporary file is called, as far as sweeping has to know.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// New content that has not been in any place yet; or, while there is a journal, part of a bundle.
    Fresh,
    /// About to change places: the inode numbers and state that tell which of the two it is now.
    Exchanging { own: u64, old: Fingerprint },
}

/// What an old file was when it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fingerprint {
    ino: u64,
    size: u64,
    modified_ns: u128,
}

impl Fingerprint {
    pub(super) fn of(stat: &Stat) -> Fingerprint {
        let seconds = u128::try_from(stat.st_mtime).unwrap_or(0);
        Fingerprint {
            ino: stat.st_ino,
            size: u64::try_from(stat.st_size).unwrap_or(0),
            modified_ns: seconds * 1_000_000_000 + u128::from(stat.st_mtime_nsec),
        }
    }
}

impl Name {
    /// A new name that nobody can guess.
    pub(super) fn text(&self) -> Result<String, JailError> {
        let random = hex(&random()?);
        Ok(match self {
            Name::Fresh => format!(".pinfold-{random}.tmp"),
            Name::Exchanging { own, old: Fingerprint { ino, size, modified_ns } } => {
                format!(".pinfold-{random}-{own:x}-{ino:x}-{size:x}-{modified_ns:x}.tmp")
            }
        })
    }

    /// None: it is not ours.
    fn read(name: &[u8]) -> Option<Name> {
        let text = std::str::from_utf8(name).ok()?.strip_prefix(".pinfold-")?.strip_suffix(".tmp")?;
        let parts: Vec<&str> = text.split('-').collect();
        let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_hexdigit());
        if parts[0].len() != 24 || !parts.iter().all(|part| plain(part)) {
            return None;
        }
        let number = |at: usize| u64::from_str_radix(parts[at], 16).ok();
        match parts.len() {
            1 => Some(Name::Fresh),
            5 => Some(Name::Exchanging {
                own: number(1)?,
                old: Fingerprint {
                    ino: number(2)?,
                    size: number(3)?,
                    modified_ns: u128::from_str_radix(parts[4], 16).ok()?,
                },
            }),
            _ => None,
        }
    }
}

impl Jail {
    /// Removes what a crash left below the first root. It looks for a bounded number of names in that root, and goes into
    /// a directory only where one of them says that a commit was at work there; what is in use stays. Gives how many
    /// files went.
    ///
    /// Marks are not trusted, since commands of an agent can make them: `admit` is asked about every place, absolute and
    /// without links, before it is touched.
    ///
    /// Nothing is told of what could not be done: it stays for the next start, and no listing shows it.
    pub fn sweep(&self, admit: &dyn Fn(&Path) -> bool) -> usize {
        let anchor = self.home().anchor();
        if self.home().access() == Access::ReadOnly {
            return 0;
        }
        let marks = Mark::all(anchor);
        if marks.is_empty() {
            return 0;
        }
        let journals = has_journal(anchor).unwrap_or(true);
        let files = marks.iter().filter(|mark| mark.made == 0);
        let swept = files.map(|mark| self.sweep_mark(anchor, mark, journals, admit)).sum();
        marks.iter().filter(|mark| mark.made > 0).for_each(|mark| self.unmake(anchor, mark, admit));
        swept
    }

    fn sweep_mark(
        &self,
        anchor: &Anchor,
        mark: &Mark,
        journals: bool,
        admit: &dyn Fn(&Path) -> bool,
    ) -> usize {
        let name = if mark.rel.is_root() { ".".as_ref() } else { mark.rel.as_os_str() };
        let Some(dir) = self.resolve(Ask { name, last: Last::Keep, lossy: false }).ok() else { return 0 };
        let Ok(held) = dir.dir_fd() else {
            // No such directory any more: nothing can be in it.
            mark.remove(anchor);
            return 0;
        };
        let Some(lock) = WholeLock::on(&held).filter(|_| mark.stands(anchor)) else { return 0 };
        let admits = |name: &[u8]| admit(&dir.place().join(OsStr::from_bytes(name)));
        if !admit(dir.place()) || !dir.passed().is_empty() {
            return 0;
        }
        let Ok(swept) = sweep_dir(&lock.0, journals, &admits) else { return 0 };
        // The other files of a bundle are found by the same mark, once its journal is gone.
        if !journals {
            mark.remove(anchor);
        }
        swept
    }

    /// Removes directories that were made for a file that never came, as far as they are empty.
    fn unmake(&self, anchor: &Anchor, mark: &Mark, admit: &dyn Fn(&Path) -> bool) {
        let names: Vec<&[u8]> = mark.rel.components().collect();
        let Some(there) = names.len().checked_sub(mark.made) else { return };
        let below = |count: usize| if count == 0 { b".".to_vec() } else { names[..count].join(&b'/') };
        let base = self.whole_lock(&below(there)).filter(|_| mark.stands(anchor));
        if base.is_none() {
            return;
        }
        for count in (there + 1..=names.len()).rev() {
            if let Some((path, _lock)) = self.whole_lock(&below(count))
                && let At::Entry { parent, name, .. } = &path.at
                && admit(path.place())
            {
                unlinkat(parent, &**name, AtFlags::REMOVEDIR).ok();
            }
        }
        mark.remove(anchor);
    }

    /// The directory of that name, to which no link leads, locked.
    fn whole_lock(&self, name: &[u8]) -> Option<(JailedPath, WholeLock)> {
        let name = OsStr::from_bytes(name);
        let path = self.resolve(Ask { name, last: Last::Keep, lossy: false }).ok()?;
        let lock = WholeLock::on(&path.dir_fd().ok()?)?;
        path.passed().is_empty().then_some((path, lock))
    }
}

/// A directory, open and locked, of which nobody at work has a part.
struct WholeLock(OwnedFd);

impl WholeLock {
    fn on(dir: &OwnedFd) -> Option<WholeLock> {
        let dir = readable(dir).ok()?;
        flock(&dir, FlockOperation::NonBlockingLockExclusive).is_ok().then(|| WholeLock(dir))
    }
}

impl Drop for WholeLock {
    fn drop(&mut self) {
        // Closing alone is not enough: a child process that is just being started has a copy of the descriptor.
        flock(&self.0, FlockOperation::Unlock).ok();
    }
}

fn sweep_dir(dir: &OwnedFd, journals: bool, admits: &dyn Fn(&[u8]) -> bool) -> Result<usize, JailError> {
    let mut swept = 0;
    for entry in Stream::read_from(dir)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        let Some(kind) = Name::read(name) else { continue };
        let stat = statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile || !admits(name) {
            continue;
        }
        match kind {
            Name::Fresh if journals => continue,
            Name::Exchanging { own, old } if stat.st_ino != own && Fingerprint::of(&stat) != old => {
                show(dir, name)?;
            }
            _ => unlinkat(dir, name, AtFlags::empty())?,
        }
        swept += 1;
    }
    Ok(swept)
}

/// Gives somebody's file a name that listings show. Nothing is overwritten.
pub(super) fn show(dir: &OwnedFd, name: &[u8]) -> Result<(), JailError> {
    let shown = format!("pinfold-rescued-{}", hex(&random()?));
    Ok(renameat_with(dir, name, dir, shown, RenameFlags::NOREPLACE)?)
}

/// Whether a change of several files is half done: its parts are not ours to remove.
fn has_journal(anchor: &Anchor) -> Result<bool, JailError> {
    for entry in Stream::read_from(readable(anchor.dir())?)? {
        let name = entry?.file_name().to_bytes().to_vec();
        if !(name.starts_with(b".pinfold-") && name.ends_with(b".journal")) {
            continue;
        }
        let stat = statat(anchor.dir(), &*name, AtFlags::SYMLINK_NOFOLLOW)?;
        if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Before {
    /// The name under which a file of ours changes places with this one.
    pub(super) fn exchanging(&self, own: &Stat) -> Name {
        Name::Exchanging { own: own.st_ino, old: self.fingerprint }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        let old = Fingerprint { ino: 0xabc, size: 0, modified_ns: 1_764_551_000_123_456_789 };
        for name in [Name::Fresh, Name::Exchanging { own: u64::MAX, old }] {
            let text = name.text().unwrap();
            assert!(text.len() < 255 && text != name.text().unwrap(), "{text}");
            assert_eq!(Name::read(text.as_bytes()), Some(name));
        }
    }

    #[test]
    fn other_names_are_not_ours() {
        let random = "0123456789abcdef01234567";
        for name in [
            ".pinfold-.tmp".to_owned(),
            ".pinfold-at-0.tmp".to_owned(),
            format!("pinfold-{random}.tmp"),
            format!(".pinfold-{random}"),
            format!(".pinfold-{random}.tmp.txt"),
            format!(".pinfold-{}.tmp", &random[1..]),
            format!(".pinfold-{}x.tmp", &random[1..]),
            format!(".pinfold-{random}-1-2-3.tmp"),
            format!(".pinfold-{random}-1-2-3-.tmp"),
            format!(".pinfold-{random}-1-2-3-4-5.tmp"),
            format!(".pinfold-{random}-1-2-3-+4.tmp"),
        ] {
            assert_eq!(Name::read(name.as_bytes()), None, "{name}");
        }
    }
}
