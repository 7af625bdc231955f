//! Words and their quotes (XCU 2.2).

use super::{
    cursor::{Reader, ends_word},
    refuse,
    tree::{Piece, Word},
};
use crate::refusal::Refusal;

impl Reader<'_> {
    /// The word that begins here. There is one.
    pub(super) fn word(&mut self) -> Result<Word, Refusal> {
        let start = self.at;
        // Pieces are large, and most words are one, or two where double quotes begin.
        let mut pieces = Vec::with_capacity(if self.peek() == Some('"') { 2 } else { 1 });
        while let Some(c) = self.peek() {
            match c {
                _ if ends_word(c) => break,
                '\r' => return Err(self.carriage_return()),
                '\'' => self.single(&mut pieces)?,
                '"' => self.double(&mut pieces)?,
                '\\' => self.escape(&mut pieces)?,
                '$' => self.dollar(&mut pieces, false)?,
                '`' => self.backticks(&mut pieces, false)?,
                _ => {
                    self.at += c.len_utf8();
                    plain(&mut pieces, c);
                }
            }
        }
        let word = Word { pieces, span: self.span(start) };
        self.refuse_braces(&word)?;
        self.refuse_tilde(&word)?;
        Ok(word)
    }

    fn single(&mut self, pieces: &mut Vec<Piece>) -> Result<(), Refusal> {
        let start = self.at;
        self.at += 1;
        let Some(length) = self.text[self.at..self.end].find('\'') else {
            return Err(refuse::unclosed("The quote `'`", self.text, start));
        };
        let text = &self.text[self.at..self.at + length];
        if text.contains('\n') {
            self.newline_inside()?;
        }
        quoted(pieces, text);
        self.at += length + 1;
        Ok(())
    }

    fn double(&mut self, pieces: &mut Vec<Piece>) -> Result<(), Refusal> {
        let start = self.at;
        self.at += 1;
        if self.peek() == Some('"') {
            quoted(pieces, "");
        }
        loop {
            match self.peek() {
                None => return Err(refuse::unclosed("The quote `\"`", self.text, start)),
                Some('"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some('\\') => self.escape_in_double(pieces, start)?,
                Some('$') => self.dollar(pieces, true)?,
                Some('`') => self.backticks(pieces, true)?,
                Some(c) => {
                    if c == '\n' {
                        self.newline_inside()?;
                    }
                    self.at += c.len_utf8();
                    quoted(pieces, c.encode_utf8(&mut [0; 4]));
                }
            }
        }
    }

    /// XCU 2.2.3: before any other character the backslash stays.
    fn escape_in_double(&mut self, pieces: &mut Vec<Piece>, start: usize) -> Result<(), Refusal> {
        self.at += 1;
        match self.here() {
            None => Err(refuse::unclosed("The quote `\"`", self.text, start)),
            Some(c @ ('$' | '`' | '"' | '\\')) => {
                self.at += 1;
                quoted(pieces, c.encode_utf8(&mut [0; 4]));
                Ok(())
            }
            Some(_) => {
                quoted(pieces, "\\");
                Ok(())
            }
        }
    }

    fn escape(&mut self, pieces: &mut Vec<Piece>) -> Result<(), Refusal> {
        let start = self.at;
        self.at += 1;
        match self.here() {
            None => Err(refuse::unclosed("The backslash", self.text, start)),
            Some('\r') => Err(self.carriage_return()),
            Some(c) => {
                self.at += c.len_utf8();
                quoted(pieces, c.encode_utf8(&mut [0; 4]));
                Ok(())
            }
        }
    }

    /// `{a,b}` and `{1..3}` are several words to bash, and one to the others.
    fn refuse_braces(&self, word: &Word) -> Result<(), Refusal> {
        let plain = |wanted: char| {
            word.pieces.iter().any(|piece| matches!(piece, Piece::Plain(part) if part.contains(wanted)))
        };
        if !plain('{') || !plain('}') {
            return Ok(());
        }
        // Not the text as it stands: a backslash and newline between two dots are gone when bash looks for them.
        let text = self.text[word.span.range()].replace("\\\n", "");
        if text.contains(',') || text.contains("..") {
            let hint = "Write the words one by one, or quote the braces.";
            return Err(self.unsupported("brace expansion", word.span.range(), hint));
        }
        Ok(())
    }

    /// `c=~/d` in an argument: bash puts the home directory there, others do not.
    fn refuse_tilde(&self, word: &Word) -> Result<(), Refusal> {
        let differs =
            |piece: &Piece| matches!(piece, Piece::Plain(part) if part.contains("=~") || part.contains(":~"));
        if word.pieces.iter().any(differs) {
            let hint = "Quote the `~`, or write the directory.";
            return Err(self.unsupported("`~` inside a word", word.span.range(), hint));
        }
        Ok(())
    }
}

pub(super) fn plain(pieces: &mut Vec<Piece>, c: char) {
    match pieces.last_mut() {
        Some(Piece::Plain(part)) => part.push(c),
        _ => pieces.push(Piece::Plain(c.to_string())),
    }
}

pub(super) fn quoted(pieces: &mut Vec<Piece>, text: &str) {
    match pieces.last_mut() {
        Some(Piece::Quoted(part)) => part.push_str(text),
        _ => pieces.push(Piece::Quoted(text.to_owned())),
    }
}
