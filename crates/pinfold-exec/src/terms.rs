//! The terms of a run: directory, environment and limits.

use std::{ffi::OsString, fmt, os::fd::OwnedFd, time::Duration};

use pinfold_shell::Refusal;

use crate::{capture::Keep, overflow::SpillTerms, progress::Progress, ward::Ward};

/// What a run gets and has to keep to. Standard input is always `/dev/null`.
#[derive(Debug)]
pub struct RunTerms {
    /// The directory to start in. It is entered by its descriptor, so that another directory under its name does not matter.
    pub cwd: OwnedFd,
    /// The whole environment, exactly this; nothing is inherited. Of a name that comes twice the last holds.
    pub env: Vec<(OsString, OsString)>,
    /// Wall time, after which the process group is killed. Default 120 s.
    pub timeout: Duration,
    /// Bytes that are kept of each of standard output and standard error. The rest is read, counted and dropped.
    /// Default 1,048,576.
    pub max_output_bytes: usize,
    /// Which bytes are kept. Default: both ends.
    pub keep: Keep,
    /// Results show output as [`plain`](crate::plain()) text. Default: as it was written.
    pub plain: bool,
    /// Who takes all of a stream that is too long. Default: nobody.
    pub spill: Option<SpillTerms>,
    /// Time between SIGTERM and SIGKILL when the time is up or the caller cancels. Default 0: SIGKILL at once.
    pub kill_grace: Duration,
    /// Who starts it, and ends all of it. `None`, the default: this process itself, which only holds its process group.
    pub ward: Option<Ward>,
    /// Where its last line is left while it runs. Default: nowhere.
    pub progress: Option<Progress>,
    /// Asked right before each try to start it. Default: nobody.
    pub last_look: Option<LastLook>,
}

/// Judges once more what may have changed since the command was checked: where the paths of a line lead. Between this
/// look and the start nothing but the start itself happens: a message to the ward, or fork and exec.
pub struct LastLook(Box<dyn Fn() -> Result<(), Refusal> + Send + Sync>);

impl LastLook {
    /// Asks `look`, which may look at the disk.
    pub fn new(look: impl Fn() -> Result<(), Refusal> + Send + Sync + 'static) -> LastLook {
        LastLook(Box::new(look))
    }

    pub(crate) fn look(&self) -> Result<(), Refusal> {
        self.0()
    }
}

impl fmt::Debug for LastLook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LastLook")
    }
}

impl RunTerms {
    /// Terms with an empty environment and the default limits.
    pub fn new(cwd: OwnedFd) -> RunTerms {
        RunTerms {
            cwd,
            env: Vec::new(),
            timeout: Duration::from_secs(120),
            max_output_bytes: 1_048_576,
            keep: Keep::default(),
            plain: false,
            spill: None,
            kill_grace: Duration::ZERO,
            ward: None,
            progress: None,
            last_look: None,
        }
    }
}
