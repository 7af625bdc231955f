//! Pinfold beside other servers, in one interleaved run.
//!
//! ```sh
//! cargo run --release -p pinfold-bench                    # every row, every peer that is installed
//! cargo run --release -p pinfold-bench -- --peers pinfold,rmcp-floor --rows small,edit --rounds 15
//! ```
//!
//! Every peer answers every row in turn, in another order each round, so that a ratio holds although the machine drifts.
//! A call counts only if its answer is right, and for a change the file on disk. A cell is the median over the rounds of
//! each round's median. Quote ratios and medians of one run, never times of two.
//!
//! | module | holds |
//! |---|---|
//! | `arguments` | what was typed |
//! | `client` | the least MCP client: a server, its pipes, one request after another |
//! | `fixtures` | the files that are read and changed |
//! | `peers` | how each server is started, and how it spells each operation |
//! | `rows` | what is measured |
//! | `seat` | one peer at the table: its server, its folder, its samples |
//! | `table` | medians and ratios, as Markdown |

mod arguments;
mod client;
mod fixtures;
mod peers;
mod rows;
mod seat;
mod table;

use std::{
    env,
    error::Error,
    path::{Path, PathBuf},
    process::Command,
};

use clap::Parser;

use arguments::Arguments;
use fixtures::Fixtures;
use seat::Seat;

/// Whatever goes wrong ends in words on standard error.
type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let asked = Arguments::parse();
    let programs = built()?;
    let fixtures = Fixtures::at(&asked.folder.unwrap_or(programs.join("bench")))?;
    let mut seats = Vec::new();
    for peer in peers::all(&programs, &fixtures) {
        if !asked.peers.is_empty() && !asked.peers.iter().any(|name| name == peer.name) {
            continue;
        }
        match peer.missing() {
            Some(how) => note(&format!("{} is left out: {how}", peer.name)),
            None => seats.push(Seat::new(peer, &fixtures)),
        }
    }
    for row in asked.rows {
        for round in 0..asked.rounds {
            // Another peer begins each round, and every second round goes the other way.
            let mut order: Vec<usize> = (0..seats.len()).map(|at| (at + round) % seats.len()).collect();
            if round % 2 == 1 {
                order.reverse();
            }
            order.into_iter().for_each(|at| seats[at].sample(row));
        }
        seats.iter().for_each(|seat| note(&seat.summary(row)));
    }
    table::print(&seats, asked.rounds);
    Ok(())
}

/// Builds the servers of this repository as they are now. Returns the folder they are in: this program's own.
fn built() -> Result<PathBuf> {
    let own = env::current_exe()?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let packages = ["-p", "pinfold-cli", "-p", "pinfold-bench", "--bin", "pinfold", "--bin", "rmcp-floor"];
    let status =
        Command::new(cargo).current_dir(root).args(["build", "-q", "--release"]).args(packages).status()?;
    if !status.success() {
        return Err("the servers of this repository do not build".into());
    }
    Ok(own.parent().unwrap_or(root).to_owned())
}

/// Progress goes to standard error: standard output is the table.
#[allow(clippy::print_stderr)]
fn note(text: &str) {
    eprintln!("{text}");
}
