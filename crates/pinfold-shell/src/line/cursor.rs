//! The characters of a line, and where the reader stands in them.

use std::{mem, ops::Range};

use super::{
    MAX_COMMANDS, MAX_DEPTH, refuse,
    tree::{Body, BodyId, Span},
};
use crate::refusal::Refusal;

/// What ends a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Closer {
    /// The end of the text.
    End,
    /// `)`
    Bracket,
}

/// A here-document whose body comes after the next newline.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) id: BodyId,
    pub(super) delimiter: String,
    pub(super) quoted: bool,
    pub(super) strips: bool,
    pub(super) at: usize,
}

/// The one reader of a line. One pass from left to right.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    /// Where the part that is being read ends: the line, or what stands between two backticks.
    pub(super) end: usize,
    pub(super) pending: Vec<Pending>,
    /// Here-documents of what is around the substitution that is being read.
    pub(super) pending_outside: usize,
    pub(super) bodies: Vec<Option<Body>>,
    depth: usize,
    commands: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Reader<'a> {
        Reader {
            text,
            at: 0,
            end: text.len(),
            pending: Vec::new(),
            pending_outside: 0,
            bodies: Vec::new(),
            depth: 0,
            commands: 0,
        }
    }

    /// The bodies, once everything is read.
    pub(super) fn finish(self) -> Result<Vec<Body>, Refusal> {
        match self.pending.first() {
            Some(open) => Err(refuse::unclosed("The here-document", self.text, open.at)),
            None => Ok(self.bodies.into_iter().flatten().collect()),
        }
    }

    /// The next character; backslash and newline before it are gone (XCU 2.2.1).
    pub(super) fn peek(&mut self) -> Option<char> {
        while self.text[self.at..self.end].starts_with("\\\n") {
            self.at += 2;
        }
        self.here()
    }

    /// The next character, whatever it is.
    pub(super) fn here(&self) -> Option<char> {
        self.text[self.at..self.end].chars().next()
    }

    /// The character behind the next.
    pub(super) fn second(&mut self) -> Option<char> {
        let first = self.peek()?;
        let mut rest = &self.text[self.at + first.len_utf8()..self.end];
        while let Some(joined) = rest.strip_prefix("\\\n") {
            rest = joined;
        }
        rest.chars().next()
    }

    /// Takes the next character.
    pub(super) fn take(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Takes the next character if it is `wanted`.
    pub(super) fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    /// Passes over blanks, and over a comment behind them.
    pub(super) fn blanks(&mut self) -> Result<(), Refusal> {
        loop {
            match self.peek() {
                Some(' ' | '\t') => self.at += 1,
                Some('#') => {
                    let rest = &self.text[self.at..self.end];
                    self.at += rest.find('\n').unwrap_or(rest.len());
                    return Ok(());
                }
                Some('\r') => return Err(self.carriage_return()),
                _ => return Ok(()),
            }
        }
    }

    pub(super) fn carriage_return(&self) -> Refusal {
        self.unsupported(
            "a carriage return",
            self.at..self.at + 1,
            "End lines with a newline alone, and quote a carriage return that is meant.",
        )
    }

    /// One level deeper.
    pub(super) fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        if self.depth == MAX_DEPTH {
            let hint = "Run the innermost command by itself first.";
            return Err(self.unsupported(
                "more than 32 things inside one another",
                self.at..self.at + 1,
                hint,
            ));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// Inside brackets or a substitution.
    pub(super) fn is_nested(&self) -> bool {
        self.depth > 0
    }

    /// Reads a substitution: its here-documents are its own, and its newlines must not be those that others wait for.
    pub(super) fn inside<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let waiting = mem::take(&mut self.pending);
        self.pending_outside += waiting.len();
        let read = self.deeper(read)?;
        if let Some(open) = self.pending.first() {
            return Err(refuse::unclosed("The here-document", self.text, open.at));
        }
        self.pending_outside -= waiting.len();
        self.pending = waiting;
        Ok(read)
    }

    /// A newline that is no token: shells disagree about whether a here-document begins behind it.
    pub(super) fn newline_inside(&self) -> Result<(), Refusal> {
        if self.pending.is_empty() && self.pending_outside == 0 {
            return Ok(());
        }
        let hint = "Put the here-document last in the line.";
        Err(self.unsupported("a line break in quotes behind a here-document", self.at..self.at + 1, hint))
    }

    pub(super) fn count_command(&mut self, at: usize) -> Result<(), Refusal> {
        self.commands += 1;
        if self.commands > MAX_COMMANDS {
            let hint = "Put them into a script file, or run them in several lines.";
            return Err(self.unsupported("more than 1,000 commands", at..at + 1, hint));
        }
        Ok(())
    }

    pub(super) fn unsupported(&self, what: &str, span: Range<usize>, hint: &str) -> Refusal {
        refuse::unsupported(what, self.text, span, hint)
    }

    pub(super) fn span(&self, start: usize) -> Span {
        Span(start..self.at)
    }
}

/// Ends a word, unquoted.
pub(super) fn ends_word(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')')
}
