//! A line read as every shell would read it: sh mode.
//!
//! The language is smaller than POSIX: lists, pipelines, subshells, simple commands, redirections, here-documents and the
//! harmless expansions. Whatever dash, bash, bash in POSIX mode and busybox ash read differently is refused with its name
//! and place, never guessed. The rules were found by running lines in these four shells.
//!
//! | file | production |
//! |---|---|
//! | `cursor` | characters; a backslash before a newline is taken away here |
//! | `list`, `command` | lists, pipelines, subshells, simple commands |
//! | `word`, `expansion` | words with their quotes; what begins with `$` or a backtick |
//! | `redirection`, `heredoc` | redirections and the bodies behind the line |
//! | `print` | the tree as text again |

pub mod cmd;
mod command;
mod cursor;
mod expansion;
mod heredoc;
mod list;
mod print;
mod redirection;
mod refuse;
pub mod tree;
mod word;

use std::fmt;

use crate::{
    argv::MAX_LINE_BYTES,
    refusal::{Reason, Refusal},
    shown::shown,
};
use cursor::Reader;
use tree::{Body, BodyId, Script};

/// Brackets, quotes and substitutions inside one another that are read at most.
pub const MAX_DEPTH: usize = 32;

/// Simple commands of a line that are read at most.
pub const MAX_COMMANDS: usize = 1_000;

/// Proof that a whole line was read, nothing skipped. Made only by [`Line::parse`].
///
/// Two lines are equal when they mean the same tree; where its parts stood does not count. Printing one and reading that
/// gives an equal one.
#[derive(Debug)]
pub struct Line {
    text: String,
    script: Script,
    bodies: Vec<Body>,
}

impl Line {
    /// Reads `line`, or refuses it as a whole.
    ///
    /// # Errors
    /// - [`Reason::UnbalancedQuotes`]: a quote, bracket, `$(`, backtick, `${` or here-document that is never closed.
    /// - [`Reason::UnsupportedSyntax`]: a construct that is not read, over 64 KiB, [`MAX_DEPTH`] or [`MAX_COMMANDS`].
    /// - [`Reason::NotAllowed`]: `&`, or no command at all.
    pub fn parse(line: &str) -> Result<Line, Refusal> {
        if line.len() > MAX_LINE_BYTES {
            let message = format!(
                "The command line is {} bytes long; at most {MAX_LINE_BYTES} are read: {}.",
                line.len(),
                shown(line)
            );
            return Err(Refusal::new(Reason::UnsupportedSyntax, message)
                .with_hint("Write long input to a file with write_file and name the file."));
        }
        // bash keeps marks of its own under these two.
        if let Some(at) = line.find(['\0', '\u{1}', '\u{7f}']) {
            return Err(refuse::unsupported(
                "a control character",
                line,
                at..at + 1,
                "Leave it out, or put the data into a file.",
            ));
        }
        let mut reader = Reader::new(line);
        let script = reader.script(cursor::Closer::End)?;
        if script.items.is_empty() {
            return Err(Refusal::new(Reason::NotAllowed, "The command line holds no command.")
                .with_hint("Name a program and its arguments, such as `git status`."));
        }
        let bodies = reader.finish()?;
        Ok(Line { text: line.to_owned(), script, bodies })
    }

    /// The text, exactly as it was read: what a shell is given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The list that the line is.
    pub fn script(&self) -> &Script {
        &self.script
    }

    /// The body of a here-document.
    pub(crate) fn body(&self, id: BodyId) -> Option<&Body> {
        self.bodies.get(id.0)
    }
}

impl PartialEq for Line {
    fn eq(&self, other: &Line) -> bool {
        // The printed form holds the bodies in the order of the tree.
        self.script == other.script && self.to_string() == other.to_string()
    }
}

impl Eq for Line {}

/// The tree as text: other blanks and quotes than in the original, the same meaning.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print::line(f, &self.script, &self.bodies)
    }
}
