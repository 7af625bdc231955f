//! The oracle: what do real shells do with the lines that our checker allows?
//!
//! Lines are made by a grammar that is wider than ours, by changing known ones, and as models write them. All are judged
//! under several policies; those that one allows are run in every shell, in a [`cell`]. Never may a shell start a
//! program, write a file or be in a directory that the verdict does not list; what it starts must be allowed as it turned
//! out; and shells must start the same. What breaks a law is shrunk and kept in `cases/found.jsonl`.
//!
//! | module | holds |
//! |---|---|
//! | `grammar`, `mutate`, `everyday`, `seeds`, `dice` | where lines come from |
//! | `policies`, `fixture`, `ground`, `judged` | the rules, the tree, what a verdict lists |
//! | `cell`, `stub`, `record` | namespaces, shells and the programs in them |
//! | `law`, `shrink`, `applets` | what is compared |
//! | `tally` | counts, and what is said at the end |

mod applets;
mod cell;
mod dice;
mod everyday;
mod fixture;
mod grammar;
mod ground;
mod judged;
mod law;
mod mutate;
mod policies;
mod record;
mod seeds;
mod shrink;
mod stub;
mod tally;

use std::{
    path::PathBuf,
    process::ExitCode,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use cell::Cell;
use dice::Dice;
use judged::Judged;
use law::Breach;
use policies::Policy;
use record::Run;
use tally::Tally;

pub(crate) use cell::serve;
pub(crate) use stub::stand_in;

use crate::Result;

/// What was typed.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Lines to make and judge
    #[arg(long, default_value_t = 5_000)]
    lines: u64,
    /// Where chance begins: the same seed makes the same lines
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Cells that run lines at the same time
    #[arg(long, default_value_t = 2)]
    cells: usize,
    /// Say what the shells do with this line instead, whatever the verdict
    #[arg(long, conflicts_with = "lines")]
    line: Option<String>,
    /// Where lines that break a law are kept
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/cases/found.jsonl"))]
    keep: PathBuf,
}

/// Where a line came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    Grammar,
    Mutation,
    Everyday,
    Found,
}

/// Makes, judges and runs lines.
pub(crate) fn run(asked: &Arguments) -> Result<ExitCode> {
    let absent = cell::missing();
    if !absent.is_empty() {
        testkit::skip(&format!("the oracle needs {}", absent.join(" and ")));
        return Ok(ExitCode::SUCCESS);
    }
    // On the bare host nothing is ever run.
    let mut first = match Cell::new() {
        Ok(cell) => cell,
        Err(error) => {
            testkit::skip(&format!("the oracle needs namespaces (unshare): {error}"));
            return Ok(ExitCode::SUCCESS);
        }
    };
    if let Some(line) = &asked.line {
        return explain(&mut first, line);
    }
    drop(first);
    let tally = Mutex::new(Tally::default());
    let work =
        Work { asked, seeds: seeds::all()?, found: seeds::found()?, next: AtomicU64::new(0), tally: &tally };
    thread::scope(|scope| {
        let cells: Vec<_> = (0..asked.cells.max(1)).map(|_| scope.spawn(|| work.go())).collect();
        cells.into_iter().try_for_each(|cell| cell.join().map_err(|_| "a cell's thread ended")?)
    })?;
    let tally = tally.into_inner().map_err(|_| "a cell's thread ended")?;
    Ok(tally.report(asked.seed))
}

fn explain(cell: &mut Cell, line: &str) -> Result<ExitCode> {
    for policy in policies::all()? {
        match Judged::of(&policy, line) {
            Ok(judged) => println!("{}: allowed, {:?}, {:?}", policy.name, judged.commands, judged.listed),
            Err(no) => println!("{}: {no}", policy.name),
        }
    }
    for run in cell.run(line, &[])? {
        println!("{run:#?}");
    }
    Ok(ExitCode::SUCCESS)
}

/// What the threads share.
struct Work<'a> {
    asked: &'a Arguments,
    seeds: Vec<String>,
    found: Vec<String>,
    next: AtomicU64,
    tally: &'a Mutex<Tally>,
}

impl Work<'_> {
    fn go(&self) -> Result<()> {
        let mut try_out = Try { cell: Cell::new()?, policies: policies::all()? };
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.asked.lines {
                return Ok(());
            }
            let (line, origin) = self.line(number);
            let (judged, no) = try_out.judged(&line);
            let runs = if judged.is_empty() { Vec::new() } else { try_out.runs(&line, &judged)? };
            let breach = try_out.breach(&judged, &runs);
            let mut tally = self.tally.lock().map_err(|_| "another thread ended")?;
            let again = tally.count(&line, origin, no, &runs, breach.as_ref());
            drop(tally);
            if let Some(breach) = breach.filter(|_| !again) {
                let short = shrink::shrink(&line, |text| try_out.breaks(text, &breach))?;
                tally::keep(&self.asked.keep, self.asked.seed, number, &short, &breach)?;
            }
        }
    }

    fn line(&self, number: u64) -> (String, Origin) {
        if let Some(line) = usize::try_from(number).ok().and_then(|at| self.found.get(at)) {
            return (line.clone(), Origin::Found);
        }
        let mut dice = Dice::new(self.asked.seed, number);
        match dice.below(20) {
            0..=8 => (grammar::line(&mut dice), Origin::Grammar),
            9 => (everyday::line(&mut dice), Origin::Everyday),
            _ => (mutate::line(&mut dice, &self.seeds), Origin::Mutation),
        }
    }
}

/// A cell, and the policies that lines are tried under.
struct Try {
    cell: Cell,
    policies: Vec<Policy>,
}

impl Try {
    /// The verdicts that say yes, each with the number of its policy, and what the first policy says if it says no.
    fn judged(&self, line: &str) -> (Vec<(usize, Judged)>, Option<String>) {
        let mut no = None;
        let mut all = Vec::new();
        for (at, policy) in self.policies.iter().enumerate() {
            match Judged::of(policy, line) {
                Ok(judged) => all.push((at, judged)),
                Err(said) if at == 0 => no = Some(said),
                Err(_) => {}
            }
        }
        (all, no)
    }

    fn runs(&mut self, line: &str, judged: &[(usize, Judged)]) -> Result<Vec<Run>> {
        let applets = judged.iter().any(|(_, judged)| judged.runs_applets());
        self.cell.run(line, if applets { &["busybox ash"] } else { &[] })
    }

    fn breach(&self, judged: &[(usize, Judged)], runs: &[Run]) -> Option<Breach> {
        judged.iter().find_map(|(policy, judged)| law::broken(&self.policies[*policy], judged, runs))
    }

    /// Whether `line` breaks the same law.
    fn breaks(&mut self, line: &str, breach: &Breach) -> Result<bool> {
        let (judged, _) = self.judged(line);
        if judged.is_empty() {
            return Ok(false);
        }
        let runs = self.runs(line, &judged)?;
        Ok(self.breach(&judged, &runs).is_some_and(|other| other.law == breach.law))
    }
}
