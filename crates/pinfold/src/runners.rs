//! Test runners: how they are found, and what they counted.
//!
//! [`Runner`] is one that a project uses; [`read`] makes a [`Tally`] of what it wrote. Nothing here starts anything: a line
//! goes through the shell policy like any other. Every reader takes one look at each line, and makes what it can of output
//! that is cut.

mod ctest;
mod detect;
mod go;
mod jest_json;
mod js_text;
mod libtest;
mod mix;
mod narrow;
mod nextest;
mod node;
mod phpunit;
mod pytest;
mod rspec;
mod text;

use pinfold_contract::TestFailure;
use pinfold_exec::plain;

pub(crate) use detect::{Files, Found, LOOKED_FOR, detect};

/// A test runner that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runner {
    Nextest,
    Cargo,
    Go,
    Pytest,
    Vitest,
    Jest,
    Node,
    Maven,
    Gradle,
    Ctest,
    Dotnet,
    Rspec,
    Phpunit,
    Mix,
}

/// What a runner wrote, as plain text.
#[derive(Debug)]
pub(crate) struct Output {
    stdout: String,
    stderr: String,
}

/// What a runner counted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
    pub(crate) failures: Vec<TestFailure>,
    /// How the failed ones are named when they are to be run again.
    pub(crate) rerun: Vec<String>,
    /// Whose output it is.
    pub(crate) by: &'static str,
}

impl Tally {
    /// To its runner the failures are what they are called.
    fn again_by_name(mut self) -> Tally {
        self.rerun = self.failures.iter().map(|failure| failure.name.clone()).collect();
        self
    }

    fn add(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.failures.extend(other.failures);
    }
}

impl Output {
    pub(crate) fn new(stdout: &str, stderr: &str) -> Output {
        Output { stdout: plain(stdout), stderr: plain(stderr) }
    }
}

type Reader = fn(&Output) -> Option<Tally>;

/// In which order output of an unknown runner is tried: those with a shape that nothing else has come first.
const BY_SHAPE: [Runner; 11] = [
    Runner::Nextest,
    Runner::Cargo,
    Runner::Pytest,
    Runner::Vitest,
    Runner::Jest,
    Runner::Go,
    Runner::Node,
    Runner::Rspec,
    Runner::Ctest,
    Runner::Phpunit,
    Runner::Mix,
];

impl Runner {
    fn readers(self) -> &'static [Reader] {
        match self {
            Runner::Nextest => &[nextest::read],
            Runner::Cargo => &[libtest::read],
            Runner::Go => &[go::read],
            Runner::Pytest => &[pytest::read],
            Runner::Vitest => &[jest_json::read, js_text::vitest],
            Runner::Jest => &[jest_json::read, js_text::jest],
            Runner::Node => &[node::tap, node::spec],
            Runner::Ctest => &[ctest::read],
            Runner::Rspec => &[rspec::json, rspec::read],
            Runner::Phpunit => &[phpunit::read],
            Runner::Mix => &[mix::read],
            // What they count is in files of theirs.
            Runner::Maven | Runner::Gradle | Runner::Dotnet => &[],
        }
    }
}

/// What was counted in this output. Of a runner that is known only its own output is understood; else the first that makes
/// sense. `None`: nothing that anybody counted is in it.
pub(crate) fn read(runner: Option<Runner>, output: &Output) -> Option<Tally> {
    let read = |runner: Runner| runner.readers().iter().find_map(|read| read(output));
    match runner {
        Some(runner) => read(runner),
        None => BY_SHAPE.into_iter().find_map(read),
    }
}

#[cfg(test)]
mod tests;
