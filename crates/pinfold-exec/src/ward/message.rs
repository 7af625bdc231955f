//! What host and ward say to each other: requests as frames, replies as records of one size.

use std::{
    ffi::{OsStr, OsString},
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::ffi::{OsStrExt, OsStringExt},
    },
};

use super::wire::Frame;
use crate::{
    plan::Plan,
    program::{Form, Opened},
};

const START: u8 = 1;
const TERMINATE: u8 = 2;
const KILL: u8 = 3;
const KEEPER: u8 = 4;
const END: u8 = 5;

/// What a keeper is asked.
#[derive(Debug)]
pub(super) enum ToKeeper {
    /// Start this, with these as standard output and standard error.
    Start(Box<Plan>, OwnedFd, OwnedFd),
    /// Ask all of it politely to end.
    Terminate,
    /// Leave nothing of it.
    Kill,
}

/// What the ward's head is asked.
#[derive(Debug)]
pub(super) enum ToHead {
    /// Start a keeper that serves this socket.
    Keeper(OwnedFd),
    /// The keeper of this number has to end soon; if it does not, kill it, and what it leaves behind.
    End(u32),
}

impl ToKeeper {
    pub(super) const TERMINATE: &[u8] = &[TERMINATE];
    pub(super) const KILL: &[u8] = &[KILL];

    /// The body of a request to start `plan`.
    pub(super) fn start(plan: &Plan) -> Vec<u8> {
        let script = u8::from(plan.program.form == Form::Script);
        let mut body = vec![START, script];
        put(&mut body, plan.program.found_at.as_os_str());
        put_count(&mut body, plan.words.len());
        plan.words.iter().for_each(|word| put(&mut body, word));
        put_count(&mut body, plan.env.len());
        for (name, value) in &plan.env {
            put(&mut body, name);
            put(&mut body, value);
        }
        body
    }

    /// The descriptors beside it.
    pub(super) fn beside<'a>(
        plan: &'a Plan,
        stdout: &'a OwnedFd,
        stderr: &'a OwnedFd,
    ) -> [BorrowedFd<'a>; 4] {
        [plan.program.file.as_fd(), plan.cwd.as_fd(), stdout.as_fd(), stderr.as_fd()]
    }

    pub(super) fn read(frame: Frame) -> Option<ToKeeper> {
        let mut body = Body(&frame.body);
        Some(match body.byte()? {
            START => {
                let form = if body.byte()? == 1 { Form::Script } else { Form::Binary };
                let found_at = body.text()?.into();
                let words = (0..body.count()?).map(|_| body.text()).collect::<Option<_>>()?;
                let pairs = (0..body.count()?).map(|_| Some((body.text()?, body.text()?)));
                let env = pairs.collect::<Option<_>>()?;
                let [file, cwd, stdout, stderr] = <[OwnedFd; 4]>::try_from(frame.descriptors).ok()?;
                let plan = Plan { program: Opened { file, found_at, form }, words, env, cwd };
                ToKeeper::Start(Box::new(plan), stdout, stderr)
            }
            TERMINATE => ToKeeper::Terminate,
            KILL => ToKeeper::Kill,
            _ => return None,
        })
    }
}

impl ToHead {
    pub(super) const KEEPER: &[u8] = &[KEEPER];

    pub(super) fn end(keeper: u32) -> Vec<u8> {
        [&[END][..], &keeper.to_le_bytes()].concat()
    }

    pub(super) fn read(frame: Frame) -> Option<ToHead> {
        let mut body = Body(&frame.body);
        match body.byte()? {
            KEEPER => frame.descriptors.into_iter().next().map(ToHead::Keeper),
            END => body.number().map(ToHead::End),
            _ => None,
        }
    }
}

fn put(body: &mut Vec<u8>, text: &OsStr) {
    put_count(body, text.len());
    body.extend_from_slice(text.as_bytes());
}

fn put_count(body: &mut Vec<u8>, count: usize) {
    // The frame refuses what is longer.
    body.extend_from_slice(&u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
}

/// What is left to read of a body.
struct Body<'a>(&'a [u8]);

impl Body<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u32> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*first))
    }

    fn count(&mut self) -> Option<usize> {
        self.number().map(|number| number as usize)
    }

    fn text(&mut self) -> Option<OsString> {
        let length = self.count()?;
        let (first, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(OsString::from_vec(first.to_vec()))
    }
}

/// What a keeper answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reply {
    /// The keeper is there, with this number.
    Ready { keeper: u32 },
    /// The program runs, with this number.
    Started { pid: u32 },
    /// The operating system did not start it.
    Failed { errno: i32 },
    /// The script is another file than the one that was judged.
    Changed,
    /// The program itself has ended. `alone`: nothing that it started is left, and the keeper is free again.
    Ended { end: LeaderEnd, alone: bool },
    /// Nothing is left, but for `unkillable`; the keeper is free again if that is 0.
    Cleared(Cleared),
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeaderEnd {
    Exited(i32),
    Signalled(i32),
    /// The operating system does not tell.
    Unknown,
}

