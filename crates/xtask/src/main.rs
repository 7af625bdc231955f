//! Chores of the repository: `cargo xtask …`.
//!
//! | command | does |
//! |---|---|
//! | `oracle` | makes lines, judges them by our checker, and runs the allowed ones in real shells to see what they really do |

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to who runs it")]

mod oracle;

use std::{env, path::Path, process::ExitCode};

use clap::{Parser, Subcommand};

/// Whatever goes wrong ends in words on standard error.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Chores of the repository.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// Asks dash, bash, bash --posix and busybox ash what lines of sh mode really do
    Oracle(oracle::Arguments),
    /// The inside of a namespace; started by `oracle` alone
    #[command(hide = true)]
    Cell {
        /// An empty directory for the root
        root: std::path::PathBuf,
    },
}

fn main() -> Result<ExitCode> {
    // In a cell this program stands in for every other one, under their names.
    let called = env::args_os().next().unwrap_or_default();
    if Path::new(&called).file_name().is_some_and(|name| name != "xtask") {
        return oracle::stand_in();
    }
    match Arguments::parse().chore {
        Chore::Oracle(asked) => oracle::run(&asked),
        Chore::Cell { root } => oracle::serve(&root).map(|()| ExitCode::SUCCESS),
    }
}
