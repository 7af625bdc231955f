//! The head of the ward: the parent of the keepers, and of whatever a keeper that was killed leaves behind.

use std::{
    io,
    os::{
        fd::{AsFd, OwnedFd},
        unix::{net::UnixStream, process::CommandExt},
    },
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, set_parent_process_death_signal},
};

use super::{ARG0, KEEPER, SELF, family, message::ToHead, wire};

/// Time between two looks while something has to die, or an end cannot be waited for.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };

/// How long keepers may take to clear up when they are no longer wanted, before they are killed and it is done for them.
const FAREWELL: Duration = Duration::from_millis(1_000);
const LAST: Duration = Duration::from_millis(800);

#[derive(Default)]
struct Head {
    keepers: Vec<Keeper>,
}

struct Keeper {
    pid: Pid,
    /// Becomes readable at its end.
    pidfd: Option<OwnedFd>,
    /// Whoever it served wants its end: by then it has to have cleared up by itself.
    until: Option<Instant>,
}

/// Serves one host until its end of `host` is closed; then nothing is left.
pub(super) fn serve(host: &UnixStream) {
    // A command may have stopped this process: it has to wake up to see that the host is gone. The signal also comes if
    // only the thread ends that started us; then it does nothing.
    let _not_there = set_parent_process_death_signal(Some(Signal::CONT));
    let mut head = Head::default();
    let mut dying = false;
    loop {
        if head.wait(Some(host), dying) {
            match wire::receive(host).ok().flatten().and_then(ToHead::read) {
                Some(ToHead::Keeper(socket)) => head.start_keeper(socket),
                Some(ToHead::End(number)) => head.end(number),
                None => return head.farewell(),
            }
        }
        let died = head.reap_keepers();
        // What is not a keeper was left by one that died. The list of children may leave one out while others end, so
        // there is always another look.
        dying = family::kill_all(&head.numbers(), Instant::now()) > 0 || died;
    }
}

impl Head {
    /// True: the host says something, or is gone.
    fn wait(&self, host: Option<&UnixStream>, dying: bool) -> bool {
        let pidfds = self.keepers.iter().filter_map(|keeper| keeper.pidfd.as_ref());
        let all = host.map(AsFd::as_fd).into_iter().chain(pidfds.map(AsFd::as_fd));
        let mut watched: Vec<_> = all.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)).collect();
        let blind = self.keepers.iter().any(|keeper| keeper.pidfd.is_none() || keeper.until.is_some());
        let _ready = poll(&mut watched, (dying || blind || host.is_none()).then_some(&LOOK));
        host.is_some() && !watched[0].revents().is_empty()
    }

    /// A host whose keeper does not start sees the socket closed.
    fn start_keeper(&mut self, socket: OwnedFd) {
        if let Ok(child) = start(KEEPER, socket) {
            let pid = Pid::from_child(&child);
            self.keepers.push(Keeper { pid, pidfd: pidfd_open(pid, PidfdFlags::empty()).ok(), until: None });
        }
    }

    /// Only a keeper that was not reaped yet has its number in the list.
    fn end(&mut self, number: u32) {
        let is_it = |keeper: &&mut Keeper| keeper.pid.as_raw_nonzero().get().cast_unsigned() == number;
        if let Some(keeper) = self.keepers.iter_mut().find(is_it) {
            keeper.until = Some(Instant::now() + FAREWELL);
        }
    }

    /// Reaps those that have ended, and kills those that should have. True: some have ended.
    fn reap_keepers(&mut self) -> bool {
        let before = self.keepers.len();
        self.keepers.retain(|keeper| !family::reap(keeper.pid));
        let now = Instant::now();
        for late in self.keepers.iter().filter(|keeper| keeper.until.is_some_and(|until| until < now)) {
            let _dead_already = kill_process(late.pid, Signal::KILL);
        }
        self.keepers.len() < before
    }

    fn numbers(&self) -> Vec<Pid> {
        self.keepers.iter().map(|keeper| keeper.pid).collect()
    }

    fn farewell(mut self) {
        let until = Instant::now() + FAREWELL;
        while !self.keepers.is_empty() && Instant::now() < until {
            self.wait(None, true);
            self.reap_keepers();
        }
        family::kill_all(&[], Instant::now() + LAST);
    }
}

/// Starts this program once more, in a part of the ward, with its socket as standard input.
pub(super) fn start(part: &str, socket: OwnedFd) -> io::Result<std::process::Child> {
    start_at(SELF.as_ref(), part, socket)
}

/// The same with another program of ours.
pub(super) fn start_at(
    program: &std::path::Path,
    part: &str,
    socket: OwnedFd,
) -> io::Result<std::process::Child> {
    let mut command = Command::new(program);
    command.arg0(ARG0).arg(part);
    command.stdin(socket).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0).spawn()
}
