//! What tells one state of a file from another without reading it.

use std::{fs::File, time::SystemTime};

use rustix::fs::fstat;

use crate::JailError;

/// Clocks of file systems are coarse (a tick of the kernel, on some of them 2 s): what was changed so lately may be
/// changed again without a sign of it.
const TICK_NS: i128 = 2_000_000_000;

/// A state of a file: which one it is, how long, and when its content and its attributes were changed last.
///
/// Two that are equal and [settled](Version::is_settled) had the same content, but for somebody who writes through a
/// mapping (`mmap(2)`): that changes the times only now and then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Version {
    dev: u64,
    ino: u64,
    size: i64,
    modified_ns: i128,
    changed_ns: i128,
}

impl Version {
    /// The state of an open file now.
    ///
    /// # Errors
    /// Those of `fstat(2)`.
    pub fn of(file: &File) -> Result<Version, JailError> {
        let stat = fstat(file)?;
        let ns = |seconds: i64, rest: i128| i128::from(seconds) * 1_000_000_000 + rest;
        Ok(Version {
            dev: stat.st_dev,
            ino: stat.st_ino,
            size: stat.st_size,
            modified_ns: ns(stat.st_mtime, stat.st_mtime_nsec.into()),
            changed_ns: ns(stat.st_ctime, stat.st_ctime_nsec.into()),
        })
    }

    /// When its content was last changed, in nanoseconds since 1970.
    pub fn modified_ns(&self) -> i128 {
        self.modified_ns
    }

    /// Whether its last change is long enough ago for the next one to be seen.
    pub fn is_settled(&self) -> bool {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let now = now.ok().and_then(|now| i128::try_from(now.as_nanos()).ok()).unwrap_or(0);
        now - self.modified_ns.max(self.changed_ns) > TICK_NS
    }

    /// Which file it is, whatever its state.
    pub fn file(&self) -> (u64, u64) {
        (self.dev, self.ino)
    }
}
