//! One segment of a pattern against one name.
//!
//! Names are read as letters: Unicode scalar values, and for a byte that is not UTF-8 a number beyond them, so that
//! `?` takes such a byte as one letter and nothing else ever equals it. In [`Dialect::Env`] letters are units of UTF-16.

use unicode_normalization::UnicodeNormalization;

use super::{Dialect, GlobError};
use crate::RelPath;

const NOT_UTF8: u32 = 0x0011_0000;

#[derive(Debug, Clone)]
pub(super) struct Segment(Vec<Token>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Letter(u32),
    AnyLetter,
    Star,
    Class { negated: bool, ranges: Vec<(u32, u32)> },
}

impl Segment {
    pub(super) fn new(text: &str, dialect: Dialect) -> Result<Segment, GlobError> {
        let mut tokens = Vec::new();
        let mut rest = letters(text.as_bytes(), dialect).into_iter().peekable();
        while let Some(letter) = rest.next() {
            let token = match char::from_u32(letter) {
                Some('?') => Token::AnyLetter,
                Some('*') if tokens.last() == Some(&Token::Star) => continue,
                Some('*') => Token::Star,
                Some('[') if dialect == Dialect::Search => class(&mut rest)?,
                _ => Token::Letter(letter),
            };
            tokens.push(token);
        }
        Ok(Segment(tokens))
    }

    /// Greedy matching that returns to the last star only: at most name × pattern steps.
    pub(super) fn matches(&self, name: &[u32]) -> bool {
        let (mut at, mut read) = (0, 0);
        let mut last_star: Option<(usize, usize)> = None;
        while read < name.len() {
            match self.0.get(at) {
                Some(Token::Star) => {
                    last_star = Some((at, read));
                    at += 1;
                }
                Some(token) if token.takes(name[read]) => {
                    at += 1;
                    read += 1;
                }
                _ => {
                    let Some((star, from)) = last_star else { return false };
                    last_star = Some((star, from + 1));
                    (at, read) = (star + 1, from + 1);
                }
            }
        }
        self.0[at..].iter().all(|token| *token == Token::Star)
    }
}

impl Token {
    fn takes(&self, letter: u32) -> bool {
        match self {
            Token::Letter(own) => *own == letter,
            Token::AnyLetter => true,
            Token::Star => false,
            Token::Class { negated, ranges } => {
                ranges.iter().any(|(low, high)| (*low..=*high).contains(&letter)) != *negated
            }
        }
    }
}

/// `[abc]`, `[a-z]`, `[!a]` or `[^a]`; a `]` in first place is a letter.
fn class(rest: &mut std::iter::Peekable<std::vec::IntoIter<u32>>) -> Result<Token, GlobError> {
    let is = |letter: Option<&u32>, one: char| letter == Some(&u32::from(one));
    let negated = is(rest.peek(), '!') || is(rest.peek(), '^');
    if negated {
        rest.next();
    }
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    loop {
        let low = rest.next().ok_or(GlobError::Unclosed)?;
        if low == u32::from(']') && !ranges.is_empty() {
            return Ok(Token::Class { negated, ranges });
        }
        let mut ahead = rest.clone();
        let is_range =
            is(ahead.next().as_ref(), '-') && ahead.peek().is_some_and(|&high| high != u32::from(']'));
        let high = if is_range { rest.nth(1).ok_or(GlobError::Unclosed)? } else { low };
        ranges.push((low, high));
    }
}

/// The text of a segment without wildcards.
pub(super) fn literal(segment: &Segment) -> Option<String> {
    let letter = |token: &Token| match token {
        Token::Letter(letter) => char::from_u32(*letter),
        _ => None,
    };
    segment.0.iter().map(letter).collect()
}

pub(crate) fn path_letters(path: &RelPath, dialect: Dialect) -> Vec<Vec<u32>> {
    path.components().map(|name| letters(name, dialect)).collect()
}

pub(super) fn letters(name: &[u8], dialect: Dialect) -> Vec<u32> {
    let mut out = Vec::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        match dialect {
            // What folding comes to for these.
            Dialect::Deny if chunk.valid().is_ascii() => {
                out.extend(chunk.valid().bytes().map(|byte| u32::from(byte.to_ascii_lowercase())));
            }
            Dialect::Deny => out.extend(folded(chunk.valid())),
            Dialect::Env => out.extend(chunk.valid().encode_utf16().map(u32::from)),
            Dialect::Plain | Dialect::Search => out.extend(chunk.valid().chars().map(u32::from)),
        }
        out.extend(chunk.invalid().iter().map(|&byte| NOT_UTF8 + u32::from(byte)));
    }
    out
}

/// Upper case, then lower case, so that letters with two lower-case forms meet too; canonically composed.
fn folded(text: &str) -> impl Iterator<Item = u32> + '_ {
    text.nfd().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfc().map(u32::from)
}
