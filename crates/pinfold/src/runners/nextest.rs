//! `cargo nextest run`: one line a test, the output of each that failed, a summary.

use std::collections::HashSet;

use pinfold_contract::TestFailure;

use super::{
    Output, Tally, libtest,
    text::{self, Block},
};

pub(super) fn read(output: &Output) -> Option<Tally> {
    read_stream(&output.stderr).or_else(|| read_stream(&output.stdout))
}

fn read_stream(stream: &str) -> Option<Tally> {
    let mut reader = Reader::default();
    stream.lines().for_each(|line| reader.line(line));
    reader.tally()
}

#[derive(Default)]
struct Reader {
    counts: Tally,
    summed: bool,
    seen: bool,
    /// Standard output and standard error of the test that failed last; libtest's own words are in the first.
    block: Option<[Block; 2]>,
    in_stderr: bool,
    failures: Vec<TestFailure>,
    /// What the summary names: without what failed first and passed later.
    finally: HashSet<String>,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let trimmed = line.trim_start();
        if let Some(rest) = trimmed.strip_prefix("Summary [") {
            return self.summary(rest);
        }
        if let Some((status, name)) = status(trimmed) {
            return self.test(status, name);
        }
        match trimmed.trim_end_matches(['─', ' ']) {
            "" if trimmed.starts_with('─') => self.end_block(),
            "stdout" if trimmed.ends_with('─') => self.in_stderr = false,
            "stderr" if trimmed.ends_with('─') => self.in_stderr = true,
            _ => {
                let line = line.strip_prefix("    ").unwrap_or(line);
                if let Some(blocks) = &mut self.block {
                    libtest::fill(&mut blocks[usize::from(self.in_stderr)], line);
                }
            }
        }
    }

    fn test(&mut self, status: &str, name: &str) {
        self.end_block();
        let failed =
            status.contains("FAIL") || ["TIMEOUT", "ABORT", "SIG"].iter().any(|it| status.starts_with(it));
        if self.summed {
            self.finally.extend(failed.then(|| name.to_owned()));
        } else if failed {
            self.seen = true;
            self.counts.failed += u64::from(!status.starts_with("TRY"));
            self.block = Some([Block::named(name), Block::named(name)]);
            self.in_stderr = false;
        } else if status == "PASS" {
            self.seen = true;
            self.counts.passed += 1;
        }
    }

    fn end_block(&mut self) {
        let Some([stdout, stderr]) = self.block.take() else { return };
        let failure = if stderr.is_blank() { stdout.failure() } else { stderr.failure() };
        self.failures.push(failure);
    }

    /// `0.172s] 7 tests run: 3 passed (1 slow), 4 failed, 1 timed out, 1 skipped`.
    fn summary(&mut self, rest: &str) {
        self.end_block();
        (self.summed, self.seen) = (true, true);
        self.counts.passed = text::count_of(rest, &["passed"]);
        self.counts.failed = text::count_of(rest, &["failed", "timed", "exec"]);
        self.counts.skipped = text::count_of(rest, &["skipped"]);
    }

    fn tally(mut self) -> Option<Tally> {
        self.end_block();
        let mut known = HashSet::new();
        let mut failures = self.failures;
        // Of several tries the last one tells.
        failures.reverse();
        failures.retain(|failure| {
            let counts = self.finally.is_empty() || self.finally.contains(&failure.name);
            counts && known.insert(failure.name.clone())
        });
        failures.reverse();
        self.seen.then(|| Tally { by: "cargo nextest", failures, ..self.counts }.again_by_name())
    }
}

/// `FAIL [   0.008s] (1/7) shop tests::name`: how a test ended, and the program and name of it.
fn status(line: &str) -> Option<(&str, &str)> {
    let (status, rest) = line.split_once(" [")?;
    let is_status = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, ' ' | '-' | '/');
    if status.is_empty()
        || !status.chars().all(is_status)
        || !status.starts_with(|c: char| c.is_ascii_uppercase())
    {
        return None;
    }
    let (_, name) = rest.split_once("] ")?;
    let name = name.trim_start();
    let name = match name.strip_prefix('(') {
        Some(numbered) => numbered.split_once(") ")?.1.trim_start(),
        None => name,
    };
    Some((status, name))
}
