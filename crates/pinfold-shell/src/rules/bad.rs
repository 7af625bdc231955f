//! Rules that could never mean what they seem to say.

use thiserror::Error;

use crate::refusal::Refusal;

/// An entry of a rule that could never mean what it seems to say.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadRule {
    /// An entry is empty.
    #[error("`{list}` has an empty entry; leave it out.")]
    Empty {
        /// `allow` or `deny`.
        list: &'static str,
    },
    /// An entry has a blank in it, so it names a command, not a program.
    #[error("`{list}` names programs, not commands: `{entry}` has a blank in it, and would never match.")]
    Blank {
        /// `allow` or `deny`.
        list: &'static str,
        /// The entry.
        entry: String,
    },
    /// An entry has a wildcard in it. Names are compared letter by letter, so it would never match.
    #[error(
        "`{list}` names programs letter by letter: the wildcard in `{entry}` would never match. Use a pattern."
    )]
    Wildcard {
        /// `allow` or `deny`.
        list: &'static str,
        /// The entry.
        entry: String,
    },
    /// An entry of `deny` is a path. Rules for `deny` look at basenames, so that no other spelling of the path escapes.
    #[error("`deny` names programs by their last component: write `{name}` instead of `{entry}`.")]
    Path {
        /// The entry.
        entry: String,
        /// What to write.
        name: String,
    },
    /// A pattern cannot be read.
    #[error("The pattern `{pattern}` cannot be used: {why}.")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        why: String,
    },
    /// An example of an entry or a pattern does not do what it was written down for.
    #[error("The example `{line}` of `{entry}` is wrong: {why}.")]
    Example {
        /// The entry or pattern.
        entry: String,
        /// The example.
        line: String,
        /// What it does instead.
        why: String,
    },
}

/// Whether `entry` can be the name of a program.
pub(crate) fn validate(list: &'static str, entry: &str) -> Result<(), BadRule> {
    if entry.is_empty() {
        return Err(BadRule::Empty { list });
    }
    if entry.contains(['*', '?']) {
        return Err(BadRule::Wildcard { list, entry: entry.to_owned() });
    }
    if entry.contains(|c: char| c.is_ascii_whitespace() || c == '\0') {
        return Err(BadRule::Blank { list, entry: entry.to_owned() });
    }
    Ok(())
}

/// Whether the example `line` of `entry` did what was wanted.
pub(crate) fn tried(
    entry: &str,
    line: &str,
    found: Result<bool, Refusal>,
    wanted: bool,
) -> Result<(), BadRule> {
    let why = match found {
        Ok(found) if found == wanted => return Ok(()),
        Ok(true) => "it stands under `misses`, but it matches; change the rule, or the example".to_owned(),
        Ok(false) => {
            "it stands under `matches`, but it does not match; change the rule, or the example".to_owned()
        }
        Err(refusal) => refusal.message().trim_end_matches('.').to_owned(),
    };
    Err(BadRule::Example { entry: entry.to_owned(), line: line.to_owned(), why })
}
