//! Printing. Somebody who reads only the first lines (`| head -1`) goes away early: that is no error.

use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use pinfold::Failure;
use serde::Serialize;

/// Prints a value as JSON: on one line for programs, laid out for people.
pub(crate) fn json(value: &impl Serialize) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    let text =
        if stdout.is_terminal() { serde_json::to_string_pretty(value) } else { serde_json::to_string(value) };
    heard(writeln!(stdout, "{}", text?).and_then(|()| stdout.flush()))
}

/// Prints a text as it is.
pub(crate) fn text(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    heard(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()))
}

/// Prints values as JSON Lines, each as soon as it is there. Stops early when nobody reads any more.
pub(crate) fn json_lines<T: Serialize>(values: impl Iterator<Item = io::Result<T>>) -> io::Result<()> {
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    for value in values {
        let text = serde_json::to_string(&value?)?;
        match writeln!(stdout, "{text}").and_then(|()| stdout.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            other => other?,
        }
    }
    Ok(())
}

/// Says on standard error why there is nothing on standard output.
pub(crate) fn complain(message: &str) {
    // Nobody is left to be told that this failed.
    drop(writeln!(io::stderr(), "pinfold: {message}"));
}

/// Says on standard error what failed, and in which file.
pub(crate) fn complain_of(failure: &Failure) {
    match &failure.details().path {
        Some(path) => complain(&format!("{path}: {failure}")),
        None => complain(&failure.to_string()),
    }
}

/// Says on standard error what failed, and below it what to do.
pub(crate) fn complain_with_hint(failure: &Failure) {
    const HINT: Style = AnsiColor::Cyan.on_default().bold();
    complain(failure.message());
    if let Some(hint) = failure.advice() {
        drop(writeln!(anstream::stderr(), "{HINT}hint{HINT:#}: {hint}"));
    }
}

/// Prints what `write` writes, in colours where the terminal has them and `NO_COLOR` is not set.
pub(crate) fn coloured<T>(write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<Option<T>> {
    let mut stdout = anstream::stdout().lock();
    let written = write(&mut stdout).and_then(|done| stdout.flush().map(|()| done));
    match written {
        Ok(done) => Ok(Some(done)),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(None),
        Err(error) => Err(error),
    }
}

fn heard(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
