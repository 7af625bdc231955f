//! The skip itself: said aloud, written down, or turned into a failure.

use std::{
    env,
    fs::OpenOptions,
    io::{self, Write},
    panic::Location,
    path::Path,
    thread,
};

/// Gives back what was `found`. Where there is nothing, the test is [skipped](skip) for want of `what`.
#[track_caller]
pub fn need<T>(what: &str, found: Option<T>) -> Option<T> {
    if found.is_none() {
        skip(&format!("needs {what}"));
    }
    found
}

/// Says that the current test does not run, and why. The caller still has to return.
///
/// # Panics
/// When `PINFOLD_REQUIRE_ALL` is `1`, and when the log cannot be written: a skip must never get lost.
#[track_caller]
pub fn skip(reason: &str) {
    let line = line(thread::current().name(), Location::caller(), reason);
    let required = env::var_os("PINFOLD_REQUIRE_ALL").is_some_and(|value| value == "1");
    assert!(!required, "PINFOLD_REQUIRE_ALL is set, and this test would be skipped: {line}");
    // Not eprintln!, which the test runner swallows while the test passes.
    writeln!(io::stderr(), "SKIPPED: {line}").ok();
    if let Some(log) = env::var_os("PINFOLD_SKIP_LOG") {
        let written = append(Path::new(&log), &line);
        assert!(written.is_ok(), "cannot write the skip to PINFOLD_SKIP_LOG: {written:?}");
    }
}

/// The test runner names each thread after its test; the place tells the file, which the name does not.
pub(crate) fn line(test: Option<&str>, place: &Location<'_>, reason: &str) -> String {
    format!("{} ({}:{}): {reason}", test.unwrap_or("?"), place.file(), place.line())
}

/// One write for the whole line, so that tests in parallel do not mix theirs.
pub(crate) fn append(log: &Path, line: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(log)?;
    file.write_all(format!("{line}\n").as_bytes())
}
