//! Refusals that teach: what was met, and what to run instead.

mod operators;
mod split;

use super::scan::{Open, Scan};
use crate::{
    refusal::{Reason, Refusal},
    shown::shown,
};

/// The refusal of an operator outside quotes; the first in the line decides what is said.
pub(super) fn operator(line: &str, scan: &Scan) -> Refusal {
    let (at, c) = scan.operators.first().copied().unwrap_or((0, ';'));
    let (message, hint) = operators::explain(line, scan, at, c);
    let end = at + operators::length(line, at, c);
    Refusal::new(Reason::Metacharacter, message).with_hint(hint).at(at..end)
}

/// The refusal of a quote that is never closed.
pub(super) fn unbalanced(line: &str, open: &Open, scan: &Scan) -> Refusal {
    let message = match open.mark {
        '\\' => "The line ends with a backslash that escapes nothing.".to_owned(),
        mark => {
            format!("The quote {mark} that opens before {} is never closed.", shown(&line[open.at + 1..]))
        }
    };
    let hint = match (open.mark, scan.operators.first()) {
        ('\\', _) => "Leave it out; a line does not go on below.".to_owned(),
        ('\'', None) => "Close it, or put a text with an apostrophe into double quotes: \"it's\".".to_owned(),
        (_, None) => "Close it; inside double quotes write \\\" for a quote character.".to_owned(),
        (_, Some(&(at, c))) => {
            format!("Close it. Besides, {}", uncapitalized(&operators::explain(line, scan, at, c).0))
        }
    };
    Refusal::new(Reason::UnbalancedQuotes, message).with_hint(hint).at(open.at..line.len())
}

fn uncapitalized(sentence: &str) -> String {
    let mut chars = sentence.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}
