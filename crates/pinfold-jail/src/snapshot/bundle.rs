//! Several files that change together: all of them or none, also after a crash.
//!
//! Everything is written beside its target and synced first. Then a journal is made in the root, which says what is about
//! to change places with what, and the changes are made, each verified like that of a single file. Taking the journal
//! away again is the one step in which all of it becomes so. Whoever finds a journal that nobody holds puts everything
//! back that it names ([`Ledger::recover`]).
//!
//! A journal is not trusted: commands of an agent may write one too. It has no content, only names and hashes. Its
//! targets are resolved and judged anew by the caller, and beside a target only names of our own pattern are touched,
//! in the same directory. So a forged one does no more than the caller would permit as an ordinary write.

mod journal;
mod recover;
mod step;

use std::{collections::BTreeMap, os::fd::OwnedFd, path::Path};

pub use recover::Recovered;
pub(crate) use {journal::Entry, step::Step};

use super::{Draft, Receipt, Removal, Snapshot, Stay, sha256, sync_dir};
use crate::{ErrorKind, JailError, RelPath, Root, jailed::At, tree::Made};
use journal::Journal;

/// Most parts of one bundle: a journal stays small.
pub const MOST_PARTS: usize = 256;

/// Where bundles are committed: the journals of one root.
#[derive(Debug, Clone)]
pub struct Ledger {
    root: Root,
}

/// What becomes of one file.
#[derive(Debug)]
pub enum Part {
    /// It is replaced, or made where nothing is.
    Write(Draft),
    /// It goes.
    Remove(Removal),
}

/// Why nothing was changed, and which part it is about, counted from 0; none if it is about all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken {
    /// The part.
    pub part: Option<usize>,
    /// What went wrong. [`ErrorKind::Stale`]: the file is not the one that was seen.
    pub error: JailError,
}

impl From<JailError> for Broken {
    fn from(error: JailError) -> Broken {
        Broken { part: None, error }
    }
}

impl Ledger {
    /// The journals of `root`, which lie directly in it.
    pub fn of(root: &Root) -> Ledger {
        Ledger { root: root.clone() }
    }

    /// Puts all parts on disk, or none. Each must have been read, or nothing may be at its place; what is not as it was
    /// seen is [`ErrorKind::Stale`]. A receipt for each part, none for one that is gone.
    pub fn commit(&self, parts: &[Part]) -> Result<Vec<Option<Receipt>>, Broken> {
        if parts.len() > MOST_PARTS {
            return Err(JailError::from(ErrorKind::TooLarge).into());
        }
        let dirs = Dirs::made(parts)?;
        let stays = Stays::begin(parts, &dirs)?;
        let mut steps = Vec::with_capacity(parts.len());
        for (at, part) in parts.iter().enumerate() {
            steps.push(Step::stage(part, stays.of(at)).map_err(|error| broken(at, error))?);
        }
        step::wait_for_turns(&steps);
        steps
            .iter()
            .enumerate()
            .try_for_each(|(at, step)| step.check().map_err(|error| broken(at, error)))?;
        steps.iter().for_each(|step| sync_dir(step.dir()));
        let entries = self.entries(parts, &steps)?;
        let journal = Journal::open(&self.root, &entries)?;
        make(steps, &journal)?;
        drop(stays);
        dirs.keep();
        Ok(parts.iter().map(Part::receipt).collect())
    }

