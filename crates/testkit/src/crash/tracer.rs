//! The side that watches: starts an actor, follows all its threads from call to call, and disturbs one of them.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStderr, Command, Stdio},
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread::{self, JoinHandle},
    time::Duration,
};

use nix::{
    errno::Errno,
    sys::{
        ptrace::{self, Options},
        signal::{Signal, kill},
        wait::{WaitPidFlag, WaitStatus, waitpid},
    },
    unistd::Pid,
};

use super::{
    SystemCall,
    actor::{READY, STAGE},
};

/// What to do with the calls of the deed, which are counted from 0.
#[derive(Debug, Clone, Copy)]
pub(super) enum Plan {
    Watch,
    Kill(usize),
    Fail { at: usize, error: i32 },
}

/// What was seen.
#[derive(Debug)]
pub(super) struct Traced {
    pub(super) calls: Vec<SystemCall>,
    /// The deed had as many calls as the plan needed.
    pub(super) disturbed: bool,
    /// The deed came to its end.
    whole: bool,
}

/// The place of a deed: before, within, after its two marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    Before,
    Within,
    After,
}

/// `PTRACE_SYSCALL_INFO_ENTRY`.
const ENTRY: u8 = 1;

/// Whether a call can be made to fail here: that takes the registers of the machine.
pub(super) const CAN_FAIL_CALLS: bool = cfg!(target_arch = "x86_64");

/// Runs `actor` on `stage`. An error is one of tracing; an actor that fails panics here.
pub(super) fn run(actor: &str, stage: &Path, plan: Plan) -> Result<Traced, Errno> {
    let (actor, stage) = (actor.to_owned(), stage.to_owned());
    // Tracees belong to a thread. One of its own has no other children that it could take for them.
    let run = thread::spawn(move || {
        let mut child = start(&actor, &stage);
        let _patience = Patience::with(&child);
        let mut stderr = wait_until_ready(&mut child);
        let traced = Tracer::seize(&child).and_then(|mut tracer| tracer.follow(&mut child, plan));
        if traced.is_err() {
            child.kill().ok();
            child.wait().ok();
        }
        let (traced, status) = traced?;
        check(&actor, plan, &traced, status, &mut stderr);
        Ok(traced)
    });
    run.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Longer than any deed takes: an actor that hangs is killed then, which is a failure.
const PATIENCE: Duration = Duration::from_secs(60);

/// Dropped in time, it does nothing.
struct Patience(Option<Sender<()>>, Option<JoinHandle<()>>);

impl Patience {
    fn with(child: &Child) -> Patience {
        let (done, wait) = mpsc::channel();
        let actor = pid(child);
        let watch = thread::spawn(move || {
            if wait.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                kill(actor, Signal::SIGKILL).ok();
            }
        });
        Patience(Some(done), Some(watch))
    }
}

impl Drop for Patience {
    fn drop(&mut self) {
        drop(self.0.take());
        self.1.take().map(JoinHandle::join);
    }
}

fn pid(child: &Child) -> Pid {
    Pid::from_raw(i32::try_from(child.id()).expect("a process number"))
}

fn start(actor: &str, stage: &Path) -> Child {
    Command::new(std::env::current_exe().expect("our own program"))
        .args(["--exact", actor, "--test-threads=1", "--nocapture"])
        .env(STAGE, stage)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("this test program, once more")
}

/// Reads what the actor says until it is ready, or until it ends without having been.
fn wait_until_ready(child: &mut Child) -> BufReader<ChildStderr> {
    let mut stderr = BufReader::new(child.stderr.take().expect("a pipe from the actor"));
    let mut line = String::new();
    while line.trim_end() != READY {
        line.clear();
        if stderr.read_line(&mut line).expect("lines of text") == 0 {
            break;
        }
    }
    stderr
}

/// An actor comes to the end of its deed and ends well, unless it was killed as planned.
fn check(actor: &str, plan: Plan, traced: &Traced, status: WaitStatus, stderr: &mut impl Read) {
    let ended = matches!(status, WaitStatus::Exited(_, 0)) && traced.whole;
    let killed = matches!(status, WaitStatus::Signaled(_, Signal::SIGKILL, _)) && traced.disturbed;
    let fine = ended || killed && matches!(plan, Plan::Kill(_));
    let mut said = String::new();
    if !fine {
        stderr.read_to_string(&mut said).ok();
    }
    let last = traced.calls.last();
    let whole = traced.whole;
    assert!(
        fine,
        "{actor} ended with {status:?} under {plan:?}, its deed done: {whole}, its last call: {last:?}.\n{said}\n\
         (Is its name the whole path of a test, and does that call `act`?)"
    );
}

struct Tracer {
    leader: Pid,
    act: Act,
    calls: Vec<SystemCall>,
    disturbed: bool,
    /// The thread whose call, when it returns, has failed.
    failing: Option<Pid>,
}

impl Tracer {
    /// Takes hold of every thread. They stop at the next chance; the actor waits for our word meanwhile.
    fn seize(child: &Child) -> Result<Tracer, Errno> {
        let leader = pid(child);
        let options = Options::PTRACE_O_TRACESYSGOOD
            | Options::PTRACE_O_TRACECLONE
            | Options::PTRACE_O_TRACEFORK
            | Options::PTRACE_O_TRACEVFORK
            | Options::PTRACE_O_EXITKILL;
        ptrace::seize(leader, options)?;
        ptrace::interrupt(leader)?;
        for thread in threads(leader) {
            // One that began meanwhile is held already, and stops of itself.
            if thread != leader && ptrace::seize(thread, options).is_ok() {
                ptrace::interrupt(thread)?;
            }
        }
        Ok(Tracer { leader, act: Act::Before, calls: Vec::new(), disturbed: false, failing: None })
    }

