//! `mix test` (ExUnit): `4 tests, 2 failures, 1 skipped`, and numbered failures.

use super::{
    Output, Tally,
    rspec::numbered,
    text::{self, Block},
};

pub(super) fn read(output: &Output) -> Option<Tally> {
    let is_closing = |line: &&str| {
        let words: Vec<&str> = text::counted(line).map(|(_, word)| word).collect();
        line.starts_with(|c: char| c.is_ascii_digit())
            && words.iter().any(|word| ["test", "tests"].contains(word))
            && words.iter().any(|word| ["failure", "failures"].contains(word))
    };
    let closing = output.stdout.lines().rev().find(is_closing)?;
    let total = text::count_of(closing, &["test", "tests", "doctest", "doctests", "property", "properties"]);
    let failed = text::count_of(closing, &["failure", "failures", "invalid"]);
    let skipped = text::count_of(closing, &["skipped", "excluded"]);
    let passed = total.saturating_sub(failed).saturating_sub(skipped);
    let failures = failures(&output.stdout);
    Some(Tally { passed, failed, skipped, by: "mix test", failures, rerun: Vec::new() }.again_by_name())
}

fn failures(stdout: &str) -> Vec<pinfold_contract::TestFailure> {
    let (mut failures, mut block): (Vec<_>, Option<Block>) = Default::default();
    for line in stdout.lines() {
        let indented = line.strip_prefix("     ");
        if let Some(name) = numbered(line).filter(|_| line.starts_with("  ") && indented.is_none()) {
            failures.extend(block.take().map(Block::failure));
            block = Some(Block::named(name));
        } else if let Some((block, line)) = block.as_mut().zip(indented) {
            // First where the test is written, last where it failed.
            let place = text::location(line.trim_start()).filter(|(file, _)| file.ends_with(".exs"));
            block.found_last(place);
            if place.is_none() {
                block.over |= line == "stacktrace:";
                block.push(line);
            }
        } else if !line.is_empty() {
            failures.extend(block.take().map(Block::failure));
        }
    }
    failures.extend(block.map(Block::failure));
    failures
}
