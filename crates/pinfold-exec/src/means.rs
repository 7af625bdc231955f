//! Which means of ending processes hold on this machine: looked at, not assumed.

#![allow(clippy::disallowed_methods, reason = "only /proc tells what the kernel offers")]

use std::{fs, io};

use rustix::process::{PidfdFlags, getpid, pidfd_open};

use crate::ward::Ward;

/// What was found.
#[derive(Debug)]
#[non_exhaustive]
pub struct Means {
    /// A ward was started, adopts orphans, and answers: whatever a command starts is ended with it. Else why not.
    pub ward: Result<(), io::Error>,
    /// The end of a process can be waited for by its descriptor (pidfd_open(2)); else it is asked again and again.
    pub pidfd: bool,
    /// The kernel lists the children of a process; else every process is looked at.
    pub children: bool,
}

/// Starts `ward`, if there is one, and looks what the kernel offers. Must be called in a tokio runtime with I/O and time.
pub async fn means(ward: Option<&Ward>) -> Means {
    Means {
        ward: match ward {
            Some(ward) => ward.answers().await,
            None => Err(io::Error::new(io::ErrorKind::Unsupported, "this program is not its own ward")),
        },
        pidfd: pidfd_open(getpid(), PidfdFlags::empty()).is_ok(),
        children: fs::exists("/proc/thread-self/children").unwrap_or(false),
    }
}
