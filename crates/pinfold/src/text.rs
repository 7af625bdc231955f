//! Text in files, as bytes: where a text stands, what replaces it, what that changed, and why it was not found.
//!
//! All of it is pure, and linear in the file and in the text that is looked for. Nothing outside a replaced range is
//! ever changed: not its line endings, not bytes that are no UTF-8, not a byte order mark, not a missing last newline.
//!
//! | module | holds |
//! |---|---|
//! | [`encoding`] | bytes ⇄ text: UTF-16 is decoded, everything else stays bytes |
//! | [`ending`] | LF and CRLF, and folding one to the other |
//! | [`search`] | occurrences of a text: exact, or with line endings folded |
//! | [`splice`] | replacing them, new lines in the ending of their neighbourhood |
//! | [`change`] | what several replacements, one after another, come to |
//! | [`diff`] | that, as a unified diff |
//! | [`known`] | texts that were shown lately, to tell what changed since |
//! | [`lines`] | offsets and lines |
//! | [`patch`] | unified diffs and `*** Begin Patch` texts: read, and applied |
//! | [`style`] | the mark and endings that an overwritten file keeps |
//! | [`miss`] | why a text was not found, in words that make the next try succeed |

pub(crate) mod change;
pub(crate) mod diff;
pub(crate) mod encoding;
pub(crate) mod ending;
pub(crate) mod known;
pub(crate) mod lines;
pub(crate) mod miss;
pub(crate) mod patch;
pub(crate) mod search;
pub(crate) mod splice;
pub(crate) mod style;

#[cfg(test)]
mod laws;
