//! What holds a running command: a keeper of the ward, or, without one, its process group.

use std::{io, os::unix::process::ExitStatusExt, process::ExitStatus, time::Duration};

use rustix::process::Signal;
use tokio::time::timeout;

use crate::{
    group::{Group, Leader},
    ward::{Cleared, Keeper, LeaderEnd},
};

/// How long the leader of a group may take to die of SIGKILL. Only one that the kernel cannot interrupt takes longer.
const DYING: Duration = Duration::from_secs(5);

/// The hold on a command. Dropping it kills.
#[derive(Debug)]
pub(crate) enum Hold {
    Ward(Box<Keeper>),
    Group(Group, Leader),
}

/// What became of the command's processes.
#[derive(Debug)]
pub(crate) struct Released {
    /// How the program itself ended; an error if nobody knows.
    pub(crate) end: io::Result<LeaderEnd>,
    /// What was left beside it when the rest was killed.
    pub(crate) left: Cleared,
    /// Nothing is left, for certain.
    pub(crate) certain: bool,
}

impl Hold {
    /// The number of the program's process.
    pub(crate) fn pid(&self) -> u32 {
        match self {
            Hold::Ward(keeper) => keeper.pid(),
            Hold::Group(_, leader) => leader.pid(),
        }
    }

    /// Waits until the program itself has ended. May be dropped and called again.
    pub(crate) async fn ended(&mut self) {
        match self {
            Hold::Ward(keeper) => keeper.ended().await,
            Hold::Group(_, leader) => leader.ended().await,
        }
    }

    /// Asks all of it to end.
    pub(crate) async fn terminate(&mut self) {
        match self {
            Hold::Ward(keeper) => keeper.terminate().await,
            Hold::Group(group, _) => group.signal(Signal::TERM),
        }
    }

    /// Kills all that is left, and waits until it is dead.
    pub(crate) async fn clear(&mut self) {
        match self {
            Hold::Ward(keeper) => {
                keeper.clear().await;
            }
            Hold::Group(group, leader) => {
                group.signal(Signal::KILL);
                // A leader that does not die shows when it is released.
                let _in_time = timeout(DYING, leader.ended()).await;
            }
        }
    }

    /// Lets go of what is over.
    pub(crate) async fn release(self) -> Released {
        match self {
            Hold::Ward(mut keeper) => {
                let left = keeper.clear().await.cloned();
                let end = match keeper.end() {
                    LeaderEnd::Unknown => {
                        Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the ward was killed"))
                    }
                    end => Ok(end),
                };
                let certain = keeper.is_clear();
                Released { end, left: left.unwrap_or_default(), certain }
            }
            Hold::Group(group, leader) => {
                // Left to the group's drop: waiting here could take for ever.
                let unkillable = u32::from(!leader.has_ended());
                let end = if unkillable > 0 { Ok(LeaderEnd::Unknown) } else { group.reap().map(own_end) };
                Released { end, left: Cleared { unkillable, ..Cleared::default() }, certain: false }
            }
        }
    }
}

fn own_end(status: ExitStatus) -> LeaderEnd {
    match (status.code(), status.signal()) {
        (Some(code), _) => LeaderEnd::Exited(code),
        (None, Some(signal)) => LeaderEnd::Signalled(signal),
        // waitid(2) knows no third end.
        (None, None) => LeaderEnd::Unknown,
    }
}
