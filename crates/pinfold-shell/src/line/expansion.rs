//! Expansions: `$name`, `${…}`, `$(…)`, backticks (XCU 2.6).

use super::{
    cursor::{Closer, Reader},
    refuse,
    tree::{Form, Piece},
    word::{plain, quoted},
};
use crate::refusal::Refusal;

/// The operators that are read, longer ones first.
const OPERATORS: &[&str] = &[":-", "%%", "##", "%", "#"];

impl Reader<'_> {
    /// What begins with `$`.
    pub(super) fn dollar(&mut self, pieces: &mut Vec<Piece>, inside: bool) -> Result<(), Refusal> {
        let start = self.at;
        self.at += 1;
        match self.peek() {
            Some('(') => return self.substitution(pieces, inside, start),
            Some('{') => return self.braced(pieces, inside, start),
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                let name = self.name();
                pieces.push(Piece::Parameter { name, form: Form::Value, quoted: inside });
                return Ok(());
            }
            Some(c) if c.is_ascii_digit() || "@*#?-$!".contains(c) => {
                self.at += 1;
                pieces.push(Piece::Parameter { name: c.to_string(), form: Form::Value, quoted: inside });
                return Ok(());
            }
            Some(c @ ('\'' | '"')) if !inside => {
                let what = if c == '"' { "`$\"…\"`" } else { "`$'…'`" };
                let hint = "Use plain quotes; printf(1) writes special characters.";
                return Err(self.unsupported(what, start..self.at + 1, hint));
            }
            Some('[') => {
                let hint = "Arithmetic is not read; quote the `$` if it is meant as itself.";
                return Err(self.unsupported("`$[ … ]`", start..self.at + 1, hint));
            }
            Some('`' | '\\') => {
                let hint = "Quote the `$` if it is meant as itself.";
                return Err(self.unsupported("a `$` before this character", start..self.at + 1, hint));
            }
            _ => {}
        }
        quoted(pieces, "$");
        Ok(())
    }

    fn name(&mut self) -> String {
        let mut name = String::new();
        while let Some(c) = self.peek().filter(|c| c.is_ascii_alphanumeric() || *c == '_') {
            self.at += 1;
            name.push(c);
        }
        name
    }

    fn substitution(&mut self, pieces: &mut Vec<Piece>, inside: bool, start: usize) -> Result<(), Refusal> {
        self.take();
        if self.peek() == Some('(') {
            let hint = "Arithmetic is not read: compute with a program, or put a blank between two brackets.";
            return Err(self.unsupported("`$((`", start..self.at + 1, hint));
        }
        let script = self.inside(|it| it.script(Closer::Bracket))?;
        if !self.eat(')') {
            return Err(refuse::unclosed("The substitution", self.text, start));
        }
        if script.items.is_empty() {
            return Err(self.unsupported("an empty substitution", start..self.at, "Leave it out."));
        }
        pieces.push(Piece::Command { script, quoted: inside });
        Ok(())
    }

    /// Whatever stands up to the next backtick is a script of its own. Backslashes would be taken away first, in another
    /// way in double quotes than outside, so none is read.
    pub(super) fn backticks(&mut self, pieces: &mut Vec<Piece>, inside: bool) -> Result<(), Refusal> {
        let start = self.at;
        self.at += 1;
        let Some(length) = self.text[self.at..self.end].find('`') else {
            return Err(refuse::unclosed("The backtick", self.text, start));
        };
        let close = self.at + length;
        let text = &self.text[self.at..close];
        if text.contains('\\') || inside && text.contains('"') {
            let hint = "Write `$( … )` instead of backticks.";
            return Err(self.unsupported("a quote or backslash in backticks", start..close + 1, hint));
        }
        let end = std::mem::replace(&mut self.end, close);
        let script = self.inside(|it| it.script(Closer::End))?;
        self.end = end;
        self.at = close + 1;
        if script.items.is_empty() {
            return Err(self.unsupported("an empty substitution", start..self.at, "Leave it out."));
        }
        pieces.push(Piece::Command { script, quoted: inside });
        Ok(())
    }

    fn braced(&mut self, pieces: &mut Vec<Piece>, inside: bool, start: usize) -> Result<(), Refusal> {
        self.take();
        let long =
            self.peek() == Some('#') && self.second().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
        if long {
            self.take();
        }
        let name = self.name();
        let (digit, whole) =
            (name.starts_with(|c: char| c.is_ascii_digit()), name.bytes().all(|b| b.is_ascii_digit()));
        if self.peek().is_none() {
            return Err(refuse::unclosed("The `${`", self.text, start));
        }
        if name.is_empty() || digit && !whole {
            return Err(self.form(start));
        }
        let form = if long { Form::Length } else { self.operator(start, inside)? };
        match self.peek() {
            Some('}') => self.at += 1,
            None => return Err(refuse::unclosed("The `${`", self.text, start)),
            Some(_) => return Err(self.form(start)),
        }
        pieces.push(Piece::Parameter { name, form, quoted: inside });
        Ok(())
    }

    fn operator(&mut self, start: usize, inside: bool) -> Result<Form, Refusal> {
        let mut two = String::new();
        two.extend(self.peek());
        two.extend(self.second());
        if two.starts_with('}') {
            return Ok(Form::Value);
        }
        let Some(operator) = OPERATORS.iter().find(|operator| two.starts_with(**operator)) else {
            return Err(if two.is_empty() {
                refuse::unclosed("The `${`", self.text, start)
            } else {
                self.form(start)
            });
        };
        for _ in operator.chars() {
            self.take();
        }
        self.deeper(|it| it.default(start, inside)).map(|word| Form::With(operator, word))
    }

    /// The word of `${name:-word}`. Quotes in it pair differently in different shells, so there are none.
    fn default(&mut self, start: usize, inside: bool) -> Result<Vec<Piece>, Refusal> {
        let mut pieces = Vec::new();
        loop {
            match self.peek() {
                None => return Err(refuse::unclosed("The `${`", self.text, start)),
                Some('}') => return Ok(pieces),
                Some('$') => self.dollar(&mut pieces, inside)?,
                Some('`') => self.backticks(&mut pieces, inside)?,
                Some('\'' | '"' | '\\' | '{' | '\n' | '\r' | '(' | ')' | '<' | '>' | ';' | '&' | '|') => {
                    let hint = "Put the value into a variable first: `NAME=value; … \"${OTHER:-$NAME}\"`.";
                    return Err(self.unsupported(
                        "a quote or operator in `${ … }`",
                        start..self.at + 1,
                        hint,
                    ));
                }
                Some(c) => {
                    self.at += c.len_utf8();
                    plain(&mut pieces, c);
                }
            }
        }
    }

    fn form(&self, start: usize) -> Refusal {
        let hint =
            "Read are `${name}`, `${#name}`, `${name:-word}`, and `%`, `%%`, `#`, `##` with a pattern.";
        self.unsupported("this form of `${ … }`", start..self.at + 1, hint)
    }
}
