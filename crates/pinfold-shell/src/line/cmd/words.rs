//! Words with their quotes, and redirections.

use super::{
    super::{
        refuse::{unclosed, unsupported},
        tree::{Piece, Redirection, Span, Target, Word},
    },
    list::Reader,
    names,
};
use crate::refusal::Refusal;

impl Reader<'_> {
    /// A word up to a blank or an operator. It is not empty.
    pub(super) fn word(&mut self) -> Result<Word, Refusal> {
        let start = self.at;
        let mut pieces = Vec::new();
        loop {
            match self.peek() {
                None | Some(' ' | '\t' | '&' | '|' | '<' | '>') => break,
                Some('"') => pieces.push(Piece::Quoted(self.quoted(start)?)),
                // Nothing is expanded: a `*` is for the program.
                Some(_) => pieces.push(Piece::Quoted(self.plain()?)),
            }
        }
        let digit_behind_quote = match &self.line.as_bytes()[start..self.at] {
            [.., b'"', digit] => digit.is_ascii_digit(),
            _ => false,
        };
        if digit_behind_quote && matches!(self.peek(), Some('<' | '>')) {
            let hint = "Put a blank before the digit.";
            return Err(self.refused("a digit between a quote and a redirection", hint));
        }
        Ok(Word { pieces, span: Span(start..self.at) })
    }

    /// Characters outside quotes.
    fn plain(&mut self) -> Result<String, Refusal> {
        let mut text = String::new();
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '&' | '|' | '<' | '>' | '"' => break,
                '%' | '!' | '^' | '(' | ')' | ';' | ',' => return Err(self.special(c)),
                _ => text.push(c),
            }
            self.at += c.len_utf8();
        }
        Ok(text)
    }

    /// What stands between two `"`. Programs read a backslash before the second one, and two in a row, as a quote that is
    /// meant; `cmd.exe` does not.
    fn quoted(&mut self, word: usize) -> Result<String, Refusal> {
        let open = self.at;
        self.at += 1;
        let mut text = String::new();
        while let Some(c) = self.peek() {
            match c {
                '"' if text.ends_with('\\') => {
                    return Err(self.refused("a backslash before a quote", "Leave the backslash out."));
                }
                '"' => {
                    self.at += 1;
                    return match self.peek() {
                        Some('"') => Err(self.refused(
                            "two quotes in a row",
                            "Leave the quote out, or put the text into a file.",
                        )),
                        _ => Ok(text),
                    };
                }
                '%' | '!' | '^' => return Err(self.special(c)),
                _ => text.push(c),
            }
            self.at += c.len_utf8();
        }
        Err(unclosed("A quote", self.line, open.max(word)))
    }

    /// `<`, `>` or `>>` and a file, or `2>&1`. The digit was taken.
    pub(super) fn redirection(&mut self, descriptor: Option<char>) -> Result<Redirection, Refusal> {
        let start = self.at - descriptor.map_or(0, char::len_utf8);
        let rest = &self.line[self.at..];
        let operator = [">>", ">&", "<&", ">", "<"].into_iter().find(|text| rest.starts_with(text));
        let operator = operator.unwrap_or("<");
        self.at += operator.len();
        if descriptor
            .is_some_and(|digit| !matches!((digit, operator), ('1' | '2', ">" | ">>" | ">&") | ('0', "<")))
        {
            return Err(self.refused("a descriptor other than 0, 1 and 2", "Leave the digit out."));
        }
        let target = match operator {
            ">&" => self.joined(descriptor)?,
            "<&" => return Err(self.refused("`<&`", "Name a file to read from.")),
            _ => {
                self.blanks();
                if matches!(self.peek(), None | Some('&' | '|' | '<' | '>')) {
                    return Err(self.refused("a redirection without a file", "Name the file behind it."));
                }
                let word = self.word()?;
                Target::File(operator, names::file(word, self.line)?)
            }
        };
        Ok(Redirection { descriptor, target, span: Span(start..self.at) })
    }

    /// `2>&1` and `1>&2`, with nothing right behind.
    fn joined(&mut self, descriptor: Option<char>) -> Result<Target, Refusal> {
        let digit = self.peek().filter(|digit| matches!(digit, '1' | '2'));
        let ends = matches!(self.second(), None | Some(' ' | '\t' | '&' | '|'));
        match digit.filter(|_| ends && descriptor.is_some()) {
            Some(digit) => {
                self.at += 1;
                Ok(Target::Descriptor(">&", digit))
            }
            None => Err(self.refused("a redirection to another descriptor", "Write `2>&1` or `1>&2`.")),
        }
    }

    fn special(&self, c: char) -> Refusal {
        let hint = match c {
            '%' | '!' | '^' => {
                "Leave it out, or put the text into a file and name the file: quotes do not stop it."
            }
            _ => "Put the word into double quotes if it is meant as text, or run the commands one by one.",
        };
        unsupported(
            "a character that `cmd.exe` reads for itself",
            self.line,
            self.at..self.at + c.len_utf8(),
            hint,
        )
    }

    fn refused(&self, what: &str, hint: &str) -> Refusal {
        unsupported(what, self.line, self.at.saturating_sub(1)..self.at, hint)
    }
}
