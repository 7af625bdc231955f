//! `pinfold policy check` and `pinfold policy test`: what is wrong, what is questionable, whether the examples hold.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anstyle::{AnsiColor, Style};
use pinfold::{
    Failure, Policy,
    policy::lint::{Finding, Level},
};
use serde_json::{Value, json};

use super::{Outcome, fail};
use crate::{arguments::FileArguments, output, place::PolicyFile};

const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const QUIET: Style = Style::new().dimmed();

pub(super) fn run(arguments: &FileArguments) -> Outcome {
    let (file, policy) = match read(arguments) {
        Ok(read) => read,
        Err(failure) => return fail(arguments.json, &failure),
    };
    let findings = policy.lint();
    let warnings = findings.iter().filter(|finding| finding.level == Level::Warning).count();
    if arguments.json {
        output::json(&findings.iter().map(|finding| described(finding, &file)).collect::<Vec<_>>())?;
    } else {
        output::coloured(|out| {
            findings.iter().try_for_each(|finding| write_finding(out, finding, &file))?;
            let (count, notes) = (findings.len(), findings.len() - warnings);
            match count {
                0 => writeln!(out, "{GOOD}fine{GOOD:#}: {}", file.path.display()),
                _ => writeln!(out, "{}: {warnings} to mend, {notes} to know", file.path.display()),
            }
        })?;
    }
    Ok(if warnings == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The policy as it would be opened; the workspace's own file is read too, but counts for nothing here.
fn read(arguments: &FileArguments) -> Result<(PolicyFile, Policy), Failure> {
    let file = PolicyFile::find(arguments.file.as_deref())?;
    let policy = file.policy(arguments.root.as_deref())?;
    policy.validate().map_err(|failure| file.pointed(failure))?;
    policy.clone().narrowed_by_workspace()?;
    Ok((file, policy))
}

fn described(finding: &Finding, file: &PolicyFile) -> Value {
    let place = file.place(&finding.field);
    json!({
        "field": finding.field,
        "level": finding.level,
        "message": finding.message,
        "advice": finding.advice,
        "line": place.as_ref().map(|place| place.line),
        "column": place.as_ref().map(|place| place.column),
    })
}

fn write_finding(out: &mut dyn Write, finding: &Finding, file: &PolicyFile) -> io::Result<()> {
    let (style, word) = match finding.level {
        Level::Warning => (WARNING, "warning"),
        Level::Note => (NOTE, "note"),
    };
    writeln!(out, "{style}{word}{style:#}: {}", finding.message)?;
    match file.place(&finding.field) {
        Some(place) => {
            let path = file.path.display();
            writeln!(out, "{QUIET}  --> {path}:{}:{}{QUIET:#}\n{}", place.line, place.column, place.drawing)?;
        }
        None => {
            writeln!(out, "{QUIET}  --> {}: `{}` is absent{QUIET:#}", file.path.display(), finding.field)?;
        }
    }
    writeln!(out, "  {}\n", finding.advice)
}

/// One example of the policy, which holds: it was tried when the policy was read.
struct Example<'a> {
    rule: &'a str,
    line: &'a str,
    matches: bool,
}

pub(super) fn test(arguments: &FileArguments) -> Outcome {
    let file = match PolicyFile::find(arguments.file.as_deref()) {
        Ok(file) => file,
        Err(failure) => return fail(arguments.json, &failure),
    };
    let policy = match file.policy(arguments.root.as_deref()) {
        Ok(policy) => policy,
        Err(failure) => return fail(arguments.json, &failure),
    };
    let examples = examples(&policy);
    if arguments.json {
        let row = |one: &Example<'_>| json!({"rule": one.rule, "line": one.line, "matches": one.matches});
        output::json(&examples.iter().map(row).collect::<Vec<_>>())?;
    } else {
        output::coloured(|out| {
            for Example { rule, line, matches } in &examples {
                let does = if *matches { "matches" } else { "misses" };
                writeln!(out, "{GOOD}ok{GOOD:#}  {line}  {QUIET}{does} {rule}{QUIET:#}")?;
            }
            match examples.len() {
                0 => writeln!(
                    out,
                    "There are no examples: give rules `matches = [\"…\"]` and `misses = [\"…\"]`."
                ),
                count => writeln!(out, "{count} examples hold"),
            }
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

fn examples<'a>(policy: &'a Policy) -> Vec<Example<'a>> {
    let Some(shell) = &policy.shell else { return Vec::new() };
    let entries = shell
        .allow
        .iter()
        .flatten()
        .map(|entry| (entry.name.as_str(), &entry.matches[..], &entry.misses[..]));
    let patterns = shell.deny_patterns.iter().map(|pattern| {
        let (matches, misses) = pattern.examples();
        (pattern.source(), matches, misses)
    });
    let each = |(rule, matches, misses): (&'a str, &'a [String], &'a [String])| {
        let of = move |lines: &'a [String], matches| {
            lines.iter().map(move |line| Example { rule, line, matches }).collect::<Vec<_>>()
        };
        [of(matches, true), of(misses, false)].into_iter().flatten()
    };
    entries.chain(patterns).flat_map(each).collect()
}
