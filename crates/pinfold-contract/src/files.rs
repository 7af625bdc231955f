//! What a file is, and the results of the calls on files.
//!
//! Paths in results are relative to the workspace's root and use `/`; a path in an extra root is absolute. A name that
//! is not UTF-8 is shown with U+FFFD and flagged where the shape has a place for it.

use serde::Serialize;

/// What a name stands for, links not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A pipe, socket or device.
    Other,
}

/// The result of `read_file`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadResult {
    /// The file that was read.
    pub path: String,
    /// The window in `cat -n` form: number right-aligned in six columns, tab, text.
    pub content: String,
    /// The first line in `content`, counted from 1; 0 when `content` is empty.
    pub start_line: u64,
    /// The last line in `content`, possibly cut; 0 when `content` is empty.
    pub end_line: u64,
    /// Lines in the whole file. A final newline does not begin another line; an empty file has none.
    pub total_lines: u64,
    /// Bytes in the whole file.
    pub total_bytes: u64,
    /// Something after `content` was withheld.
    pub truncated: bool,
    /// The byte ceiling cut something.
    pub bytes_capped: bool,
    /// SHA-256 of the whole file, in lowercase hexadecimal.
    pub hash: String,
    /// Offset of the first byte that is not UTF-8, if there is one: `content` shows U+FFFD for such bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_utf8_at: Option<u64>,
    /// The file is an image: it has no lines, and this is all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<Image>,
}

/// An image as models take it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    /// `image/png`, `image/jpeg`, `image/gif` or `image/webp`, as its first bytes say.
    pub mime_type: &'static str,
    /// The file, in base64 (RFC 4648, with padding).
    pub data: String,
}

/// The result of `write_file`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WriteResult {
    /// The file that was written.
    pub path: String,
    /// Its new length in bytes.
    pub bytes: u64,
    /// There was no file before.
    pub created: bool,
    /// SHA-256 of what is on disk now.
    pub hash: String,
}

/// The result of `edit_file`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EditResult {
    /// The file that was edited.
    pub path: String,
    /// How many places were replaced.
    pub replacements: u64,
    /// SHA-256 of what is on disk now.
    pub hash: String,
    /// A unified diff, at most 60 lines.
    pub diff: String,
}

/// The result of `multi_edit`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MultiEditResult {
    /// The file that was edited.
    pub path: String,
    /// How many edits were made.
    pub edits: u64,
    /// How many places they replaced, all together.
    pub replacements: u64,
    /// SHA-256 of what is on disk now.
    pub hash: String,
    /// A unified diff against the file before the first edit, at most 60 lines.
    pub diff: String,
}

/// The result of `multi_edit` with several files or a patch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EditFilesResult {
    /// What became of each file, in the order of the call.
    pub files: Vec<FileEdited>,
}

/// What became of one of several files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileEdited {
    /// The file.
    pub path: String,
    /// Where it was before, if a patch moved it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_from: Option<String>,
    /// There was no file before.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub created: bool,
    /// There is no file any more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub removed: bool,
    /// How many edits, or hunks of a patch, were made in it.
    pub edits: u64,
    /// How many places they replaced.
    pub replacements: u64,
    /// SHA-256 of what is on disk now; none if it was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// A unified diff of at most 60 lines, fewer if there are many files.
    pub diff: String,
}

/// One entry of a listing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Its path.
    pub path: String,
    /// What it is; links are not followed.
    pub r#type: FileKind,
    /// Bytes, for files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Levels below the listed directory; its children have depth 1.
    pub depth: u32,
    /// The name is not UTF-8; `path` shows U+FFFD for what cannot be shown.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub not_utf8: bool,
}

/// The result of `list_dir`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListResult {
    /// The directory that was listed.
    pub path: String,
    /// Its entries, breadth first, each level sorted by name in byte order.
    pub entries: Vec<Entry>,
    /// There are more entries than the policy lets a listing hold, or a directory in it could not be read.
    pub truncated: bool,
    /// Entries that ignore rules hide. Left out when there is none.
    #[serde(skip_serializing_if = "is_none")]
    pub ignored: u64,
    /// What there is to know, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The result of `glob`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GlobResult {
    /// The files that match, in byte order.
    pub paths: Vec<String>,
    /// There are more, or there may be: a directory could not be read, or lies too deep.
    pub truncated: bool,
    /// Files that match, and directories, that ignore rules hide. Left out when there is none.
    #[serde(skip_serializing_if = "is_none")]
    pub ignored: u64,
    /// What there is to know, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// One match of `grep`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GrepMatch {
    /// The file.
    pub path: String,
    /// The line, counted from 1.
    pub line: u64,
    /// The byte of the line at which the first match begins, counted from 1.
    pub column: u64,
    /// The line without its ending; with `multiline` all lines of the match. Of more than 500 characters so many are here,
    /// around the match.
    pub text: String,
    /// The byte of the line at which `text` begins, counted from 1, if it is a part of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_column: Option<u64>,
    /// The last line of a match that spans several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u64>,
    /// The lines right before, as far as they are not in the match before this one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// The lines right after, up to the next match.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
}

/// How many lines of a file match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GrepCount {
    /// The file.
    pub path: String,
    /// Matching lines.
    pub count: u64,
}

/// Why a search ended before all was searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum GrepStop {
    /// As many were found as were asked for.
    Limit,
    /// It took too long.
    Deadline,
    /// The caller cancelled.
    Cancelled,
}

/// The result of `grep`. What holds nothing is left out, but for the first fields of the list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GrepResult {
    /// One for each matching line, by path, then line. Empty in the other modes.
    pub matches: Vec<GrepMatch>,
    /// Files that match, in mode `files`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Files that match, with the number of lines, in mode `count`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<GrepCount>,
    /// There are more matches than were asked for.
    pub truncated: bool,
    /// Every file was looked at. False when the search stopped early, or something could not be read.
    pub complete: bool,
    /// Why the search stopped early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<GrepStop>,
    /// The offset that goes on where this answer ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u64>,
    /// All lines that match, in mode `count`; left out where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// Files that were searched.
    pub searched: u64,
    /// What was not searched, and why.
    pub skipped: Skipped,
    /// What there is to know, and how to go on, in a sentence or two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What a search did not look at. Denied paths are never counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Skipped {
    /// Files with a NUL byte.
    pub binary: u64,
    /// Lines too long to be searched.
    pub too_long: u64,
    /// Files and directories that could not be opened or read.
    pub unreadable: u64,
    /// Files and directories hidden by ignore rules.
    pub ignored: u64,
    /// Files too large to be searched with `multiline`. Left out when there is none.
    #[serde(skip_serializing_if = "is_none")]
    pub too_large: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
fn is_none(count: &u64) -> bool {
    *count == 0
}
