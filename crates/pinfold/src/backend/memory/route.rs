//! Names in memory, read as the jail reads them: down from the home, and outside it letter by letter.

use std::{
    ffi::OsStr,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use pinfold_jail::{ErrorKind, JailError, RelPath, tree::MAX_DEPTH};

use super::{
    Memory,
    store::{Item, Store},
};

/// What a name led to.
pub(super) struct Found {
    pub(super) path: RelPath,
    /// Only a directory can have this name: it ends in a slash, `.` or `..`.
    pub(super) directory: bool,
}

/// Where the reading of a name has come to.
enum Spot {
    /// In the home or below it.
    Inside(RelPath),
    /// Above or beside it, where nothing is but the way back.
    Outside(PathBuf),
}

/// Reads `name`. `passed` collects the places that a deny rule has to be asked about beside the result.
pub(super) fn find(
    memory: &Memory,
    store: &Store,
    name: &OsStr,
    passed: &mut Vec<PathBuf>,
) -> Result<Found, JailError> {
    let bytes = name.as_bytes();
    if bytes.contains(&0) {
        return Err(ErrorKind::BadName.into());
    }
    if bytes.len() >= 4096 {
        return Err(ErrorKind::NameTooLong.into());
    }
    let absolute = bytes.starts_with(b"/");
    passed.extend(as_written(memory, bytes, absolute));
    let mut way = Way { memory, store, passed };
    let mut spot = if absolute { way.arrive(PathBuf::from("/")) } else { Spot::Inside(memory.home.clone()) };
    for part in parts(bytes) {
        spot = match spot {
            Spot::Inside(path) => way.step(path, part)?,
            Spot::Outside(names) => way.arrive(moved(names, part)),
        };
    }
    let directory = matches!(bytes.rsplit(|&b| b == b'/').next(), Some(b"" | b"." | b".."));
    match spot {
        Spot::Inside(path) => Ok(Found { path, directory }),
        Spot::Outside(_) => Err(ErrorKind::Escape.into()),
    }
}

fn parts(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|&b| b == b'/').filter(|part| !matches!(*part, b"" | b"."))
}

/// `names` after one more part, by the letters alone.
fn moved(mut names: PathBuf, part: &[u8]) -> PathBuf {
    if part == b".." {
        names.pop();
    } else {
        names.push(OsStr::from_bytes(part));
    }
    names
}

/// The place that the letters of a name say, if it lies inside: a deny rule is asked about it even where nothing is.
fn as_written(memory: &Memory, bytes: &[u8], absolute: bool) -> Option<PathBuf> {
    let from = if absolute { Path::new("/") } else { &memory.at };
    let said = parts(bytes).fold(from.to_owned(), moved);
    said.starts_with(&memory.at).then_some(said)
}

struct Way<'a> {
    memory: &'a Memory,
    store: &'a Store,
    passed: &'a mut Vec<PathBuf>,
}

impl Way<'_> {
    fn arrive(&self, names: PathBuf) -> Spot {
        if names == self.memory.at { Spot::Inside(self.memory.home.clone()) } else { Spot::Outside(names) }
    }

    /// One step on from `path`, which has to be a directory, or nothing yet.
    fn step(&mut self, mut path: RelPath, part: &[u8]) -> Result<Spot, JailError> {
        self.passed.push(self.memory.place(&path));
        match self.store.get(&path) {
            Some(Item::File(_)) => return Err(ErrorKind::NotDirectory.into()),
            None if part == b".." => return Err(ErrorKind::NotFound.into()),
            _ => {}
        }
        if part == b".." {
            if path == self.memory.home {
                let at = &self.memory.at;
                return Ok(self.arrive(at.parent().unwrap_or(at).to_owned()));
            }
            path.pop();
            return Ok(Spot::Inside(path));
        }
        if part.len() > 255 {
            return Err(ErrorKind::NameTooLong.into());
        }
        path.push(part).map_err(|_| ErrorKind::BadName)?;
        let depth = path.components().count() - self.memory.home.components().count();
        if depth > MAX_DEPTH { Err(ErrorKind::TooDeep.into()) } else { Ok(Spot::Inside(path)) }
    }
}
