//! `pinfold mcp`: a workspace for an MCP client.

use std::{io, process::ExitCode};

use pinfold_mcp::{Options, instructions, serve_stdio};
use tokio::runtime;
use tokio_util::sync::CancellationToken;

use super::Outcome;
use crate::{arguments::McpArguments, output, place::Opened, signals};

pub(super) fn run(mut arguments: McpArguments) -> Outcome {
    arguments.place.root = arguments.place.root.or(arguments.dir.take());
    let opened = match arguments.place.open() {
        Ok(opened) => opened,
        Err(failure) => {
            // Standard output belongs to the protocol.
            output::complain_of(&failure);
            return Ok(ExitCode::FAILURE);
        }
    };
    // One thread for the protocol: what computes or waits for a disk has threads of its own.
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(serve(opened, &arguments));
    // A read of standard input may still be pending, and nobody will end it.
    runtime.shutdown_background();
    served
}

async fn serve(Opened { workspace, policy }: Opened, arguments: &McpArguments) -> Outcome {
    let stop = CancellationToken::new();
    let options = Options {
        instructions: instructions(&policy, arguments.place.spoken.dialect),
        structured: arguments.structured,
        stop: stop.clone(),
        ..Options::default()
    };
    tokio::spawn(async move {
        if signals::asked_to_end().await.is_ok() {
            stop.cancel();
        }
    });
    serve_stdio(workspace, options).await.map_err(io::Error::other)?;
    Ok(ExitCode::SUCCESS)
}
