//! One file of a bundle: staged, taken, and then kept or undone.

use std::{fs::File, os::fd::OwnedFd};

use rustix::{
    fs::{AtFlags, RenameFlags, fstat, renameat, renameat_with, statat, unlinkat},
    io::Errno,
};

use super::{Entry, Part, journal::Kind};
use crate::{
    ErrorKind, JailError, RelPath,
    jailed::open_regular,
    snapshot::{
        Before, Draft, Snapshot, Stay,
        commit::{holds, not_it, wait_for_turn},
        sha256,
        temporary::{Temporary, random_name},
    },
};

pub(crate) struct Step<'a> {
    stay: &'a Stay<'a>,
    name: &'a [u8],
    /// Where the old content lies if names cannot be exchanged here.
    spare: String,
    deed: Deed<'a>,
}

enum Deed<'a> {
    Replace { old: Old<'a>, draft: Temporary<'a>, kept: Option<Temporary<'a>>, taken: bool },
    Create { draft: Option<Temporary<'a>>, own: File, at: String },
    Remove { old: Old<'a>, aside: String, taken: bool },
}

/// The file as it was seen, and is held.
struct Old<'a> {
    before: &'a Before,
    content: &'a [u8],
    file: File,
}

impl<'a> Old<'a> {
    fn of(seen: &'a Snapshot, dir: &OwnedFd, name: &[u8]) -> Result<Old<'a>, JailError> {
        let (Some(before), Some(content)) = (&seen.before, &seen.content) else {
            return Err(ErrorKind::Stale.into());
        };
        let file = open_regular(dir, name).map_err(not_it)?;
        Ok(Old { before, content, file })
    }

    /// Whether `name` is that file with that content.
    fn is_at(&self, dir: &OwnedFd, name: &[u8]) -> bool {
        let found = statat(dir, name, AtFlags::SYMLINK_NOFOLLOW);
        found.is_ok_and(|stat| self.before.is(&stat)) && holds(&self.file, self.content).unwrap_or(false)
    }
}

/// Of those who saw the same files, one commits at a time. In the order of the files' numbers, so that two who want the
/// same ones do not wait for each other.
pub(super) fn wait_for_turns(steps: &[Step<'_>]) {
    let mut files: Vec<&Old<'_>> = steps.iter().filter_map(Step::old).collect();
    files.sort_by_key(|old| (old.before.dev, old.before.ino));
    // Two names of one file are one lock.
    files.dedup_by_key(|old| (old.before.dev, old.before.ino));
    files.iter().for_each(|old| wait_for_turn(&old.file));
}

impl<'a> Step<'a> {
    pub(super) fn stage(part: &'a Part, stay: &'a Stay<'a>) -> Result<Step<'a>, JailError> {
        let name = part.name()?;
        let deed = match part {
            Part::Remove(removal) => {
                let old = Old::of(&removal.seen, stay.dir(), name)?;
                Deed::Remove { old, aside: random_name()?, taken: false }
            }
            Part::Write(draft) => Deed::write(draft, stay, name)?,
        };
        Ok(Step { stay, name, spare: random_name()?, deed })
    }

    pub(super) fn dir(&self) -> &'a OwnedFd {
        self.stay.dir()
    }

    fn old(&self) -> Option<&Old<'a>> {
        match &self.deed {
            Deed::Replace { old, .. } | Deed::Remove { old, .. } => Some(old),
            Deed::Create { .. } => None,
        }
    }

    /// Whether what is there is what was seen.
    pub(super) fn check(&self) -> Result<(), JailError> {
        let as_seen = match self.old() {
            Some(old) => old.is_at(self.dir(), self.name),
            None => statat(self.dir(), self.name, AtFlags::SYMLINK_NOFOLLOW)
                .is_err_and(|error| error == Errno::NOENT),
        };
        if as_seen { Ok(()) } else { Err(ErrorKind::Stale.into()) }
    }

    /// What the journal says of it.
    pub(super) fn entry(&self, part: &Part, rel: RelPath) -> Entry {
        let (kind, beside) = match &self.deed {
            Deed::Replace { draft, .. } => (Kind::Replace, text(draft.name())),
            Deed::Create { at, .. } => (Kind::Create, at.clone()),
            Deed::Remove { aside, .. } => (Kind::Remove, aside.clone()),
        };
        let after = match part {
            Part::Write(draft) => Some(sha256(&draft.bytes)),
            Part::Remove(_) => None,
        };
        let before = self.old().map(|old| sha256(old.content));
        Entry { kind, rel, beside, spare: self.spare.clone(), before, after }
    }

    /// Makes the change. After an error it is not made.
    pub(super) fn take(&mut self) -> Result<(), JailError> {
        let (dir, name) = (self.dir(), self.name);
        match &mut self.deed {
            Deed::Replace { old, draft, kept, taken } => {
                if !old.is_at(dir, name) {
                    return Err(ErrorKind::Stale.into());
                }
                if !draft.exchange(name)? {
                    *kept =
                        Some(Temporary::named(self.spare.clone(), self.stay, old.content, Some(old.before))?);
                    renameat(dir, draft.name(), dir, name)?;
                } else if !old.is_at(dir, draft.name()) {
                    draft.turn_back(name)?;
                    return Err(ErrorKind::Stale.into());
                }
                *taken = true;
                Ok(())
            }
            Deed::Create { draft, .. } => draft.take().map_or(Ok(()), |draft| draft.appear(name)),
            Deed::Remove { old, aside, taken } => {
                renameat(dir, name, dir, &**aside).map_err(|error| not_it(error.into()))?;
                if !old.is_at(dir, aside.as_bytes()) {
                    back(dir, aside.as_bytes(), name)?;
                    return Err(ErrorKind::Stale.into());
                }
                *taken = true;
                Ok(())
            }
        }
    }

    /// It stays: the old file goes.
    pub(super) fn keep(self) {
        // What has the temporary names now goes when they are dropped.
        if let Deed::Remove { aside, taken: true, .. } = self.deed
            && unlinkat(self.stay.dir(), aside, AtFlags::empty()).is_err()
        {
            self.stay.leave_mark();
        }
    }

    /// As if it had never been. What somebody else put there meanwhile is theirs and stays.
    pub(super) fn undo(self) -> Result<(), JailError> {
        let (dir, name) = (self.dir(), self.name);
        match self.deed {
            Deed::Replace { draft, kept: None, taken: true, .. } => draft.put_back(name),
            Deed::Replace { draft, kept: Some(kept), taken: true, .. } => {
                let ours = is(dir, name, &draft.file()?)?;
                draft.abandon();
                if ours { kept.replace(name) } else { Ok(()) }
            }
            Deed::Create { draft: None, own, at } => take_away(dir, name, &own, &at),
            Deed::Remove { aside, taken: true, .. } => back(dir, aside.as_bytes(), name),
            _ => Ok(()),
        }
    }
}

impl<'a> Deed<'a> {
    fn write(draft: &'a Draft, stay: &'a Stay<'a>, name: &[u8]) -> Result<Deed<'a>, JailError> {
        if draft.seen.before.is_none() {
            let made = Temporary::write(stay, &draft.bytes, draft.like.as_ref())?;
            let (own, at) = (made.file()?, text(made.name()));
            return Ok(Deed::Create { draft: Some(made), own, at });
        }
        let old = Old::of(&draft.seen, stay.dir(), name)?;
        let made = Temporary::write(stay, &draft.bytes, Some(old.before))?;
        Ok(Deed::Replace { old, draft: made, kept: None, taken: false })
    }
}

/// Removes the file that was made at `name`, if it is still that one.
fn take_away(dir: &OwnedFd, name: &[u8], own: &File, aside: &str) -> Result<(), JailError> {
    match renameat(dir, name, dir, aside) {
        Err(Errno::NOENT) => return Ok(()),
        moved => moved?,
    }
    if is(dir, aside.as_bytes(), own)? {
        Ok(unlinkat(dir, aside, AtFlags::empty())?)
    } else {
        back(dir, aside.as_bytes(), name)
    }
}

/// Gives what was put aside its name again, unless somebody has taken that meanwhile.
pub(super) fn back(dir: &OwnedFd, aside: &[u8], name: &[u8]) -> Result<(), JailError> {
    match renameat_with(dir, aside, dir, name, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS) => Ok(renameat(dir, aside, dir, name)?),
        Err(Errno::EXIST) => Ok(unlinkat(dir, aside, AtFlags::empty())?),
        moved => Ok(moved?),
    }
}

fn is(dir: &OwnedFd, name: &[u8], file: &File) -> Result<bool, JailError> {
    let own = fstat(file)?;
    let found = statat(dir, name, AtFlags::SYMLINK_NOFOLLOW);
    Ok(found.is_ok_and(|stat| (stat.st_dev, stat.st_ino) == (own.st_dev, own.st_ino)))
}

fn text(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}
