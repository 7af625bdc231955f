//! `ctest`: a line a test, the output of those that failed, and what did not run.

use super::{
    Output, Tally,
    text::{self, Block},
};

pub(super) fn read(output: &Output) -> Option<Tally> {
    let mut tally = Tally { by: "ctest", ..Tally::default() };
    let (mut block, mut seen): (Option<Block>, _) = (None, false);
    for line in output.stdout.lines() {
        if let Some((name, ended)) = test(line) {
            seen = true;
            tally.failures.extend(block.take().map(Block::failure));
            match kind(ended) {
                Kind::Passed => tally.passed += 1,
                Kind::Skipped => tally.skipped += 1,
                Kind::Failed => {
                    tally.failed += 1;
                    let mut failed = Block::named(name);
                    failed.push(
                        ended
                            .trim_start_matches('*')
                            .rsplit_once("  ")
                            .map_or(ended, |(how, _)| how.trim_end()),
                    );
                    block = Some(failed);
                }
            }
        } else if line.trim_start().starts_with("Start ") || line.contains("% tests passed, ") {
            tally.failures.extend(block.take().map(Block::failure));
        } else if let Some(block) = &mut block {
            block.found(text::location(line.trim_start()));
            block.push(line);
        }
    }
    tally.failures.extend(block.map(Block::failure));
    seen.then(|| tally.again_by_name())
}

enum Kind {
    Passed,
    Failed,
    Skipped,
}

fn kind(ended: &str) -> Kind {
    match ended.trim_start_matches('*') {
        passed if passed.starts_with("Passed") => Kind::Passed,
        skipped if skipped.starts_with("Skipped") || skipped.starts_with("Not Run (Disabled)") => {
            Kind::Skipped
        }
        _ => Kind::Failed,
    }
}

/// `2/7 Test #2: nothing ........***Failed    0.00 sec`: its name, and how it ended.
fn test(line: &str) -> Option<(&str, &str)> {
    let (count, rest) = line.trim_start().split_once(" Test ")?;
    let (done, all) = count.split_once('/')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (_, rest) = rest
        .trim_start()
        .strip_prefix('#')
        .filter(|_| is_number(done) && is_number(all))?
        .split_once(": ")?;
    let (name, ended) = rest.split_once(" .").or_else(|| rest.split_once("***"))?;
    Some((name.trim_end(), ended.trim_start_matches(['.', ' ', '*'])))
}
