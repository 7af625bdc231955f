//! The tokenizer: one pass from left to right, one quote state, linear in the length of the line.

use std::{iter::Peekable, ops::Range, str::CharIndices};

/// Everything that one pass found. It goes on after an operator, so that advice can name the commands around it.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// The words, without their quotes.
    pub(super) words: Vec<String>,
    /// Where each word stands, in bytes, with its quotes.
    pub(super) spans: Vec<Range<usize>>,
    /// Each operator outside quotes: its first byte, and the character.
    pub(super) operators: Vec<(usize, char)>,
    /// The quote that is never closed.
    pub(super) open: Option<Open>,
}

/// A quote without its partner, or a backslash at the very end.
#[derive(Debug)]
pub(super) struct Open {
    /// Its place in the line, in bytes.
    pub(super) at: usize,
    /// `'`, `"` or `\`.
    pub(super) mark: char,
}

/// Reads `line`. The caller has refused NUL.
pub(super) fn scan(line: &str) -> Scan {
    let most = line.split([' ', '\t']).filter(|part| !part.is_empty()).count();
    let scan = Scan { words: Vec::with_capacity(most), spans: Vec::with_capacity(most), ..Scan::default() };
    let mut reader = Reader { chars: line.char_indices().peekable(), end: line.len(), word: None, scan };
    while let Some((at, c)) = reader.chars.next() {
        reader.step(at, c);
    }
    reader.end_word(line.len());
    reader.scan
}

struct Reader<'a> {
    chars: Peekable<CharIndices<'a>>,
    end: usize,
    word: Option<(usize, String)>,
    scan: Scan,
}

impl Reader<'_> {
    fn step(&mut self, at: usize, c: char) {
        match c {
            ' ' | '\t' => self.end_word(at),
            '\'' => self.single(at),
            '"' => self.double(at),
            '\\' => self.escape(at),
            ';' | '&' | '|' | '<' | '>' | '`' | '$' | '(' | ')' | '\n' | '\r' => self.operator(at, c),
            _ => self.open_word(at).push(c),
        }
    }

    fn open_word(&mut self, at: usize) -> &mut String {
        &mut self.word.get_or_insert_with(|| (at, String::new())).1
    }

    fn end_word(&mut self, end: usize) {
        if let Some((start, word)) = self.word.take() {
            self.scan.words.push(word);
            self.scan.spans.push(start..end);
        }
    }

    fn operator(&mut self, at: usize, c: char) {
        self.end_word(at);
        self.scan.operators.push((at, c));
    }

    fn single(&mut self, at: usize) {
        self.open_word(at);
        loop {
            match self.chars.next() {
                None => return self.unclosed(at, '\''),
                Some((_, '\'')) => return,
                Some((_, c)) => self.open_word(at).push(c),
            }
        }
    }

    fn double(&mut self, at: usize) {
        self.open_word(at);
        loop {
            match self.chars.next() {
                None => return self.unclosed(at, '"'),
                Some((_, '"')) => return,
                Some((_, '\\')) => self.escape_in_double(at),
                Some((_, c)) => self.open_word(at).push(c),
            }
        }
    }

    /// XCU 2.2.3: before any other character the backslash stays.
    fn escape_in_double(&mut self, at: usize) {
        match self.chars.peek().copied() {
            Some((_, c @ ('$' | '`' | '"' | '\\'))) => {
                self.chars.next();
                self.open_word(at).push(c);
            }
            Some((_, '\n')) => {
                self.chars.next();
            }
            _ => self.open_word(at).push('\\'),
        }
    }

    /// A backslash before the end of a line means "goes on below" to a shell and "this character" to nobody: like any
    /// other newline outside quotes it is an operator here.
    fn escape(&mut self, at: usize) {
        match self.chars.next() {
            None => self.unclosed(at, '\\'),
            Some((newline, c @ ('\n' | '\r'))) => self.operator(newline, c),
            Some((_, c)) => self.open_word(at).push(c),
        }
    }

    fn unclosed(&mut self, at: usize, mark: char) {
        self.end_word(self.end);
        self.scan.open.get_or_insert(Open { at, mark });
    }
}
