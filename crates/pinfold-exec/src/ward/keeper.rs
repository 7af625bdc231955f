//! A keeper: the process that starts one command at a time, and is the parent of all that is left of it.

use std::{
    io::{self, Write},
    os::{
        fd::{AsFd, OwnedFd},
        unix::net::UnixStream,
    },
    process,
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    process::{Pid, PidfdFlags, Signal, pidfd_open},
};

use super::{
    family,
    message::{Cleared, LeaderEnd, Reply, ToKeeper},
    wire,
};
use crate::plan::{NotStarted, Plan};

/// Time between two looks at orphans that died while the program runs: nobody else reaps them.
const TICK: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// The same where the kernel has no pidfd_open(2): then it is also how the program's own end is seen.
const TICK_WITHOUT_PIDFD: Timespec = Timespec { tv_sec: 0, tv_nsec: 10_000_000 };

/// How long what was killed may take to die; only what the kernel cannot interrupt takes longer.
const DYING: Duration = Duration::from_secs(3);

/// A command under this keeper.
struct Run<'a> {
    host: &'a UnixStream,
    leader: Pid,
    /// Becomes readable at its end.
    pidfd: Option<OwnedFd>,
    /// The host knows of its end.
    told: bool,
}

/// What a keeper does next.
enum Next {
    /// Nothing of the command is left.
    Free,
    /// The host is gone, or something is left that cannot be killed: this keeper serves no more.
    Leave,
}

/// Serves one host until its end of `host` is closed.
pub(super) fn serve(host: &UnixStream) {
    if matches!(answer(host, &Reply::Ready { keeper: process::id() }), Next::Leave) {
        return;
    }
    while let Ok(Some(frame)) = wire::receive(host) {
        let next = match ToKeeper::read(frame) {
            Some(ToKeeper::Start(plan, stdout, stderr)) => match start(host, plan, stdout, stderr) {
                Ok(Some(run)) => run.watch(),
                Ok(None) => Next::Free,
                Err(_) => Next::Leave,
            },
            // It ended by itself while the host was asking.
            Some(ToKeeper::Kill) => answer(host, &Reply::Cleared(Cleared::default())),
            Some(ToKeeper::Terminate) => Next::Free,
            None => Next::Leave,
        };
        if matches!(next, Next::Leave) {
            return;
        }
    }
}

fn answer(mut host: &UnixStream, reply: &Reply) -> Next {
    host.write_all(&reply.to_bytes()).map_or(Next::Leave, |()| Next::Free)
}

/// Starts it and says so, or why not. Our copies of its streams are closed then, so that their end is the command's own.
fn start<'a>(
    host: &'a UnixStream,
    plan: Box<Plan>,
    stdout: OwnedFd,
    stderr: OwnedFd,
) -> io::Result<Option<Run<'a>>> {
    let spawned = plan.spawn(&stdout, &stderr);
    drop((plan, stdout, stderr));
    let reply = match spawned {
        Ok(child) => {
            let leader = Pid::from_child(&child);
            let pidfd = pidfd_open(leader, PidfdFlags::empty()).ok();
            let run = Run { host, leader, pidfd, told: false };
            let reply = Reply::Started { pid: child.id() };
            if matches!(answer(host, &reply), Next::Leave) {
                run.clear();
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            return Ok(Some(run));
        }
        Err(NotStarted::Changed) => Reply::Changed,
        Err(NotStarted::Os(error)) => {
            Reply::Failed { errno: error.raw_os_error().unwrap_or(Errno::INVAL.raw_os_error()) }
        }
    };
    match answer(host, &reply) {
        Next::Free => Ok(None),
        Next::Leave => Err(io::ErrorKind::BrokenPipe.into()),
    }
}

impl Run<'_> {
    /// Until nothing of it is left.
    fn watch(mut self) -> Next {
        loop {
            let strays = self.living_strays();
            if !self.told && self.tell_its_end(strays.is_empty()) {
                return self.leave_alone();
            }
            if !self.request_is_there() {
                continue;
            }
            match wire::receive(self.host).ok().flatten().and_then(ToKeeper::read) {
                Some(ToKeeper::Terminate) => self.terminate(),
                Some(ToKeeper::Kill) => {
                    let cleared = self.clear();
                    let free = cleared.unkillable == 0;
                    let answered = answer(self.host, &Reply::Cleared(cleared));
                    return if free { answered } else { Next::Leave };
                }
                Some(ToKeeper::Start(..)) | None => {
                    self.clear();
                    return Next::Leave;
                }
            }
        }
    }

    /// Orphans of the command that live; the dead are reaped.
    fn living_strays(&self) -> Vec<Pid> {
        let others = family::children().into_iter().filter(|child| *child != self.leader);
        others.filter(|child| !family::reap(*child)).collect()
    }

    /// Tells the host, if the program itself has ended. True: nothing else is left.
    fn tell_its_end(&mut self, alone: bool) -> bool {
        let end = match family::ended(self.leader) {
            Ok(None) => return false,
            Ok(Some(status)) => match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => LeaderEnd::Exited(code),
                (None, Some(signal)) => LeaderEnd::Signalled(signal),
                (None, None) => LeaderEnd::Unknown,
            },
            Err(_) => LeaderEnd::Unknown,
        };
        self.told = true;
        // What is wrong with the host shows when it is listened to.
        let _host = answer(self.host, &Reply::Ended { end, alone });
        alone
    }

    fn leave_alone(self) -> Next {
        family::reap(self.leader);
        // The list may have left one out; that one has had its chance to end by itself.
        match family::kill_all(&[], Instant::now() + DYING) {
            0 => Next::Free,
            _ => Next::Leave,
        }
    }

    /// Waits for the host's next request, the program's end, or the next look at orphans.
    fn request_is_there(&self) -> bool {
        let mut watched = vec![PollFd::new(self.host, PollFlags::IN)];
        let pidfd = self.pidfd.as_ref().filter(|_| !self.told);
        watched.extend(pidfd.map(|pidfd| PollFd::from_borrowed_fd(pidfd.as_fd(), PollFlags::IN)));
        let tick = if self.told || self.pidfd.is_some() { TICK } else { TICK_WITHOUT_PIDFD };
        // An interrupted wait is one that was short.
        let _ready = poll(&mut watched, Some(&tick));
        !watched[0].revents().is_empty()
    }

    fn terminate(&self) {
        family::signal(self.leader, Signal::TERM);
        self.living_strays().into_iter().for_each(|stray| family::signal(stray, Signal::TERM));
    }

    /// Leaves nothing. The leader is reaped only after its group was killed: until then the number is the group's.
    fn clear(&self) -> Cleared {
        let strays = self.living_strays();
        let first = strays.first();
        family::signal(self.leader, Signal::KILL);
        let name = first.map(|stray| family::name(*stray)).unwrap_or_default();
        let unkillable = family::kill_all(&[], Instant::now() + DYING);
        Cleared {
            found: count(strays.len()),
            pid: first.map_or(0, |stray| stray.as_raw_nonzero().get().cast_unsigned()),
            name,
            unkillable: count(unkillable),
        }
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Takes this process out of the session that it was started in, so that its commands have no terminal.
pub(super) fn settle_down() -> Result<(), Errno> {
    // The one error is that it leads a group already, and so a session as good as its own.
    let _session = rustix::process::setsid();
    rustix::process::chdir("/")?;
    family::adopt_orphans()?;
    Ok(())
}
