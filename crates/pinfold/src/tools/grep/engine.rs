//! The engine: one query over a file, or over all files below a directory.

use std::{io::Read, ops::ControlFlow, time::Instant};

use grep_matcher::LineTerminator;
use grep_regex::RegexMatcher;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use ignore::types::Types;
use pinfold_jail::NodeKind;
use tokio_util::sync::CancellationToken;

use super::{
    kinds,
    pace::Pace,
    sink::{FileSink, Outcome},
    stream::{Over, Stream},
};
use crate::{
    Failure,
    backend::Stored,
    gate::{Site, Terms},
    pattern::Filter,
    walk::{Found, Stopped, Trip, Visitor, Walked, is_over},
};

/// What to look for, and how much of it to bring back.
pub(crate) struct Query {
    /// Made by [`compile`](super::compile), with the same `multiline`.
    pub(crate) matcher: RegexMatcher,
    /// Matches may span lines. A file is then held in memory, and one of more than 16 MiB is skipped.
    pub(crate) multiline: bool,
    pub(crate) want: Want,
    /// Hits of one file; whether there is another is told.
    pub(crate) most_hits: usize,
    /// Characters; longer lines are not searched, but counted.
    pub(crate) longest_line: usize,
    /// Only files of these kinds.
    pub(crate) kinds: Option<Types>,
    /// Find out when each file was changed.
    pub(crate) by_time: bool,
}

/// What is wanted of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Want {
    /// Matching lines with so many lines around them; `every` match in a line, or the first.
    Lines { context: usize, every: bool },
    /// Whether there is one.
    First,
    /// How many lines match.
    Count,
}

/// A query, and where it is sent.
pub(crate) struct Errand<'a> {
    pub(crate) site: &'a Site,
    pub(crate) filter: &'a Filter,
    pub(crate) query: &'a Query,
    pub(crate) cancel: &'a CancellationToken,
    pub(crate) deadline: Option<Instant>,
}

/// One file.
pub(crate) struct Looked {
    /// As results show it.
    pub(crate) path: String,
    /// When it was changed, in nanoseconds since 1970; 0 if that was not asked for, or nobody knows.
    pub(crate) modified_ns: i128,
    pub(crate) outcome: Outcome,
}

/// Bytes of the longest line, and with `multiline` of the largest file, that is held in memory.
pub(super) const HEAP: usize = 16 << 20;

/// Searches, and hands file after file to `take`, in byte order of their paths, on one thread at a time.
///
/// # Errors
/// `not-found`, and what the operating system says of the place itself.
pub(crate) fn search(
    errand: &Errand<'_>,
    take: &mut (dyn FnMut(Looked) -> ControlFlow<()> + Send),
) -> Result<Walked, Failure> {
    let Errand { site, filter, query, cancel, deadline } = *errand;
    let (node, ground) = (&site.node, &site.ground);
    let over = || is_over(cancel, deadline);
    let search = Search { query, terms: &ground.terms };
    ground.find(node)?;
    if matches!(node.kind(), Some(NodeKind::File | NodeKind::Other)) {
        let file = node.open_file().map_err(|error| ground.fails(error))?;
        let looked = search.look(&mut search.worker(), file, ground.shown(), &over);
        let stopped = take(looked).is_break().then_some(Stopped::Enough).or_else(over);
        return Ok(Walked { stopped, ..Walked::default() });
    }
    let top = node.open_dir().map_err(|error| ground.fails(error))?;
    let ignores = ground.ignores.as_ref();
    let trip =
        Trip { top: &top, place: &ground.place, terms: &ground.terms, filter, ignores, cancel, deadline };
    Ok(trip.walk(&search, take))
}

struct Search<'a> {
    query: &'a Query,
    terms: &'a Terms,
}

/// What one thread needs.
pub(super) struct Worker {
    searcher: Searcher,
    pace: Pace,
}

impl Worker {
    pub(super) fn new(query: &Query) -> Worker {
        let context = match query.want {
            Want::Lines { context, .. } => context,
            Want::First | Want::Count => 0,
        };
        let searcher = SearcherBuilder::new()
            .line_terminator(LineTerminator::crlf())
            .binary_detection(BinaryDetection::quit(0))
            .bom_sniffing(false)
            .line_number(true)
            .multi_line(query.multiline)
            .before_context(context)
            .after_context(context)
            .build();
        Worker { searcher, pace: Pace::default() }
    }
}

/// Searches one file, until it is `over`.
pub(super) fn read(query: &Query, worker: &mut Worker, file: impl Read, over: &Over<'_>) -> Outcome {
    let most_bytes = if query.multiline { HEAP } else { usize::MAX };
    let mut stream = Stream::new(file, over, &mut worker.pace, query.longest_line, most_bytes);
    let gaps = stream.gaps();
    let mut sink = FileSink::new(query, &gaps);
    let read = worker.searcher.search_reader(&query.matcher, &mut stream, &mut sink);
    match read {
        _ if stream.is_too_large() => Outcome::TooLarge,
        Ok(()) => sink.outcome(stream.stopped()),
        Err(_) => Outcome::Unreadable,
    }
}

