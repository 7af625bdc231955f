//! Which set of tools a workspace speaks. Both stand on the same engine and the same policy.

use std::{fmt, str::FromStr};

/// A set of tools: their names, arguments and limits, and the shapes of their results. What is judged, and how a deed is
/// done, does not depend on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The tools of a coding agent: numbered reads, guarded edits, regular expressions, background commands. Paths may be
    /// absolute if they lie in a root.
    #[default]
    Coding,
    /// The tools of a small execution environment ([`crate::env`](mod@crate::env)): virtual paths, of which `/` is the root, raw reads,
    /// counted edits, literal search, and few bytes of everything.
    Env,
}

impl Dialect {
    /// Its name on the command line: `coding` or `env`.
    pub fn as_str(self) -> &'static str {
        match self {
            Dialect::Coding => "coding",
            Dialect::Env => "env",
        }
    }

    /// What lists a directory here.
    pub(crate) fn list(self) -> &'static str {
        match self {
            Dialect::Coding => "list_dir",
            Dialect::Env => "list_files",
        }
    }

    /// What finds files by name.
    pub(crate) fn glob(self) -> &'static str {
        match self {
            Dialect::Coding => "glob",
            Dialect::Env => "glob_files",
        }
    }

    /// What searches in files.
    pub(crate) fn grep(self) -> &'static str {
        match self {
            Dialect::Coding => "grep",
            Dialect::Env => "grep_files",
        }
    }

    /// What writes a whole file exactly as it is given.
    pub(crate) fn write_exactly(self) -> &'static str {
        match self {
            Dialect::Coding => "write_file and `exact`",
            Dialect::Env => "write_file",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(text: &str) -> Result<Dialect, UnknownDialect> {
        [Dialect::Coding, Dialect::Env].into_iter().find(|one| one.as_str() == text).ok_or(UnknownDialect)
    }
}

/// A word that names no dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownDialect;

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there are the dialects `coding` and `env`")
    }
}

impl std::error::Error for UnknownDialect {}
