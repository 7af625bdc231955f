//! What is said of a test run: the counts, the failures, and a warning wherever a count could be taken for a verdict.

use std::path::Path;

use pinfold_contract::{RunResult, TestFailure, TestsResult};

use crate::runners::Tally;

/// Failures that are shown.
const SHOWN: usize = 20;

/// `cut`: not all of the output could be read.
pub(crate) fn report(
    run: RunResult,
    command: String,
    tally: Option<Tally>,
    cut: bool,
    root: &Path,
) -> TestsResult {
    let warning = warning(&run, tally.as_ref(), cut);
    let notes: Vec<String> = run.note.clone().into_iter().chain(warning).collect();
    let run = RunResult { note: (!notes.is_empty()).then(|| notes.join(" ")), ..run };
    let Some(tally) = tally else {
        return TestsResult {
            run,
            command,
            passed: None,
            failed: None,
            skipped: None,
            failures: Vec::new(),
            failures_truncated: false,
            parsed_by: None,
        };
    };
    let failures_truncated = tally.failures.len() > SHOWN;
    TestsResult {
        run,
        command,
        passed: Some(tally.passed),
        failed: Some(tally.failed),
        skipped: Some(tally.skipped),
        failures: tally.failures.into_iter().take(SHOWN).map(|failure| below(failure, root)).collect(),
        failures_truncated,
        parsed_by: Some(tally.by.to_owned()),
    }
}

/// The same, with a file below the root told from there.
fn below(mut failure: TestFailure, root: &Path) -> TestFailure {
    let relative = |file: &str| Path::new(file).strip_prefix(root).ok()?.to_str().map(str::to_owned);
    if let Some(shorter) = failure.file.as_deref().and_then(relative) {
        failure.file = Some(shorter);
    }
    if let Some(shorter) = relative(&failure.name) {
        failure.name = shorter;
    }
    failure
}

fn warning(run: &RunResult, tally: Option<&Tally>, cut: bool) -> Option<String> {
    let Some(tally) = tally else {
        return Some("Its tests were not counted: only the exit code says how they went.".to_owned());
    };
    let code = run.exit_code;
    let text = if run.timed_out || run.cancelled {
        "It was ended before its time, so these counts are not all.".to_owned()
    } else if tally.passed + tally.failed == 0 && tally.failures.is_empty() {
        "No test ran.".to_owned()
    } else if code != 0 && tally.failed == 0 {
        format!("No test failed, but the exit code is {code}: something else went wrong. This is not a pass.")
    } else if code == 0 && tally.failed > 0 {
        "Tests failed, though the exit code is 0.".to_owned()
    } else if cut {
        "So much was written that not all of it was read: these counts may be too low.".to_owned()
    } else {
        return None;
    };
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(exit_code: i32, timed_out: bool, counts: Option<[u64; 2]>) -> Option<String> {
        let run = RunResult { exit_code, timed_out, ..RunResult::default() };
        let tally = counts.map(|[passed, failed]| Tally { passed, failed, ..Tally::default() });
        report(run, String::new(), tally, false, Path::new("/srv/shop")).run.note
    }

    #[test]
    fn no_count_is_taken_for_a_verdict() {
        for (exit_code, timed_out, counts, note) in [
            (0, false, Some([3, 0]), None),
            (1, false, Some([3, 1]), None),
            (0, false, None, Some("not counted")),
            (1, false, Some([3, 0]), Some("not a pass")),
            (0, false, Some([3, 1]), Some("exit code is 0")),
            (0, false, Some([0, 0]), Some("No test ran")),
            (5, false, Some([0, 0]), Some("No test ran")),
            (124, true, Some([3, 0]), Some("not all")),
        ] {
            let said = said(exit_code, timed_out, counts);
            match note {
                Some(note) => assert!(said.as_deref().is_some_and(|said| said.contains(note)), "{said:?}"),
                None => assert_eq!(said, None),
            }
        }
    }

    #[test]
    fn files_are_told_from_the_root() {
        let of = |file: &str| {
            let failure = TestFailure { name: "x".into(), file: Some(file.into()), ..TestFailure::default() };
            below(failure, Path::new("/srv/shop")).file.unwrap()
        };
        assert_eq!(
            ["/srv/shop/a/b.js", "/srv/shopping/b.js", "b.js"].map(of),
            ["a/b.js", "/srv/shopping/b.js", "b.js"]
        );
    }
}