    /// Gives the word, and goes from stop to stop until all threads have ended.
    fn follow(&mut self, child: &mut Child, plan: Plan) -> Result<(Traced, WaitStatus), Errno> {
        let mut word = child.stdin.take().expect("a pipe to the actor");
        word.write_all(b"!").map_err(|_| Errno::EPIPE)?;
        let mut ended = None;
        loop {
            match waitpid(None, Some(WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD)) {
                Ok(status @ (WaitStatus::Exited(pid, _) | WaitStatus::Signaled(pid, ..))) => {
                    ended = (pid == self.leader).then_some(status).or(ended);
                }
                Ok(status) => gone(self.stopped(status, plan))?,
                Err(Errno::ECHILD) => break,
                Err(Errno::EINTR) => {}
                Err(error) => return Err(error),
            }
        }
        let calls = std::mem::take(&mut self.calls);
        let whole = self.act == Act::After;
        Ok((Traced { calls, disturbed: self.disturbed, whole }, ended.ok_or(Errno::ECHILD)?))
    }

    fn stopped(&mut self, status: WaitStatus, plan: Plan) -> Result<(), Errno> {
        match status {
            WaitStatus::PtraceSyscall(thread) => self.at_call(thread, plan),
            WaitStatus::PtraceEvent(thread, ..) => ptrace::syscall(thread, None),
            WaitStatus::Stopped(thread, signal) => ptrace::syscall(thread, signal),
            _ => Ok(()),
        }
    }

    fn at_call(&mut self, thread: Pid, plan: Plan) -> Result<(), Errno> {
        if ptrace::syscall_info(thread)?.op != ENTRY {
            if self.failing == Some(thread)
                && let Plan::Fail { error, .. } = plan
            {
                self.failing = None;
                registers::give_back(thread, error)?;
            }
        } else if let Some(call) = current_call(self.leader, thread) {
            if call.is_mark() {
                self.act = if self.act == Act::Before { Act::Within } else { Act::After };
            } else if self.act == Act::Within && call.counts() {
                self.calls.push(call);
                self.disturb(thread, plan)?;
            }
        }
        ptrace::syscall(thread, None)
    }

    /// Called at the beginning of the newest call, before the kernel carries it out.
    fn disturb(&mut self, thread: Pid, plan: Plan) -> Result<(), Errno> {
        let newest = self.calls.len() - 1;
        match plan {
            Plan::Kill(at) if at == newest => {
                self.disturbed = true;
                kill(self.leader, Signal::SIGKILL)
            }
            Plan::Fail { at, .. } if at == newest => {
                self.disturbed = true;
                self.failing = Some(thread);
                registers::skip_call(thread)
            }
            _ => Ok(()),
        }
    }
}

/// A thread that was killed meanwhile is no error.
fn gone(done: Result<(), Errno>) -> Result<(), Errno> {
    done.or_else(|error| if error == Errno::ESRCH { Ok(()) } else { Err(error) })
}

fn threads(leader: Pid) -> Vec<Pid> {
    let Ok(entries) = fs::read_dir(format!("/proc/{leader}/task")) else { return Vec::new() };
    let number = |entry: fs::DirEntry| entry.file_name().to_str()?.parse().ok().map(Pid::from_raw);
    entries.flatten().filter_map(number).collect()
}

/// The call that a stopped thread is about to make: `proc_pid_syscall(5)`.
fn current_call(leader: Pid, thread: Pid) -> Option<SystemCall> {
    let line = fs::read_to_string(format!("/proc/{leader}/task/{thread}/syscall")).ok()?;
    let mut words = line.split_whitespace();
    let number = words.next()?.parse().ok()?;
    let mut argument = || u64::from_str_radix(words.next()?.trim_start_matches("0x"), 16).ok();
    Some(SystemCall { number, arguments: [argument()?, argument()?, argument()?] })
}

#[cfg(target_arch = "x86_64")]
mod registers {
    //! Making a call fail: number -1 does nothing, and then its result is put in.

    use nix::{
        errno::Errno,
        sys::ptrace::{getregs, setregs},
        unistd::Pid,
    };

    pub(super) fn skip_call(thread: Pid) -> Result<(), Errno> {
        let mut registers = getregs(thread)?;
        registers.orig_rax = u64::MAX;
        setregs(thread, registers)
    }

    pub(super) fn give_back(thread: Pid, error: i32) -> Result<(), Errno> {
        let mut registers = getregs(thread)?;
        registers.rax = i64::from(-error).cast_unsigned();
        setregs(thread, registers)
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod registers {
    //! Not written for this machine; nobody asks, see [`super::CAN_FAIL_CALLS`].

    use nix::{errno::Errno, unistd::Pid};

    pub(super) fn skip_call(_thread: Pid) -> Result<(), Errno> {
        Err(Errno::ENOSYS)
    }

    pub(super) fn give_back(_thread: Pid, _error: i32) -> Result<(), Errno> {
        Err(Errno::ENOSYS)
    }
}
