//! Lists and pipelines (XCU 2.9.2, 2.9.3).

use super::{
    cursor::{Closer, Reader},
    refuse,
    tree::{AndOr, Joint, Pipeline, Script},
};
use crate::refusal::Refusal;

impl Reader<'_> {
    /// Lists up to `closer`, which is not taken.
    pub(super) fn script(&mut self, closer: Closer) -> Result<Script, Refusal> {
        let mut items = Vec::new();
        loop {
            self.blanks_and_newlines()?;
            if self.closes(closer)? {
                return Ok(Script { items });
            }
            items.push(self.and_or()?);
            self.blanks()?;
            match self.peek() {
                Some(';') => self.semicolon()?,
                Some('\n') | None => {}
                Some(')') if closer == Closer::Bracket => {}
                Some('&') => return Err(self.ampersand()),
                Some(_) => return Err(self.stray()),
            }
        }
    }

    fn closes(&mut self, closer: Closer) -> Result<bool, Refusal> {
        match (self.peek(), closer) {
            (None, _) => Ok(true),
            (Some(')'), Closer::Bracket) => Ok(true),
            (Some(')'), Closer::End) => Err(self.unsupported(
                "a `)` that closes nothing",
                self.at..self.at + 1,
                "Quote it, or leave it out.",
            )),
            _ => Ok(false),
        }
    }

    fn and_or(&mut self) -> Result<AndOr, Refusal> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.blanks()?;
            let joint = match (self.peek(), self.second()) {
                (Some('&'), Some('&')) => Joint::And,
                (Some('|'), Some('|')) => Joint::Or,
                _ => return Ok(AndOr { first, rest }),
            };
            self.take();
            self.take();
            self.blanks_and_newlines()?;
            rest.push((joint, self.pipeline()?));
        }
    }

    fn pipeline(&mut self) -> Result<Pipeline, Refusal> {
        let negated = self.bang()?;
        let mut stages = vec![self.command()?];
        loop {
            self.blanks()?;
            if self.peek() != Some('|') || self.second() == Some('|') {
                return Ok(Pipeline { negated, stages });
            }
            if self.second() == Some('&') {
                let hint = "Write `2>&1 |` instead.";
                return Err(self.unsupported("`|&`", self.at..self.at + 2, hint));
            }
            self.take();
            self.blanks_and_newlines()?;
            stages.push(self.command()?);
        }
    }

    /// `!` and a blank. Anything else that begins so means different things.
    fn bang(&mut self) -> Result<bool, Refusal> {
        if self.peek() != Some('!') || !matches!(self.second(), Some(' ' | '\t')) {
            return Ok(false);
        }
        self.take();
        self.blanks()?;
        Ok(true)
    }

    pub(super) fn blanks_and_newlines(&mut self) -> Result<(), Refusal> {
        loop {
            self.blanks()?;
            if self.peek() != Some('\n') {
                return Ok(());
            }
            self.newline()?;
        }
    }

    fn semicolon(&mut self) -> Result<(), Refusal> {
        let at = self.at;
        self.take();
        if matches!(self.peek(), Some(';' | '&' | '|')) {
            let hint = "One `;` stands between two commands.";
            return Err(self.unsupported("two operators in a row", at..at + 2, hint));
        }
        // `a; ;` is an error to every shell.
        self.blanks()?;
        match self.peek() {
            Some(';') => Err(self.stray()),
            _ => Ok(()),
        }
    }

    fn ampersand(&mut self) -> Refusal {
        match self.second() {
            Some('>') => self.unsupported("`&>`", self.at..self.at + 2, "Write `> FILE 2>&1` instead."),
            _ => refuse::background(self.at),
        }
    }

    /// Something that no command can be followed by.
    pub(super) fn stray(&mut self) -> Refusal {
        let hint = "Quote the character if it is meant as itself.";
        match self.peek() {
            None => self.unsupported(
                "a line that ends where a command should follow",
                self.at..self.at,
                "Write the rest of it.",
            ),
            Some('(') => self.unsupported(
                "a bracket behind a word, as of a function or an extended pattern",
                self.at..self.at + 1,
                hint,
            ),
            Some('&') => self.ampersand(),
            Some(c) => self.unsupported(
                "an operator where a command should stand",
                self.at..self.at + c.len_utf8(),
                hint,
            ),
        }
    }
}
