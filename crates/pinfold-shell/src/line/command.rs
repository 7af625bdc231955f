//! Commands: simple ones and subshells (XCU 2.9.1, 2.9.4).

use super::{
    cursor::{Closer, Reader, ends_word},
    refuse,
    tree::{Assignment, Command, Piece, Redirection, Simple, Word},
};
use crate::refusal::Refusal;

/// Words that begin or end a compound command in one shell at least.
const RESERVED: &[&str] = &[
    "if", "then", "elif", "else", "fi", "do", "done", "case", "esac", "while", "until", "for", "in", "{",
    "}", "[[", "]]", "function", "select", "coproc", "!",
];

impl Reader<'_> {
    pub(super) fn command(&mut self) -> Result<Command, Refusal> {
        match self.peek() {
            Some('(') => self.subshell(),
            Some(c) if ends_word(c) && !matches!(c, '<' | '>') => Err(self.stray()),
            None => Err(self.stray()),
            _ => self.simple().map(Command::Simple),
        }
    }

    fn subshell(&mut self) -> Result<Command, Refusal> {
        let start = self.at;
        self.take();
        if self.peek() == Some('(') {
            let hint = "Put a blank between two brackets; arithmetic is not read.";
            return Err(self.unsupported("`((`", start..self.at + 1, hint));
        }
        let waiting = self.pending.len();
        let script = self.deeper(|it| it.script(Closer::Bracket))?;
        if let Some(open) = self.pending.get(waiting) {
            return Err(refuse::unclosed("The here-document", self.text, open.at));
        }
        if !self.eat(')') {
            return Err(refuse::unclosed("The bracket", self.text, start));
        }
        if script.items.is_empty() {
            return Err(self.unsupported("empty brackets", start..self.at, "Leave them out."));
        }
        let mut redirections = Vec::new();
        loop {
            self.blanks()?;
            match self.redirection()? {
                Some(redirection) => redirections.push(redirection),
                None => break,
            }
        }
        match self.peek() {
            Some(c) if !ends_word(c) || c == '(' => {
                let hint = "Put `;` or `&&` between them.";
                Err(self.unsupported("a word behind `)`", self.at..self.at + 1, hint))
            }
            _ => Ok(Command::Subshell { script, redirections }),
        }
    }

    fn simple(&mut self) -> Result<Simple, Refusal> {
        let start = self.at;
        self.count_command(start)?;
        let (mut assignments, mut words) = (Vec::new(), Vec::<Word>::new());
        let mut redirections: Vec<Redirection> = Vec::new();
        let mut end = start;
        loop {
            self.blanks()?;
            if let Some(redirection) = self.redirection()? {
                redirections.push(redirection);
            } else if self.peek() == Some('(') {
                return Err(self.stray());
            } else if self.peek().is_none_or(ends_word) {
                break;
            } else {
                let word = self.word()?;
                self.refuse_descriptor_variable(&word)?;
                match words.is_empty().then(|| self.assignment(&word)).transpose()?.flatten() {
                    Some((name, skip)) => assignments.push(Assignment { name, value: without(word, skip) }),
                    None => words.push(word),
                }
                if let [first] = &words[..] {
                    self.refuse_reserved(first)?;
                }
            }
            end = self.at;
        }
        let span = super::tree::Span(start..end);
        Ok(Simple { assignments, words, redirections, span })
    }

    /// `{name}>file` of bash.
    fn refuse_descriptor_variable(&mut self, word: &Word) -> Result<(), Refusal> {
        let braced = matches!(word.pieces.last(), Some(Piece::Plain(part)) if part.ends_with('}'));
        if braced && matches!(self.peek(), Some('<' | '>')) {
            let hint = "Put a blank before the redirection.";
            return Err(self.unsupported("a variable for a descriptor", word.span.range(), hint));
        }
        Ok(())
    }

    /// The name of an assignment, and the bytes that it takes with its `=`.
    fn assignment(&self, word: &Word) -> Result<Option<(String, usize)>, Refusal> {
        let Some(Piece::Plain(part)) = word.pieces.first() else { return Ok(None) };
        let letters = part.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        if letters == 0 || part.as_bytes()[0].is_ascii_digit() {
            return Ok(None);
        }
        match part.as_bytes().get(letters) {
            Some(b'=') => Ok(Some((part[..letters].to_owned(), letters + 1))),
            Some(b'[') => Err(self.unsupported(
                "an element of an array",
                word.span.range(),
                "Quote the word if it is meant as a name; arrays are not read.",
            )),
            Some(b'+') if part.as_bytes().get(letters + 1) == Some(&b'=') => Err(self.unsupported(
                "`+=`",
                word.span.range(),
                "Write the whole value: `NAME=\"$NAME more\"`.",
            )),
            _ => Ok(None),
        }
    }

    fn refuse_reserved(&self, word: &Word) -> Result<(), Refusal> {
        let [Piece::Plain(part)] = &word.pieces[..] else { return self.refuse_bang(word) };
        if !RESERVED.contains(&part.as_str()) {
            return self.refuse_bang(word);
        }
        let what = match part.as_str() {
            "{" | "}" => "a group in braces",
            "[[" | "]]" => "`[[ … ]]`",
            "!" => "`!` at this place",
            _ => "a compound command",
        };
        let hint = match part.as_str() {
            "{" | "}" => "Use `( … )`, or run the commands one after the other.",
            "[[" | "]]" => "Use `[ … ]` or `test`.",
            "for" | "while" | "until" | "do" | "done" | "select" => {
                "Run the commands one by one, or use `find … -exec`."
            }
            _ => "Use `&&` and `||`, or several calls.",
        };
        Err(self.unsupported(what, word.span.range(), hint))
    }

    /// `!x` is a name to some shells and a negation to others.
    fn refuse_bang(&self, word: &Word) -> Result<(), Refusal> {
        match word.pieces.first() {
            Some(Piece::Plain(part)) if part.starts_with('!') => {
                let hint = "Put a blank behind `!`, or quote it.";
                Err(self.unsupported("`!` without a blank", word.span.range(), hint))
            }
            _ => Ok(()),
        }
    }
}

/// The word without its first `skip` bytes, which are plain.
fn without(mut word: Word, skip: usize) -> Word {
    let empty = match word.pieces.first_mut() {
        Some(Piece::Plain(part)) => {
            part.drain(..skip);
            part.is_empty()
        }
        _ => false,
    };
    if empty {
        word.pieces.remove(0);
    }
    word
}
