//! Results for people. What a file or a command says is shown as it is; what Pinfold says about it goes to standard
//! error.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use serde_json::Value;

const NAME: Style = AnsiColor::Cyan.on_default().bold();
const PLACE: Style = AnsiColor::Magenta.on_default();
const ADDED: Style = AnsiColor::Green.on_default();
const REMOVED: Style = AnsiColor::Red.on_default();
const QUIET: Style = Style::new().dimmed();

pub(super) fn entries(out: &mut dyn Write, err: &mut dyn Write, result: &Value) -> io::Result<()> {
    // They come level by level; people read trees.
    let mut entries: Vec<&Value> = list(result, "entries").iter().collect();
    entries.sort_by_key(|entry| text(entry, "path").split('/').map(str::to_owned).collect::<Vec<_>>());
    for entry in entries {
        let depth = entry["depth"].as_u64().unwrap_or(1).saturating_sub(1);
        let indent = "  ".repeat(usize::try_from(depth).unwrap_or_default());
        let path = text(entry, "path");
        let name = path.rsplit('/').next().unwrap_or(path);
        match text(entry, "type") {
            "directory" => writeln!(out, "{indent}{NAME}{name}/{NAME:#}")?,
            "symlink" => writeln!(out, "{indent}{name}@")?,
            _ => {
                let size = entry["size"].as_u64().map_or(String::new(), |size| format!("  {size} bytes"));
                writeln!(out, "{indent}{name}{QUIET}{size}{QUIET:#}")?;
            }
        }
    }
    note(err, result)?;
    cut(err, result, "there are more entries; look into a folder, or with less depth")
}

pub(super) fn content(out: &mut dyn Write, err: &mut dyn Write, result: &Value) -> io::Result<()> {
    let content = text(result, "content");
    write!(out, "{content}")?;
    if !content.is_empty() && !content.ends_with('\n') {
        writeln!(out)?;
    }
    let (end, total) = (&result["endLine"], &result["totalLines"]);
    match end.as_u64() {
        Some(last) if result["truncated"] == true => {
            writeln!(err, "{QUIET}line {end} of {total}; go on with --offset {}{QUIET:#}", last + 1)
        }
        _ => Ok(()),
    }
}

pub(super) fn matches(out: &mut dyn Write, err: &mut dyn Write, result: &Value) -> io::Result<()> {
    for found in list(result, "matches") {
        let (path, line) = (text(found, "path"), &found["line"]);
        writeln!(out, "{PLACE}{path}{PLACE:#}:{line}: {}", text(found, "text"))?;
    }
    if result["complete"] == false {
        let skipped = &result["skipped"];
        writeln!(err, "{QUIET}not everything was searched; skipped: {skipped}{QUIET:#}")?;
    }
    cut(err, result, "there are more matches; search in a folder, or for more")
}

pub(super) fn paths(out: &mut dyn Write, err: &mut dyn Write, result: &Value) -> io::Result<()> {
    for path in list(result, "paths") {
        writeln!(out, "{}", path.as_str().unwrap_or_default())?;
    }
    note(err, result)?;
    cut(err, result, "there are more paths; look in a folder, or for more")
}

pub(super) fn diff(out: &mut dyn Write, _err: &mut dyn Write, result: &Value) -> io::Result<()> {
    coloured_diff(out, text(result, "diff"))
}

/// A unified diff, its lines in the usual colours.
pub(crate) fn coloured_diff(out: &mut dyn Write, diff: &str) -> io::Result<()> {
    for line in diff.lines() {
        let style = match line.chars().next() {
            Some('+') => ADDED,
            Some('-') => REMOVED,
            Some('@') => QUIET,
            _ => Style::new(),
        };
        writeln!(out, "{style}{line}{style:#}")?;
    }
    Ok(())
}

pub(super) fn output(out: &mut dyn Write, err: &mut dyn Write, result: &Value) -> io::Result<()> {
    write!(out, "{}", text(result, "stdout"))?;
    write!(err, "{}", text(result, "stderr"))?;
    let told = match (&result["exitCode"], &result["signal"]) {
        _ if result["timedOut"] == true => Some(format!("timed out after {} ms", result["durationMs"])),
        _ if result["cancelled"] == true => Some("interrupted".to_owned()),
        (Value::Number(code), _) if code.as_u64() != Some(0) => Some(format!("exit status {code}")),
        (Value::Null, signal) if !signal.is_null() => Some(format!("ended by signal {signal}")),
        _ => None,
    };
    for line in told.iter().map(String::as_str).chain(result["note"].as_str()) {
        writeln!(err, "{QUIET}pinfold: {line}{QUIET:#}")?;
    }
    Ok(())
}

fn note(err: &mut dyn Write, result: &Value) -> io::Result<()> {
    match result["note"].as_str() {
        Some(note) => writeln!(err, "{QUIET}{note}{QUIET:#}"),
        None => Ok(()),
    }
}

fn cut(err: &mut dyn Write, result: &Value, what: &str) -> io::Result<()> {
    if result["truncated"] == true { writeln!(err, "{QUIET}{what}{QUIET:#}") } else { Ok(()) }
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}
