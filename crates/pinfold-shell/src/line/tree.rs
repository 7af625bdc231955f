//! What a line was read as.

use std::ops::Range;

/// Where a part stands in the line, in bytes. Two places are always equal: where a thing stands is not what it is.
#[derive(Debug, Clone)]
pub struct Span(pub(super) Range<usize>);

impl Span {
    /// The bytes.
    pub fn range(&self) -> Range<usize> {
        self.0.clone()
    }
}

impl PartialEq for Span {
    fn eq(&self, _other: &Span) -> bool {
        true
    }
}

impl Eq for Span {}

/// Lists, one after the other: `;` or a newline between them.
#[derive(Debug, PartialEq, Eq)]
pub struct Script {
    /// The lists.
    pub items: Vec<AndOr>,
}

/// Pipelines joined by `&&` and `||`.
#[derive(Debug, PartialEq, Eq)]
pub struct AndOr {
    /// The first.
    pub first: Pipeline,
    /// The others, each with what stands before it.
    pub rest: Vec<(Joint, Pipeline)>,
}

/// Between two pipelines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joint {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Commands joined by `|`.
#[derive(Debug, PartialEq, Eq)]
pub struct Pipeline {
    /// `!` stands before it.
    pub negated: bool,
    /// The commands; at least one.
    pub stages: Vec<Command>,
}

/// One command of a pipeline.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    /// A program or builtin with its words.
    Simple(Simple),
    /// `( … )`
    Subshell {
        /// What is inside.
        script: Script,
        /// Behind the bracket.
        redirections: Vec<Redirection>,
    },
}

/// A simple command; at least one of the three is not empty.
#[derive(Debug, PartialEq, Eq)]
pub struct Simple {
    /// `NAME=value` before the first word.
    pub assignments: Vec<Assignment>,
    /// The command and its arguments.
    pub words: Vec<Word>,
    /// In their order, wherever they stood among the words.
    pub redirections: Vec<Redirection>,
    /// The whole.
    pub span: Span,
}

/// `NAME=value`
#[derive(Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// May have no pieces at all.
    pub value: Word,
}

/// A word: pieces without a blank between them.
#[derive(Debug, PartialEq, Eq)]
pub struct Word {
    /// From the left.
    pub pieces: Vec<Piece>,
    /// With its quotes.
    pub span: Span,
}

/// A part of a word.
#[derive(Debug, PartialEq, Eq)]
pub enum Piece {
    /// Characters outside quotes.
    Plain(String),
    /// Characters that mean themselves: quoted, escaped, or a lone `$`.
    Quoted(String),
    /// `$name`, `${name…}`
    Parameter {
        /// The name or special character.
        name: String,
        /// What follows the name.
        form: Form,
        /// In double quotes: always one word.
        quoted: bool,
    },
    /// `$(…)` or backticks.
    Command {
        /// What is inside.
        script: Script,
        /// In double quotes.
        quoted: bool,
    },
}

/// What is done with a parameter.
#[derive(Debug, PartialEq, Eq)]
pub enum Form {
    /// Its value.
    Value,
    /// `${#name}`
    Length,
    /// `${name:-word}`, `${name%word}`, `${name%%word}`, `${name#word}`, `${name##word}`: the operator and the word.
    With(&'static str, Vec<Piece>),
}

/// A redirection.
#[derive(Debug, PartialEq, Eq)]
pub struct Redirection {
    /// The digit before it.
    pub descriptor: Option<char>,
    /// What it does.
    pub target: Target,
    /// The whole.
    pub span: Span,
}

/// Where a redirection leads.
#[derive(Debug, PartialEq, Eq)]
pub enum Target {
    /// `<`, `>`, `>>`, `>|`, `<>` and a file.
    File(&'static str, Word),
    /// `<&`, `>&` and a digit or `-`.
    Descriptor(&'static str, char),
    /// `<<`, `<<-`
    Here {
        /// The line that ends it.
        delimiter: String,
        /// Its body is data.
        quoted: bool,
        /// Leading tabs are taken away.
        strips: bool,
        /// Which body of the line.
        id: BodyId,
    },
}

/// Which of the bodies of a line. Two are always equal: how they are counted depends on where their lines stand.
#[derive(Debug, Clone, Copy)]
pub struct BodyId(pub(super) usize);

impl PartialEq for BodyId {
    fn eq(&self, _other: &BodyId) -> bool {
        true
    }
}

impl Eq for BodyId {}

/// The body of a here-document.
#[derive(Debug, PartialEq, Eq)]
pub struct Body {
    /// As it was written, the last line without the delimiter.
    pub text: String,
    /// Its expansions, if it is not data.
    pub pieces: Vec<Piece>,
}

impl Word {
    /// The text, if nothing in it is decided at run time: no expansion, no glob, no `~` in front.
    pub fn literal(&self) -> Option<String> {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Plain(part) | Piece::Quoted(part) => text.push_str(part),
                Piece::Parameter { .. } | Piece::Command { .. } => return None,
            }
        }
        (!self.has_glob() && !self.has_tilde()).then_some(text)
    }

    /// A name of files that a shell would look for.
    fn has_glob(&self) -> bool {
        let plain = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Plain(part) => Some(part.as_str()),
            _ => None,
        });
        let mut opened = false;
        for c in plain.flat_map(str::chars) {
            match c {
                '*' | '?' => return true,
                '[' => opened = true,
                ']' if opened => return true,
                _ => {}
            }
        }
        false
    }

    fn has_tilde(&self) -> bool {
        matches!(self.pieces.first(), Some(Piece::Plain(part)) if part.starts_with('~'))
    }

    /// Whether what it becomes surely is words that begin with this word's own first letter, which is no `-`: such words
    /// are no options, whatever the rest becomes.
    pub fn is_anchored(&self) -> bool {
        let first = match self.pieces.first() {
            Some(Piece::Plain(part) | Piece::Quoted(part)) => part.chars().next(),
            _ => None,
        };
        let splits = |piece: &Piece| {
            matches!(piece, Piece::Parameter { quoted: false, .. } | Piece::Command { quoted: false, .. })
        };
        first.is_some_and(|c| !matches!(c, '-' | '*' | '?' | '[' | '~'))
            && !self.pieces.iter().any(splits)
            && !self.pieces.iter().any(|piece| {
                // "$@" becomes as many words as it likes.
                matches!(piece, Piece::Parameter { name, .. } if name == "@" || name == "*")
            })
    }
}
