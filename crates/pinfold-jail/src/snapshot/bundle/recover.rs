//! Undoing what a journal names whose writer is gone.

use std::{fs::File, io::Read, os::fd::OwnedFd, path::Path};

use rustix::{
    fs::{AtFlags, RenameFlags, renameat, renameat_with, unlinkat},
    io::Errno,
};
use sha2::{Digest, Sha256};

use super::{
    Entry, Ledger,
    journal::{Kind, Left, is_journal},
    step::back,
};
use crate::{
    Dir, ErrorKind, JailError, JailedPath,
    jailed::{At, open_regular},
    snapshot::{hex, sync_dir},
};

/// What was found and done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Recovered {
    /// Files that have their old content again, or are gone again.
    pub undone: usize,
    /// Journals that stay: their writer lives, or something that they name was not admitted or could not be undone.
    pub left: usize,
}

impl Ledger {
    /// Undoes every bundle of which a crash left the journal. `admit` resolves and judges an absolute path as for
    /// writing; what it does not admit is left alone. A file that is neither what it was nor what it was to become was
    /// changed since by somebody else, and stays theirs.
    pub fn recover(
        &self,
        admit: &mut dyn FnMut(&Path) -> Option<JailedPath>,
    ) -> Result<Recovered, JailError> {
        let root = self.root.dir();
        let mut done = Recovered::default();
        let journals = Dir::below(root)?.entries()?;
        for name in journals.into_iter().map(|child| child.name).filter(|name| is_journal(name)) {
            let Ok(left) = Left::behind(root, &name) else { continue };
            match left {
                Some(left) => self.undo(&left, admit, &mut done)?,
                None => done.left += 1,
            }
        }
        Ok(done)
    }

    fn undo(
        &self,
        left: &Left<'_>,
        admit: &mut dyn FnMut(&Path) -> Option<JailedPath>,
        done: &mut Recovered,
    ) -> Result<(), JailError> {
        let entries: Vec<&Entry> = left.entries.iter().flatten().rev().collect();
        // A link on the way now leads elsewhere than it did: what is there is not ours to touch.
        let mut admitted = |entry: &Entry| {
            let place = crate::jail::join(self.root.real_path(), &entry.rel);
            admit(&place).filter(|path| path.place() == place && path.writable().is_ok())
        };
        // Who may not undo all of it undoes nothing: the rest would be torn.
        let paths: Option<Vec<JailedPath>> = entries.iter().map(|entry| admitted(entry)).collect();
        let mut whole = paths.is_some();
        for (entry, path) in entries.into_iter().zip(paths.iter().flatten()) {
            match put_back(path, entry) {
                Ok(undone) => done.undone += usize::from(undone),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(_) => whole = false,
            }
        }
        if whole {
            return left.close();
        }
        done.left += 1;
        Ok(())
    }
}

/// True: it was changed, and is as it was now.
fn put_back(path: &JailedPath, entry: &Entry) -> Result<bool, JailError> {
    let (dir, name): (&OwnedFd, &[u8]) = match &path.at {
        At::Entry { parent, name, .. } => (parent, name),
        At::Missing { base, names } if names.len() == 1 => (base, &names[0]),
        _ => return Err(ErrorKind::NotFound.into()),
    };
    let old = |name: &str| entry.before.is_some() && hash(dir, name.as_bytes()) == entry.before;
    let is_new = entry.after.is_some() && hash(dir, name) == entry.after;
    let undone = match entry.kind {
        Kind::Replace if is_new && old(&entry.beside) => {
            exchange(dir, &entry.beside, name, entry.after.as_ref())?
        }
        Kind::Replace if is_new && old(&entry.spare) => {
            exchange(dir, &entry.spare, name, entry.after.as_ref())?
        }
        Kind::Create if is_new => {
            renameat(dir, name, dir, &*entry.beside)?;
            if hash(dir, entry.beside.as_bytes()) != entry.after {
                back(dir, entry.beside.as_bytes(), name)?;
            }
            true
        }
        Kind::Remove if path.kind().is_none() && old(&entry.beside) => {
            back(dir, entry.beside.as_bytes(), name)?;
            true
        }
        _ => false,
    };
    sync_dir(dir);
    for beside in [&entry.beside, &entry.spare] {
        let content = hash(dir, beside.as_bytes());
        if content.is_some() && (content == entry.before || content == entry.after) {
            unlinkat(dir, &**beside, AtFlags::empty())?;
        }
    }
    Ok(undone)
}

/// The old file gets its place again. If somebody else has put theirs there in between, theirs goes back.
fn exchange(dir: &OwnedFd, old: &str, name: &[u8], after: Option<&String>) -> Result<bool, JailError> {
    match renameat_with(dir, old, dir, name, RenameFlags::EXCHANGE) {
        Ok(()) if hash(dir, old.as_bytes()).as_ref() == after => Ok(true),
        Ok(()) => Ok(renameat_with(dir, old, dir, name, RenameFlags::EXCHANGE).map(|()| false)?),
        Err(Errno::INVAL | Errno::NOSYS) => Ok(renameat(dir, old, dir, name).map(|()| true)?),
        Err(error) => Err(error.into()),
    }
}

/// The hash of a regular file; none if there is none.
fn hash(dir: &OwnedFd, name: &[u8]) -> Option<String> {
    let mut file: File = open_regular(dir, name).ok()?;
    let mut hasher = Sha256::new();
    let mut chunk = vec![0u8; 128 * 1024];
    loop {
        match file.read(&mut chunk) {
            Ok(0) => return Some(hex(&hasher.finalize())),
            Ok(got) => hasher.update(&chunk[..got]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}
