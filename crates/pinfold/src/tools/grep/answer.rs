//! From what each file holds to one bounded answer, which says what it leaves out and how to get it.

use std::{cmp::Reverse, ops::ControlFlow};

use pinfold_contract::{GrepCount, GrepMatch, GrepResult, GrepStop, Skipped};

use super::{DEADLINE, DEFAULT_MATCHES, Grep, GrepMode, GrepOrder, Hit, Looked, Outcome, window};
use crate::walk::{Stopped, Walked};

/// Bytes of text in an answer.
const MOST_BYTES: usize = 1 << 20;

/// Takes file after file, and keeps what was asked for.
pub(super) struct Answer {
    mode: GrepMode,
    offset: usize,
    most: usize,
    per_file: Option<usize>,
    /// What goes before the first that is returned.
    skip: usize,
    room: usize,
    bytes: usize,
    /// Files that match, to be put in order at the end; none where they come in order.
    by_time: Option<Vec<Matching>>,
    /// Files with more matches than were wanted of one.
    capped: u64,
    /// A file was not searched to its end.
    broken_off: bool,
    result: GrepResult,
}

/// A file that matches.
struct Matching {
    path: String,
    modified_ns: i128,
    hits: Vec<Hit>,
    count: u64,
    more: bool,
}

impl Answer {
    pub(super) fn new(asked: &Grep) -> Answer {
        let (offset, most) = (asked.offset.unwrap_or(0), asked.max_matches.unwrap_or(DEFAULT_MATCHES));
        Answer {
            mode: asked.mode.unwrap_or_default(),
            offset,
            most,
            per_file: asked.max_per_file,
            skip: offset,
            room: most,
            bytes: 0,
            by_time: (asked.order == Some(GrepOrder::Mtime)).then(Vec::new),
            capped: 0,
            broken_off: false,
            result: GrepResult::default(),
        }
    }

    /// Hits of one file that can be of use.
    pub(super) fn most_hits(&self) -> usize {
        self.offset.saturating_add(self.most).min(self.per_file.unwrap_or(usize::MAX))
    }

    /// Takes what became of the next file.
    pub(super) fn take(&mut self, looked: Looked) -> ControlFlow<()> {
        let skipped = &mut self.result.skipped;
        let (hits, count, more) = match looked.outcome {
            Outcome::Binary => {
                skipped.binary += 1;
                return ControlFlow::Continue(());
            }
            Outcome::Unreadable => {
                skipped.unreadable += 1;
                return ControlFlow::Continue(());
            }
            Outcome::TooLarge => {
                skipped.too_large += 1;
                return ControlFlow::Continue(());
            }
            Outcome::Text { hits, count, too_long, more, stopped } => {
                skipped.too_long += too_long;
                self.result.searched += u64::from(stopped.is_none());
                self.broken_off |= stopped.is_some();
                (hits, count, more)
            }
        };
        if count == 0 {
            return ControlFlow::Continue(());
        }
        let matching = Matching { path: looked.path, modified_ns: looked.modified_ns, hits, count, more };
        match &mut self.by_time {
            None => self.pour(matching),
            Some(waiting) => {
                waiting.push(matching);
                if waiting.len() > 2 * (self.offset + self.most + 1) {
                    // Each holds one at least: what comes later in order cannot be of use any more.
                    newest_first(waiting);
                    waiting.truncate(self.offset + self.most + 1);
                }
                ControlFlow::Continue(())
            }
        }
    }