    fn entries(&self, parts: &[Part], steps: &[Step<'_>]) -> Result<Vec<Entry>, JailError> {
        let entry = |(part, step): (&Part, &Step<'_>)| Ok(step.entry(part, self.relative(part.place())?));
        parts.iter().zip(steps).map(entry).collect()
    }

    fn relative(&self, place: &Path) -> Result<RelPath, JailError> {
        self.root.relative(place).ok_or(ErrorKind::Escape.into())
    }
}

fn broken(at: usize, error: JailError) -> Broken {
    Broken { part: Some(at), error }
}

/// The changes themselves. After an error everything is as it was; if even that fails, the journal stays, and so does
/// what it needs.
fn make(mut steps: Vec<Step<'_>>, journal: &Journal<'_>) -> Result<(), Broken> {
    let mut failed = None;
    for (at, step) in steps.iter_mut().enumerate() {
        if let Err(error) = step.take() {
            failed = Some(broken(at, error));
            break;
        }
    }
    steps.iter().for_each(|step| sync_dir(step.dir()));
    let closed = match failed {
        Some(_) => Ok(()),
        None => journal.close().map_err(Broken::from),
    };
    let Err(broken) = failed.map_or(closed, Err) else {
        steps.into_iter().for_each(Step::keep);
        return Ok(());
    };
    let mut whole = true;
    while let Some(step) = steps.pop() {
        whole &= step.undo().is_ok();
    }
    if whole {
        journal.close()?;
    }
    Err(broken)
}

impl Part {
    fn seen(&self) -> &Snapshot {
        match self {
            Part::Write(draft) => &draft.seen,
            Part::Remove(removal) => &removal.seen,
        }
    }

    fn place(&self) -> &Path {
        self.seen().path.place()
    }

    fn receipt(&self) -> Option<Receipt> {
        match self {
            Part::Write(draft) => Some(draft.receipt(draft.seen.before.is_none(), sha256(&draft.bytes))),
            Part::Remove(_) => None,
        }
    }

    /// The directory that it is in, if that exists, and its name there.
    fn name(&self) -> Result<&[u8], JailError> {
        match &self.seen().path.at {
            At::Root(_) => Err(ErrorKind::IsDirectory.into()),
            At::Entry { name, .. } => Ok(name),
            At::Missing { names, .. } => names.last().map(|name| &**name).ok_or(ErrorKind::NotFound.into()),
        }
    }
}

/// Being at work in every directory of a bundle, once in each.
struct Stays<'a> {
    stays: Vec<Stay<'a>>,
    /// Which of them each part belongs to.
    own: Vec<usize>,
}

impl<'a> Stays<'a> {
    fn begin(parts: &'a [Part], dirs: &'a Dirs<'_>) -> Result<Stays<'a>, Broken> {
        let mut all = Stays { stays: Vec::new(), own: Vec::with_capacity(parts.len()) };
        let mut known = BTreeMap::new();
        for (at, part) in parts.iter().enumerate() {
            let dir = dirs.of(at, part).map_err(|error| broken(at, error))?;
            let own = *known.entry(part.place().parent()).or_insert_with(|| {
                all.stays.push(part.seen().path.stay(dir));
                all.stays.len() - 1
            });
            all.own.push(own);
        }
        Ok(all)
    }

    fn of(&self, at: usize) -> &Stay<'a> {
        &self.stays[self.own[at]]
    }
}

/// The directories that new files need, and the marks of making them. Unless kept, those made go again, the last first.
struct Dirs<'a>(Vec<Option<(Made, Option<Stay<'a>>)>>);

impl<'a> Dirs<'a> {
    fn made(parts: &'a [Part]) -> Result<Dirs<'a>, Broken> {
        let mut dirs = Dirs(Vec::with_capacity(parts.len()));
        for (at, part) in parts.iter().enumerate() {
            let path = &part.seen().path;
            path.writable().map_err(|error| broken(at, error))?;
            let made = match &path.at {
                At::Missing { base, names } => {
                    let above = &names[..names.len().saturating_sub(1)];
                    let making = path.stay_making(above.len(), base);
                    Some((Made::below(base, above).map_err(|error| broken(at, error))?, making))
                }
                _ => None,
            };
            dirs.0.push(made);
        }
        Ok(dirs)
    }

    fn of<'b>(&'b self, at: usize, part: &'b Part) -> Result<&'b OwnedFd, JailError> {
        match (&part.seen().path.at, self.0.get(at)) {
            (At::Entry { parent, .. }, _) => Ok(parent),
            (At::Missing { .. }, Some(Some((made, _making)))) => Ok(made.innermost()),
            _ => Err(ErrorKind::IsDirectory.into()),
        }
    }

    fn keep(mut self) {
        self.0.drain(..).flatten().for_each(|(made, _making)| made.keep());
    }
}

impl Drop for Dirs<'_> {
    fn drop(&mut self) {
        while self.0.pop().is_some() {}
    }
}
