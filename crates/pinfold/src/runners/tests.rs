//! The readers on what the real runners wrote, whole and cut: `tests/runners` has the logs and what must be counted.

#![allow(clippy::disallowed_methods, reason = "the logs are files")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

use std::{fs, path::Path};

use serde::Deserialize;

use super::*;

#[derive(Deserialize)]
struct Expected {
    runner: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    line: String,
    says: Vec<String>,
    by: String,
    counts: [u64; 3],
    failures: Vec<(String, String, u64, String)>,
}

fn cases() -> Vec<Case> {
    let text = include_str!("../../tests/runners/expected.toml");
    toml::from_str::<Expected>(text).unwrap().runner
}

fn log(name: &str, stream: &str) -> String {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runners/logs").join(format!("{name}.{stream}"));
    fs::read_to_string(path).unwrap()
}

fn own(case: &Case) -> Option<Runner> {
    Runner::of(&case.line.split(' ').collect::<Vec<_>>())
}

#[test]
fn counts_are_those_of_the_runner() {
    for case in cases() {
        let (stdout, stderr) = (log(&case.name, "stdout"), log(&case.name, "stderr"));
        let output = Output::new(&stdout, &stderr);
        for says in &case.says {
            let plain = format!("{}{}", output.stdout, output.stderr);
            assert!(plain.contains(says), "{}: the runner does not say {says:?}", case.name);
        }
        for runner in [own(&case), None] {
            let tally = read(runner, &output).unwrap_or_else(|| panic!("{} by {runner:?}", case.name));
            assert_eq!(
                (&*case.by, case.counts),
                (tally.by, [tally.passed, tally.failed, tally.skipped]),
                "{}",
                case.name
            );
            let mut failures = tally.failures;
            failures.sort_by_key(|failure| {
                case.failures.iter().position(|(name, ..)| failure.name.ends_with(name))
            });
            assert_eq!(failures.len(), case.failures.len(), "{}: {failures:#?}", case.name);
            for ((name, file, line, message), failure) in case.failures.iter().zip(&failures) {
                assert!(failure.name.ends_with(name), "{}: {name} {failure:#?}", case.name);
                let of = failure.file.as_deref().unwrap_or_default();
                assert!(
                    if file.is_empty() { of.is_empty() } else { of.ends_with(file) },
                    "{file} {failure:#?}"
                );
                assert_eq!(failure.line.unwrap_or_default(), *line, "{failure:#?}");
                assert!(failure.message.contains(message), "{message:?} {failure:#?}");
                assert!(failure.message.len() <= 2_048);
            }
        }
    }
}

/// Every beginning and every end of each log is read without trouble, and never counts more than there is.
#[test]
fn what_is_cut_is_read_as_far_as_it_goes() {
    for case in cases() {
        let (stdout, stderr) = (log(&case.name, "stdout"), log(&case.name, "stderr"));
        let longest = stdout.len().max(stderr.len());
        for at in (0..longest).step_by((longest / 97).max(1)) {
            let [begun, ended] =
                [&stdout, &stderr].map(|text| text.split_at(text.floor_char_boundary(at.min(text.len()))));
            for (out, err) in
                [(begun.0, ended.0), (begun.1, ended.1), (begun.0, &*stderr), (&*stdout, ended.1)]
            {
                for runner in [own(&case), None] {
                    let Some(tally) = read(runner, &Output::new(out, err)) else { continue };
                    let most: u64 = case.counts.iter().sum::<u64>() + case.failures.len() as u64 + 10;
                    assert!(
                        tally.passed + tally.failed + tally.skipped <= most,
                        "{} at {at}: {tally:?}",
                        case.name
                    );
                }
            }
        }
    }
}

#[test]
fn what_no_runner_wrote_is_not_counted() {
    for text in [
        "",
        "ok\n",
        "3 passed\n",
        "error: no such command\n",
        "12 tests\n",
        "Tests are fun in 2s\n",
        "test x ... \n",
    ] {
        for (out, err) in [(text, ""), ("", text)] {
            assert_eq!(read(None, &Output::new(out, err)), None, "{text:?}");
        }
    }
}

#[test]
fn no_test_at_all_is_counted_as_none() {
    for (runner, out, err) in [
        (
            Runner::Cargo,
            "\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out; finished in 0.00s\n",
            "",
        ),
        (
            Runner::Nextest,
            "",
            "     Summary [   0.000s] 0 tests run: 0 passed, 9 skipped\nerror: no tests to run\n",
        ),
        (
            Runner::Pytest,
            "collected 0 items\n\n============================ no tests ran in 0.00s =============================\n",
            "",
        ),
    ] {
        let tally = read(Some(runner), &Output::new(out, err)).unwrap();
        assert_eq!((tally.passed, tally.failed), (0, 0));
    }
}

/// Time grows with the output and not with its square: so many failures take seconds otherwise.
#[test]
fn very_many_failures_are_read() {
    let failures = |line: fn(usize) -> String| (0..40_000).map(line).collect::<String>();
    let (libtest, summary) = (
        failures(|n| format!("test t{n} ... FAILED\n")),
        "test result: FAILED. 0 passed; 40000 failed; 0 ignored\n",
    );
    let said = failures(|n| format!("---- t{n} stdout ----\nx\n"));
    let nextest = failures(|n| format!("        FAIL [   0.0s] p t{n}\n    x\n"));
    let finally = format!("     Summary [ 1s] 40000 tests run: 0 passed, 40000 failed, 0 skipped\n{nextest}");
    let jest = failures(|n| format!("  ● t{n}\n    x\n"))
        + "Test Suites: 1 failed\nTests:       40000 failed, 40000 total\n";
    for (runner, out, err) in [
        (Runner::Cargo, format!("{libtest}{said}{summary}"), String::new()),
        (Runner::Nextest, String::new(), format!("{nextest}{finally}")),
        (Runner::Jest, String::new(), jest),
    ] {
        let tally = read(Some(runner), &Output::new(&out, &err)).unwrap();
        assert_eq!((tally.failed, tally.failures.len()), (40_000, 40_000));
        assert!(tally.failures.iter().all(|failure| failure.message == "x"));
    }
}
