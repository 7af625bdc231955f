//! A process group of ours, from its start until its leader is reaped.
//!
//! The kernel gives a number to another process or group only after the leader was reaped. So every signal is sent
//! while the leader runs or is a zombie, and reaping comes last: no signal can reach a stranger.

use std::{
    io,
    os::fd::OwnedFd,
    process::{Child, ExitStatus},
    thread,
    time::Duration,
};

use rustix::{
    io::Errno,
    process::{
        Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, pidfd_open, waitid,
    },
};
use tokio::{
    io::{Interest, unix::AsyncFd},
    time::sleep,
};

/// The group. Dropping it kills what is left of it and reaps the leader.
#[derive(Debug)]
pub(crate) struct Group {
    leader: Pid,
    /// Taken when the leader is reaped.
    child: Option<Child>,
}

/// The leader's end, to wait for.
#[derive(Debug)]
pub(crate) struct Leader {
    pid: Pid,
    /// Becomes readable at its end. Absent where the kernel or a sandbox has no pidfd_open(2): then it is asked again
    /// and again.
    pidfd: Option<AsyncFd<OwnedFd>>,
}

/// Time between two looks at a leader without a pidfd.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

impl Group {
    /// Takes over `child`, which was started as the leader of a group of its own. Must be called in a tokio runtime.
    pub(crate) fn adopt(child: Child) -> (Group, Leader) {
        let pid = Pid::from_child(&child);
        let leader = Leader { pid, pidfd: watch(pid).ok() };
        (Group { leader: pid, child: Some(child) }, leader)
    }

    /// Sends `signal` to every process of the group. Not if somebody else reaped the leader: then the number may be
    /// another group's.
    pub(crate) fn signal(&self, signal: Signal) {
        if self.child.is_some() && !matches!(peek(WaitId::Pid(self.leader)), Err(Errno::CHILD)) {
            // Nobody is left, or all are already on their way out: as good.
            let _gone = kill_process_group(self.leader, signal);
        }
    }

    /// Kills what is left of the group, then reaps the leader, which has ended.
    pub(crate) fn reap(mut self) -> io::Result<ExitStatus> {
        self.signal(Signal::KILL);
        match self.child.take() {
            Some(mut child) => child.wait(),
            None => Err(Errno::CHILD.into()),
        }
    }
}

impl Leader {
    pub(crate) fn pid(&self) -> u32 {
        self.pid.as_raw_nonzero().get().cast_unsigned()
    }

    /// Whether the leader has ended, as far as anybody can tell.
    pub(crate) fn has_ended(&self) -> bool {
        !matches!(peek(WaitId::Pid(self.pid)), Ok(None))
    }

    /// Waits until the leader has ended; it is not reaped.
    pub(crate) async fn ended(&self) {
        // An error of a look means that somebody else reaped it: reaping will tell.
        while let Ok(None) = peek(WaitId::Pid(self.pid)) {
            let Some(pidfd) = &self.pidfd else {
                sleep(LOOK_AGAIN).await;
                continue;
            };
            // An error means that the runtime is shutting down.
            let Ok(mut ready) = pidfd.readable().await else { return };
            if let Ok(None) = peek(WaitId::Pid(self.pid)) {
                ready.clear_ready();
            }
        }
    }
}

fn watch(leader: Pid) -> io::Result<AsyncFd<OwnedFd>> {
    let pidfd = pidfd_open(leader, PidfdFlags::NONBLOCK)?;
    #[expect(
        deprecated,
        reason = "what is said against it, a type whose number changes, is not true of OwnedFd"
    )]
    AsyncFd::with_interest(pidfd, Interest::READABLE)
}

/// Whether it has ended, without reaping it (waitid(2), WNOWAIT).
fn peek(id: WaitId<'_>) -> Result<Option<WaitIdStatus>, Errno> {
    waitid(id, WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT)
}

impl Drop for Group {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
        let Some(mut child) = self.child.take() else { return };
        if matches!(child.try_wait(), Ok(None)) {
            // It is dying. The runtime may be going away, so that only a thread can be relied on to see the end; without
            // one the zombie stays until the host ends.
            let waits = thread::Builder::new().name("pinfold-reap".to_owned()).stack_size(64 * 1024);
            let _waiting = waits.spawn(move || child.wait());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        os::unix::process::{CommandExt, ExitStatusExt},
        process::Command,
    };

    use super::*;

    fn start(program: &str, word: &str) -> Child {
        Command::new(program).arg(word).process_group(0).spawn().unwrap()
    }

    #[tokio::test]
    async fn the_end_is_seen_with_and_without_a_pidfd_and_not_reaped() {
        for with in [true, false] {
            let (group, mut leader) = Group::adopt(start("sleep", "0.05"));
            assert!(leader.pidfd.is_some(), "this kernel has pidfd_open");
            leader.pidfd = leader.pidfd.filter(|_| with);
            leader.ended().await;
            assert!(matches!(peek(WaitId::Pid(group.leader)), Ok(Some(_))));
            assert!(group.reap().unwrap().success());
        }
    }

    #[tokio::test]
    async fn a_leader_that_somebody_else_reaped_is_not_signalled() {
        let (group, leader) = Group::adopt(start("sleep", "1000"));
        group.signal(Signal::KILL);
        leader.ended().await;
        let reaped = waitid(WaitId::Pid(group.leader), WaitIdOptions::EXITED).unwrap();
        assert!(reaped.is_some());
        leader.ended().await;
        group.signal(Signal::KILL);
        assert!(group.reap().is_err());
    }

    #[tokio::test]
    async fn a_zombie_can_still_be_signalled_and_keeps_its_own_end() {
        let (group, leader) = Group::adopt(start("true", ""));
        leader.ended().await;
        let status = group.reap().unwrap();
        assert_eq!((status.code(), status.signal()), (Some(0), None));
    }
}
