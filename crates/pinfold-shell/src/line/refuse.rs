//! What is said of a line that is not read.

use std::ops::Range;

use crate::{
    refusal::{Reason, Refusal},
    shown::shown,
};

/// A construct that is not read.
pub(super) fn unsupported(what: &str, line: &str, span: Range<usize>, hint: &str) -> Refusal {
    // At the end of the line there is only what stands before.
    let start = if span.start < line.len() { span.start } else { line.len().saturating_sub(1) };
    let span =
        line.floor_char_boundary(start)..line.ceil_char_boundary(span.end.max(start + 1).min(line.len()));
    let message = format!(
        "This is not read, since shells differ in it or it hides what runs: {what}, {}.",
        shown(&line[span.clone()])
    );
    Refusal::new(Reason::UnsupportedSyntax, message).with_hint(hint).at(span)
}

/// Something that is opened and never closed.
pub(super) fn unclosed(what: &str, line: &str, at: usize) -> Refusal {
    let message = format!("{what} that opens at {} is never closed.", shown(&line[at..]));
    Refusal::new(Reason::UnbalancedQuotes, message)
        .with_hint("Close it; a text with an apostrophe goes into double quotes: \"it's\".")
        .at(at..line.len())
}

/// A lone `&`.
pub(super) fn background(at: usize) -> Refusal {
    Refusal::new(Reason::NotAllowed, "`&` would leave a command running in the background of this line.")
        .with_hint("Leave it out; to run one thing after another use `;` or `&&`, and for something that keeps running start a background job, if the workspace offers them.")
        .at(at..at + 1)
}
