//! The bodies of here-documents (XCU 2.7.4).

use super::{
    cursor::{Pending, Reader},
    refuse,
    tree::{Body, Piece},
};
use crate::refusal::Refusal;

impl Reader<'_> {
    /// The newline that ends a line of the list, and the bodies behind it.
    pub(super) fn newline(&mut self) -> Result<(), Refusal> {
        if self.pending_outside > 0 {
            let hint = "Put the here-document last in the line.";
            return Err(self.unsupported(
                "a line break in a substitution behind a here-document",
                self.at..self.at + 1,
                hint,
            ));
        }
        self.at += 1;
        for pending in std::mem::take(&mut self.pending) {
            self.read_body(&pending)?;
        }
        Ok(())
    }

    fn read_body(&mut self, pending: &Pending) -> Result<(), Refusal> {
        let start = self.at;
        loop {
            let rest = &self.text[self.at..self.end];
            if rest.is_empty() {
                return Err(refuse::unclosed("The here-document", self.text, pending.at));
            }
            let (line, more) = rest.split_once('\n').map_or((rest, false), |(line, _)| (line, true));
            let shown = if pending.strips { line.trim_start_matches('\t') } else { line };
            let begin = self.at;
            self.at += line.len() + usize::from(more);
            if shown == pending.delimiter {
                return self.keep_body(pending, start, begin);
            }
            // Inside `$( … )` bash takes such a line for the end, and the rest of it for commands.
            if self.is_nested() && shown.starts_with(&pending.delimiter) {
                let hint = "Use an end word that no line of the body begins with.";
                return Err(self.unsupported(
                    "a line that begins with the end word of a here-document in a substitution",
                    begin..self.at,
                    hint,
                ));
            }
            if !pending.quoted && (line.len() - line.trim_end_matches('\\').len()) % 2 == 1 {
                let hint = "Quote the end word (`<<'EOF'`) if the body is data.";
                return Err(self.unsupported(
                    "a backslash at the end of a line of a here-document",
                    begin..self.at,
                    hint,
                ));
            }
        }
    }

    fn keep_body(&mut self, pending: &Pending, start: usize, end: usize) -> Result<(), Refusal> {
        let behind = self.at;
        let pieces = if pending.quoted { Vec::new() } else { self.expansions(start, end, pending.strips)? };
        self.at = behind;
        self.bodies[pending.id.0] = Some(Body { text: self.text[start..end].to_owned(), pieces });
        Ok(())
    }

    /// What is expanded in `start..end`: quotes mean nothing there, backslashes as in double quotes but for `"`.
    fn expansions(&mut self, start: usize, end: usize, strips: bool) -> Result<Vec<Piece>, Refusal> {
        let outer = std::mem::replace(&mut self.end, end);
        self.at = start;
        let mut pieces = Vec::new();
        while let Some(c) = self.here() {
            let from = self.at;
            match c {
                '$' => self.dollar(&mut pieces, true)?,
                '`' => self.backticks(&mut pieces, true)?,
                '\\' => {
                    self.at += 1;
                    self.at += self.here().filter(|c| "$`\\".contains(*c)).map_or(0, char::len_utf8);
                }
                _ => self.at += c.len_utf8(),
            }
            if strips && c != '\n' && self.text[from..self.at].contains('\n') {
                let hint = "Use `<<` without `-`.";
                return Err(self.unsupported("a line break in a substitution of `<<-`", from..self.at, hint));
            }
        }
        pieces.retain(|piece| matches!(piece, Piece::Parameter { .. } | Piece::Command { .. }));
        self.end = outer;
        Ok(pieces)
    }
}
