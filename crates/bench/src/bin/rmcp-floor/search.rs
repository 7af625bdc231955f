//! Listing and searching with the crates that ripgrep is made of, on two threads.

use std::{
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
};

use globset::GlobBuilder;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, sinks::UTF8};
use ignore::{DirEntry, WalkBuilder, WalkState};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Outcome;

const THREADS: usize = 2;
const MAX_MATCHES: usize = 250;
const MAX_PATHS: usize = 1000;

#[derive(Deserialize)]
pub(super) struct ListDir {
    path: PathBuf,
    depth: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Search {
    path: Option<PathBuf>,
    pattern: String,
    max_matches: Option<usize>,
}

impl Search {
    fn root(&self) -> &Path {
        self.path.as_deref().unwrap_or(Path::new("."))
    }
}

pub(super) fn list(asked: &ListDir) -> Outcome {
    let mut walk = walk(&asked.path);
    walk.standard_filters(false).max_depth(Some(asked.depth.unwrap_or(1)));
    let entries = found(&walk, |entry| {
        let directory = entry.file_type().is_some_and(|kind| kind.is_dir());
        let size = if directory { None } else { entry.metadata().ok().map(|about| about.len()) };
        Some((entry.path().to_owned(), directory, size, entry.depth()))
    });
    let entry = |(path, directory, size, depth): (PathBuf, bool, Option<u64>, usize)| json!({"path": path, "type": if directory { "directory" } else { "file" }, "size": size, "depth": depth});
    Ok(json!({"path": asked.path, "entries": entries.into_iter().map(entry).collect::<Vec<Value>>()}))
}

pub(super) fn glob(asked: &Search) -> Outcome {
    let glob = GlobBuilder::new(&asked.pattern).literal_separator(true).build()?.compile_matcher();
    let mut paths = found(&walk(asked.root()), |entry| {
        let below = entry.path().strip_prefix(asked.root()).ok()?;
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        (is_file && glob.is_match(below)).then(|| entry.path().to_owned())
    });
    let truncated = paths.len() > MAX_PATHS;
    paths.truncate(MAX_PATHS);
    Ok(json!({"paths": paths, "truncated": truncated}))
}

pub(super) fn grep(asked: &Search) -> Outcome {
    let matcher = RegexMatcherBuilder::new().line_terminator(Some(b'\n')).build(&asked.pattern)?;
    let most = asked.max_matches.unwrap_or(MAX_MATCHES);
    let (found, count) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
    walk(asked.root()).build_parallel().run(|| {
        let mut searcher = SearcherBuilder::new().binary_detection(BinaryDetection::quit(0)).build();
        let (matcher, found, count) = (&matcher, &found, &count);
        Box::new(move |entry| {
            let file = entry.ok().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
            let Some(file) = file else { return WalkState::Continue };
            let mut own = lines(&mut searcher, matcher, file.path(), &|| {
                count.fetch_add(1, Ordering::Relaxed) + 1 < most
            });
            found.lock().unwrap_or_else(PoisonError::into_inner).append(&mut own);
            if count.load(Ordering::Relaxed) >= most { WalkState::Quit } else { WalkState::Continue }
        })
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable();
    found.truncate(most);
    let one = |(path, line, text): (PathBuf, u64, String)| json!({"path": path, "line": line, "text": text});
    Ok(json!({"matches": found.into_iter().map(one).collect::<Vec<Value>>()}))
}

/// The matching lines of one file, while `more` are wanted.
fn lines(
    searcher: &mut Searcher,
    matcher: &RegexMatcher,
    path: &Path,
    more: &dyn Fn() -> bool,
) -> Vec<(PathBuf, u64, String)> {
    let mut own = Vec::new();
    let sink = UTF8(|line, text| {
        own.push((path.to_owned(), line, text.trim_end().to_owned()));
        Ok(more())
    });
    // A file that cannot be read has no matches here.
    searcher.search_path(matcher, path, sink).ok();
    own
}

fn walk(root: &Path) -> WalkBuilder {
    let mut walk = WalkBuilder::new(root);
    walk.require_git(false).threads(THREADS);
    walk
}

fn found<T: Ord + Send>(walk: &WalkBuilder, keep: impl Fn(&DirEntry) -> Option<T> + Sync) -> Vec<T> {
    let (sender, receiver) = mpsc::channel();
    walk.build_parallel().run(|| {
        let (sender, keep) = (sender.clone(), &keep);
        Box::new(move |entry| {
            if let Some(kept) = entry.ok().as_ref().and_then(keep) {
                sender.send(kept).ok();
            }
            WalkState::Continue
        })
    });
    drop(sender);
    let mut all: Vec<T> = receiver.into_iter().collect();
    all.sort_unstable();
    all
}
