//! The file of a call log. It is the operator's: the agent must not be able to change it, so it lies outside the root.

#![allow(clippy::disallowed_methods, reason = "the operator names this file, no agent does")]

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use pinfold::{CallLog, Failure, FailureType, Policy, call_log::Entry};

use crate::place::absolute;

/// Opening a pipe to write would wait for a reader (`O_NONBLOCK` of open(2), the same on every Linux but Alpha, MIPS, PA-RISC
/// and SPARC; elsewhere a pipe is waited for).
const AT_ONCE: i32 = 0o4000;

/// Opens the log for a workspace with this root. Lines are appended; a new file is readable by its owner alone.
///
/// # Errors
/// `bad-arguments` for a file inside the root, or something that is no file; those of the disk.
pub(crate) fn writer(path: &Path, root: &Path, policy: &Policy) -> Result<CallLog, Failure> {
    let path = absolute(path)?;
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(unusable(&path, "it is no file"));
    };
    let folder = fs::canonicalize(parent).map_err(|error| unusable(&path, &error.to_string()))?;
    let mut options = OpenOptions::new();
    options.append(true).create(true).mode(0o600).custom_flags(AT_ONCE);
    // A link may lead anywhere, also back inside.
    let real = fs::canonicalize(&path).unwrap_or_else(|_| folder.join(name));
    if real.starts_with(root) || folder.starts_with(root) {
        return Err(unusable(&path, "it lies inside the workspace, where the agent could change it")
            .hint("Name a file outside the workspace."));
    }
    let file = options.open(&path).map_err(|error| unusable(&path, &error.to_string()))?;
    match file.metadata() {
        Ok(about) if about.is_file() => Ok(CallLog::new(file, policy)),
        _ => Err(unusable(&path, "it is no file")),
    }
}

fn unusable(path: &Path, why: &str) -> Failure {
    let message = format!("The log `{}` cannot be used: {}.", path.display(), why.trim_end_matches('.'));
    Failure::new(FailureType::BadArguments, message)
}

/// The calls of a log, one after the other, each with its number, counted from 1.
pub(crate) struct Calls {
    lines: BufReader<File>,
    number: usize,
    /// A line that is still being written.
    half: Vec<u8>,
}

/// One line of a log.
pub(crate) struct Line {
    pub(crate) number: usize,
    pub(crate) text: String,
    /// `None` for one that is no call.
    pub(crate) entry: Option<Entry>,
}

/// Longer lines are not Pinfold's.
const LONGEST: u64 = 1 << 20;

impl Calls {
    pub(crate) fn of(path: &Path) -> io::Result<Calls> {
        let file = File::open(path)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
        Ok(Calls { lines: BufReader::new(file), number: 0, half: Vec::new() })
    }

    /// The next whole line; `None` when there is no more by now.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line>> {
        let taken = (&mut self.lines).take(LONGEST).read_until(b'\n', &mut self.half)?;
        if taken == 0 || !self.half.ends_with(b"\n") && (self.half.len() as u64) < LONGEST {
            return Ok(None);
        }
        self.number += 1;
        let text = String::from_utf8_lossy(&self.half).trim_end().to_owned();
        self.half.clear();
        let entry = serde_json::from_str(&text).ok();
        Ok(Some(Line { number: self.number, text, entry }))
    }

    /// Begins again if the file became shorter: somebody emptied it.
    pub(crate) fn rewind_if_cut(&mut self) -> io::Result<()> {
        let at = self.lines.stream_position()?;
        if self.lines.get_ref().metadata()?.len() < at {
            self.lines.seek(SeekFrom::Start(0))?;
            self.number = 0;
            self.half.clear();
        }
        Ok(())
    }
}
