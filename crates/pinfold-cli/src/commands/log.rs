//! `pinfold log FILE`: the calls of a workspace, for people.

use std::{
    io::{self, Write},
    process::ExitCode,
    thread,
    time::{Duration, SystemTime},
};

use anstyle::{AnsiColor, Style};
use pinfold::call_log::{Entry, Verdict};
use serde_json::Value;

use super::{Outcome, check::show::plain};
use crate::{
    arguments::{Ended, LogArguments},
    log_file::{Calls, Line},
    output,
};

/// How often a file that is followed is looked at.
const EVERY: Duration = Duration::from_millis(200);

/// Characters of what was asked that stand on one line.
const MOST_SHOWN: usize = 70;

const QUIET: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const ODD: Style = AnsiColor::Yellow.on_default();

pub(super) fn run(arguments: &LogArguments) -> Outcome {
    let mut calls = Calls::of(&arguments.file)?;
    loop {
        while let Some(line) = calls.next()? {
            if wanted(arguments, &line) && show(arguments, &line)?.is_none() {
                // Nobody reads any more.
                return Ok(ExitCode::SUCCESS);
            }
        }
        if !arguments.follow {
            return Ok(ExitCode::SUCCESS);
        }
        thread::sleep(EVERY);
        calls.rewind_if_cut()?;
    }
}

fn wanted(arguments: &LogArguments, line: &Line) -> bool {
    let Some(entry) = &line.entry else { return true };
    let recent = |since| age(entry).is_none_or(|age| age <= since);
    arguments.tool.as_ref().is_none_or(|tool| *tool == entry.tool)
        && arguments.verdict.is_none_or(|verdict| verdict.is(entry.verdict))
        && arguments.since.is_none_or(recent)
}

impl Ended {
    fn is(self, verdict: Verdict) -> bool {
        verdict
            == match self {
                Ended::Done => Verdict::Done,
                Ended::Refused => Verdict::Refused,
                Ended::Failed => Verdict::Failed,
                Ended::GivenUp => Verdict::GivenUp,
            }
    }
}

fn show(arguments: &LogArguments, line: &Line) -> io::Result<Option<()>> {
    output::coloured(|out| match &line.entry {
        _ if arguments.json => writeln!(out, "{}", line.text),
        None => writeln!(out, "{QUIET}{:>4}  is no call{QUIET:#}", line.number),
        Some(entry) => row(out, line.number, entry),
    })
}

/// Number, when, how it ended, what was asked, how long it took; below it why not.
pub(super) fn row(out: &mut dyn Write, number: usize, entry: &Entry) -> io::Result<()> {
    let style = match entry.verdict {
        Verdict::Done => GOOD,
        Verdict::Refused => BAD,
        Verdict::Failed | Verdict::GivenUp => ODD,
    };
    if let Some(lost) = entry.lost_before {
        writeln!(out, "{BAD}      {lost} calls before this one could not be written down{BAD:#}")?;
    }
    let when = age(entry).map_or_else(|| plain(&entry.at), ago);
    let asked = asked(entry);
    writeln!(
        out,
        "{QUIET}{number:>4}  {when:>8}{QUIET:#}  {style}{:8}{style:#}  {}  {asked}  {QUIET}{}, {} bytes{QUIET:#}",
        entry.verdict.as_str(),
        plain(&entry.tool),
        took(entry.ms),
        entry.bytes
    )?;
    let Some(refused) = &entry.refused else { return Ok(()) };
    let reason = refused.reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
    let rule = refused.rule.as_ref().map_or(String::new(), |rule| format!(", by {rule}"));
    let why = plain(&format!("{}/{}{reason}{rule}: {}", refused.kind, refused.r#type, refused.message));
    writeln!(out, "                {why}")
}

/// The argument that says most, or all of them.
fn asked(entry: &Entry) -> String {
    let told =
        ["command", "path", "pattern", "id"].iter().find_map(|name| entry.arguments.get(name)?.as_str());
    let text = match told {
        Some(text) => text.to_owned(),
        None if entry.arguments.as_object().is_some_and(serde_json::Map::is_empty) => String::new(),
        None => Value::to_string(&entry.arguments),
    };
    let text = plain(&text);
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn age(entry: &Entry) -> Option<Duration> {
    let at = humantime::parse_rfc3339(&entry.at).ok()?;
    Some(SystemTime::now().duration_since(at).unwrap_or_default())
}

fn ago(age: Duration) -> String {
    let seconds = age.as_secs();
    match seconds {
        0..=99 => format!("{seconds}s ago"),
        100..=5_999 => format!("{}m ago", seconds / 60),
        6_000..=359_999 => format!("{}h ago", seconds / 3_600),
        _ => format!("{}d ago", seconds / 86_400),
    }
}

fn took(ms: f64) -> String {
    if ms < 1_000.0 { format!("{ms:.1} ms") } else { format!("{:.1} s", ms / 1e3) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        for (seconds, text) in
            [(0, "0s ago"), (99, "99s ago"), (120, "2m ago"), (7_200, "2h ago"), (864_000, "10d ago")]
        {
            assert_eq!(ago(Duration::from_secs(seconds)), text);
        }
        assert_eq!((took(0.34).as_str(), took(61_234.0).as_str()), ("0.3 ms", "61.2 s"));
    }
}
