//! What is searched for: a text, or a regular expression that cannot match nothing.

use std::sync::Arc;

use grep_matcher::{LineTerminator, Match, Matcher, NoCaptures, NoError};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use memchr::memmem::Finder;

use crate::{Failure, FailureType, words::clipped};

/// Bytes that a compiled expression may take.
const SIZE_LIMIT: usize = 1 << 20;

/// A text, found at memory speed.
#[derive(Debug, Clone)]
pub(super) struct Text {
    finder: Arc<Finder<'static>>,
}

/// Reads `pattern` as the text itself.
pub(super) fn text(pattern: &str) -> Result<Text, Failure> {
    required(pattern)?;
    if pattern.contains('\n') {
        return Err(two_lines());
    }
    Ok(Text { finder: Arc::new(Finder::new(pattern.as_bytes()).into_owned()) })
}

impl Matcher for Text {
    type Captures = NoCaptures;
    type Error = NoError;

    fn find_at(&self, haystack: &[u8], at: usize) -> Result<Option<Match>, NoError> {
        let found = self.finder.find(&haystack[at..]);
        Ok(found.map(|from| Match::new(at + from, at + from + self.finder.needle().len())))
    }

    fn new_captures(&self) -> Result<NoCaptures, NoError> {
        Ok(NoCaptures::new())
    }

    fn line_terminator(&self) -> Option<LineTerminator> {
        Some(LineTerminator::crlf())
    }
}

/// Reads `pattern` as a regular expression. It takes linear time on every text, whatever its shape.
pub(super) fn compile(pattern: &str) -> Result<RegexMatcher, Failure> {
    required(pattern)?;
    let parsed = regex_syntax::parse(pattern).map_err(|error| bad(pattern, &error))?;
    if parsed.properties().minimum_len() == Some(0) {
        return Err(empty(pattern));
    }
    RegexMatcherBuilder::new()
        .multi_line(true)
        .crlf(true)
        .size_limit(SIZE_LIMIT)
        .dfa_size_limit(SIZE_LIMIT)
        .build(pattern)
        .map_err(|error| not_compiled(pattern, &error.to_string()))
}

fn required(pattern: &str) -> Result<(), Failure> {
    if pattern.is_empty() {
        return Err(Failure::new(FailureType::BadArguments, "`pattern` is required, and was left empty.")
            .hint("Give the text to search for."));
    }
    Ok(())
}

fn two_lines() -> Failure {
    Failure::new(
        FailureType::BadArguments,
        "`pattern` holds a line break, and lines are searched one by one.",
    )
    .hint("Search for a text of one line.")
}

fn empty(pattern: &str) -> Failure {
    let pattern = clipped(pattern);
    Failure::new(
        FailureType::BadArguments,
        format!("The pattern `{pattern}` cannot match empty text, and it does."),
    )
    .hint("Let it match at least one character, such as `a+` for `a*`, or `^.` for `^`.")
}

fn bad(pattern: &str, error: &regex_syntax::Error) -> Failure {
    let why = match error {
        regex_syntax::Error::Parse(error) => error.kind().to_string(),
        regex_syntax::Error::Translate(error) => error.kind().to_string(),
        _ => "it cannot be read".to_owned(),
    };
    let pattern = clipped(pattern);
    Failure::new(
        FailureType::BadArguments,
        format!("The pattern `{pattern}` is no regular expression: {why}."),
    )
    .hint("Put `\\` before a character that is meant itself, or leave `mode` out to search for the text.")
}

fn not_compiled(pattern: &str, why: &str) -> Failure {
    let pattern = clipped(pattern);
    if why.contains("size limit") {
        let message = format!("The pattern `{pattern}` is too large once compiled.");
        return Failure::new(FailureType::UnsafePattern, message).hint("Use smaller counts in `{…}`.");
    }
    Failure::new(FailureType::BadArguments, format!("The pattern `{pattern}` cannot be searched for: {why}."))
        .hint("Lines are searched one by one: leave `\\n` out.")
}
