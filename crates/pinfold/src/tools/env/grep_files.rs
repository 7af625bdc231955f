//! `grep_files`: every occurrence of a text or a regular expression, with its line and column.

mod expression;
mod occurrences;
mod source;

use std::ops::ControlFlow;

use grep_matcher::{LineTerminator, Matcher};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use pinfold_contract::{
    Skipped,
    env::{EnvGrepped, EnvMatch, GrepMode},
};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::{
    At, Located,
    search::{Area, Hunt, Start},
};
use crate::{
    Failure,
    backend::Asked,
    gate::{Look, Permit},
    tools::FileTool,
    walk::{Found, Visitor},
};
use occurrences::{Bounds, Occurrences};
use source::Source;

/// The arguments of `grep_files`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GrepFiles {
    /// The text, or the regular expression.
    pub pattern: String,
    /// Where to search. Default: the whole workspace.
    pub root: Option<String>,
    /// Also in names that begin with a dot. Default: false.
    pub include_hidden: Option<bool>,
    /// How pattern is read. Default: literal.
    #[schemars(with = "Option<String>", extend("enum" = ["literal", "regex"]))]
    pub mode: Option<GrepMode>,
    /// Most matches to return. Default: 100.
    #[schemars(range(min = 1, max = 10_000))]
    pub max_matches: Option<usize>,
    /// Most bytes of the line and of the match to return. Default: 4096.
    #[schemars(range(min = 1, max = 65_536))]
    pub max_bytes_per_match: Option<usize>,
}

impl Located for GrepFiles {
    const LABEL: &str = "root";
    const MAY_BE_ROOT: bool = true;

    fn text(&self) -> Option<&str> {
        self.root.as_deref()
    }
}

/// Bytes of the longest line that is searched, and held in memory.
const HEAP: usize = 16 << 20;
/// Paths of binary files that are named.
const NAMED_BINARIES: usize = 100;

/// What is searched for.
#[derive(Debug, Clone)]
enum Wanted {
    Text(expression::Text),
    Expression(grep_regex::RegexMatcher),
}

/// A search whose pattern was read.
#[derive(Debug, Clone)]
pub(crate) struct Grepping {
    at: At<GrepFiles>,
    wanted: Wanted,
}

impl Grepping {
    pub(crate) fn read(wish: GrepFiles, roots: &[std::path::PathBuf]) -> Result<Grepping, Failure> {
        super::in_bounds("maxMatches", wish.max_matches, 10_000)?;
        super::in_bounds("maxBytesPerMatch", wish.max_bytes_per_match, 65_536)?;
        let wanted = match wish.mode.unwrap_or_default() {
            GrepMode::Literal => Wanted::Text(expression::text(&wish.pattern)?),
            GrepMode::Regex => Wanted::Expression(expression::compile(&wish.pattern)?),
        };
        Ok(Grepping { at: At::read(wish, roots)?, wanted })
    }
}

impl FileTool for Grepping {
    type Deed = Look;
    type Report = EnvGrepped;

    fn asks(&self) -> Asked {
        self.at.path.to_look_at()
    }

    fn perform(self, permit: Permit<Look>, cancel: &CancellationToken) -> Result<EnvGrepped, Failure> {
        let Grepping { at: At { path, wish }, wanted } = self;
        let hunt = Hunt::new(path, permit.open(), None, wish.include_hidden.unwrap_or(false));
        let (start, area) = hunt.start()?;
        let limits = &area.ground.terms.policy.env_dialect;
        let bounds = Bounds {
            matches: wish.max_matches.unwrap_or(limits.max_matches),
            bytes: wish.max_bytes_per_match.unwrap_or(limits.max_bytes_per_match),
        };
        let result = EnvGrepped {
            root: area.root.to_string(),
            pattern: wish.pattern,
            mode: wish.mode.unwrap_or_default(),
            matches: Vec::new(),
            skipped_binary_paths: Vec::new(),
            truncated: false,
            max_matches: bounds.matches,
            max_bytes_per_match: bounds.bytes,
            complete: true,
            searched: 0,
            skipped: Skipped::default(),
        };
        let area = &area;
        match wanted {
            Wanted::Text(matcher) => Search { matcher, bounds, area, cancel }.run(start, result),
            Wanted::Expression(matcher) => Search { matcher, bounds, area, cancel }.run(start, result),
        }
    }
}

