//! What is about to change places with what, on disk before it does.

use std::{
    fs::File,
    io::Read,
    os::fd::{AsFd, OwnedFd},
};

use rustix::{
    fs::{AtFlags, FlockOperation, flock, fstat, statat, unlinkat},
    io::Errno,
};

use super::MOST_PARTS;
use crate::{
    ErrorKind, JailError, RelPath, Root,
    jailed::open_regular,
    snapshot::{Stay, hex, sha256, sync_dir, temporary::Temporary, temporary::random_name},
};

const HEAD: &str = "pinfold journal 1";
/// A line holds a path in hexadecimal, two hashes and two names.
const MOST_BYTES: u64 = (MOST_PARTS as u64 + 2) * 9_000;

/// What becomes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Replace,
    Create,
    Remove,
}

/// One file of a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(super) kind: Kind,
    /// Its place below the root.
    pub(super) rel: RelPath,
    /// The name beside it that has the new content before, and the old one after.
    pub(super) beside: String,
    /// The name beside it that has the old content where names cannot be exchanged.
    pub(super) spare: String,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
}

/// A journal on disk, locked as long as it is open.
pub(super) struct Journal<'a> {
    root: &'a OwnedFd,
    name: String,
    _lock: File,
}

impl<'a> Journal<'a> {
    /// Writes it. The lock is there before the name is, so nobody else takes it for one that was left behind.
    pub(super) fn open(root: &'a Root, entries: &[Entry]) -> Result<Journal<'a>, JailError> {
        let top = RelPath::root();
        let stay = Stay::begin(root.anchor(), Some(&top), root.dir());
        let written = Temporary::write(&stay, text(entries).as_bytes(), None)?;
        let lock = written.file()?;
        // A file system without locks has no second process that could ask for it.
        flock(&lock, FlockOperation::NonBlockingLockExclusive).ok();
        let name = random_name()?.replace(".tmp", ".journal");
        written.appear(name.as_bytes())?;
        Ok(Journal { root: root.dir(), name, _lock: lock })
    }

    /// Takes it away: from here on, what it names is so.
    pub(super) fn close(&self) -> Result<(), JailError> {
        match unlinkat(self.root, &*self.name, AtFlags::empty()) {
            // Whoever removed it has not undone anything, for it was locked.
            Ok(()) | Err(Errno::NOENT) => {}
            Err(error) => return Err(error.into()),
        }
        sync_dir(self.root);
        Ok(())
    }
}

/// A journal that was found, with the lock that its writer held while it lived.
pub(super) struct Left<'a> {
    journal: Journal<'a>,
    /// None: it was not written to its end, so nothing of it was begun.
    pub(super) entries: Option<Vec<Entry>>,
}

