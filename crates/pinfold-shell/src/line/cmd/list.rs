//! Commands and the operators between them.

use super::{
    super::{
        MAX_COMMANDS,
        refuse::unsupported,
        tree::{AndOr, Command, Joint, Pipeline, Redirection, Script, Simple, Span, Word},
    },
    names, refuse_mixed,
};
use crate::refusal::{Reason, Refusal};

/// What stands between two commands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    /// `&`: one after the other.
    Then,
    And,
    Or,
    Pipe,
}

/// Reads from the left, once.
pub(super) struct Reader<'a> {
    pub(super) line: &'a str,
    pub(super) at: usize,
    commands: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(line: &'a str) -> Reader<'a> {
        Reader { line, at: 0, commands: 0 }
    }

    pub(super) fn script(mut self) -> Result<Script, Refusal> {
        let mut items = Vec::new();
        loop {
            let (item, more) = self.and_or()?;
            refuse_mixed(&item, self.line)?;
            items.push(item);
            if !more {
                return Ok(Script { items });
            }
        }
    }

    /// One list, and whether `&` follows.
    fn and_or(&mut self) -> Result<(AndOr, bool), Refusal> {
        let (first, mut operator) = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            let joint = match operator {
                Some(Operator::And) => Joint::And,
                Some(Operator::Or) => Joint::Or,
                Some(Operator::Then | Operator::Pipe) => return Ok((AndOr { first, rest }, true)),
                None => return Ok((AndOr { first, rest }, false)),
            };
            let (pipeline, next) = self.pipeline()?;
            rest.push((joint, pipeline));
            operator = next;
        }
    }

    /// One pipeline, and the operator behind it.
    fn pipeline(&mut self) -> Result<(Pipeline, Option<Operator>), Refusal> {
        let mut stages = Vec::new();
        loop {
            stages.push(Command::Simple(self.simple()?));
            let operator = self.operator();
            if operator != Some(Operator::Pipe) {
                return Ok((Pipeline { negated: false, stages }, operator));
            }
        }
    }

    fn operator(&mut self) -> Option<Operator> {
        let rest = &self.line[self.at..];
        let all = [("&&", Operator::And), ("||", Operator::Or), ("&", Operator::Then), ("|", Operator::Pipe)];
        let (text, operator) = all.into_iter().find(|(text, _)| rest.starts_with(text))?;
        self.at += text.len();
        Some(operator)
    }

    fn simple(&mut self) -> Result<Simple, Refusal> {
        self.commands += 1;
        self.blanks();
        let start = self.at;
        let (mut words, mut redirections) = (Vec::new(), Vec::new());
        loop {
            self.blanks();
            match self.peek() {
                None | Some('&' | '|') => break,
                Some('<' | '>') => redirections.push(self.redirection(None)?),
                Some(c) if c.is_ascii_digit() && matches!(self.second(), Some('<' | '>')) => {
                    self.at += 1;
                    redirections.push(self.redirection(Some(c))?);
                }
                Some(_) => words.push(self.word()?),
            }
        }
        self.finished(start, words, redirections)
    }

    fn finished(
        &self,
        start: usize,
        words: Vec<Word>,
        redirections: Vec<Redirection>,
    ) -> Result<Simple, Refusal> {
        if self.commands > MAX_COMMANDS {
            let hint = "Run the parts as separate commands.";
            return Err(unsupported("more commands than are read", self.line, start..self.at, hint));
        }
        if words.is_empty() && start == self.line.len() && self.commands == 1 {
            return Err(Refusal::new(Reason::NotAllowed, "The command line holds no command.")
                .with_hint("Name a program and its arguments, such as `git status`."));
        }
        if words.is_empty() {
            let hint = "Write a command between two operators, and one behind the last.";
            return Err(unsupported("no command where one should stand", self.line, start..self.at, hint));
        }
        let words = names::command(words, self.line)?;
        Ok(Simple { assignments: Vec::new(), words, redirections, span: Span(start..self.at) })
    }

    pub(super) fn blanks(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.at += 1;
        }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.line[self.at..].chars().next()
    }

    pub(super) fn second(&self) -> Option<char> {
        self.line[self.at..].chars().nth(1)
    }
}
