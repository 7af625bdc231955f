//! The one step in which a draft becomes the file.

use std::{
    fs::File,
    os::{fd::OwnedFd, unix::fs::FileExt},
    sync::Arc,
    time::Duration,
};

use rustix::{
    fs::{AtFlags, FlockOperation, flock, statat},
    io::Errno,
};

use super::{Guard, Snapshot, temporary::Temporary};
use crate::{
    ErrorKind, JailError,
    jailed::{At, open_regular},
    tree::Made,
};

const LOCK_TRIES: usize = 500;
const LOCK_PAUSE: Duration = Duration::from_millis(2);

/// True: there was no file before.
pub(super) fn commit(seen: &Snapshot, bytes: &[u8], guard: Guard) -> Result<bool, JailError> {
    match &seen.path.at {
        At::Root(_) => Err(ErrorKind::IsDirectory.into()),
        At::Entry { parent, name, .. } => replace(seen, parent, name, bytes, guard).map(|()| false),
        At::Missing { base, names } => create(seen, base, names, bytes, guard).map(|()| true),
    }
}

fn create(
    seen: &Snapshot,
    base: &Arc<OwnedFd>,
    names: &[Vec<u8>],
    bytes: &[u8],
    guard: Guard,
) -> Result<(), JailError> {
    let Some((name, above)) = names.split_last() else { return Err(ErrorKind::NotFound.into()) };
    let _making = seen.path.stay_making(above.len(), base);
    let made = Made::below(base, above)?;
    let stay = seen.path.stay(made.innermost());
    let temporary = Temporary::write(&stay, bytes, None)?;
    match guard {
        Guard::Overwrite => temporary.replace(name)?,
        Guard::Unchanged => temporary.appear(name)?,
    }
    drop(stay);
    made.keep();
    Ok(())
}

fn replace(seen: &Snapshot, dir: &OwnedFd, name: &[u8], bytes: &[u8], guard: Guard) -> Result<(), JailError> {
    let stay = seen.path.stay(dir);
    if guard == Guard::Overwrite {
        return Temporary::write(&stay, bytes, seen.before.as_ref())?.replace(name);
    }
    let (Some(before), Some(content)) = (&seen.before, &seen.content) else {
        return Err(ErrorKind::Stale.into());
    };
    let file = open_regular(dir, name).map_err(not_it)?;
    let mut temporary = Temporary::write(&stay, bytes, Some(before))?;
    wait_for_turn(&file);
    let is_it = |at: &[u8]| statat(dir, at, AtFlags::SYMLINK_NOFOLLOW).is_ok_and(|stat| before.is(&stat));
    let unchanged = |at: &[u8]| is_it(at) && holds(&file, content).unwrap_or(false);
    // Found out now, a file that was replaced need not be put back; the exchange is for those who come later.
    if !is_it(name) {
        return Err(ErrorKind::Stale.into());
    }
    temporary.get_ready_to_exchange(before)?;
    match temporary.exchange(name)? {
        true if unchanged(temporary.name()) => {
            // The temporary name holds the old file now; dropping it removes that.
            drop(temporary);
            stay.sync();
            Ok(())
        }
        true => temporary.put_back(name).and(Err(ErrorKind::Stale.into())),
        false if unchanged(name) => temporary.replace(name),
        false => Err(ErrorKind::Stale.into()),
    }
}

/// What is gone or no file any more is not the file that was seen.
pub(super) fn not_it(error: JailError) -> JailError {
    match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::Other => error,
        _ => ErrorKind::Stale.into(),
    }
}

/// Of those who saw the same file, one commits at a time: `flock(2)` on that file, which ends with its descriptor. The
/// lock is only for order: somebody who keeps it makes us late, never wait for good, and a file system without locks
/// does not stop us.
pub(super) fn wait_for_turn(file: &File) {
    patiently(|| flock(file, FlockOperation::NonBlockingLockExclusive));
}

/// Asks for a lock until it is had, cannot be had, or was asked for long enough. True: it is had.
pub(super) fn patiently(lock: impl Fn() -> Result<(), Errno>) -> bool {
    for _ in 0..LOCK_TRIES {
        match lock() {
            Err(Errno::WOULDBLOCK) => std::thread::sleep(LOCK_PAUSE),
            done => return done.is_ok(),
        }
    }
    false
}

/// Whether all of `file` is `expected`. Attributes could miss a writer that came within one tick of the clock.
pub(super) fn holds(file: &File, expected: &[u8]) -> Result<bool, JailError> {
    let mut chunk = vec![0u8; 65536.min(expected.len() + 1)];
    let mut rest = expected;
    loop {
        let got = file.read_at(&mut chunk, (expected.len() - rest.len()) as u64)?;
        if got == 0 {
            return Ok(rest.is_empty());
        }
        let Some(after) = rest.strip_prefix(&chunk[..got]) else { return Ok(false) };
        rest = after;
    }
}
