//! Redirections (XCU 2.7).

use super::{
    cursor::{Pending, Reader, ends_word},
    tree::{BodyId, Piece, Redirection, Target, Word},
};
use crate::refusal::Refusal;

impl Reader<'_> {
    /// The redirection that begins here, if one does.
    pub(super) fn redirection(&mut self) -> Result<Option<Redirection>, Refusal> {
        let start = self.at;
        let descriptor = self.descriptor()?;
        let Some(c @ ('<' | '>')) = self.peek() else { return Ok(None) };
        self.take();
        let target = self.target(c, start)?;
        Ok(Some(Redirection { descriptor, target, span: self.span(start) }))
    }

    /// One digit right before `<` or `>`. More digits are a word to some shells.
    fn descriptor(&mut self) -> Result<Option<char>, Refusal> {
        self.peek();
        let start = self.at;
        let rest = &self.text[start..self.end];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Ok(None);
        }
        let behind = rest[digits..].trim_start_matches("\\\n");
        let joined = rest[digits..].starts_with("\\\n");
        let more = joined && behind.starts_with(|c: char| c.is_ascii_digit());
        if !(behind.starts_with(['<', '>']) || more) {
            return Ok(None);
        }
        if digits > 1 || joined {
            let hint = "Put a blank before the redirection, or use one digit.";
            return Err(self.unsupported("a descriptor of several digits", start..start + digits, hint));
        }
        self.at += 1;
        Ok(rest.chars().next())
    }

    fn target(&mut self, c: char, start: usize) -> Result<Target, Refusal> {
        let second = self.peek();
        let no = |it: &Self, what: &str, hint: &str| Err(it.unsupported(what, start..it.at + 1, hint));
        match (c, second) {
            (_, Some('(')) => no(self, "process substitution", "Use a pipe, or a file below the workspace."),
            ('<', Some('<')) => {
                self.take();
                if self.peek() == Some('<') {
                    return no(self, "`<<<`", "Use a here-document, or `printf … |`.");
                }
                let strips = self.eat('-');
                self.here_document(strips, start)
            }
            (_, Some('&')) => {
                self.take();
                self.duplicate(if c == '<' { "<&" } else { ">&" }, start)
            }
            ('>', Some('>')) => self.file(">>", start),
            ('>', Some('|')) => self.file(">|", start),
            ('<', Some('>')) => self.file("<>", start),
            ('>', _) => self.file_word(">", start),
            (_, _) => self.file_word("<", start),
        }
    }

    fn file(&mut self, operator: &'static str, start: usize) -> Result<Target, Refusal> {
        self.take();
        self.file_word(operator, start)
    }

    fn file_word(&mut self, operator: &'static str, start: usize) -> Result<Target, Refusal> {
        Ok(Target::File(operator, self.behind(start)?))
    }

    fn behind(&mut self, start: usize) -> Result<Word, Refusal> {
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.at += 1;
        }
        if self.peek().is_none_or(|c| ends_word(c) || c == '#') {
            let hint = "Name the file behind it.";
            return Err(self.unsupported("a redirection without its file", start..self.at, hint));
        }
        self.word()
    }

    /// Only one digit or `-`: a name would be a file to bash.
    fn duplicate(&mut self, operator: &'static str, start: usize) -> Result<Target, Refusal> {
        let word = self.behind(start)?;
        if let [Piece::Plain(part)] = &word.pieces[..]
            && let Some(c @ ('0'..='9' | '-')) = part.chars().next()
            && part.len() == 1
            && self.peek().is_none_or(ends_word)
            && !matches!(self.peek(), Some('<' | '>'))
        {
            return Ok(Target::Descriptor(operator, c));
        }
        let hint = "Write `> FILE 2>&1` for both streams; behind `>&` stands one digit or `-`.";
        Err(self.unsupported("`>&` with a name", start..self.at, hint))
    }

    fn here_document(&mut self, strips: bool, start: usize) -> Result<Target, Refusal> {
        let word = self.behind(start)?;
        let raw = &self.text[word.span.range()];
        let hint = "Use a plain word, or one in single quotes: `<<'EOF'`.";
        let mut delimiter = String::new();
        for piece in &word.pieces {
            match piece {
                Piece::Plain(part) | Piece::Quoted(part) => delimiter.push_str(part),
                _ => return Err(self.unsupported("this end of a here-document", start..self.at, hint)),
            }
        }
        if delimiter.is_empty()
            || raw.contains(['\\', '$', '`', '\t', '\r', '\n', '{', '}', '*', '?', '[', '~', '!'])
        {
            return Err(self.unsupported("this end of a here-document", start..self.at, hint));
        }
        let quoted = raw.contains(['\'', '"']);
        let id = BodyId(self.bodies.len());
        self.bodies.push(None);
        self.pending.push(Pending { id, delimiter: delimiter.clone(), quoted, strips, at: start });
        Ok(Target::Here { delimiter, quoted, strips, id })
    }
}
