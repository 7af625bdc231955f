//! `pinfold install` and `pinfold mcp-config`: from a client to a workspace.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use pinfold::{Failure, FailureType, Memory, Policy, Workspace, tools::EditFile};
use serde::Serialize;
use tokio::runtime;

use super::Outcome;
use crate::{
    arguments::{InstallArguments, McpConfigArguments, Place, ServerArguments, Spoken},
    clients::{merge, snippet},
    output,
    own_files::{self, OwnFile},
    place::absolute,
};

/// What was done, or would be.
#[derive(Debug, Serialize)]
struct Done {
    client: &'static str,
    file: PathBuf,
    changed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    backup: Option<PathBuf>,
    #[serde(skip_serializing_if = "String::is_empty")]
    diff: String,
}

pub(super) fn run(arguments: &InstallArguments) -> Outcome {
    let done = match install(arguments) {
        Ok(done) => done,
        Err(failure) => {
            if arguments.json {
                output::json(&failure)?;
            } else {
                output::complain_of(&failure);
            }
            return Ok(ExitCode::FAILURE);
        }
    };
    if arguments.json {
        output::json(&done)?;
    } else {
        let (file, title) = (done.file.display(), arguments.client.title());
        output::coloured(|out| match &done.backup {
            _ if !done.changed => writeln!(out, "{file}: nothing to do"),
            _ if arguments.dry_run => writeln!(out, "{file}:\n{}", done.diff.trim_end()),
            Some(backup) => {
                writeln!(out, "{file}: changed; it was {}\nStart {title} again.", backup.display())
            }
            None => writeln!(out, "{file}: written\nStart {title} again."),
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn print(arguments: &McpConfigArguments) -> Outcome {
    let text = sound(&arguments.server)
        .and_then(|()| arguments.client.entry(&arguments.server))
        .and_then(|entry| snippet(arguments.client, &entry));
    match text {
        Ok(text) => output::text(&text).map(|()| ExitCode::SUCCESS),
        Err(failure) => {
            output::complain_of(&failure);
            Ok(ExitCode::FAILURE)
        }
    }
}

fn install(arguments: &InstallArguments) -> Result<Done, Failure> {
    sound(&arguments.server)?;
    let (client, server) = (arguments.client, &arguments.server);
    let root = absolute(server.dir.as_deref().unwrap_or(Path::new(".")))?;
    let file = arguments.file.clone().map_or_else(|| client.file(&root, server.user), Ok)?;
    let own = OwnFile::look(&file)?;
    let before = own.text.clone().unwrap_or_default();
    let entry = client.entry(server)?;
    let merged = merge(client.language(), &before, &entry)
        .map_err(|failure| failure.at(file.display().to_string()))?;
    let mut done = Done {
        client: client.title(),
        file: own.path.clone(),
        changed: merged.changed,
        backup: None,
        diff: String::new(),
    };
    if !merged.changed {
        return Ok(done);
    }
    if arguments.dry_run {
        done.diff = difference(&before, &merged.text)?;
        return Ok(done);
    }
    if own.text.is_some() {
        done.backup = Some(keep(&own.path, &before)?);
    }
    own.replace(&merged.text)?;
    Ok(done)
}

/// A server that cannot start is not put into settings.
fn sound(server: &ServerArguments) -> Result<(), Failure> {
    let place = Place {
        root: Some(server.dir.clone().unwrap_or_else(|| ".".into())),
        policy: server.policy_file()?,
        scope: None,
        allow: server.allow.clone(),
        read_only: server.read_only,
        log: None,
        spoken: Spoken::default(),
    };
    place.policy()?.validate()
}

/// Puts the old text beside the file, under a name that is free.
fn keep(file: &Path, text: &str) -> Result<PathBuf, Failure> {
    const MOST: usize = 100;
    let name = file.display();
    for at in 0..MOST {
        let number = if at == 0 { String::new() } else { format!(".{at}") };
        let backup = PathBuf::from(format!("{name}.pinfold-bak{number}"));
        if OwnFile::look(&backup)?.text.is_none() {
            own_files::put(&backup, text, false)?;
            return Ok(backup);
        }
    }
    let message = format!("There are {MOST} copies of `{name}` already.");
    Err(Failure::new(FailureType::IoOther, message).hint("Remove `*.pinfold-bak*` beside it."))
}

/// A unified diff, as the tools make it.
fn difference(before: &str, after: &str) -> Result<String, Failure> {
    if before.is_empty() {
        return Ok(after.lines().map(|line| format!("+{line}\n")).collect());
    }
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new(FailureType::IoOther, error.to_string()))?;
    let memory = Memory::new().file("settings", before);
    let workspace = Workspace::in_memory(Policy::new("/settings"), memory)?;
    let edit = EditFile {
        path: "settings".into(),
        old_string: before.to_owned(),
        new_string: after.to_owned(),
        ..EditFile::default()
    };
    Ok(runtime.block_on(workspace.edit_file(edit))?.diff)
}
