//! `node --test`: TAP 13 with nested subtests and YAML blocks, or its own text (the spec reporter).

use super::{
    Output, Tally,
    text::{self, Block},
};

/// What node counts at the end, behind `# ` in TAP and `ℹ ` in its text.
struct Closing {
    tests: Option<u64>,
    tally: Tally,
}

fn closing(output: &str, mark: &str) -> Closing {
    let mut closing = Closing { tests: None, tally: Tally { by: "node --test", ..Tally::default() } };
    for line in output.lines().filter_map(|line| line.strip_prefix(mark)) {
        let Some((word, number)) = line.split_once(' ') else { continue };
        let Ok(number) = number.parse() else { continue };
        match word {
            "tests" => {
                closing.tally = Tally { by: "node --test", ..Tally::default() };
                closing.tests = Some(number);
            }
            "pass" => closing.tally.passed = number,
            "fail" | "cancelled" => closing.tally.failed += number,
            "skipped" | "todo" => closing.tally.skipped += number,
            _ => {}
        }
    }
    closing
}

pub(super) fn tap(output: &Output) -> Option<Tally> {
    output.stdout.lines().any(|line| line.starts_with("TAP version")).then_some(())?;
    let mut reader = Reader::default();
    output.stdout.lines().for_each(|line| reader.line(line));
    reader.end_block();
    let Closing { tests, tally } = closing(&output.stdout, "# ");
    let counts = if tests.is_some() { tally } else { Tally { by: "TAP", ..reader.counts } };
    Some(Tally { failures: reader.failures, ..counts }.again_by_name())
}

#[derive(Default)]
struct Reader {
    counts: Tally,
    block: Option<Block>,
    /// Inside the lines of `error: |-`.
    error: bool,
    /// It failed because of a test inside it, which is told by itself.
    only_parent: bool,
    failures: Vec<pinfold_contract::TestFailure>,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let trimmed = line.trim_start();
        if let Some(rest) = trimmed.strip_prefix("not ok ") {
            self.end_block();
            let (name, directive) = named(rest);
            let expected = directive.is_some_and(|it| it.starts_with("TODO") || it.starts_with("SKIP"));
            self.counts.skipped += u64::from(expected);
            self.counts.failed += u64::from(!expected);
            self.block = (!expected).then(|| Block::named(name));
        } else if let Some(rest) = trimmed.strip_prefix("ok ") {
            self.end_block();
            let skipped = named(rest).1.is_some();
            self.counts.skipped += u64::from(skipped);
            self.counts.passed += u64::from(!skipped);
        } else if trimmed == "..." || trimmed.starts_with("# Subtest:") {
            self.end_block();
        } else if self.block.is_some() {
            self.field(trimmed);
        }
    }

    /// A line of the YAML block under a failure.
    fn field(&mut self, line: &str) {
        let Some(block) = &mut self.block else { return };
        if let Some(place) = line.strip_prefix("location: '") {
            block.found(text::location(place));
        } else if line == "failureType: 'subtestsFailed'" {
            self.only_parent = true;
        } else if let Some(said) = line.strip_prefix("error: ") {
            self.error = said.starts_with('|');
            if !self.error {
                block.push(said.trim_matches('\''));
            }
        } else if self.error {
            // Fields that may stand behind it.
            self.error =
                !["code: ", "name: ", "stack: ", "expected: "].iter().any(|field| line.starts_with(field));
            if self.error {
                block.push(line);
            }
        }
    }

    fn end_block(&mut self) {
        let (block, only_parent) = (self.block.take(), std::mem::take(&mut self.only_parent));
        self.error = false;
        self.failures.extend(block.filter(|_| !only_parent).map(Block::failure));
    }
}

/// The description of `1 - name # SKIP why`, and its directive.
fn named(rest: &str) -> (&str, Option<&str>) {
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    let rest = rest.strip_prefix("- ").unwrap_or(rest);
    match rest.rsplit_once(" # ") {
        Some((name, directive)) if directive.starts_with("SKIP") || directive.starts_with("TODO") => {
            (name, Some(directive))
        }
        _ => (rest, None),
    }
}

/// The text for people: `ℹ pass 3`, and failures under `✖ failing tests:`.
pub(super) fn spec(output: &Output) -> Option<Tally> {
    let Closing { tests, mut tally } = closing(&output.stdout, "ℹ ");
    tests?;
    let (_, failing) = output.stdout.rsplit_once("✖ failing tests:").unwrap_or_default();
    let (mut block, mut place): (Option<Block>, _) = (None, None);
    for line in failing.lines() {
        if let Some(at) = line.strip_prefix("test at ") {
            tally.failures.extend(block.take().map(Block::failure));
            place = text::location(at);
        } else if let Some(name) = line.strip_prefix("✖ ") {
            tally.failures.extend(block.take().map(Block::failure));
            block = Some(Block::named(name.rsplit_once(" (").map_or(name, |(name, _)| name)).at(place));
        } else if let Some(block) = &mut block {
            block.over |= line.trim_start().starts_with("at ");
            block.push(line.strip_prefix("  ").unwrap_or(line));
        }
    }
    tally.failures.extend(block.map(Block::failure));
    Some(tally.again_by_name())
}
