//! The seam to whoever knows the disk: where redirections and `cd` of a line lead, and what its names mean.

use std::path::PathBuf;

/// What a line does with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// `< file`
    Read,
    /// `> file` and its kin, `<>` too.
    Write,
    /// `cd directory`
    Cd,
}

impl Purpose {
    /// `read`, `write`, `cd`.
    pub fn as_str(self) -> &'static str {
        match self {
            Purpose::Read => "read",
            Purpose::Write => "write",
            Purpose::Cd => "cd",
        }
    }
}

/// A path that a line must not use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outside {
    /// What is wrong with it, one sentence.
    pub message: String,
    /// What to try instead.
    pub hint: Option<String>,
}

/// Judges the paths of a line. This crate touches no disk, so the house implements it on its jail.
pub trait Ground {
    /// The directory that the line starts in: absolute, without links.
    fn start(&self) -> String;

    /// Where the absolute path `path` leads, every link followed, if `purpose` is allowed there. It need not exist.
    ///
    /// # Errors
    /// [`Outside`] when it leads out or is denied.
    fn judge(&self, path: &str, purpose: Purpose) -> Result<String, Outside>;

    /// The program that a shell in `dir` would find for `name`. `None`: there is none.
    fn program(&self, dir: &str, name: &str) -> Option<Found>;
}

/// A program that a shell would find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it really lies, every link followed.
    pub real: PathBuf,
    /// It was found by its bare name, and the agent may write where it lies: only a shell would take it.
    pub planted: bool,
}
