//! `phpunit`: `OK (5 tests, 7 assertions)`, or a line of counts and numbered failures.

use super::{
    Output, Tally,
    rspec::numbered,
    text::{self, Block},
};

pub(super) fn read(output: &Output) -> Option<Tally> {
    let mut lines = output.stdout.lines().rev();
    let is_closing = |line: &str| {
        (line.starts_with("OK (") && line.ends_with(')'))
            || line.starts_with("Tests: ") && line.contains("Assertions: ")
    };
    let closing = lines.find(|line| is_closing(line))?;
    let count = |words: &[&str]| -> u64 { words.iter().filter_map(|word| after(closing, word)).sum() };
    let failed = count(&["Failures: ", "Errors: "]);
    let skipped = count(&["Skipped: ", "Incomplete: "]);
    let total = match closing.strip_prefix("OK (") {
        Some(all) => text::count_of(all, &["test", "tests"]),
        None => count(&["Tests: "]),
    };
    let passed = total.saturating_sub(failed).saturating_sub(skipped);
    let failures = failures(&output.stdout);
    Some(Tally { passed, failed, skipped, by: "phpunit", failures, rerun: Vec::new() }.again_by_name())
}

fn after(line: &str, word: &str) -> Option<u64> {
    let (_, rest) = line.split_once(word)?;
    rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())].parse().ok()
}

fn failures(stdout: &str) -> Vec<pinfold_contract::TestFailure> {
    let (mut failures, mut block): (Vec<_>, Option<Block>) = Default::default();
    let mut counts = false;
    for line in stdout.lines() {
        let heading = line.starts_with("There was ") || line.starts_with("There were ");
        if heading || line == "--" || line.starts_with("Tests: ") {
            failures.extend(block.take().map(Block::failure));
            counts = heading && (line.contains(" failure") || line.contains(" error"));
        } else if let Some(name) = numbered(line).filter(|name| counts && name.contains("::")) {
            failures.extend(block.take().map(Block::failure));
            block = Some(Block::named(name));
        } else if let Some(block) = &mut block {
            match text::location(line).filter(|(file, _)| file.ends_with(".php")) {
                place @ Some(_) => block.found(place),
                None => block.push(line),
            }
        }
    }
    failures.extend(block.map(Block::failure));
    failures
}
