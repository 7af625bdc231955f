//! `pytest`: the closing line, the short summary, and a section for each failure.

use std::collections::{HashMap, VecDeque};

use super::{
    Output, Tally,
    text::{self, Block},
};

/// The words of the closing line that are about tests.
const WORDS: [&str; 9] =
    ["passed", "failed", "error", "errors", "skipped", "xfailed", "xpassed", "deselected", "rerun"];

pub(super) fn read(output: &Output) -> Option<Tally> {
    let closing = output.stdout.lines().rev().find_map(closing)?;
    let mut reader = Reader::default();
    output.stdout.lines().for_each(|line| reader.line(line));
    reader.end_block();
    let tally = Tally {
        passed: text::count_of(closing, &["passed", "xpassed"]),
        failed: text::count_of(closing, &["failed", "error", "errors"]),
        skipped: text::count_of(closing, &["skipped", "xfailed"]),
        by: "pytest",
        failures: reader.failures(),
        rerun: Vec::new(),
    };
    Some(tally.again_by_name())
}

/// `3 failed, 2 passed in 0.02s`, between signs of equality or alone: what stands before the time.
fn closing(line: &str) -> Option<&str> {
    let line = line.trim_matches(['=', ' ']);
    let (counts, time) = line.rsplit_once(" in ")?;
    let is_time = time.starts_with(|c: char| c.is_ascii_digit()) && time.split(' ').next()?.ends_with('s');
    let counted = text::counted(counts).any(|(_, word)| WORDS.contains(&word));
    (is_time && (counted || counts == "no tests ran")).then_some(counts)
}

#[derive(Default)]
struct Reader {
    block: Option<Block>,
    /// By the heading that stands over them; two files may have one each.
    sections: HashMap<String, VecDeque<Block>>,
    order: Vec<String>,
    /// The short summary: the id of a test, and the beginning of what it said.
    named: Vec<(String, String)>,
}

impl Reader {
    fn line(&mut self, line: &str) {
        if let Some(heading) = heading(line) {
            self.end_block();
            self.block = Some(Block::named(heading));
        } else if line.starts_with("====") {
            self.end_block();
        } else if let Some(rest) = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR ")) {
            let (id, said) = rest.split_once(" - ").unwrap_or((rest, ""));
            self.named.push((id.to_owned(), said.to_owned()));
        } else if let Some(block) = &mut self.block {
            fill(block, line);
        }
    }

    fn end_block(&mut self) {
        let Some(block) = self.block.take() else { return };
        self.order.push(block.name.clone());
        self.sections.entry(block.name.clone()).or_default().push_back(block);
    }

    /// What the short summary names, each with its section; without a summary all sections.
    fn failures(mut self) -> Vec<pinfold_contract::TestFailure> {
        if self.named.is_empty() {
            let headings = std::mem::take(&mut self.order);
            let taken = headings.iter().filter_map(|heading| self.sections.get_mut(heading)?.pop_front());
            return taken.map(Block::failure).collect();
        }
        std::mem::take(&mut self.named)
            .into_iter()
            .map(|(id, said)| {
                let (file, name) = id.split_once("::").unwrap_or((&id, &id));
                let heading = name.replace("::", ".");
                let section = self.sections.get_mut(&heading).and_then(VecDeque::pop_front);
                let mut failure = section.unwrap_or_default().failure();
                failure.file.get_or_insert_with(|| file.to_owned());
                if failure.message.is_empty() {
                    failure.message = text::clip(&said).to_owned();
                }
                failure.name = id;
                failure
            })
            .collect()
    }
}

/// `____ test_nothing ____`, also of what failed before or after a test.
fn heading(line: &str) -> Option<&str> {
    let name = line.strip_prefix('_')?.strip_suffix('_')?.trim_matches('_').trim();
    let name = name.strip_prefix("ERROR collecting ").unwrap_or(name);
    let name = ["ERROR at setup of ", "ERROR at teardown of "]
        .iter()
        .find_map(|phase| name.strip_prefix(phase))
        .unwrap_or(name);
    (!name.is_empty()).then_some(name)
}

/// What was raised, and where: lines that begin with `E`, and `tests/test_cart.py:11: AssertionError`.
fn fill(block: &mut Block, line: &str) {
    if let Some(said) = line.strip_prefix("E  ") {
        let indent = said.bytes().take(5).take_while(|byte| *byte == b' ').count();
        block.push(&said[indent..]);
    } else if !line.starts_with(' ') && text::location(line).is_some_and(|(file, _)| file.ends_with(".py")) {
        block.found_last(text::location(line));
    }
}