    fn pour(&mut self, file: Matching) -> ControlFlow<()> {
        match self.mode {
            GrepMode::Content => {
                for hit in file.hits {
                    if self.admits(file.path.len() + hit.text.len())? {
                        self.result.matches.push(shown(&file.path, hit));
                    }
                }
                if file.more && self.per_file.is_some_and(|most| most <= self.offset + self.most) {
                    self.capped += 1;
                } else if file.more {
                    return self.cut();
                }
            }
            GrepMode::Files => {
                if self.admits(file.path.len())? {
                    self.result.files.push(file.path);
                }
            }
            // Goes on behind the last one that is returned, since the total is wanted.
            GrepMode::Count => {
                *self.result.total.get_or_insert(0) += file.count;
                if self.admits(file.path.len()) == ControlFlow::Continue(true) {
                    self.result.counts.push(GrepCount { path: file.path, count: file.count });
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether the next one is returned; a break if there is no room for it.
    fn admits(&mut self, bytes: usize) -> ControlFlow<(), bool> {
        if self.skip > 0 {
            self.skip -= 1;
            return ControlFlow::Continue(false);
        }
        let full = self.bytes > 0 && self.bytes + bytes > MOST_BYTES;
        if self.room == 0 || full {
            self.room = 0;
            self.cut()?;
        }
        self.room -= 1;
        self.bytes += bytes;
        ControlFlow::Continue(true)
    }

    fn cut(&mut self) -> ControlFlow<()> {
        self.result.truncated = true;
        ControlFlow::Break(())
    }

    /// The answer, after the last file.
    pub(super) fn report(mut self, walked: Walked) -> GrepResult {
        if let Some(mut waiting) = self.by_time.take() {
            newest_first(&mut waiting);
            let _cut = waiting.into_iter().try_for_each(|file| self.pour(file));
        }
        let returned = self.result.matches.len() + self.result.files.len() + self.result.counts.len();
        let result = &mut self.result;
        result.skipped.unreadable += walked.unreadable;
        result.skipped.ignored += walked.ignored;
        if result.truncated {
            result.next_offset = Some((self.offset + returned) as u64);
        }
        result.truncated |= self.capped > 0;
        result.stopped = match walked.stopped {
            Some(Stopped::Deadline) => Some(GrepStop::Deadline),
            Some(Stopped::Cancelled) => Some(GrepStop::Cancelled),
            Some(Stopped::Enough) => Some(GrepStop::Limit),
            None => result.truncated.then_some(GrepStop::Limit),
        };
        let counted_on = self.mode == GrepMode::Count && walked.stopped.is_none();
        let unseen = result.skipped.unreadable + result.skipped.too_large > 0 || self.broken_off;
        result.complete = !unseen && (result.stopped.is_none() || counted_on);
        if !result.complete {
            result.total = None;
        } else if self.mode == GrepMode::Count {
            result.total.get_or_insert(0);
        }
        self.result.note = self.note(returned);
        self.result
    }

    /// What a reader would not see in the answer, in a few sentences.
    fn note(&self, returned: usize) -> Option<String> {
        let GrepResult { searched, skipped, stopped, next_offset, .. } = &self.result;
        let mut said = Vec::new();
        match (stopped, next_offset) {
            (Some(GrepStop::Deadline), _) => said.push(format!(
                "Stopped after {} s, before all was searched: narrow with path, glob or type.",
                DEADLINE.as_secs()
            )),
            (Some(GrepStop::Cancelled), _) => {
                said.push("Cancelled before all was searched.".to_owned());
            }
            (_, Some(next)) if self.mode == GrepMode::Count => {
                said.push(format!("More files match: go on with offset {next}, or raise maxMatches."));
            }
            (_, Some(next)) => said.push(format!(
                "There is more, how much is not known: go on with offset {next}, or narrow with path, glob or type."
            )),
            _ => {}
        }
        if self.capped > 0 {
            said.push(format!("Files with more matches than maxPerFile: {}.", self.capped));
        }
        if returned == 0 && self.offset > 0 {
            said.push(format!("There is nothing behind offset {}.", self.offset));
        } else if returned == 0 {
            said.push(match *searched {
                0 => "No file was searched.".to_owned(),
                files => format!("No match in {files} {}.", if files == 1 { "file" } else { "files" }),
            });
            said.extend(left_out(skipped));
        }
        (!said.is_empty()).then(|| said.join(" "))
    }
}

fn newest_first(files: &mut [Matching]) {
    files.sort_by(|one, other| {
        (Reverse(one.modified_ns), one.path.as_bytes())
            .cmp(&(Reverse(other.modified_ns), other.path.as_bytes()))
    });
}

/// What was skipped, and why.
fn left_out(skipped: &Skipped) -> Option<String> {
    let reasons = [
        (skipped.binary, "binary"),
        (skipped.unreadable, "unreadable"),
        (skipped.too_large, "too large for multiline"),
        (skipped.ignored, "ignored"),
        (skipped.too_long, "lines of more than 2,000 characters"),
    ];
    let told: Vec<String> = reasons
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    (!told.is_empty()).then(|| format!("Skipped: {}.", told.join(", ")))
}

fn shown(path: &str, hit: Hit) -> GrepMatch {
    let span = hit.spans.first().cloned().unwrap_or(0..0);
    let column = span.start as u64 + 1;
    let (text, from) = window::around(&hit.text, &span);
    GrepMatch {
        path: path.to_owned(),
        line: hit.line,
        column,
        text_column: (text.len() < hit.text.len()).then_some(from as u64 + 1),
        text,
        end_line: (hit.end_line > hit.line).then_some(hit.end_line),
        before: hit.before,
        after: hit.after,
    }
}
