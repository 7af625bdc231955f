//! Running a workspace as a server.

use std::{error, fmt, time::Duration};

use pinfold::Workspace;
use rmcp::{ServiceExt, service::ServerInitializeError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use crate::{server::Server, wire::Wire};

/// How a server presents itself, and how it is stopped.
#[derive(Debug, Clone)]
pub struct Options {
    /// What a client's model is told before its first call; see [`instructions`](crate::instructions()). Clients cut it
    /// after 2,048 characters. Empty: nothing.
    pub instructions: String,
    /// Results come as an object too (`structuredContent`), with the same full text inside. Default: text only, since some
    /// clients show their model one of the two, and not always the text.
    pub structured: bool,
    /// Cancelling it ends the server, and kills the commands that it runs.
    pub stop: CancellationToken,
    /// How often a client that asks for progress is told that a call goes on, and the last line of its command.
    /// Default: 10 s.
    pub progress_every: Duration,
}

impl Default for Options {
    fn default() -> Self {
        let (instructions, structured, stop) = Default::default();
        Options { instructions, structured, stop, progress_every: Duration::from_secs(10) }
    }
}

/// The conversation did not come to a proper end.
#[derive(Debug)]
pub struct ServeError(String);

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl error::Error for ServeError {}

/// Serves the workspace on standard input and output until the input ends, the output is closed, or `options.stop`.
///
/// Standard output carries the protocol and nothing else. A read of standard input cannot be taken back where it is not
/// a pipe: a program that goes on afterwards should not wait for its runtime to become idle.
pub async fn serve_stdio(workspace: Workspace, options: Options) -> Result<(), ServeError> {
    let (input, output) = rmcp::transport::stdio_pipes();
    serve(workspace, options, input, output).await
}

/// Serves the workspace on a pair of streams. When the input ends, calls in progress get a short time to finish and be
/// answered; then their commands are killed.
pub async fn serve<R, W>(
    workspace: Workspace,
    options: Options,
    input: R,
    output: W,
) -> Result<(), ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let Options { instructions, structured, stop, progress_every } = options;
    // A child, so that the end of this conversation is not the end of everything that the caller may stop by his.
    let stop = stop.child_token();
    let wire = Wire::new(input, output, stop.clone());
    let server = Server::new(&workspace, instructions, structured).telling_every(progress_every);
    let started = server.serve_with_ct(wire, stop.clone()).await;
    let ended = match started {
        Ok(running) => running.waiting().await.map(|_| ()).map_err(|error| ServeError(error.to_string())),
        // Whoever asks nothing has no complaint.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => Ok(()),
        Err(_) if stop.is_cancelled() => Ok(()),
        Err(error) => Err(ServeError(error.to_string())),
    };
    stop.cancel();
    ended
}
