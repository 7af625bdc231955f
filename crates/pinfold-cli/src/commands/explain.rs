//! `pinfold explain`: why, of a path, of a line for a shell, or of a call in a log.

mod call;
mod line;
mod path;

use super::Outcome;
use crate::{
    arguments::{ExplainArguments, Place, Spoken},
    output,
};

pub(super) fn run(arguments: &ExplainArguments) -> Outcome {
    match (&arguments.path, &arguments.log) {
        (Some(path), _) => path::run(arguments, path),
        (None, Some(log)) => call::run(arguments, log),
        (None, None) => line::run(arguments, &crate::line::line(&arguments.line)),
    }
}

fn place(arguments: &ExplainArguments) -> Place {
    Place {
        root: arguments.root.clone(),
        policy: arguments.policy.clone(),
        scope: None,
        allow: arguments.allow.clone(),
        read_only: false,
        log: None,
        spoken: Spoken::default(),
    }
}

/// The failure to say anything.
fn fail(failure: &pinfold::Failure) -> Outcome {
    output::complain_of(failure);
    Ok(std::process::ExitCode::FAILURE)
}
