//! The results of the *env* dialect.
//!
//! Paths are virtual: they count from the root, use `/`, and `.` is the root itself.

use serde::{Deserialize, Serialize};

use crate::Skipped;

/// The result of `read_file`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvRead {
    /// The file that was read.
    pub path: String,
    /// Its text, or the lines that were asked for. A byte order mark is no text.
    pub content: String,
    /// Always `utf-8`: what `content` is, whatever the file is in.
    pub encoding: &'static str,
    /// Bytes of the whole file.
    pub size: u64,
    /// Bytes of `content`.
    pub content_bytes: u64,
    /// The limit of bytes cut `content`, on the boundary of a character.
    pub truncated: bool,
    /// Which lines `content` holds, if lines were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<LineRange>,
    /// Offset of the first byte that is not UTF-8, if there is one: `content` shows U+FFFD for such bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_utf8_at: Option<u64>,
}

/// Lines of a file, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LineRange {
    /// The first line of the content.
    pub start_line: u64,
    /// The last line of the content, possibly cut.
    pub end_line: u64,
    /// Lines of the whole file. A final newline does not begin another line; an empty file has one.
    pub total_lines: u64,
}

/// The result of `write_file`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvWritten {
    /// The file that was written.
    pub path: String,
    /// Its bytes now.
    pub bytes_written: u64,
}

/// The result of `edit_file`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvEdited {
    /// The file that was edited.
    pub path: String,
    /// How many places were replaced.
    pub replacement_count: u64,
    /// Its bytes now.
    pub bytes_written: u64,
}

/// The result of `list_files`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvListed {
    /// The directory.
    pub path: String,
    /// The names in it, hidden ones too, in byte order.
    pub entries: Vec<String>,
    /// There are more names than the policy lets a listing hold.
    pub truncated: bool,
    /// How many names there are.
    pub total: u64,
}

/// The result of `delete_path`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvDeleted {
    /// What is not there any more.
    pub path: String,
    /// Always true: what cannot be deleted is an error.
    pub deleted: bool,
    /// Nothing was there before either, which `force` takes as done.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub missing: bool,
}

/// The result of `glob_files`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvGlobbed {
    /// Where was looked.
    pub root: String,
    /// The pattern, as it was given.
    pub pattern: String,
    /// The files that match, in byte order.
    pub matches: Vec<String>,
    /// There are more matches, or there may be: see `complete`.
    pub truncated: bool,
    /// The most matches that were to be returned.
    pub max_matches: usize,
    /// Everything was looked at. False when the search was stopped, or a directory could not be read.
    pub complete: bool,
}

/// One match of `grep_files`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvMatch {
    /// The file.
    pub path: String,
    /// The line, counted from 1.
    pub line_number: u64,
    /// Where in the line the match begins, counted from 1 in units of UTF-16.
    pub column_number: u64,
    /// The same, counted from 1 in bytes.
    pub column_byte: u64,
    /// The beginning of the line, without its ending.
    pub line_text: String,
    /// Bytes of `line_text`.
    pub line_text_bytes: usize,
    /// The line goes on.
    pub line_text_truncated: bool,
    /// The beginning of the match.
    pub match_text: String,
    /// Bytes of `match_text`.
    pub match_text_bytes: usize,
    /// The match goes on.
    pub match_text_truncated: bool,
}

/// The result of `grep_files`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvGrepped {
    /// Where was searched.
    pub root: String,
    /// The pattern, as it was given.
    pub pattern: String,
    /// How it was read.
    pub mode: GrepMode,
    /// Every occurrence, by path, line, column.
    pub matches: Vec<EnvMatch>,
    /// The first files that were not searched because they hold a NUL byte; `skipped.binary` counts all.
    pub skipped_binary_paths: Vec<String>,
    /// There are more matches.
    pub truncated: bool,
    /// The most matches that were to be returned.
    pub max_matches: usize,
    /// The most bytes of each text in a match.
    pub max_bytes_per_match: usize,
    /// Every file was looked at. False when the search was stopped, or something could not be read.
    pub complete: bool,
    /// Files that were searched.
    pub searched: u64,
    /// What was not searched, and why.
    pub skipped: Skipped,
}

/// How the pattern of `grep_files` is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GrepMode {
    /// As the text itself.
    #[default]
    Literal,
    /// As a regular expression.
    Regex,
}

/// A file as a walk sees it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Observed {
    /// Its path.
    pub path: String,
    /// Bytes, if they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// When it was changed last, in milliseconds since 1970, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mtime_ms: Option<i64>,
}

impl From<&str> for Observed {
    fn from(path: &str) -> Observed {
        Observed { path: path.to_owned(), ..Observed::default() }
    }
}

/// The result of `walk`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvWalked {
    /// Where was looked.
    pub root: String,
    /// The files, in byte order of their paths.
    pub files: Vec<Observed>,
    /// Everything was looked at, and is in `files`.
    pub complete: bool,
}

/// The result of `diff`. Every list is in byte order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvDiff {
    /// The files that are there now.
    pub observed_files: Vec<Observed>,
    /// The paths that were there before and are not now.
    pub removed_paths: Vec<String>,
    /// The paths that are there now and were not before.
    pub added_paths: Vec<String>,
    /// The paths whose size or time is another than before. A path of which neither is known for both is not among them.
    pub modified_paths: Vec<String>,
}

/// The result of `run_shell`. A command that fails is a result, not an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvRun {
    /// The command, without blanks around it.
    pub command: String,
    /// Where it ran.
    pub cwd: String,
    /// See [`RunEnd::exit_code`](crate::RunEnd::exit_code).
    pub exit_code: i32,
    /// The signal that ended it, if one did that was not ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// The beginning of its standard output, cut on the boundary of a character.
    pub stdout: String,
    /// The beginning of its standard error; when its time was up, a line at the end says so.
    pub stderr: String,
    /// Bytes that it wrote to standard output, kept or not.
    pub stdout_bytes: u64,
    /// Bytes that it wrote to standard error, kept or not.
    pub stderr_bytes: u64,
    /// `stdout` does not hold everything.
    pub stdout_truncated: bool,
    /// `stderr` does not hold everything.
    pub stderr_truncated: bool,
    /// Wall time in milliseconds.
    pub duration_ms: u64,
    /// It was killed when its time was up.
    pub timed_out: bool,
    /// It was killed, or not started, because the caller cancelled.
    pub cancelled: bool,
    /// What else there is to know, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What a path stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvStat {
    /// The path.
    pub path: String,
    /// What is there, links followed.
    pub r#type: EnvKind,
    /// Bytes, of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
}

/// What is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EnvKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// Anything else.
    Other,
}
