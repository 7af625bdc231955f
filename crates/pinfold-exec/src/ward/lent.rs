//! The host's side of a keeper, while it has a command.

use std::{
    io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, Interest},
    net::UnixStream,
    time::timeout,
};

use super::{
    Ward,
    message::{Cleared, LeaderEnd, REPLY, Reply, ToKeeper},
    wire,
};
use crate::plan::{NotStarted, Plan};

/// How long a keeper may take to answer: only one that was stopped takes longer.
const ANSWERS: Duration = Duration::from_secs(5);

/// How long the head may then take to have it ended.
const HEAD_ACTS: Duration = Duration::from_secs(3);

/// A keeper with a command. Dropping it gives it back if nothing of the command is left; else that is killed, and it costs
/// the keeper.
#[derive(Debug)]
pub(crate) struct Keeper {
    ward: Ward,
    socket: UnixStream,
    reply: [u8; REPLY],
    got: usize,
    /// The program's number, and the keeper's own; 0 until they are known.
    pid: u32,
    own: u32,
    end: Option<LeaderEnd>,
    cleared: Option<Cleared>,
}

impl Keeper {
    /// Has `plan` started. Must be called in a tokio runtime with I/O.
    pub(crate) async fn start(
        ward: &Ward,
        plan: &Plan,
        stdout: &OwnedFd,
        stderr: &OwnedFd,
    ) -> Result<Keeper, NotStarted> {
        let frame = wire::framed(&ToKeeper::start(plan))?;
        let beside = ToKeeper::beside(plan, stdout, stderr);
        match Keeper::lend(ward).await?.ask_to_start(&frame, &beside).await {
            // A keeper or head that is gone with the request unread: nothing was started.
            Err(NotStarted::Os(error)) if is_unread(&error) => {
                Keeper::lend(ward).await?.ask_to_start(&frame, &beside).await
            }
            answered => answered,
        }
    }

    /// Looks whether a keeper can be had; it is free again at once.
    pub(super) async fn greet(ward: &Ward) -> io::Result<()> {
        let mut keeper = Keeper::lend(ward).await?;
        keeper.cleared = Some(Cleared::default());
        Ok(())
    }

    /// A keeper that is there. Nothing is started yet, so another head may be asked if the first is gone.
    async fn lend(ward: &Ward) -> io::Result<Keeper> {
        match Keeper::meet(ward).await {
            Err(error) if is_unread(&error) || error.kind() == io::ErrorKind::UnexpectedEof => {
                Keeper::meet(ward).await
            }
            met => met,
        }
    }

    async fn meet(ward: &Ward) -> io::Result<Keeper> {
        let (socket, number) = ward.keeper()?;
        socket.set_nonblocking(true)?;
        let socket = UnixStream::from_std(socket)?;
        let (ward, own) = (ward.clone(), number.unwrap_or_default());
        let mut keeper =
            Keeper { ward, socket, reply: [0; REPLY], got: 0, pid: 0, own, end: None, cleared: None };
        if number.is_none() {
            match in_time(keeper.next()).await {
                Ok(Reply::Ready { keeper: own }) => keeper.own = own,
                Ok(_) => return Err(io::ErrorKind::InvalidData.into()),
                Err(error) => {
                    if error.kind() == io::ErrorKind::TimedOut {
                        keeper.ward.give_up_head();
                    }
                    return Err(error);
                }
            }
        }
        Ok(keeper)
    }

    async fn ask_to_start(mut self, frame: &[u8], beside: &[BorrowedFd<'_>]) -> Result<Keeper, NotStarted> {
        let first = || wire::send_first(&self.socket, frame, beside);
        let sent = self.socket.async_io(Interest::WRITABLE, first).await?;
        let rest = async {
            self.socket.write_all(&frame[sent..]).await?;
            self.next().await
        };
        let failed = match in_time(rest).await? {
            Reply::Started { pid } => {
                self.pid = pid;
                return Ok(self);
            }
            Reply::Changed => NotStarted::Changed,
            Reply::Failed { errno } => io::Error::from_raw_os_error(errno).into(),
            _ => return Err(io::Error::from(io::ErrorKind::InvalidData).into()),
        };
        // Nothing runs, so it is free.
        self.cleared = Some(Cleared::default());
        Err(failed)
    }

    /// May be dropped and called again at any time: nothing is lost.
    async fn next(&mut self) -> io::Result<Reply> {
        while self.got < REPLY {
            match self.socket.read(&mut self.reply[self.got..]).await? {
                0 => return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the ward was killed")),
                read => self.got += read,
            }
        }
        self.got = 0;
        Reply::read(&self.reply).ok_or(io::ErrorKind::InvalidData.into())
    }

    /// Waits for the program's own end; then, and if the keeper itself is lost, returns at once.
    pub(crate) async fn ended(&mut self) {
        while self.end.is_none() {
            match self.next().await {
                Ok(Reply::Ended { end, alone }) => {
                    self.end = Some(end);
                    self.cleared = alone.then(Cleared::default);
                }
                Ok(_) => {}
                Err(_) => self.end = Some(LeaderEnd::Unknown),
            }
        }
    }

    /// How the program ended, once it is known.
    pub(crate) fn end(&self) -> LeaderEnd {
        self.end.unwrap_or(LeaderEnd::Unknown)
    }

    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// Asks all of it politely to end.
    pub(crate) async fn terminate(&mut self) {
        if self.cleared.is_none() {
            // A keeper that is lost shows in what comes next.
            let _lost = self.request(ToKeeper::TERMINATE).await;
        }
    }

    /// Leaves nothing of it; what was left until now. `None`: nobody tells.
    pub(crate) async fn clear(&mut self) -> Option<&Cleared> {
        if self.cleared.is_none() {
            self.cleared = match timeout(ANSWERS, self.have_cleared()).await {
                Ok(Ok(cleared)) => Some(cleared),
                Ok(Err(_)) | Err(_) => {
                    self.have_ended().await;
                    None
                }
            };
        }
        self.cleared.as_ref()
    }

    async fn have_cleared(&mut self) -> io::Result<Cleared> {
        self.request(ToKeeper::KILL).await?;
        loop {
            match self.next().await? {
                Reply::Cleared(cleared) => return Ok(cleared),
                Reply::Ended { end, .. } => self.end = Some(end),
                _ => {}
            }
        }
    }

    /// The head ends the keeper, whatever state that is in, and then what it leaves behind.
    async fn have_ended(&mut self) {
        self.ward.end(self.own);
        let gone = async { while self.next().await.is_ok() {} };
        // Not even that: said by the missing answer.
        let _in_time = timeout(HEAD_ACTS, gone).await;
    }

    async fn request(&mut self, body: &[u8]) -> io::Result<()> {
        self.socket.write_all(&wire::framed(body)?).await
    }

    /// Whether nothing is left, for certain.
    pub(crate) fn is_clear(&self) -> bool {
        self.cleared.as_ref().is_some_and(|cleared| cleared.unkillable == 0)
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        if !self.is_clear() {
            // It sees its socket closed now, if it is not stopped.
            self.ward.end(self.own);
            return;
        }
        // The socket leaves the runtime that it was waited for on: the next command may be another's.
        if let Ok(socket) = self.socket.as_fd().try_clone_to_owned() {
            self.ward.take_back(socket.into(), self.own);
        }
    }
}

async fn in_time<T>(answer: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    let late = |_| io::Error::new(io::ErrorKind::TimedOut, "the ward does not answer");
    timeout(ANSWERS, answer).await.map_err(late)?
}

/// Whether the other side was closed with something unread in it (unix(7)).
fn is_unread(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe)
}
