//! `pinfold policy`: writing, looking at and trying policies.

mod check;
mod import;
mod init;
mod limits;
mod show;

use std::process::ExitCode;

use pinfold::{Failure, policy::schema};

use super::Outcome;
use crate::{
    arguments::{PolicyArguments, PolicyCommand},
    output,
};

pub(super) fn run(arguments: &PolicyArguments) -> Outcome {
    match &arguments.command {
        PolicyCommand::Init(arguments) => init::run(arguments),
        PolicyCommand::Show(arguments) => show::run(arguments),
        PolicyCommand::Check(arguments) => check::run(arguments),
        PolicyCommand::Test(arguments) => check::test(arguments),
        PolicyCommand::Limits(arguments) => limits::run(arguments),
        PolicyCommand::Schema => output::json(&schema::schema()).map(|()| ExitCode::SUCCESS),
        PolicyCommand::Import(arguments) => import::run(arguments),
    }
}

/// A failure, as JSON or in words.
fn fail(json: bool, failure: &Failure) -> Outcome {
    if json {
        output::json(failure)?;
    } else {
        output::complain_of(failure);
    }
    Ok(ExitCode::FAILURE)
}
