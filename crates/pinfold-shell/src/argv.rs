//! A line read as plain words: argv mode, no shell.
//!
//! Quoting follows POSIX XCU 2.2, without everything that a shell does afterwards: nothing is expanded, and an
//! operator outside quotes refuses the whole line instead of being given a meaning.

mod advice;
mod scan;

use std::ops::Range;

use crate::{
    refusal::{Reason, Refusal},
    shown::shown,
};

/// Longest line that is read, in bytes: 64 KiB.
pub const MAX_LINE_BYTES: usize = 64 * 1024;

/// What to do instead of changing the directory; also for a bare `cd`.
pub(crate) const CD_HINT: &str = "Every command starts in the workspace's root unless `cwd` says otherwise: give paths \
    relative to it, pass the directory as `cwd`, or use the program's own option, such as `git -C DIR`.";

/// Proof that a whole line was read as words, nothing skipped. Made only by [`Argv::parse`].
///
/// There is at least one word, and the first is not empty.
#[derive(Debug, PartialEq, Eq)]
pub struct Argv {
    words: Vec<String>,
    spans: Vec<Range<usize>>,
}

impl Argv {
    /// Reads `line` as the words of one command.
    ///
    /// Space and tab separate words; other blanks of Unicode are ordinary characters. `'…'` is literal. In `"…"` a
    /// backslash escapes only `$`, `` ` ``, `"`, `\` and a newline (which goes away with it, XCU 2.2.3); `$` and
    /// `` ` `` are literal there, since no shell will see them. Outside quotes a backslash makes the next character
    /// literal. `*`, `?`, `~`, `#`, `{` and `!` are ordinary.
    ///
    /// # Errors
    /// - [`Reason::UnsupportedSyntax`]: longer than [`MAX_LINE_BYTES`].
    /// - [`Reason::UnbalancedQuotes`]: an open quote, or a backslash at the very end.
    /// - [`Reason::Metacharacter`]: one of ``; & | < > ` $ ( )`` or CR or LF outside quotes (CR and LF also behind a
    ///   backslash), or NUL anywhere (execve(2) ends a word there).
    /// - [`Reason::NotAllowed`]: no word at all, or an empty first word.
    pub fn parse(line: &str) -> Result<Argv, Refusal> {
        refuse_size_and_nul(line)?;
        let scan = scan::scan(line);
        if let Some(open) = &scan.open {
            return Err(advice::unbalanced(line, open, &scan));
        }
        if !scan.operators.is_empty() {
            return Err(advice::operator(line, &scan));
        }
        match scan.words.first() {
            None => Err(Refusal::new(Reason::NotAllowed, "The command line is empty.")
                .with_hint("Name a program and its arguments.")),
            Some(first) if first.is_empty() => {
                Err(Refusal::new(Reason::NotAllowed, "The first word is empty, so it names no program.")
                    .with_hint("Leave the empty quotes out, or put the program's name in front."))
            }
            Some(_) => Ok(Argv { words: scan.words, spans: scan.spans }),
        }
    }

    /// The words: the program as it was written, then its arguments.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The words of a command of a line that was read as a whole in sh mode.
    pub(crate) fn of_line(words: Vec<String>, spans: Vec<Range<usize>>) -> Argv {
        Argv { words, spans }
    }

    /// Where word `index` stands in the line, in bytes, with its quotes. Empty when there is no such word.
    pub fn span(&self, index: usize) -> Range<usize> {
        self.spans.get(index).cloned().unwrap_or(0..0)
    }

    pub(crate) fn into_words(self) -> Vec<String> {
        self.words
    }
}

fn refuse_size_and_nul(line: &str) -> Result<(), Refusal> {
    if line.len() > MAX_LINE_BYTES {
        let message = format!(
            "The command line is {} bytes long; at most {MAX_LINE_BYTES} are read: {}.",
            line.len(),
            shown(line)
        );
        return Err(Refusal::new(Reason::UnsupportedSyntax, message)
            .with_hint("Write long input to a file with write_file and name the file."));
    }
    match line.find('\0') {
        None => Ok(()),
        Some(at) => Err(Refusal::new(Reason::Metacharacter, "The command line holds a NUL character.")
            .with_hint("No argument can carry one: leave it out, or put the data into a file.")
            .at(at..at + 1)),
    }
}
