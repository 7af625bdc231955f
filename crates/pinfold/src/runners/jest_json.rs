//! The JSON of `vitest --reporter=json` and `jest --json`, which are of one shape.

use std::borrow::Cow;

use pinfold_contract::TestFailure;
use pinfold_exec::plain;
use serde::Deserialize;

use super::{
    Output, Tally,
    text::{self, Block},
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    num_passed_tests: u64,
    num_failed_tests: u64,
    num_pending_tests: u64,
    #[serde(default)]
    num_todo_tests: u64,
    /// Only jest counts these.
    num_runtime_error_test_suites: Option<u64>,
    #[serde(borrow)]
    test_results: Vec<File<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    message: Cow<'a, str>,
    status: Cow<'a, str>,
    #[serde(borrow)]
    assertion_results: Vec<Assertion<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Assertion<'a> {
    #[serde(borrow)]
    ancestor_titles: Vec<Cow<'a, str>>,
    #[serde(borrow)]
    title: Cow<'a, str>,
    full_name: Cow<'a, str>,
    status: Cow<'a, str>,
    #[serde(borrow)]
    failure_messages: Vec<Cow<'a, str>>,
}

pub(super) fn read(output: &Output) -> Option<Tally> {
    let line = output.stdout.lines().rev().find(|line| line.starts_with("{\"num"))?;
    let report: Report<'_> = serde_json::from_str(line).ok()?;
    let mut tally = Tally {
        passed: report.num_passed_tests,
        failed: report.num_failed_tests,
        skipped: report.num_pending_tests + report.num_todo_tests,
        by: if report.num_runtime_error_test_suites.is_some() { "jest" } else { "vitest" },
        ..Tally::default()
    };
    for file in &report.test_results {
        let failed = file.assertion_results.iter().filter(|test| test.status == "failed");
        for test in failed.clone() {
            tally.failures.push(failure(test, &file.name));
            tally.rerun.push(test.full_name.to_string());
        }
        if file.status == "failed" && failed.count() == 0 {
            tally.failures.push(not_loaded(file));
        }
    }
    Some(tally)
}

fn failure(test: &Assertion<'_>, file: &str) -> TestFailure {
    let titles: Vec<&str> = test.ancestor_titles.iter().chain([&test.title]).map(|title| &**title).collect();
    let mut block = Block::named(titles.join(" > ")).in_file(Some(file));
    let said = test.failure_messages.first().map(|said| plain(said)).unwrap_or_default();
    said.lines().take_while(|line| !is_frame(line)).for_each(|line| block.push(line));
    // The first frame that is in the file itself.
    let frames = said.lines().filter(|line| is_frame(line));
    block.found(frames.filter_map(|frame| text::location(&frame[frame.find(file)?..])).next());
    block.failure()
}

fn is_frame(line: &str) -> bool {
    line.trim_start().starts_with("at ")
}

fn not_loaded(file: &File<'_>) -> TestFailure {
    let mut block = Block::named(&*file.name).in_file(Some(&file.name));
    plain(&file.message).lines().for_each(|line| block.push(line));
    block.failure()
}
