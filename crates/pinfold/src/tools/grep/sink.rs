//! What the searcher tells about one file.

use std::{io, ops::Range};

use grep_matcher::Matcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkContextKind, SinkFinish, SinkMatch};

use super::{
    engine::{Query, Want},
    stream::Gaps,
    window,
};
use crate::walk::Stopped;

/// A matching line, or with `multiline` the lines of a match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Hit {
    /// The first line, counted from 1.
    pub(crate) line: u64,
    /// The last line.
    pub(crate) end_line: u64,
    /// The lines without the last ending, as the file has them.
    pub(crate) text: Vec<u8>,
    /// Where in `text` the first match is, or with `every` each.
    pub(crate) spans: Vec<Range<usize>>,
    /// The lines right before, as they are shown, as far as they were not told already.
    pub(crate) before: Vec<String>,
    /// The lines right after, up to the next hit.
    pub(crate) after: Vec<String>,
}

/// What became of one file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It holds a NUL byte: what was found before that does not count.
    Binary,
    /// It could not be opened, or not read to its end.
    Unreadable,
    /// It is too large to be searched with `multiline`.
    TooLarge,
    /// It was searched.
    Text {
        hits: Vec<Hit>,
        /// Matching lines; only those that were looked for.
        count: u64,
        /// Lines that are too long to be searched.
        too_long: u64,
        /// There are more hits than were asked for.
        more: bool,
        /// It was not searched to its end.
        stopped: Option<Stopped>,
    },
}

/// Collects the matching lines of one file.
pub(super) struct FileSink<'a> {
    query: &'a Query,
    gaps: &'a Gaps,
    hits: Vec<Hit>,
    count: u64,
    more: bool,
    binary: bool,
    /// Lines before the next hit, and the number of the first.
    before: Vec<(u64, String)>,
}

impl<'a> FileSink<'a> {
    pub(super) fn new(query: &'a Query, gaps: &'a Gaps) -> FileSink<'a> {
        FileSink { query, gaps, hits: Vec::new(), count: 0, more: false, binary: false, before: Vec::new() }
    }

    pub(super) fn outcome(self, stopped: Option<Stopped>) -> Outcome {
        if self.binary {
            return Outcome::Binary;
        }
        let too_long = self.gaps.borrow().len() as u64;
        Outcome::Text { hits: self.hits, count: self.count, too_long, more: self.more, stopped }
    }

    /// Whether a line that is too long would have been among these bytes.
    fn has_gap(&self, begin: u64, bytes: usize) -> bool {
        let gaps = self.gaps.borrow();
        let first = gaps.partition_point(|gap| *gap < begin);
        gaps.get(first).is_some_and(|gap| *gap < begin + bytes.max(1) as u64)
    }

    fn hit(&self, found: &SinkMatch<'_>, every: bool) -> Result<Hit, io::Error> {
        let text = without_ending(found.bytes());
        // Over several lines the last ending may be part of the match.
        let searched = if self.query.multiline { found.bytes() } else { text };
        let mut spans = Vec::new();
        self.query.matcher.find_iter(searched, |span| {
            spans.push(span.start().min(text.len())..span.end().min(text.len()));
            every
        })?;
        let line = found.line_number().unwrap_or(0);
        let end_line = line + memchr::memchr_iter(b'\n', text).count() as u64;
        Ok(Hit { line, end_line, text: text.to_vec(), spans, ..Hit::default() })
    }
}

impl Sink for FileSink<'_> {
    type Error = io::Error;

    fn matched(&mut self, _searcher: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        let before = std::mem::take(&mut self.before);
        if self.has_gap(found.absolute_byte_offset(), found.bytes().len()) {
            return Ok(true);
        }
        let every = match self.query.want {
            Want::First => {
                self.count = 1;
                return Ok(false);
            }
            Want::Count => {
                self.count += 1;
                return Ok(true);
            }
            Want::Lines { every, .. } => every,
        };
        if self.hits.len() == self.query.most_hits {
            self.more = true;
            return Ok(false);
        }
        let mut hit = self.hit(found, every)?;
        let joined = before.last().is_some_and(|(number, _)| number + 1 == hit.line);
        if joined {
            hit.before = before.into_iter().map(|(_, text)| text).collect();
        }
        self.hits.push(hit);
        self.count += 1;
        Ok(true)
    }

    fn context(&mut self, _searcher: &Searcher, line: &SinkContext<'_>) -> Result<bool, io::Error> {
        let number = line.line_number().unwrap_or(0);
        let shown = if self.has_gap(line.absolute_byte_offset(), line.bytes().len()) {
            window::LEFT_OUT.to_owned()
        } else {
            window::beginning(without_ending(line.bytes()))
        };
        match line.kind() {
            SinkContextKind::Before => self.before.push((number, shown)),
            SinkContextKind::After => {
                if let Some(hit) = self.hits.last_mut()
                    && hit.end_line + hit.after.len() as u64 + 1 == number
                {
                    hit.after.push(shown);
                }
            }
            SinkContextKind::Other => {}
        }
        Ok(true)
    }

    fn context_break(&mut self, _searcher: &Searcher) -> Result<bool, io::Error> {
        self.before.clear();
        Ok(true)
    }

    fn binary_data(&mut self, _searcher: &Searcher, _offset: u64) -> Result<bool, io::Error> {
        self.binary = true;
        Ok(false)
    }

    fn finish(&mut self, _searcher: &Searcher, end: &SinkFinish) -> Result<(), io::Error> {
        self.binary |= end.binary_byte_offset().is_some();
        Ok(())
    }
}

fn without_ending(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}