impl<'a> Left<'a> {
    /// None: somebody holds it, or it is gone.
    pub(super) fn behind(root: &'a OwnedFd, name: &[u8]) -> Result<Option<Left<'a>>, JailError> {
        let mut lock = open_regular(root, name)?;
        if flock(&lock, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK) {
            return Ok(None);
        }
        let (held, now) = (fstat(lock.as_fd())?, statat(root, name, AtFlags::SYMLINK_NOFOLLOW)?);
        if (held.st_dev, held.st_ino) != (now.st_dev, now.st_ino) {
            return Ok(None);
        }
        let mut text = String::new();
        let read = (&mut lock).take(MOST_BYTES + 1).read_to_string(&mut text);
        let entries = if read.is_ok() { entries(&text) } else { None };
        let name = String::from_utf8_lossy(name).into_owned();
        Ok(Some(Left { journal: Journal { root, name, _lock: lock }, entries }))
    }

    pub(super) fn close(&self) -> Result<(), JailError> {
        self.journal.close()
    }
}

/// Whether a file of this name is a journal.
pub(super) fn is_journal(name: &[u8]) -> bool {
    name.starts_with(b".pinfold-") && name.ends_with(b".journal")
}

fn is_temporary(name: &str) -> bool {
    let random = name.strip_prefix(".pinfold-").and_then(|rest| rest.strip_suffix(".tmp"));
    random.is_some_and(|hex| hex.len() == 24 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn text(entries: &[Entry]) -> String {
    let mut text = format!("{HEAD}\n");
    for entry in entries {
        let kind = match entry.kind {
            Kind::Replace => "replace",
            Kind::Create => "create",
            Kind::Remove => "remove",
        };
        let [before, after] = [&entry.before, &entry.after].map(|hash| hash.as_deref().unwrap_or("-"));
        let path = hex(entry.rel.as_bytes());
        text += &format!("{kind} {before} {after} {} {} {path}\n", entry.beside, entry.spare);
    }
    let sum = sha256(text.as_bytes());
    text + "end " + &sum + "\n"
}

/// None: it is not whole, or it is none.
fn entries(text: &str) -> Option<Vec<Entry>> {
    let (body, end) = text.split_at(text.strip_suffix('\n')?.rfind('\n')? + 1);
    let sum = end.strip_prefix("end ")?.strip_suffix('\n')?;
    if sha256(body.as_bytes()) != sum {
        return None;
    }
    let mut lines = body.lines();
    if lines.next()? != HEAD {
        return None;
    }
    let entries: Option<Vec<Entry>> = lines.map(|line| entry(line).ok()).collect();
    entries.filter(|entries| entries.len() <= MOST_PARTS)
}

fn entry(line: &str) -> Result<Entry, JailError> {
    let bad = JailError::from(ErrorKind::Other);
    let words: Vec<&str> = line.split(' ').collect();
    let &[kind, before, after, beside, spare, path] = &words[..] else { return Err(bad) };
    let kind = match kind {
        "replace" => Kind::Replace,
        "create" => Kind::Create,
        "remove" => Kind::Remove,
        _ => return Err(bad),
    };
    if !is_temporary(beside) || !is_temporary(spare) {
        return Err(bad);
    }
    let hash = |word: &str| (word != "-").then(|| word.to_owned());
    let rel = RelPath::new(&unhex(path).ok_or(bad)?).map_err(|_| bad)?;
    let (beside, spare) = (beside.to_owned(), spare.to_owned());
    Ok(Entry { kind, rel, beside, spare, before: hash(before), after: hash(after) })
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<Entry> {
        let name = |digit: char| format!(".pinfold-{}.tmp", digit.to_string().repeat(24));
        let one = |kind, rel: &[u8], before: Option<&str>, after: Option<&str>| Entry {
            kind,
            rel: RelPath::new(rel).unwrap(),
            beside: name('a'),
            spare: name('0'),
            before: before.map(str::to_owned),
            after: after.map(str::to_owned),
        };
        vec![
            one(Kind::Replace, b"src/a b\n.rs", Some("1"), Some("2")),
            one(Kind::Create, b"\xff", None, Some("2")),
            one(Kind::Remove, b"c", Some("1"), None),
        ]
    }

    #[test]
    fn it_says_what_was_said_and_nothing_when_torn() {
        let whole = text(&sample());
        assert_eq!(entries(&whole), Some(sample()));
        for cut in 0..whole.len() {
            assert_eq!(entries(&whole[..cut]), None, "{cut}");
        }
        assert_eq!(entries(&whole.replacen('1', "3", 1)), None);
    }

    #[test]
    fn names_that_are_not_ours_and_paths_that_climb_are_no_entries() {
        let good = text(&sample()).lines().nth(1).unwrap().to_owned();
        assert!(entry(&good).is_ok());
        let path = good.rsplit(' ').next().unwrap().to_owned();
        for bad in [
            good.replace(".pinfold-aaa", "../pinfold-a"),
            good.replace(".tmp", ".txt"),
            good.replace(&"a".repeat(24), &"a".repeat(23)),
            good.replace(&path, &hex(b"../x")),
            good.replace(&path, &hex(b"/etc/passwd")),
            good.replace("replace", "swap"),
            good.clone() + " more",
        ] {
            assert!(entry(&bad).is_err(), "{bad}");
        }
    }
}
