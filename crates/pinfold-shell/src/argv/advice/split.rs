//! Cuts a refused line into the commands that it was made of, for the proposal.

use super::super::scan::Scan;
use crate::shown::shown;

/// Commands that a proposal names at most; the rest is counted.
const MOST_NAMED: usize = 6;

/// Words of the shell that stand before a command.
const BEFORE_COMMANDS: &[&str] = &["if", "then", "elif", "else", "while", "until", "do", "!", "{"];

/// Words of the shell that stand alone.
const ALONE: &[&str] = &["fi", "done", "esac", "}", "then", "else", "do"];

/// Words of the shell behind which no command stands.
const NO_COMMAND: &[&str] = &["for", "case", "select", "function", "[["];

/// The commands of a refused line that can be run one by one.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Pieces {
    /// Each by its own text, without pipes and redirections.
    pub(super) commands: Vec<String>,
    /// There are others, which only a shell can read.
    more: bool,
}

impl Pieces {
    /// What to do, to be put behind "is not supported". `only` ends the sentence if there is just one command.
    pub(super) fn instead(&self, only: &str) -> String {
        match self.commands.as_slice() {
            [] if self.more => ": run one command at a time, without the syntax of a shell".to_owned(),
            [] => ", and there is no command beside it".to_owned(),
            [command] if !self.more => format!(": run {} {only}", shown(command)),
            _ => format!(": run {}, as separate commands", self.listed()),
        }
    }

    /// `a`, `a, then b`, `a, then b, then 7 more`.
    pub(super) fn listed(&self) -> String {
        let shown: Vec<String> =
            self.commands.iter().take(MOST_NAMED).map(|command| shown(command)).collect();
        let rest = match self.commands.len().saturating_sub(MOST_NAMED) {
            0 if self.more => ", then the rest without the syntax of a shell".to_owned(),
            0 => String::new(),
            count => format!(", then {count} more"),
        };
        shown.join(", then ") + &rest
    }
}

/// The commands between `;`, `&`, `&&`, `||` and line breaks.
pub(super) fn commands(line: &str, scan: &Scan) -> Pieces {
    let cuts = scan.operators.iter().filter(|(at, c)| separates(line, *at, *c));
    let mut pieces = Pieces::default();
    let mut start = 0;
    for (at, length) in cuts.map(|(at, c)| (*at, c.len_utf8())).chain([(line.len(), 0)]) {
        if start < at {
            add(&mut pieces, line, scan, start..at);
        }
        start = at + length;
    }
    pieces
}

fn add(pieces: &mut Pieces, line: &str, scan: &Scan, piece: std::ops::Range<usize>) {
    let text = line[piece.clone()].trim_matches([' ', '\t', '\\']);
    if text.is_empty() || ALONE.contains(&text) {
        return;
    }
    match plain(line, scan, piece) {
        Some(command) => pieces.commands.push(command),
        None => pieces.more = true,
    }
}

/// The command that the operator at byte `at` belongs to, or ends.
pub(super) fn command_at(line: &str, scan: &Scan, at: usize) -> Option<String> {
    let cuts = || scan.operators.iter().filter(|(other, c)| separates(line, *other, *c));
    let start = cuts().take_while(|(other, _)| *other < at).map(|(other, c)| other + c.len_utf8()).last();
    let end = cuts().find(|(other, _)| *other > at).map_or(line.len(), |(other, _)| *other);
    plain(line, scan, start.unwrap_or(0)..end)
}

/// The first program of a piece without its redirections, if it can be read without a shell then.
fn plain(line: &str, scan: &Scan, piece: std::ops::Range<usize>) -> Option<String> {
    let mut kept = String::new();
    let mut start = piece.start;
    // They are in the order of the line: of a long one no piece looks at all.
    let first = scan.operators.partition_point(|(at, _)| *at < piece.start);
    for &(at, c) in scan.operators[first..].iter().take_while(|(at, _)| *at < piece.end) {
        match c {
            _ if at < start => continue,
            '|' => {
                kept.push_str(&line[start..at]);
                return command(&kept);
            }
            '>' | '<' | '&' => {
                kept.push_str(without_descriptor(&line[start..at]));
                start = behind_target(line, at).min(piece.end);
            }
            _ => return None,
        }
    }
    kept.push_str(&line[start..piece.end]);
    command(&kept)
}

/// `2` in `2>` is no argument.
fn without_descriptor(text: &str) -> &str {
    let rest = text.trim_end_matches(|c: char| c.is_ascii_digit());
    if rest.is_empty() || rest.ends_with([' ', '\t']) { rest } else { text }
}

/// The end of the word that a redirection at `at` names.
fn behind_target(line: &str, at: usize) -> usize {
    let operator = line[at..].trim_start_matches(['>', '<', '&', '|']);
    let target = operator.trim_start_matches([' ', '\t']);
    let end = target.find([' ', '\t', '\n', ';', '|', '&', '<', '>']).unwrap_or(target.len());
    line.len() - target.len() + end
}

/// The text without words of the shell in front; nothing if none is left, or if it is not read without a shell.
fn command(text: &str) -> Option<String> {
    let mut text = text.trim_matches([' ', '\t', '\\', '\n', '\r']);
    while let Some((first, rest)) = text.split_once([' ', '\t'])
        && BEFORE_COMMANDS.contains(&first)
    {
        text = rest.trim_start();
    }
    let first = text.split([' ', '\t']).next().unwrap_or_default();
    let readable = !first.is_empty() && !NO_COMMAND.contains(&first) && !ALONE.contains(&first);
    readable.then(|| text.to_owned())
}

/// `&` in `>&` and `&>` belongs to a redirection, the second half of `&&` and `||` only makes an empty piece.
fn separates(line: &str, at: usize, c: char) -> bool {
    let beside = |other: char| line[..at].ends_with(other) || line[at + c.len_utf8()..].starts_with(other);
    match c {
        ';' | '\n' | '\r' => true,
        '&' => !line[..at].ends_with(['>', '<']) && !line[at + 1..].starts_with('>'),
        '|' => beside('|'),
        _ => false,
    }
}
