//! The text of jest and vitest, for when nobody asked them for JSON.

use std::collections::HashSet;

use super::{
    Output, Tally,
    text::{self, Block},
};

/// `Tests:       2 failed, 1 skipped, 1 todo, 2 passed, 6 total`, on standard error.
pub(super) fn jest(output: &Output) -> Option<Tally> {
    let closing = |line: &str| line.starts_with("Tests:  ") && line.ends_with(" total");
    read(&[&output.stderr, &output.stdout], "jest", closing, |line, file| {
        let name = line.strip_prefix("  ● ")?;
        Some(Block::named(name.replace(" › ", " > ")).in_file(file))
    })
}

/// `Tests  2 failed | 2 passed | 1 skipped | 1 todo (6)`; the failures are on standard error.
pub(super) fn vitest(output: &Output) -> Option<Tally> {
    let closing = |line: &str| line.trim_start().starts_with("Tests  ") && line.ends_with(')');
    read(&[&output.stdout, &output.stderr], "vitest", closing, |line, _| {
        let rest = line.strip_prefix(" FAIL  ")?;
        let (file, name) =
            rest.split_once(" > ").or_else(|| rest.split_once(" [ ").map(|(file, _)| (file, file)))?;
        Some(Block::named(name).in_file(Some(file)))
    })
}

fn read(
    streams: &[&str],
    by: &'static str,
    closing: impl Fn(&str) -> bool,
    begins: impl Fn(&str, Option<&str>) -> Option<Block>,
) -> Option<Tally> {
    let closing = streams.iter().find_map(|stream| stream.lines().rev().find(|line| closing(line)))?;
    let mut tally = Tally {
        passed: text::count_of(closing, &["passed"]),
        failed: text::count_of(closing, &["failed"]),
        skipped: text::count_of(closing, &["skipped", "todo"]),
        by,
        ..Tally::default()
    };
    streams.iter().for_each(|stream| failures(stream, &begins, &mut tally));
    // Jest says failures again at the end of a long run.
    let mut known = HashSet::new();
    tally.failures.retain(|failure| known.insert((failure.name.clone(), failure.file.clone())));
    tally.rerun = tally.failures.iter().map(|failure| failure.name.replace(" > ", " ")).collect();
    Some(tally)
}

fn failures(stream: &str, begins: &impl Fn(&str, Option<&str>) -> Option<Block>, tally: &mut Tally) {
    let mut block: Option<Block> = None;
    let mut file = None;
    for line in stream.lines() {
        if let Some(next) = begins(line, file) {
            tally.failures.extend(block.take().map(Block::failure));
            block = Some(next);
        } else if ["Test Suites:", "⎯⎯", "FAIL "].iter().any(|end| line.starts_with(end)) {
            tally.failures.extend(block.take().map(Block::failure));
            file = line.strip_prefix("FAIL ").map(|file| file.trim().trim_start_matches("./")).or(file);
        } else if let Some(block) = &mut block {
            fill(block, line);
        }
    }
    tally.failures.extend(block.map(Block::failure));
}

/// Where it failed stands behind `at name (` or `❯ `.
fn fill(block: &mut Block, line: &str) {
    let frame = line.trim_start();
    let at = || frame.strip_prefix("at ").map(|at| at.split_once('(').map_or(at, |(_, at)| at));
    match frame.strip_prefix("❯ ").or_else(at) {
        Some(place) => {
            block.found(text::location(place).filter(|(file, _)| !file.contains("node_modules")));
            block.over = true;
        }
        None => block.push(line.strip_prefix("    ").unwrap_or(line)),
    }
}
