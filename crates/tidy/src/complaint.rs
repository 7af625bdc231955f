//! What a rule says, and where.

use std::fmt;

/// One breach of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The file, from the root of the repository.
    pub path: String,
    /// The line, counted from 1; 0 when it is about the whole file.
    pub line: usize,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub advice: &'static str,
}

impl Complaint {
    /// About a whole file.
    pub fn file(path: &str, what: impl Into<String>, advice: &'static str) -> Complaint {
        Complaint::line(path, 0, what, advice)
    }

    /// About one line.
    pub fn line(path: &str, line: usize, what: impl Into<String>, advice: &'static str) -> Complaint {
        Complaint { path: path.to_owned(), line, what: what.into(), advice }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}. {}", self.path, self.what, self.advice),
            line => write!(f, "{}:{line}: {}. {}", self.path, self.what, self.advice),
        }
    }
}
