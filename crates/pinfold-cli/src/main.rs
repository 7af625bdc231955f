//! The `pinfold` command: the door for people and scripts.
//!
//! | module | holds |
//! |---|---|
//! | `arguments` | what was typed |
//! | `place` | from what was typed to an open workspace |
//! | `places` | where in a policy file a field stands |
//! | `clients` | the MCP clients: where their settings are, and what goes into them |
//! | `commands` | one file for each subcommand |
//! | `demo` | a recorded session: its data, its player, how it is shown |
//! | `own_files` | files of the person: policies, settings of clients |
//! | `line` | from typed words to a command line |
//! | `output` | printing JSON and text; a reader who has gone away is no error |
//! | `signals` | ctrl-C and its kin |
//! | `waiting` | what a person sees while a command runs |
//!
//! How a tool works is not known here.

mod arguments;
mod clients;
mod commands;
mod demo;
mod line;
mod log_file;
mod output;
mod own_files;
mod place;
mod places;
mod signals;
mod waiting;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    pinfold::run_if_ward();
    commands::run(arguments::Arguments::parse())
}
