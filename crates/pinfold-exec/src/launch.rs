//! Starts a checked command: in the ward, or as a process group of our own.

use std::{io, os::fd::OwnedFd, time::Duration};

use pinfold_shell::CheckedCommand;
use rustix::pipe::{PipeFlags, pipe_with};
use tokio::{net::unix::pipe::Receiver, time::sleep};

use crate::{
    drain::{Drain, Store},
    error::RunError,
    group::Group,
    hold::Hold,
    log::Stream,
    plan::{NotStarted, Plan},
    program::Executable,
    terms::{LastLook, RunTerms},
    ward::{Keeper, Ward},
};

/// A command that was started.
#[derive(Debug)]
pub(crate) struct Running<S> {
    /// Its first word.
    pub(crate) name: String,
    pub(crate) hold: Hold,
    pub(crate) stdout: Drain<S>,
    pub(crate) stderr: Drain<S>,
}

/// How often a program that somebody is writing to is tried again, and how long between.
const BUSY_TRIES: u32 = 20;
const BUSY_WAIT: Duration = Duration::from_millis(10);

/// Starts `command`: no shell, own process group, `/dev/null` as standard input, two pipes.
///
/// A file that is open for writing cannot be executed (ETXTBSY). That may be our own doing: when a file was being written
/// while another command was started, the child holds a copy of the writer's descriptor until its own program runs. So it
/// is tried again for a moment.
///
/// What it writes goes to what `store` makes for each stream.
pub(crate) async fn launch<S: Store>(
    command: CheckedCommand<Executable>,
    terms: RunTerms,
    store: &impl Fn(Stream) -> S,
) -> Result<Running<S>, RunError> {
    let name = command.argv().first().cloned().unwrap_or_default();
    let found_at = command.program().found_at().to_owned();
    let failed = |why| match why {
        NotStarted::Changed => RunError::Changed { path: found_at.clone() },
        NotStarted::Os(source) => RunError::Start { program: name.clone(), source },
    };
    let RunTerms { env, cwd, ward, progress, last_look, .. } = terms;
    let plan = Plan::new(command, env, cwd).map_err(|error| failed(error.into()))?;
    let (stdout, out) = pipe().map_err(|error| failed(error.into()))?;
    let (stderr, err) = pipe().map_err(|error| failed(error.into()))?;
    let mut tries = 0;
    let hold = loop {
        last_look.as_ref().map_or(Ok(()), LastLook::look).map_err(RunError::Refused)?;
        match start(&plan, ward.as_ref(), &out, &err).await {
            Err(NotStarted::Os(error))
                if error.kind() == io::ErrorKind::ExecutableFileBusy && tries < BUSY_TRIES =>
            {
                tries += 1;
                sleep(BUSY_WAIT).await;
            }
            started => break started.map_err(failed)?,
        }
    };
    let drain = |pipe, stream| Drain::new(pipe, store(stream), progress.clone());
    let (stdout, stderr) = (drain(stdout, Stream::Stdout), drain(stderr, Stream::Stderr));
    Ok(Running { name, hold, stdout, stderr })
}

async fn start(
    plan: &Plan,
    ward: Option<&Ward>,
    stdout: &OwnedFd,
    stderr: &OwnedFd,
) -> Result<Hold, NotStarted> {
    if let Some(ward) = ward {
        return Ok(Hold::Ward(Box::new(Keeper::start(ward, plan, stdout, stderr).await?)));
    }
    let (group, leader) = Group::adopt(plan.spawn(stdout, stderr)?);
    Ok(Hold::Group(group, leader))
}

fn pipe() -> io::Result<(Receiver, OwnedFd)> {
    let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
    Ok((Receiver::from_owned_fd(read)?, write))
}