/// What was found when the rest was killed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Cleared {
    /// Processes that were still there beside the program itself, not counting their children.
    pub(crate) found: u32,
    /// The first of them.
    pub(crate) pid: u32,
    /// Its name, as the kernel keeps it: at most 15 bytes.
    pub(crate) name: String,
    /// Processes that did not die.
    pub(crate) unkillable: u32,
}

/// The size of a reply: a letter, a name, four numbers.
pub(super) const REPLY: usize = 1 + NAME + 16;
const NAME: usize = 15;

impl Reply {
    pub(super) fn to_bytes(&self) -> [u8; REPLY] {
        let (letter, name, numbers) = match self {
            Reply::Ready { keeper } => (b'R', "", [*keeper, 0, 0, 0]),
            Reply::Started { pid } => (b'S', "", [*pid, 0, 0, 0]),
            Reply::Failed { errno } => (b'F', "", [errno.cast_unsigned(), 0, 0, 0]),
            Reply::Changed => (b'C', "", [0; 4]),
            Reply::Ended { end, alone } => {
                let (how, which) = match end {
                    LeaderEnd::Exited(code) => (0, *code),
                    LeaderEnd::Signalled(signal) => (1, *signal),
                    LeaderEnd::Unknown => (2, 0),
                };
                (b'E', "", [how, which.cast_unsigned(), u32::from(*alone), 0])
            }
            Reply::Cleared(it) => (b'K', it.name.as_str(), [it.found, it.pid, it.unkillable, 0]),
        };
        let mut bytes = [0; REPLY];
        bytes[0] = letter;
        let name = &name.as_bytes()[..name.len().min(NAME)];
        bytes[1..=name.len()].copy_from_slice(name);
        for (place, number) in bytes[1 + NAME..].chunks_exact_mut(4).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    pub(super) fn read(bytes: &[u8; REPLY]) -> Option<Reply> {
        let mut numbers = Body(&bytes[1 + NAME..]);
        let [a, b, c] = [numbers.number()?, numbers.number()?, numbers.number()?];
        Some(match bytes[0] {
            b'R' => Reply::Ready { keeper: a },
            b'S' => Reply::Started { pid: a },
            b'F' => Reply::Failed { errno: a.cast_signed() },
            b'C' => Reply::Changed,
            b'E' => {
                let end = match a {
                    0 => LeaderEnd::Exited(b.cast_signed()),
                    1 => LeaderEnd::Signalled(b.cast_signed()),
                    _ => LeaderEnd::Unknown,
                };
                Reply::Ended { end, alone: c == 1 }
            }
            b'K' => {
                let name = bytes[1..=NAME].split(|byte| *byte == 0).next().unwrap_or_default();
                let name = String::from_utf8_lossy(name).into_owned();
                Reply::Cleared(Cleared { found: a, pid: b, name, unkillable: c })
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_survive_the_way() {
        let name = "fifteen letters".to_owned();
        for reply in [
            Reply::Ready { keeper: u32::MAX },
            Reply::Started { pid: 7 },
            Reply::Failed { errno: 8 },
            Reply::Changed,
            Reply::Ended { end: LeaderEnd::Exited(255), alone: true },
            Reply::Ended { end: LeaderEnd::Signalled(9), alone: false },
            Reply::Ended { end: LeaderEnd::Unknown, alone: false },
            Reply::Cleared(Cleared { found: 1, pid: 2, name, unkillable: 3 }),
        ] {
            assert_eq!(Reply::read(&reply.to_bytes()), Some(reply));
        }
        assert_eq!(Reply::read(&[0; REPLY]), None);
    }

    #[test]
    fn a_start_survives_the_way_and_half_of_one_is_none() {
        let null = || OwnedFd::from(std::os::unix::net::UnixStream::pair().unwrap().0);
        let program = Opened { file: null(), found_at: "./a b".into(), form: Form::Script };
        let env = vec![("A".into(), OsString::from_vec(vec![0xff]))];
        let plan = Plan { program, words: vec!["x".into(), "".into()], env, cwd: null() };
        let body = ToKeeper::start(&plan);
        let descriptors = || (0..4).map(|_| null()).collect();
        let read = ToKeeper::read(Frame { body: body.clone(), descriptors: descriptors() });
        let Some(ToKeeper::Start(read, ..)) = read else { panic!("{read:?}") };
        assert_eq!((read.words, read.env), (plan.words, plan.env));
        assert_eq!((read.program.found_at, read.program.form), (plan.program.found_at, Form::Script));
        for end in 0..body.len() {
            let half = Frame { body: body[..end].to_vec(), descriptors: descriptors() };
            assert!(ToKeeper::read(half).is_none(), "{end}");
        }
        assert!(ToKeeper::read(Frame { body, descriptors: Vec::new() }).is_none());
    }
}
