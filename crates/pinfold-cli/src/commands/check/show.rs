//! A verdict for people: the line, what is wrong in it, why, and what to do.

use std::{
    io::{self, Write},
    ops::Range,
};

use anstyle::{AnsiColor, Style};
use pinfold::Verdict;

use super::rule::Rule;

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const QUIET: Style = Style::new().dimmed();

/// Characters of a line that are shown; of a longer one the part around what is wrong.
const MOST_SHOWN: usize = 160;

/// Characters before what is wrong.
const BEFORE: usize = 40;

pub(in super::super) fn verdict(
    out: &mut dyn Write,
    line: &str,
    verdict: &Verdict,
    rule: Option<&Rule>,
) -> io::Result<()> {
    let (shown, marks) = underlined(line, verdict.span.clone());
    writeln!(out, "  {shown}")?;
    if !marks.trim().is_empty() {
        writeln!(out, "  {BAD}{marks}{BAD:#}")?;
    }
    if verdict.allowed {
        writeln!(out, "{GOOD}allowed{GOOD:#}")?;
        return commands(out, verdict);
    }
    let reason = verdict.reason.map_or("", |reason| reason.as_str());
    writeln!(out, "{BAD}refused{BAD:#}: {reason}")?;
    for text in [&verdict.message, &verdict.hint].into_iter().flatten().filter(|text| !text.is_empty()) {
        writeln!(out, "{text}")?;
    }
    match rule {
        Some(rule) => said_by(out, rule),
        None => Ok(()),
    }
}

/// The commands that were judged, each with its words apart.
fn commands(out: &mut dyn Write, verdict: &Verdict) -> io::Result<()> {
    for command in &verdict.commands {
        let words = command.argv.iter().map(|word| match word {
            Some(word) => format!("[{}]", plain(word)),
            None => "[…]".to_owned(),
        });
        let indent = if command.nested { "    " } else { "  " };
        writeln!(out, "{QUIET}{indent}{}{QUIET:#}", words.collect::<Vec<_>>().join(" "))?;
    }
    Ok(())
}

fn said_by(out: &mut dyn Write, rule: &Rule) -> io::Result<()> {
    let entry = rule.entry.as_ref().map_or(String::new(), |entry| format!(" = {}", plain(entry)));
    let place = rule.place.as_ref().map_or(String::new(), |place| format!(", {place}"));
    writeln!(out, "{QUIET}rule: {}{entry}{place}{QUIET:#}", rule.field)
}

/// The line on one row of the terminal, and the row of marks below it.
fn underlined(line: &str, span: Option<Range<usize>>) -> (String, String) {
    let span = span.unwrap_or(0..0);
    let before = line.char_indices().take_while(|(at, _)| *at < span.start).count();
    let first = if line.chars().count() > MOST_SHOWN { before.saturating_sub(BEFORE) } else { 0 };
    let mut shown = if first > 0 { "…".to_owned() } else { String::new() };
    let mut marks = " ".repeat(shown.chars().count());
    let mut pieces = line.char_indices().skip(first);
    for (at, c) in pieces.by_ref().take(MOST_SHOWN) {
        let piece = plain(c.encode_utf8(&mut [0; 4]));
        let mark = if span.contains(&at) { "^" } else { " " };
        marks.push_str(&mark.repeat(piece.chars().count()));
        shown.push_str(&piece);
    }
    if pieces.next().is_some() {
        shown.push('…');
    }
    (shown, marks.trim_end().to_owned())
}

/// Without control characters, which could paint over the terminal.
pub(in super::super) fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_below_what_they_mark() {
        let cases = [
            ("git add && ls", Some(8..10), "git add && ls", "        ^^"),
            ("a\n;b", Some(2..3), "a\\n;b", "   ^"),
            ("é rm", Some(3..5), "é rm", "  ^^"),
            ("ls", None, "ls", ""),
        ];
        for (line, span, shown, marks) in cases {
            assert_eq!(underlined(line, span), (shown.to_owned(), marks.to_owned()), "{line}");
        }
    }

    #[test]
    fn of_a_long_line_the_part_around_it_is_shown() {
        let line = format!("{};{}", "a".repeat(1_000), "b".repeat(1_000));
        let (shown, marks) = underlined(&line, Some(1_000..1_001));
        assert_eq!(shown.chars().count(), MOST_SHOWN + 2);
        assert_eq!(shown.chars().nth(marks.chars().count() - 1), Some(';'));
    }
}
