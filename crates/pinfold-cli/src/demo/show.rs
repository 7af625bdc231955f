//! Prints a session for people: the thought, the call, the verdict, and the beginning of what came of it.

use std::{
    io::{self, Write},
    path::Path,
};

use anstyle::{AnsiColor, Style};
use pinfold::Failure;
use serde_json::{Map, Value};

use super::{
    player::Outcome,
    recording::{Recording, Step},
};

const QUIET: Style = Style::new().dimmed();
const THOUGHT: Style = Style::new().italic();
const CALL: Style = AnsiColor::Cyan.on_default().bold();
const YES: Style = AnsiColor::Green.on_default().bold();
const NO: Style = AnsiColor::Red.on_default().bold();
const ADDED: Style = AnsiColor::Green.on_default();
const REMOVED: Style = AnsiColor::Red.on_default();

/// Lines of a result that are shown.
const MAX_LINES: usize = 14;
/// Characters of an argument that are shown.
const MAX_ARGUMENT_CHARS: usize = 60;

/// What this is about.
pub(crate) fn opening(out: &mut dyn Write, recording: &Recording, root: &Path) -> io::Result<()> {
    writeln!(out, "A recorded agent works in {}", root.display())?;
    writeln!(out, "{QUIET}Its words are recorded; every call below happens now.{QUIET:#}")?;
    writeln!(out, "{QUIET}May run: {}. Task: {}{QUIET:#}\n", recording.allow.join(", "), recording.task)
}

/// What the agent is about to do.
pub(crate) fn call(out: &mut dyn Write, number: usize, of: usize, step: &Step) -> io::Result<()> {
    writeln!(out, "{QUIET}{number:>2}/{of}{QUIET:#}  {THOUGHT}“{}”{THOUGHT:#}", step.thought)?;
    writeln!(out, "       {CALL}{}{CALL:#} {}", step.tool, arguments(&step.arguments))
}

/// What came of it.
pub(crate) fn outcome(out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
    match &outcome.answer {
        Ok(result) => {
            writeln!(out, "       {YES}allowed{YES:#}{}", ending(result))?;
            let style = if result["diff"].is_string() { of_diff } else { plain };
            lines(out, &shown(result), style)?;
        }
        Err(failure) => refusal(out, failure)?,
    }
    if let Some(surprise) = &outcome.surprise {
        writeln!(out, "       {NO}not as recorded:{NO:#} {surprise}")?;
    }
    writeln!(out)
}

/// The sum of it all.
pub(crate) fn closing(out: &mut dyn Write, played: &[Outcome]) -> io::Result<()> {
    let refused = played.iter().filter(|outcome| outcome.answer.is_err()).count();
    let surprises = played.iter().filter(|outcome| outcome.surprise.is_some()).count();
    writeln!(out, "{} calls: {} allowed, {refused} refused.", played.len(), played.len() - refused)?;
    if surprises > 0 {
        return writeln!(out, "{NO}{surprises} of them did not end as recorded.{NO:#}");
    }
    writeln!(out, "To let a real agent in: pinfold mcp DIR --allow git,cargo")
}

fn refusal(out: &mut dyn Write, failure: &Failure) -> io::Result<()> {
    let reason = serde_json::to_value(failure.details().reason).unwrap_or_default();
    let reason = reason.as_str().map(|reason| format!(", {reason}")).unwrap_or_default();
    writeln!(out, "       {NO}refused{NO:#} ({}{reason})", failure.failure_type().as_str())?;
    lines(out, failure.message(), plain)?;
    failure.advice().map_or(Ok(()), |advice| lines(out, &format!("→ {advice}"), plain))
}

fn lines(out: &mut dyn Write, text: &str, style: fn(&str) -> Style) -> io::Result<()> {
    let all: Vec<&str> = text.trim_end().lines().collect();
    for line in all.iter().take(MAX_LINES) {
        let style = style(line);
        writeln!(out, "       {QUIET}│{QUIET:#} {style}{line}{style:#}")?;
    }
    if all.len() > MAX_LINES {
        writeln!(out, "       {QUIET}│ … {} more lines{QUIET:#}", all.len() - MAX_LINES)?;
    }
    Ok(())
}

fn plain(_line: &str) -> Style {
    Style::new()
}

fn of_diff(line: &str) -> Style {
    match line.as_bytes() {
        [b'+', ..] => ADDED,
        [b'-', ..] => REMOVED,
        _ => Style::new(),
    }
}

fn arguments(arguments: &Map<String, Value>) -> String {
    let shown = arguments.iter().map(|(name, value)| {
        let text = value.to_string();
        if text.chars().count() <= MAX_ARGUMENT_CHARS {
            return format!("{name}: {text}");
        }
        format!("{name}: {}…", text.chars().take(MAX_ARGUMENT_CHARS).collect::<String>())
    });
    shown.collect::<Vec<_>>().join("  ")
}

/// How a command ended, if the result is about one.
fn ending(result: &Value) -> String {
    result["exitCode"].as_i64().map(|code| format!(", exit code {code}")).unwrap_or_default()
}

/// What a person wants to see of a result, told by its fields: a text, a diff, names, matches, output.
fn shown(result: &Value) -> String {
    for field in ["diff", "content"] {
        if let Some(text) = result[field].as_str() {
            return text.to_owned();
        }
    }
    if let Some(entries) = result["entries"].as_array() {
        return each(entries, |entry| {
            let mark = if entry["type"] == "directory" { "/" } else { "" };
            format!("{}{mark}", text(&entry["path"]))
        });
    }
    if let Some(matches) = result["matches"].as_array() {
        return each(matches, |found| {
            format!("{}:{}: {}", text(&found["path"]), found["line"], text(&found["text"]))
        });
    }
    if let Some(output) = result["stdout"].as_str() {
        return format!("{output}{}", text(&result["stderr"]));
    }
    result.to_string()
}

fn each(values: &[Value], line: impl Fn(&Value) -> String) -> String {
    values.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
