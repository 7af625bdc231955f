//! `pinfold demo`: a recorded session, played for real.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use pinfold::{Failure, Policy, Workspace};
use tokio::runtime::{self, Runtime};

use super::Outcome;
use crate::{
    arguments::DemoArguments,
    demo::{folder::Folder, player, recording::Recording, show},
    output,
};

pub(super) fn run(arguments: &DemoArguments) -> Outcome {
    let recording = Recording::of_the_demo().map_err(io::Error::other)?;
    let folder = Folder::lay_out(&recording)?;
    let workspace = match open(&recording, &folder) {
        Ok(workspace) => workspace,
        Err(failure) => return output::json(&failure).map(|()| ExitCode::FAILURE),
    };
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let played = output::coloured(|out| play(out, &runtime, &recording, &workspace, &folder))?;
    runtime.shutdown_background();
    if arguments.keep {
        let kept = folder.keep();
        output::coloured(|out| writeln!(out, "Kept: {}", kept.display()))?;
    }
    // Whoever stopped reading has seen enough.
    Ok(if played.unwrap_or(true) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn open(recording: &Recording, folder: &Folder) -> Result<Workspace, Failure> {
    Workspace::open(Policy::for_agent(folder.root()).allow(recording.allow.iter().map(String::as_str)))
}

/// Plays every step and shows it as it happens. Returns whether all of them ended as recorded.
fn play(
    out: &mut dyn Write,
    runtime: &Runtime,
    recording: &Recording,
    workspace: &Workspace,
    folder: &Folder,
) -> io::Result<bool> {
    show::opening(out, recording, folder.root())?;
    let mut played = Vec::new();
    for (at, step) in recording.steps.iter().enumerate() {
        show::call(out, at + 1, recording.steps.len(), step)?;
        out.flush()?;
        let outcome = runtime.block_on(player::play(workspace, step));
        show::outcome(out, &outcome)?;
        played.push(outcome);
    }
    show::closing(out, &played)?;
    Ok(played.iter().all(|outcome| outcome.surprise.is_none()))
}
