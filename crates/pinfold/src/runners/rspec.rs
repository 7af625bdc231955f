//! `rspec`: its JSON, or the closing line and the list of failed examples.

use std::{borrow::Cow, collections::HashMap};

use pinfold_exec::plain;
use serde::Deserialize;

use super::{
    Output, Tally,
    text::{self, Block},
};

#[derive(Deserialize)]
struct Report<'a> {
    #[serde(borrow)]
    examples: Vec<Example<'a>>,
    summary: Summary,
}

#[derive(Deserialize)]
struct Summary {
    example_count: u64,
    failure_count: u64,
    pending_count: u64,
}

#[derive(Deserialize)]
struct Example<'a> {
    #[serde(borrow)]
    full_description: Cow<'a, str>,
    status: Cow<'a, str>,
    #[serde(borrow)]
    file_path: Cow<'a, str>,
    line_number: u64,
    #[serde(borrow)]
    exception: Option<Exception<'a>>,
}

#[derive(Deserialize)]
struct Exception<'a> {
    class: Cow<'a, str>,
    #[serde(borrow)]
    message: Cow<'a, str>,
}

pub(super) fn json(output: &Output) -> Option<Tally> {
    let line = output.stdout.lines().rev().find_map(|line| Some(&line[line.find("{\"version\":")?..]))?;
    let mut values = serde_json::Deserializer::from_str(line).into_iter::<Report<'_>>();
    let Report { examples, summary } = values.next()?.ok()?;
    let failed = examples.iter().filter(|example| example.status == "failed");
    Some(Tally {
        passed: passed(summary.example_count, summary.failure_count, summary.pending_count),
        failed: summary.failure_count,
        skipped: summary.pending_count,
        by: "rspec",
        failures: failed.clone().map(failure).collect(),
        rerun: failed.map(|example| format!("{}:{}", example.file_path, example.line_number)).collect(),
    })
}

fn failure(example: &Example<'_>) -> pinfold_contract::TestFailure {
    let file = example.file_path.strip_prefix("./").unwrap_or(&example.file_path);
    let mut block = Block::named(&*example.full_description).at(Some((file, example.line_number)));
    if let Some(Exception { class, message }) = &example.exception {
        let expectation = class.starts_with("RSpec::");
        let said = if expectation { message.to_string() } else { format!("{class}: {message}") };
        plain(&said).lines().for_each(|line| block.push(line));
    }
    block.failure()
}

/// `5 examples, 2 failures, 2 pending`.
pub(super) fn read(output: &Output) -> Option<Tally> {
    let is_closing = |line: &&str| {
        let mut counts = text::counted(line);
        counts.next().is_some_and(|(_, word)| word.starts_with("example"))
            && counts.next().is_some_and(|(_, word)| word.starts_with("failure"))
    };
    let closing = output.stdout.lines().rev().find(is_closing)?;
    let total = text::count_of(closing, &["example", "examples"]);
    let (failed, skipped) =
        (text::count_of(closing, &["failure", "failures"]), text::count_of(closing, &["pending"]));
    let (_, listed) = output.stdout.rsplit_once("Failed examples:").unwrap_or_default();
    let listed = listed.lines().filter_map(|line| line.strip_prefix("rspec ")?.split_once(" # "));
    let blocks = messages(&output.stdout);
    let said: HashMap<&str, &str> = blocks.iter().map(|block| (&*block.name, block.said())).collect();
    Some(Tally {
        passed: passed(total, failed, skipped),
        failed,
        skipped,
        by: "rspec",
        failures: listed
            .clone()
            .map(|(at, name)| {
                let mut block = Block::named(name).at(text::location(at.strip_prefix("./").unwrap_or(at)));
                said.get(name).into_iter().flat_map(|said| said.lines()).for_each(|line| block.push(line));
                block.failure()
            })
            .collect(),
        rerun: listed.map(|(at, _)| at.to_owned()).collect(),
    })
}

fn passed(total: u64, failed: u64, skipped: u64) -> u64 {
    total.saturating_sub(failed).saturating_sub(skipped)
}

/// What stands under `  1) name`, behind `Failures:`.
fn messages(stdout: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for line in stdout.lines().skip_while(|line| *line != "Failures:").skip(1) {
        if line.starts_with("Finished in ") {
            break;
        }
        match numbered(line) {
            Some(name) => blocks.push(Block::named(name)),
            None => {
                if let Some(block) = blocks.last_mut() {
                    block.over |= line.trim_start().starts_with("# ");
                    block.push(line.strip_prefix("     ").unwrap_or(line));
                }
            }
        }
    }
    blocks
}

/// `  1) name`.
pub(super) fn numbered(line: &str) -> Option<&str> {
    let (number, name) = line.trim_start().split_once(") ")?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(name)
}
