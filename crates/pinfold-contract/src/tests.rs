//! The result of running tests: what the command did, and what its runner counted.

use serde::Serialize;

use crate::RunResult;

/// The result of `run_tests`. Tests that fail are a result, not an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TestsResult {
    /// What the command did, as `run_shell` says it. Its `note` warns when the counts and the exit code disagree, when no
    /// test ran, and when nothing was counted.
    #[serde(flatten)]
    pub run: RunResult,
    /// The line that was run.
    pub command: String,
    /// Tests that passed; null if the output was not understood. Never a verdict: that is `exit_code`.
    pub passed: Option<u64>,
    /// Tests that failed, or ended in an error before they could.
    pub failed: Option<u64>,
    /// Tests that were left out: skipped, ignored, disabled, pending, expected to fail.
    pub skipped: Option<u64>,
    /// The first 20 failures. A file that could not be loaded or compiled is among them, though it is no test.
    pub failures: Vec<TestFailure>,
    /// There were more than these.
    pub failures_truncated: bool,
    /// Which output it was taken for, such as `pytest`; null if for none.
    pub parsed_by: Option<String>,
}

/// One test that failed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TestFailure {
    /// What its runner calls it.
    pub name: String,
    /// Where it failed, or where it is written, as its runner says it; relative to the root where that is known.
    pub file: Option<String>,
    /// The line in that file, counted from 1.
    pub line: Option<u64>,
    /// What it said: at most 2,048 bytes, on whole characters.
    pub message: String,
}
