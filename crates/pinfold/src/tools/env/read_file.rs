//! `read_file`: the text of a file, or some of its lines.

use pinfold_contract::env::{EnvRead, LineRange};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::{At, Located, at_least_one};
use crate::{
    Failure, FailureType,
    backend::Asked,
    gate::{Permit, Read as Reading, Site},
    tools::{
        FileTool,
        read_file::{Bounds, Scan, text},
    },
};

/// The arguments of `read_file`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadFile {
    /// The file, from the root.
    pub path: String,
    /// First line, counted from 1.
    #[schemars(range(min = 1))]
    pub start_line: Option<u64>,
    /// Last line, included.
    #[schemars(range(min = 1))]
    pub end_line: Option<u64>,
}

impl Located for ReadFile {
    fn text(&self) -> Option<&str> {
        Some(&self.path)
    }
}

impl FileTool for At<ReadFile> {
    type Deed = Reading;
    type Report = EnvRead;

    fn asks(&self) -> Asked {
        self.path.to_look_at()
    }

    fn perform(self, permit: Permit<Reading>, cancel: &CancellationToken) -> Result<EnvRead, Failure> {
        let Site { node, ground } = permit.open();
        let (path, wish) = (self.path.to_string(), self.wish);
        let (first, lines) = wish.lines(&path)?;
        let max_bytes = Some(ground.terms.policy.env_dialect.max_file_bytes);
        let scan = text(&node, &ground, Bounds { first, lines, max_bytes, numbered: false }, cancel)?;
        let range = wish.range(&scan, &path)?;
        Ok(EnvRead {
            path,
            content_bytes: scan.content.len() as u64,
            content: scan.content,
            encoding: "utf-8",
            size: scan.total_bytes,
            truncated: scan.bytes_capped,
            range,
            not_utf8_at: scan.not_utf8_at,
        })
    }
}

impl ReadFile {
    /// The first line, and how many.
    fn lines(&self, path: &str) -> Result<(u64, u64), Failure> {
        at_least_one("startLine", self.start_line)?;
        at_least_one("endLine", self.end_line)?;
        let (first, last) = (self.start_line.unwrap_or(1), self.end_line.unwrap_or(u64::MAX));
        if last < first {
            let message = format!("endLine {last} lies before startLine {first}.");
            return Err(bad(message, "Give the first line as startLine and the last as endLine.", path));
        }
        Ok((first, (last - first).saturating_add(1)))
    }

    /// Which lines came, if lines were asked for.
    fn range(&self, scan: &Scan, path: &str) -> Result<Option<LineRange>, Failure> {
        if self.start_line.or(self.end_line).is_none() {
            return Ok(None);
        }
        let (start_line, total_lines) = (self.start_line.unwrap_or(1), scan.total_lines.max(1));
        if start_line > total_lines {
            let lines = if total_lines == 1 { "1 line" } else { &format!("{total_lines} lines") };
            let message = format!("`{path}` has {lines}; startLine {start_line} is past the end.");
            return Err(bad(message, &format!("Use a startLine from 1 to {total_lines}."), path));
        }
        Ok(Some(LineRange { start_line, end_line: scan.end_line.max(start_line), total_lines }))
    }
}

fn bad(message: String, hint: &str, path: &str) -> Failure {
    Failure::new(FailureType::BadArguments, message).hint(hint).at(path)
}
