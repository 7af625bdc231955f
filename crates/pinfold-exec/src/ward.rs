//! The ward: the one owner of processes.
//!
//! Becoming the parent of orphans, waiting for any child and leaving the terminal are affairs of a whole process, so they
//! never happen in the host's own. The ward is this program started again ([`run_if_ward`]): a *head*, and below it one
//! *keeper* for each command that runs at the same time. A keeper starts the command and is a subreaper, so that
//! whatever the command's processes do to get away, they stay below it; it kills until it has no child, and is then free
//! for the next command. The head does the same for keepers that were killed.
//!
//! ```text
//! host ──socket──► head ──► keeper ──► command ──► …        all sockets are held by the host alone:
//!   └─────────────socket─────┘                              when it is gone, whoever listens clears up and ends
//! ```
//!
//! Both are small processes that do not grow with the host, so the cost of a start does not either.

mod family;
mod head;
mod keeper;
mod lent;
mod message;
mod wire;

use std::{
    env, io,
    os::{
        fd::{AsFd, OwnedFd},
        unix::net::UnixStream,
    },
    path::{Path, PathBuf},
    process,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use rustix::{
    io::Errno,
    net::{RecvFlags, recv},
};

pub(crate) use lent::Keeper;
use message::ToHead;
pub(crate) use message::{Cleared, LeaderEnd};

/// What a ward's processes are called, and how the program knows that it is to be one.
const ARG0: &str = "pinfold-ward";
const HEAD: &str = "head";
const KEEPER: &str = "keeper";

/// This program, whatever its file is called now.
const SELF: &str = "/proc/self/exe";

/// Free keepers that are kept for the next commands.
const IDLE: usize = 32;

/// Whether this program, started again, would be a ward.
static READY: AtomicBool = AtomicBool::new(false);

/// Makes this program able to be its own ward. Call it first thing in `main`, before anything is read, printed or
/// started.
///
/// In a ward it does the ward's work and never returns; else it returns at once.
pub fn run_if_ward() {
    let mut words = env::args_os();
    if words.next().is_none_or(|name| name != ARG0) {
        READY.store(true, Ordering::Relaxed);
        return;
    }
    let part = words.next().unwrap_or_default();
    // Nothing can be told to anybody here: whoever listens sees the socket closed.
    let served = listen().map(|host| match part.to_str() {
        Some(HEAD) => head::serve(&host),
        Some(KEEPER) => keeper::serve(&host),
        _ => {}
    });
    process::exit(i32::from(served.is_err()))
}

fn listen() -> io::Result<UnixStream> {
    let socket: OwnedFd = io::stdin().as_fd().try_clone_to_owned()?;
    rustix::net::sockopt::socket_type(&socket)?;
    keeper::settle_down()?;
    Ok(socket.into())
}

/// A ward. Cloning it is cheap: clones are the same ward. It starts with its first command, and ends, with all that is
/// below it, when the last clone is dropped or this process ends, however it ends.
#[derive(Debug, Clone)]
pub struct Ward(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    program: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    head: Option<UnixStream>,
    /// Heads that start no keepers any more, but may still have some that run commands.
    stuck: Vec<UnixStream>,
    /// Each with its number.
    idle: Vec<(UnixStream, u32)>,
}

impl Ward {
    /// This program, started again. `None` unless [`run_if_ward`] was called: another program would do something else.
    pub fn of_this_program() -> Option<Ward> {
        READY.load(Ordering::Relaxed).then(|| Ward::at(SELF))
    }

    /// Another program that calls [`run_if_ward`] first thing, such as the `pinfold` command.
    pub fn at(program: impl AsRef<Path>) -> Ward {
        Ward(Arc::new(Inner { program: program.as_ref().to_owned(), state: Mutex::default() }))
    }

    /// Starts it, if it is not there, and looks whether it answers.
    pub(crate) async fn answers(&self) -> io::Result<()> {
        Keeper::greet(self).await
    }

    /// A keeper that is free: one with its number, or a new one that has yet to tell it.
    fn keeper(&self) -> io::Result<(UnixStream, Option<u32>)> {
        let mut state = self.state();
        while let Some((keeper, number)) = state.idle.pop() {
            if is_silent(&keeper) {
                return Ok((keeper, Some(number)));
            }
        }
        let (ours, theirs) = UnixStream::pair()?;
        let head = state.head.take().filter(is_silent);
        let head = head.map_or_else(|| self.start_head(), Ok)?;
        wire::send(&head, ToHead::KEEPER, &[theirs.as_fd()])?;
        state.head = Some(head);
        Ok((ours, None))
    }

    fn start_head(&self) -> io::Result<UnixStream> {
        let (ours, theirs) = UnixStream::pair()?;
        let mut child = head::start_at(&self.0.program, HEAD, theirs.into())?;
        // Reaps it when it ends. Without this thread a zombie would stay until we end.
        let waits = thread::Builder::new().name(ARG0.to_owned()).stack_size(64 * 1024);
        waits.spawn(move || child.wait())?;
        Ok(ours)
    }

    fn take_back(&self, keeper: UnixStream, number: u32) {
        let mut state = self.state();
        if state.idle.len() < IDLE {
            state.idle.push((keeper, number));
        }
    }

    /// Sees to it that a keeper ends which is no longer wanted, and what it leaves behind.
    fn end(&self, keeper: u32) {
        if let Some(head) = &self.state().head {
            // One whose head is gone still sees its socket closed.
            let _gone = wire::send(head, &ToHead::end(keeper), &[]);
        }
    }

    /// A head that does not start a keeper: the next command gets another.
    fn give_up_head(&self) {
        let mut state = self.state();
        let stuck = state.head.take();
        state.stuck.extend(stuck);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves at worst a keeper less.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether nothing comes from it, as it should be: neither its end nor a word that nobody asked for.
fn is_silent(socket: &UnixStream) -> bool {
    let look = RecvFlags::PEEK | RecvFlags::DONTWAIT;
    matches!(recv(socket, &mut [0_u8; 1], look), Err(Errno::AGAIN))
}
