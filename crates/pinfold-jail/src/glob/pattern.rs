//! From a pattern's text to its alternatives, and matching a path's segments against one of them.

use super::{
    Dialect, GlobError,
    segment::{Segment, literal},
};
use crate::RelPath;

const LONGEST: usize = 4096;
const MOST_ALTERNATIVES: usize = 256;

/// One way to read a pattern, braces expanded: its segments in order.
#[derive(Debug, Clone)]
pub(super) struct Alternative(Vec<Step>);

#[derive(Debug, Clone)]
enum Step {
    /// `**`: any number of segments.
    Any,
    One(Segment),
}

pub(super) fn compile(text: &str, dialect: Dialect) -> Result<Vec<Alternative>, GlobError> {
    if text.len() > LONGEST {
        return Err(GlobError::TooLong);
    }
    if text.contains('\0') {
        return Err(GlobError::Nul);
    }
    let texts = if dialect == Dialect::Search { expand(text)? } else { vec![text.to_owned()] };
    texts.iter().map(|text| alternative(text, dialect)).collect()
}

fn alternative(text: &str, dialect: Dialect) -> Result<Alternative, GlobError> {
    let mut steps: Vec<Step> = Vec::new();
    for part in text.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match part {
            ".." => return Err(GlobError::DotDot),
            "**" if matches!(steps.last(), Some(Step::Any)) => {}
            "**" => steps.push(Step::Any),
            _ => steps.push(Step::One(Segment::new(part, dialect)?)),
        }
    }
    if steps.is_empty() { Err(GlobError::Empty) } else { Ok(Alternative(steps)) }
}

/// Expands `{a,b}`, nested ones too, into every text it stands for.
fn expand(text: &str) -> Result<Vec<String>, GlobError> {
    let mut done = Vec::new();
    let mut open = vec![text.to_owned()];
    while let Some(text) = open.pop() {
        match first_braces(&text)? {
            None => done.push(text),
            Some((start, choices, end)) => {
                let whole = choices.iter().map(|choice| [&text[..start], choice, &text[end..]].concat());
                open.extend(whole.rev());
            }
        }
        if done.len() + open.len() > MOST_ALTERNATIVES {
            return Err(GlobError::TooManyAlternatives);
        }
    }
    Ok(done)
}

type Braces<'a> = (usize, Vec<&'a str>, usize);

/// The first `{…}` of `text`: where it begins, its choices, where what follows it begins.
fn first_braces(text: &str) -> Result<Option<Braces<'_>>, GlobError> {
    let mut start = None;
    let (mut depth, mut from, mut choices) = (0usize, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => {
                depth += 1;
                if depth == 1 {
                    (start, from) = (Some(at), at + 1);
                }
            }
            ',' if depth == 1 => {
                choices.push(&text[from..at]);
                from = at + 1;
            }
            '}' if depth > 0 => {
                depth -= 1;
                if let (0, Some(start)) = (depth, start) {
                    choices.push(&text[from..at]);
                    return Ok(Some((start, choices, at + 1)));
                }
            }
            _ => {}
        }
    }
    if depth > 0 { Err(GlobError::Unclosed) } else { Ok(None) }
}

impl Alternative {
    /// Lets a pattern of one segment match at any depth.
    pub(super) fn float(&mut self) {
        if !matches!(self.0.first(), Some(Step::Any)) {
            self.0.insert(0, Step::Any);
        }
    }

    /// Whether a path that goes on below `dir` could match.
    pub(super) fn may_match_below(&self, dir: &[Vec<u32>]) -> bool {
        let mut below = false;
        self.walk(dir, |_, states| below = self.goes_on(states));
        below
    }

    /// The leading segments that are plain letters, but never the last one.
    pub(super) fn fixed_base(&self) -> RelPath {
        let mut base = RelPath::root();
        let last = self.0.len().saturating_sub(1);
        for step in self.0.iter().take(last) {
            let Step::One(segment) = step else { break };
            let Some(name) = literal(segment) else { break };
            if base.push(name.as_bytes()).is_err() {
                break;
            }
        }
        base
    }

    /// Reads `path` segment by segment and shows, after each count of them (0 first), which steps are reachable:
    /// `states[i]` says that the first `i` steps are done.
    pub(super) fn walk(&self, path: &[Vec<u32>], mut see: impl FnMut(usize, &[bool])) {
        let mut states = self.begin();
        see(0, &states);
        for (read, name) in path.iter().enumerate() {
            states = self.step(&states, name);
            see(read + 1, &states);
        }
    }

    /// Which steps are reachable before anything was read.
    pub(super) fn begin(&self) -> Vec<bool> {
        let mut states = vec![false; self.0.len() + 1];
        states[0] = true;
        self.skip_any(&mut states);
        states
    }

    /// Which steps are reachable after one more segment.
    pub(super) fn step(&self, states: &[bool], name: &[u32]) -> Vec<bool> {
        let mut next = vec![false; states.len()];
        for (at, step) in self.0.iter().enumerate().filter(|(at, _)| states[*at]) {
            match step {
                Step::Any => next[at] = true,
                Step::One(segment) => next[at + 1] |= segment.matches(name),
            }
        }
        self.skip_any(&mut next);
        next
    }

    /// Whether one more segment, and no other, completes a match.
    pub(super) fn ends_with(&self, states: &[bool], name: &[u32]) -> bool {
        let rest_is_any = |from: usize| self.0[from..].iter().all(|step| matches!(step, Step::Any));
        self.0.iter().enumerate().filter(|(at, _)| states[*at]).any(|(at, step)| match step {
            Step::Any => rest_is_any(at),
            Step::One(segment) => rest_is_any(at + 1) && segment.matches(name),
        })
    }

    /// Whether a path that goes on from here could match.
    pub(super) fn goes_on(&self, states: &[bool]) -> bool {
        states[..self.0.len()].contains(&true)
    }

    /// `**` may stand for no segment at all.
    fn skip_any(&self, states: &mut [bool]) {
        for (at, step) in self.0.iter().enumerate() {
            if states[at] && matches!(step, Step::Any) {
                states[at + 1] = true;
            }
        }
    }
}