impl Search<'_> {
    fn look(&self, worker: &mut Worker, file: Box<dyn Stored>, path: String, over: &Over<'_>) -> Looked {
        let version = if self.query.by_time { file.version() } else { None };
        let outcome = read(self.query, worker, file, over);
        Looked { path, modified_ns: version.map_or(0, |version| version.modified_ns()), outcome }
    }
}

impl Visitor for Search<'_> {
    type Worker = Worker;
    type Yield = Looked;

    fn worker(&self) -> Worker {
        Worker::new(self.query)
    }

    fn file(&self, worker: &mut Worker, found: &Found<'_>) -> Option<Looked> {
        if self.query.kinds.as_ref().is_some_and(|kinds| !kinds::has(kinds, found.name)) {
            return None;
        }
        let path = self.terms.shown(&found.place);
        Some(match found.folder.open_file(found.name) {
            Ok(file) => self.look(worker, file, path, found.over),
            Err(_) => Looked { path, modified_ns: 0, outcome: Outcome::Unreadable },
        })
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::atomic::{AtomicUsize, Ordering},
    };

    use super::*;
    use crate::tools::grep::{Expression, LONGEST_LINE, compile};

    /// A file without an end, which counts how often it is read.
    struct Endless<'a>(&'a [u8], &'a AtomicUsize);

    impl Read for Endless<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            self.1.fetch_add(1, Ordering::Relaxed);
            into.iter_mut().zip(self.0.iter().cycle()).for_each(|(byte, text)| *byte = *text);
            Ok(into.len() / self.0.len() * self.0.len())
        }
    }

    fn query(text: &str, multiline: bool) -> Query {
        let expression = Expression { text, literal: false, ignore_case: false, multiline };
        Query {
            matcher: compile(&expression, None).unwrap(),
            multiline,
            want: Want::Lines { context: 0, every: false },
            most_hits: 100,
            longest_line: LONGEST_LINE,
            kinds: None,
            by_time: false,
        }
    }

    /// The outcome, and how often the file was read, where every look from the fifth on says that it is over.
    fn stopped(query: &Query, text: &[u8], why: Stopped) -> (Outcome, usize) {
        let (looks, reads) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let over = || (looks.fetch_add(1, Ordering::Relaxed) >= 4).then_some(why);
        let outcome = read(query, &mut Worker::new(query), Endless(text, &reads), &over);
        (outcome, reads.into_inner())
    }

    #[test]
    fn once_it_is_over_not_one_more_byte_of_the_file_is_read() {
        for (pattern, line) in [
            ("needle", &b"no match in here\n"[..]),
            ("(?:.{0,200}q){3}!", b"aaaaaaaaaaqaaaaaaaaaaqaaaaaaaa\n"),
            ("needle", b"a line without an end"),
        ] {
            for (why, multiline) in
                [(Stopped::Cancelled, false), (Stopped::Deadline, false), (Stopped::Enough, true)]
            {
                let (outcome, reads) = stopped(&query(pattern, multiline), line, why);
                let Outcome::Text { hits, stopped, .. } = outcome else { panic!("{outcome:?}") };
                assert_eq!((hits.len(), stopped, reads), (0, Some(why), 4), "{pattern}");
            }
        }
    }

    #[test]
    fn what_was_found_before_counts_and_no_line_is_cut() {
        let query = Query { most_hits: 1_000_000, ..query("^whole line$|^who", false) };
        let (outcome, reads) = stopped(&query, b"whole line\n", Stopped::Deadline);
        let Outcome::Text { hits, count, stopped, .. } = outcome else { panic!("{outcome:?}") };
        assert_eq!((reads, stopped), (4, Some(Stopped::Deadline)));
        assert!(count > 1_000 && hits.iter().all(|hit| hit.text == b"whole line"), "{count}");
    }

    #[test]
    fn a_file_is_not_held_in_memory_without_end() {
        let reads = AtomicUsize::new(0);
        let query = query("a\nb", true);
        let outcome = read(&query, &mut Worker::new(&query), Endless(b"text\n", &reads), &|| None);
        assert_eq!(outcome, Outcome::TooLarge);
    }

    #[test]
    fn every_match_of_a_line_can_be_had() {
        let query = Query { want: Want::Lines { context: 0, every: true }, ..query("al?", false) };
        let outcome = read(&query, &mut Worker::new(&query), &b"alpha\r\nno\nla a"[..], &|| None);
        let Outcome::Text { hits, .. } = outcome else { panic!("{outcome:?}") };
        let told: Vec<_> = hits.iter().map(|hit| (hit.line, hit.spans.clone())).collect();
        assert_eq!(told, [(1, vec![0..2, 4..5]), (3, vec![1..2, 3..4])]);
    }
}