/// What came of one file.
enum Outcome {
    /// It holds a NUL byte: what else is in it does not count.
    Binary(String),
    /// A line is longer than is searched.
    TooLong,
    Unreadable,
    Text {
        matches: Vec<EnvMatch>,
        /// There was a match too many.
        more: bool,
    },
}

struct Search<'a, M> {
    matcher: M,
    bounds: Bounds,
    area: &'a Area,
    cancel: &'a CancellationToken,
}

impl<M: Matcher + Sync> Search<'_, M> {
    fn run(&self, start: Start, mut result: EnvGrepped) -> Result<EnvGrepped, Failure> {
        match start {
            Start::Nothing => {}
            Start::File(node) => {
                let file = node.open_file().map_err(|error| self.area.ground.fails(error))?;
                let outcome = self.read(&mut self.worker(), file, self.area.root.to_string());
                result.complete = take(&mut result, outcome, self.bounds).is_continue();
            }
            Start::Below(top) => {
                let trip = self.area.trip(&top, self.cancel);
                let walked = trip.walk(self, &mut |outcome| take(&mut result, outcome, self.bounds));
                result.skipped.unreadable += walked.unreadable;
                result.complete = walked.stopped.is_none();
            }
        }
        let Skipped { too_long, unreadable, .. } = result.skipped;
        result.complete &= too_long == 0 && unreadable == 0 && !self.cancel.is_cancelled();
        Ok(result)
    }

    fn read(&self, searcher: &mut Searcher, file: impl std::io::Read, path: String) -> Outcome {
        let mut sink = Occurrences::new(&self.matcher, &path, self.bounds);
        let read = searcher.search_reader(&self.matcher, Source::new(file, self.cancel), &mut sink);
        let binary = sink.is_binary;
        match read {
            _ if binary => Outcome::Binary(path),
            Ok(()) => Outcome::Text { more: sink.more, matches: sink.matches },
            // A line that does not fit has no code of the operating system.
            Err(error) if error.raw_os_error().is_none() => Outcome::TooLong,
            Err(_) => Outcome::Unreadable,
        }
    }
}

/// Adds what came of one file.
fn take(result: &mut EnvGrepped, outcome: Outcome, bounds: Bounds) -> ControlFlow<()> {
    match outcome {
        Outcome::Binary(path) => {
            result.skipped.binary += 1;
            if result.skipped_binary_paths.len() < NAMED_BINARIES {
                result.skipped_binary_paths.push(path);
            }
        }
        Outcome::TooLong => result.skipped.too_long += 1,
        Outcome::Unreadable => result.skipped.unreadable += 1,
        Outcome::Text { matches, more } => {
            result.searched += 1;
            result.truncated |= bounds.fill(&mut result.matches, matches) || more;
        }
    }
    if result.truncated { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

impl<M: Matcher + Sync> Visitor for Search<'_, M> {
    type Worker = Searcher;
    type Yield = Outcome;

    fn worker(&self) -> Searcher {
        SearcherBuilder::new()
            .line_terminator(LineTerminator::crlf())
            .binary_detection(BinaryDetection::quit(0))
            // A file in UTF-16 holds NUL bytes.
            .bom_sniffing(false)
            .line_number(true)
            .heap_limit(Some(HEAP))
            .build()
    }

    fn file(&self, searcher: &mut Searcher, found: &Found<'_>) -> Option<Outcome> {
        let Ok(file) = found.folder.open_file(found.name) else { return Some(Outcome::Unreadable) };
        Some(self.read(searcher, file, self.area.path_of(found)))
    }
}
