//! `cargo test`: the text of Rust's own test harness, one closing line for each program that it ran.

use std::collections::HashMap;

use super::{
    Output, Tally,
    text::{self, Block},
};

pub(super) fn read(output: &Output) -> Option<Tally> {
    let mut reader = Reader::default();
    output.stdout.lines().for_each(|line| reader.line(line));
    reader.close();
    reader.seen.then(|| Tally { by: "cargo test", ..reader.tally }.again_by_name())
}

#[derive(Default)]
struct Reader {
    tally: Tally,
    /// Of the program whose closing line has not come yet.
    open: Tally,
    block: Option<Block>,
    /// Where the failures of that program are that have not said anything yet.
    silent: HashMap<String, usize>,
    seen: bool,
}

impl Reader {
    fn line(&mut self, line: &str) {
        if let Some(closing) = line.strip_prefix("test result: ") {
            self.seen = true;
            self.open.passed = text::count_of(closing, &["passed"]);
            self.open.failed = text::count_of(closing, &["failed"]);
            self.open.skipped = text::count_of(closing, &["ignored"]);
            self.close();
        } else if let Some(name) =
            line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----"))
        {
            self.end_block();
            self.block = Some(Block::named(name).at(doc_test(name)));
        } else if line == "failures:" {
            self.end_block();
        } else if let Some(block) = &mut self.block {
            fill(block, line);
        } else if let Some((name, outcome)) =
            line.strip_prefix("test ").and_then(|test| test.rsplit_once(" ... "))
        {
            self.test(name, outcome);
        }
    }

    fn test(&mut self, name: &str, outcome: &str) {
        match outcome.split([',', ' ']).next() {
            Some("ok") => self.open.passed += 1,
            Some("ignored") => self.open.skipped += 1,
            Some("FAILED") => {
                self.open.failed += 1;
                let name = name.trim_end_matches(" - should panic").trim_end_matches(" - compile fail");
                self.silent.insert(name.to_owned(), self.open.failures.len());
                self.open.failures.push(Block::named(name).failure());
            }
            _ => return,
        }
        self.seen = true;
    }

    fn end_block(&mut self) {
        let Some(failure) = self.block.take().map(Block::failure) else { return };
        match self.silent.remove(&failure.name) {
            Some(at) => self.open.failures[at] = failure,
            None => self.open.failures.push(failure),
        }
    }

    fn close(&mut self) {
        self.end_block();
        self.silent.clear();
        self.tally.add(std::mem::take(&mut self.open));
    }
}

/// What a failing test wrote, up to its backtrace.
pub(super) fn fill(block: &mut Block, line: &str) {
    if let Some((_, place)) = line.split_once("panicked at ") {
        block.found(text::location(place));
    }
    block.over |= line == "stack backtrace:" || line.starts_with("note: run with `RUST_BACKTRACE");
    block.push(line);
}

/// `src/lib.rs - price (line 4)`, the name of an example in the documentation.
fn doc_test(name: &str) -> Option<(&str, u64)> {
    let (file, rest) = name.split_once(" - ")?;
    let (_, line) = rest.rsplit_once("(line ")?;
    Some((file, line.strip_suffix(')')?.parse().ok()?))
}
