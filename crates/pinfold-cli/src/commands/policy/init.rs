//! `pinfold policy init`: a starter policy for the project in a folder, with comments that explain it.

mod project;
mod starter;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use pinfold::{Failure, FailureType};

use super::{Outcome, fail};
use crate::{
    arguments::InitArguments,
    output, own_files,
    place::{absolute, users_folder},
};
use project::Project;

pub(super) fn run(arguments: &InitArguments) -> Outcome {
    match write(arguments) {
        Err(failure) => fail(false, &failure),
        Ok(None) => Ok(ExitCode::SUCCESS),
        Ok(Some(Written { file, root, found })) => {
            let (file, root) = (file.display(), root.display());
            output::coloured(|out| {
                writeln!(out, "{file}: a policy for {root} ({found})")?;
                writeln!(out, "look at it:  pinfold policy check {file}")?;
                writeln!(out, "use it:      pinfold install --client claude-code --policy {file} {root}")
            })?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

struct Written {
    file: PathBuf,
    root: PathBuf,
    found: String,
}

/// `None`: it went to standard output.
fn write(arguments: &InitArguments) -> Result<Option<Written>, Failure> {
    let root = absolute(arguments.dir.as_deref().unwrap_or(Path::new(".")))?;
    let project = Project::find(&root);
    let text = starter::text(&root, &project);
    if arguments.output.as_deref() == Some(Path::new("-")) {
        return output::text(&text).map(|()| None).map_err(|error| failed(error.to_string()));
    }
    let file = arguments.output.clone().map_or_else(|| default_file(&root), Ok)?;
    own_files::put(&file, &text, arguments.force).map_err(|failure| match failure.failure_type() {
        FailureType::StaleHash | FailureType::IoOther if !arguments.force => {
            let message = format!("`{}` is there already.", file.display());
            failed(message).hint("Look at it, or replace it with `--force`, or name another with `--output`.")
        }
        _ => failure,
    })?;
    Ok(Some(Written { file, root, found: project.told() }))
}

/// `pinfold/NAME.toml` in the user's configuration folder: outside of the project, where an agent cannot rewrite it.
pub(crate) fn default_file(root: &Path) -> Result<PathBuf, Failure> {
    let name = root.file_name().ok_or_else(|| {
        failed("The whole machine is no project.".to_owned()).hint("Name the folder of the project.")
    })?;
    let folder = users_folder().ok_or_else(|| {
        failed("There is no configuration folder: neither HOME nor XDG_CONFIG_HOME is set.".to_owned())
            .hint("Name the file with `--output`.")
    })?;
    Ok(folder.join(format!("{}.toml", name.display())))
}

fn failed(message: String) -> Failure {
    Failure::new(FailureType::BadArguments, message)
}
