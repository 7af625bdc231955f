//! `read_file`: a numbered window of a text file, and the hash of the whole.

mod big_files;
mod binary;
mod image;
pub(super) mod utf16;
mod window;

use std::{io, path::PathBuf};

use pinfold_contract::ReadResult;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::FileTool;
use crate::{
    Failure, FailureType,
    backend::{Asked, Node, Stored},
    gate::{Ground, Permit, Read as Reading, Site},
    text::encoding::Encoding,
};
pub(crate) use big_files::BigFiles;
use big_files::Index;
use binary::is_binary;
use window::Window;
pub(super) use window::{Bounds, Scan};

/// The arguments of `read_file`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadFile {
    /// The file, relative to the root.
    pub path: PathBuf,
    /// First line, counted from 1. Default: 1.
    #[schemars(range(min = 1))]
    pub start_line: Option<u64>,
    /// Most lines to return.
    #[schemars(range(min = 1))]
    pub limit: Option<u64>,
}

impl FileTool for ReadFile {
    type Deed = Reading;
    type Report = ReadResult;

    fn asks(&self) -> Asked {
        Asked { name: self.path.clone().into_os_string(), link_itself: false, lossy: true }
    }

    fn perform(self, permit: Permit<Reading>, cancel: &CancellationToken) -> Result<ReadResult, Failure> {
        let Site { node, ground } = permit.open();
        let mut source = Source::of(&node, &ground)?;
        let policy = &ground.terms.policy.read;
        let first = self.start_line.unwrap_or(1).max(1);
        let lines = self.limit.unwrap_or(policy.default_lines);
        let bounds = Bounds { first, lines, max_bytes: policy.max_bytes, numbered: true };
        if let Some(image) = image::read(&mut source, &ground)? {
            return Ok(image);
        }
        report(looked(source, bounds, &ground, cancel)?, first, &ground)
    }
}

/// Reads a part of a text file.
pub(super) fn text(
    node: &Node,
    ground: &Ground,
    bounds: Bounds,
    cancel: &CancellationToken,
) -> Result<Scan, Failure> {
    looked(Source::of(node, ground)?, bounds, ground, cancel)
}

fn looked(
    mut source: Source,
    bounds: Bounds,
    ground: &Ground,
    cancel: &CancellationToken,
) -> Result<Scan, Failure> {
    match ground.terms.big_files.peek(&mut *source.file, bounds) {
        Some(scan) => Ok(scan),
        None => scan(source, bounds, ground, cancel),
    }
}

const CHUNK: usize = 128 * 1024;

/// What is read, and how much of it at most.
struct Source {
    file: Box<dyn Stored>,
    /// As it was when the file was found.
    size: Option<u64>,
    max_bytes: u64,
}

impl Source {
    fn of(node: &Node, ground: &Ground) -> Result<Source, Failure> {
        ground.find(node)?;
        let file = node.open_file().map_err(|error| ground.fails(error))?;
        let (size, max_bytes) = (node.size(), ground.terms.policy.read.max_file_bytes);
        if size.is_some_and(|size| size > max_bytes) {
            return Err(ground.fails(pinfold_jail::ErrorKind::TooLarge.into()));
        }
        Ok(Source { file, size, max_bytes })
    }
}

/// Streams the whole file once: window, totals and hash come from the same bytes.
fn scan(
    mut source: Source,
    bounds: Bounds,
    ground: &Ground,
    cancel: &CancellationToken,
) -> Result<Scan, Failure> {
    // One byte more than a small file has, to see its end.
    let most =
        source.size.and_then(|size| usize::try_from(size).ok()).map_or(CHUNK, |size| CHUNK.min(size + 1));
    let mut chunk = vec![0u8; most];
    let mut got = fill(&mut *source.file, &mut chunk, ground)?;
    let encoding = Encoding::of(&chunk[..got]);
    if is_binary(&chunk[..got], encoding) {
        return Err(not_text(&chunk[..got], source.size, ground));
    }
    // Of a short file all of it is here.
    let noted = (got < CHUNK).then(|| ground.terms.known_texts.noted(&chunk[..got])).flatten();
    let mut window = Window::new(bounds, encoding);
    let mut index = Index::begin(&*source.file, encoding);
    while got > 0 {
        window.feed(&chunk[..got]);
        index.note(&chunk[..got], &window);
        if window.total_bytes() > source.max_bytes {
            return Err(ground.fails(pinfold_jail::ErrorKind::TooLarge.into()));
        }
        if cancel.is_cancelled() {
            return Err(Failure::new(FailureType::IoOther, "The read was cancelled.").at(ground.shown()));
        }
        got = fill(&mut *source.file, &mut chunk, ground)?;
    }
    let scan = window.finish();
    ground.terms.big_files.learn(index, &*source.file, &scan);
    if scan.total_bytes < CHUNK as u64 {
        ground.terms.known_texts.keep(&scan.hash, noted);
    }
    Ok(scan)
}

/// Fills `chunk`, or as much of it as there is left: a short read must not hide what the first bytes say.
fn fill(file: &mut dyn Stored, chunk: &mut [u8], ground: &Ground) -> Result<usize, Failure> {
    let mut filled = 0;
    while filled < chunk.len() {
        match file.read(&mut chunk[filled..]) {
            Ok(0) => break,
            Ok(got) => filled += got,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(ground.fails(error.into())),
        }
    }
    Ok(filled)
}

fn not_text(head: &[u8], size: Option<u64>, ground: &Ground) -> Failure {
    let path = ground.shown();
    let bytes = size.map(|size| format!(" ({size} bytes)")).unwrap_or_default();
    let (message, hint) = match binary::format(head) {
        Some((format, hint)) => (format!("`{path}` is {format}{bytes}, so it is not shown as text."), hint),
        None => (
            format!("`{path}` is binary{bytes}: it holds NUL bytes, so it is not shown as text."),
            "Use a program that understands the format.",
        ),
    };
    Failure::new(FailureType::NotText, message).hint(hint).at(path)
}

fn report(scan: Scan, first: u64, ground: &Ground) -> Result<ReadResult, Failure> {
    let path = ground.shown();
    if first > 1 && first > scan.total_lines {
        let lines = scan.total_lines;
        let message = format!("`{path}` has {lines} lines; startLine {first} is past the end.");
        return Err(Failure::new(FailureType::BadArguments, message)
            .hint(format!("Use a startLine from 1 to {}.", lines.max(1)))
            .at(path));
    }
    Ok(ReadResult {
        path,
        content: scan.content,
        start_line: scan.start_line,
        end_line: scan.end_line,
        total_lines: scan.total_lines,
        total_bytes: scan.total_bytes,
        truncated: scan.truncated,
        bytes_capped: scan.bytes_capped,
        hash: scan.hash,
        not_utf8_at: scan.not_utf8_at,
        image: None,
    })
}
