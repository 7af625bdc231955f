//! Why a checked command was not run, or its end is not known.

use std::{io, path::PathBuf};

use pinfold_shell::{Refusal, shown};
use thiserror::Error;

/// A run that has no result. A command that fails, is killed or times out has one: this is something else.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// A script's path no longer leads to the file that was judged. Nothing was started.
    #[error("{} is no longer the file that was checked.", shown(&path.to_string_lossy()))]
    Changed {
        /// The path it was found at.
        path: PathBuf,
    },
    /// Something that the command leads to changed after it was checked. Nothing was started.
    #[error("{0}")]
    Refused(Refusal),
    /// The operating system did not start it.
    #[error("{} cannot be started: {source}.", shown(program))]
    Start {
        /// The first word, as it was written.
        program: String,
        /// Its answer.
        source: io::Error,
    },
    /// The operating system does not tell how it ended: the host ignores SIGCHLD, or reaped our process.
    #[error("The end of {} is not known: {source}.", shown(program))]
    Lost {
        /// The first word, as it was written.
        program: String,
        /// Its answer.
        source: io::Error,
    },
}

impl RunError {
    /// What to try next, one sentence, if there is advice.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            RunError::Refused(_) => None,
            RunError::Changed { .. } => Some("Run it again, so that it is checked again."),
            RunError::Lost { source, .. } if source.kind() == io::ErrorKind::UnexpectedEof => {
                Some("What held it was killed, perhaps by the command itself; all that it started is ended.")
            }
            RunError::Lost { .. } => {
                Some("The host must neither ignore SIGCHLD nor wait for children that are not its own.")
            }
            RunError::Start { source, .. } => start_hint(source),
        }
    }
}

fn start_hint(source: &io::Error) -> Option<&'static str> {
    match source.kind() {
        io::ErrorKind::NotFound => Some(
            "The file is there: what is missing is the interpreter that its first line names, or its loader.",
        ),
        io::ErrorKind::ArgumentListTooLong => {
            Some("Arguments and environment are too long: put them into a file.")
        }
        io::ErrorKind::InvalidInput => {
            Some("A name in the environment is empty or holds `=`, or something in it holds a NUL byte.")
        }
        _ if source.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => {
            Some("A script needs a first line that names its interpreter, such as `#!/bin/sh`.")
        }
        _ => None,
    }
}
