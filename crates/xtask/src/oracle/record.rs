//! What a cell is asked, and what it answers: JSON, a line each.

use serde::{Deserialize, Serialize};

/// Run this line in every shell.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Question {
    pub(crate) line: String,
    /// Shells to leave out.
    pub(crate) without: Vec<String>,
}

/// What one shell did with the line.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) shell: String,
    pub(crate) starts: Vec<Start>,
    pub(crate) created: Vec<String>,
    pub(crate) modified: Vec<String>,
    pub(crate) deleted: Vec<String>,
    /// The end of what it said.
    pub(crate) stderr: String,
    pub(crate) timed_out: bool,
}

/// A program that was started.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(crate) struct Start {
    pub(crate) argv: Vec<String>,
    pub(crate) cwd: String,
    /// Files that its descriptors stand for, by path.
    pub(crate) opens: Vec<String>,
}

/// The same, as the program that was started writes it down.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Note {
    pub(crate) argv: Vec<String>,
    pub(crate) cwd: String,
    /// Inode numbers.
    pub(crate) inodes: Vec<u64>,
}
