//! Bytes ⇄ messages: one JSON message on each line.
//!
//! Every request gets an answer here, also one that cannot be read: a client that hears nothing waits until its patience
//! ends. The end of input and a closed output both end the conversation.

mod garbled;
mod opening;
mod overlong;
mod pending;

use std::{io, sync::Arc, time::Duration};

use overlong::Overlong;
use pending::Pending;
use rmcp::{
    RoleServer,
    model::JsonRpcMessage,
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    sync::Mutex,
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

/// The longest message. It has to hold a file that is written, escaped as JSON.
const MAX_LINE_BYTES: usize = 64 << 20;
/// After the end of input, calls in progress may still finish by themselves for so long.
const LAST_CALLS: Duration = Duration::from_millis(500);
/// Answers to unreadable lines that may wait to be written before the next line is read.
const MAX_WAITING: usize = 16;

/// Messages on a pair of streams.
pub(crate) struct Wire<R, W> {
    input: BufReader<R>,
    output: Output<W>,
    /// What was read of the current line. Reading may be broken off at any await point and goes on from here.
    line: Vec<u8>,
    /// The current line is too long: of it only the ends are kept.
    overlong: Option<Overlong>,
    /// The conversation has begun: from here on every message is passed on.
    begun: bool,
    /// Requests that are not answered yet.
    pending: Arc<Pending>,
    /// Answers to lines that are no message, on their way out.
    answers: JoinSet<()>,
    /// Cancelled when the conversation is over.
    over: CancellationToken,
}

type Output<W> = Arc<Mutex<Option<W>>>;

/// One line, as far as it is needed.
enum Line {
    Whole,
    TooLong(Overlong),
    End,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin + Send + 'static> Wire<R, W> {
    /// `over` is cancelled by the wire when the conversation ends.
    pub(crate) fn new(input: R, output: W, over: CancellationToken) -> Wire<R, W> {
        Wire {
            input: BufReader::new(input),
            output: Arc::new(Mutex::new(Some(output))),
            line: Vec::new(),
            overlong: None,
            begun: false,
            pending: Arc::default(),
            answers: JoinSet::new(),
            over,
        }
    }

    /// Reads on until `self.line` is a whole line. Nothing is lost when the future is dropped: between `fill_buf` and
    /// `consume` nothing waits.
    async fn read_line(&mut self) -> io::Result<Line> {
        loop {
            let read = self.input.fill_buf().await?;
            if read.is_empty() {
                return Ok(if self.line.is_empty() { Line::End } else { Line::Whole });
            }
            let newline = read.iter().position(|byte| *byte == b'\n');
            let used = newline.map_or(read.len(), |at| at + 1);
            if self.overlong.is_none() && self.line.len() + used > MAX_LINE_BYTES {
                self.overlong.insert(Overlong::default()).take(&std::mem::take(&mut self.line));
            }
            match &mut self.overlong {
                Some(overlong) => overlong.take(&read[..used]),
                None => self.line.extend_from_slice(&read[..used]),
            }
            self.input.consume(used);
            if newline.is_some() {
                return Ok(self.overlong.take().map_or(Line::Whole, Line::TooLong));
            }
        }
    }

    /// Sends without waiting, because reading can be broken off and a half-written line must not be.
    async fn answer(&mut self, message: TxJsonRpcMessage<RoleServer>) {
        while self.answers.len() >= MAX_WAITING {
            self.answers.join_next().await;
        }
        let sending = write_line(self.output.clone(), self.over.clone(), message);
        self.answers.spawn(async move { drop(sending.await) });
    }

    /// The input has ended: nobody else will ask, so what still runs is stopped soon.
    fn end(&self) {
        let over = self.over.clone();
        tokio::spawn(async move {
            tokio::time::sleep(LAST_CALLS).await;
            over.cancel();
        });
    }
}

impl<R, W> Transport<RoleServer> for Wire<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.pending.answered(&message);
        write_line(self.output.clone(), self.over.clone(), message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            self.pending.room().await;
            let answer = match self.read_line().await {
                Ok(Line::End) | Err(_) => {
                    self.end();
                    return None;
                }
                Ok(Line::TooLong(ends)) => Some(garbled::too_long(MAX_LINE_BYTES, ends.id())),
                Ok(Line::Whole) => {
                    let line = std::mem::take(&mut self.line);
                    match parse(&line) {
                        Ok(message) if self.begun || opening::may_come_first(&message) => {
                            if self.pending.takes(&message) {
                                self.begun |= opening::begins(&message);
                                return Some(message);
                            }
                            twice(&message)
                        }
                        Ok(_) => None,
                        Err(error) => garbled::answer(&line, &error),
                    }
                }
            };
            if let Some(answer) = answer {
                self.answer(answer).await;
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        while self.answers.join_next().await.is_some() {}
        self.output.lock().await.take();
        Ok(())
    }
}

fn parse(line: &[u8]) -> serde_json::Result<RxJsonRpcMessage<RoleServer>> {
    // RFC 8259 lets a reader ignore a byte order mark.
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let message = serde_json::from_slice(line)?;
    pinfold::json::unambiguous(line)?;
    Ok(message)
}

/// The answer to a request that uses the id of another one.
fn twice(message: &RxJsonRpcMessage<RoleServer>) -> Option<TxJsonRpcMessage<RoleServer>> {
    let JsonRpcMessage::Request(request) = message else { return None };
    Some(garbled::id_in_use(&request.id))
}

/// Writes a message whole or, when nobody reads any more, ends the conversation.
async fn write_line<W: AsyncWrite + Unpin>(
    output: Output<W>,
    over: CancellationToken,
    message: TxJsonRpcMessage<RoleServer>,
) -> io::Result<()> {
    let mut line = serde_json::to_vec(&message)?;
    line.push(b'\n');
    let mut output = output.lock().await;
    let Some(open) = output.as_mut() else {
        return Err(io::ErrorKind::NotConnected.into());
    };
    let written = async {
        open.write_all(&line).await?;
        open.flush().await
    };
    let result = written.await;
    if result.is_err() {
        output.take();
        over.cancel();
    }
    result
}
