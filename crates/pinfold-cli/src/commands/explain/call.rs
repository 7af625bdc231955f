//! A call in a log: what was asked, why it was refused, and what the policy says of it now.

use std::{
    io,
    path::{Path, PathBuf},
    process::ExitCode,
};

use pinfold::{Failure, FailureType, call_log::Verdict};

use super::{super::log::row, Outcome, fail, line, path};
use crate::{
    arguments::ExplainArguments,
    log_file::{Calls, Line},
    output,
};

pub(super) fn run(arguments: &ExplainArguments, log: &Path) -> Outcome {
    let Some(found) = find(log, arguments.call)? else { return fail(&nothing(log, arguments.call)) };
    let Some(entry) = &found.entry else { return fail(&nothing(log, arguments.call)) };
    let asked = |name: &str| entry.arguments.get(name)?.as_str();
    if !arguments.json {
        output::coloured(|out| {
            row(out, found.number, entry)?;
            let cut = found.text.contains("***") || found.text.contains(" bytes)");
            let cut = if cut { " (some of the arguments were left out of the log)" } else { "" };
            writeln!(out, "\nBy the policy as it is now{cut}:")
        })?;
    }
    if let Some(command) = asked("command") {
        return line::run(arguments, command);
    }
    if let Some(named) = asked("path").or_else(|| asked("file")) {
        return path::run(arguments, &PathBuf::from(named));
    }
    output::complain(
        "This call names neither a path nor a command line: what was said of it then is all there is.",
    );
    Ok(ExitCode::SUCCESS)
}

/// The line of this number, else the last one that was refused.
fn find(log: &Path, number: Option<usize>) -> io::Result<Option<Line>> {
    let mut calls = Calls::of(log)?;
    let mut last = None;
    while let Some(line) = calls.next()? {
        let refused = line.entry.as_ref().is_some_and(|entry| entry.verdict == Verdict::Refused);
        match number {
            Some(number) if line.number == number => return Ok(Some(line)),
            None if refused => last = Some(line),
            _ => {}
        }
    }
    Ok(last)
}

fn nothing(log: &Path, number: Option<usize>) -> Failure {
    let log = log.display();
    let message = match number {
        Some(number) => format!("Line {number} of `{log}` is no call."),
        None => format!("No call in `{log}` was refused."),
    };
    Failure::new(FailureType::BadArguments, message)
        .hint("`pinfold log FILE` shows the calls with their numbers.")
}
