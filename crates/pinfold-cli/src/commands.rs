//! The subcommands, one file each.

mod call;
mod check;
mod demo;
mod direct;
mod doctor;
mod explain;
mod install;
mod log;
mod mcp;
mod papers;
mod policy;
mod tools;

use std::{io, process::ExitCode};

use crate::{
    arguments::{Arguments, Command},
    output,
};

/// What a subcommand ends with, unless standard input or output fail.
type Outcome = io::Result<ExitCode>;

/// Runs the subcommand.
pub(crate) fn run(arguments: Arguments) -> ExitCode {
    let outcome = match arguments.command {
        Command::Mcp(arguments) => mcp::run(arguments),
        Command::Call(arguments) => call::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Log(arguments) => log::run(&arguments),
        Command::Policy(arguments) => policy::run(&arguments),
        Command::Install(arguments) => install::run(&arguments),
        Command::McpConfig(arguments) => install::print(&arguments),
        Command::Ls(arguments) => direct::ls(&arguments),
        Command::Read(arguments) => direct::read(&arguments),
        Command::Grep(arguments) => direct::grep(&arguments),
        Command::Glob(arguments) => direct::glob(&arguments),
        Command::Edit(arguments) => direct::edit(&arguments),
        Command::Run(arguments) => direct::run(&arguments),
        Command::Completions(arguments) => papers::completions(&arguments),
        Command::Man(arguments) => papers::man(&arguments),
        Command::Tools(arguments) => tools::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Demo(arguments) => demo::run(&arguments),
    };
    outcome.unwrap_or_else(|error| {
        output::complain(&error.to_string());
        ExitCode::FAILURE
    })
}
