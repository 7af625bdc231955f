//! The lines of a file that come closest to a text that is not in it.
//!
//! Lines vote for where the text would begin: those that it has word for word, and those that resemble its longest
//! lines. A line has a bounded number of votes, so this is linear.

use std::{cmp::Reverse, collections::HashMap, ops::Range};

use super::{Asked, MOST_COMPARED, Said, contrast::contrast_part, show, slips::without_line_numbers};
use crate::text::{
    ending::folded,
    lines::{Lines, bare},
};

/// Places in the text that one line of the file votes for at most.
const VOTES_OF_A_LINE: usize = 4;
/// Lines of the text that are compared by resemblance.
const ANCHORS: usize = 3;
const MOST_LINE_BYTES: usize = 2_000;
/// How far a line that was added or left out may shift the ends.
const SHIFT: usize = 5;
const SHOWN_LINES: usize = 20;

pub(super) fn explain(text: &[u8], asked: &Asked<'_>, head: &str) -> Said {
    if text.is_empty() {
        return Said {
            message: format!("{head}: the file is empty."),
            hint: "Use write_file to fill it.".into(),
        };
    }
    let compared = &text[..text.len().min(MOST_COMPARED)];
    let cut = if compared.len() < text.len() { " (Only the first 16 MiB were compared.)" } else { "" };
    let lines = Lines::of(compared);
    let old = without_line_numbers(asked.old);
    let sent = folded(old.as_bytes());
    match Wanted::of(&sent).closest(&lines) {
        Some(region) => close(&lines, &sent, region, &format!("{head}{cut}")),
        None => nothing_close(&lines, &format!("{head}{cut}")),
    }
}

fn close(lines: &Lines<'_>, sent: &[u8], region: Range<usize>, head: &str) -> Said {
    let has = folded(lines.text(region.clone()));
    let has = if sent.ends_with(b"\n") { &has } else { bare(&has) };
    let (at, difference) = match region.len() {
        1 => (0, contrast_part(bare(sent), bare(has))),
        _ => show::first_difference(sent, has).unwrap_or_default(),
    };
    // The end of the text may be missing in the file altogether.
    let at = (region.start + at).min(region.end - 1);
    let message = format!(
        "{head}. The closest is {}; it differs first in line {}: `{difference}`.",
        show::span(&region),
        at + 1
    );
    let from =
        if region.len() > SHOWN_LINES { at.saturating_sub(SHIFT).max(region.start) } else { region.start };
    let hint = "From these lines of the file, copy the text exactly, without line numbers:";
    Said { message, hint: format!("{hint}\n{}", show::numbered(lines, from..region.end)) }
}

fn nothing_close(lines: &Lines<'_>, head: &str) -> Said {
    let message = format!("{head}, nor anything close to it.");
    if lines.count() > SHOWN_LINES {
        let hint = "Read the file again and copy the text exactly, without line numbers, with its indentation; or grep \
                    for a word of it, as it may stand in another file.";
        return Said { message, hint: hint.into() };
    }
    let hint =
        "This is the whole file; if what you want is in it, copy the text exactly, without line numbers:";
    Said { message, hint: format!("{hint}\n{}", show::numbered(lines, 0..lines.count())) }
}

/// The lines of the text, and how much each of them tells.
struct Wanted<'a> {
    lines: Vec<&'a [u8]>,
    weights: Vec<u32>,
}

impl<'a> Wanted<'a> {
    fn of(sent: &'a [u8]) -> Wanted<'a> {
        let sent = sent.strip_suffix(b"\n").unwrap_or(sent);
        let lines: Vec<_> = sent.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).collect();
        let weights = lines.iter().map(|line| weight(line)).collect();
        Wanted { lines, weights }
    }

    fn closest(&self, lines: &Lines<'_>) -> Option<Range<usize>> {
        let mut votes: HashMap<isize, f32> = HashMap::new();
        let (same, alike) = (self.same(), self.alike());
        for at in 0..lines.count() {
            let line = lines.line(at).trim_ascii();
            for &own in same.get(line).into_iter().flatten() {
                *votes.entry(at as isize - own as isize).or_default() += self.weights[own] as f32;
            }
            for (own, pairs) in &alike {
                let vote = self.weights[*own] as f32 * pairs.resemblance(line);
                if vote > 0.0 {
                    *votes.entry(at as isize - *own as isize).or_default() += vote;
                }
            }
        }
        let all: u32 = self.weights.iter().sum();
        let better = |a: &(isize, f32), b: &(isize, f32)| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0));
        let (start, votes) = votes.into_iter().max_by(better)?;
        if votes < 0.2 * all as f32 {
            return None;
        }
        self.with_ends(lines, start)
    }

    /// Lines to be found word for word, and where in the text they are.
    fn same(&self) -> HashMap<&'a [u8], Vec<usize>> {
        let mut same: HashMap<&[u8], Vec<usize>> = HashMap::new();
        for (own, line) in self.lines.iter().enumerate().filter(|(own, _)| self.weights[*own] > 0) {
            let places = same.entry(line).or_default();
            if places.len() < VOTES_OF_A_LINE {
                places.push(own);
            }
        }
        same
    }

    /// The lines that tell most.
    fn alike(&self) -> Vec<(usize, Pairs)> {
        let mut owns: Vec<usize> = (0..self.lines.len()).filter(|own| self.weights[*own] > 0).collect();
        owns.sort_by_key(|own| Reverse(self.weights[*own]));
        owns.truncate(ANCHORS);
        owns.into_iter().map(|own| (own, Pairs::of(self.lines[own]))).collect()
    }

    /// The region that would begin at `start`, its ends moved to where the first and last line really stand.
    fn with_ends(&self, lines: &Lines<'_>, start: isize) -> Option<Range<usize>> {
        let telling = |own: &usize| self.weights[*own] > 0;
        let (first, last) = ((0..self.lines.len()).find(telling)?, (0..self.lines.len()).rfind(telling)?);
        let place = |own: usize| {
            let middle = start + own as isize;
            let near = |at: &isize| {
                let line = usize::try_from(*at).ok().filter(|&at| at < lines.count());
                line.is_some_and(|at| lines.line(at).trim_ascii() == self.lines[own])
            };
            let reach = -(SHIFT as isize)..=SHIFT as isize;
            reach.map(|by| middle + by).filter(near).min_by_key(|at| (at - middle).abs()).unwrap_or(middle)
        };
        let begin = (place(first) - first as isize).max(0);
        let end = place(last) + (self.lines.len() - last) as isize;
        let begin = usize::try_from(begin).ok()?.min(lines.count() - 1);
        let end = usize::try_from(end).ok()?.clamp(begin + 1, lines.count().max(begin + 1));
        Some(begin..end)
    }
}

/// Letters and digits, up to a measure.
fn weight(line: &[u8]) -> u32 {
    let telling = line.iter().filter(|byte| byte.is_ascii_alphanumeric() || **byte >= 0x80);
    u32::try_from(telling.take(40).count()).unwrap_or(40)
}

/// The pairs of neighbouring bytes in a line, letter case left out, as a set of bits.
struct Pairs {
    bits: Vec<u64>,
    count: usize,
}

impl Pairs {
    fn of(line: &[u8]) -> Pairs {
        let mut pairs = Pairs { bits: vec![0; 1 << 10], count: 0 };
        for pair in pairs_of(line) {
            let (word, bit) = (pair >> 6, 1 << (pair & 63));
            pairs.count += usize::from(pairs.bits[word] & bit == 0);
            pairs.bits[word] |= bit;
        }
        pairs
    }

    /// From 0.5 to 1 for lines that are nearly the same, or of which one holds most of the other; else 0.
    fn resemblance(&self, line: &[u8]) -> f32 {
        let (mut all, mut common) = (0usize, 0usize);
        for pair in pairs_of(line) {
            all += 1;
            common += usize::from(self.bits[pair >> 6] & (1 << (pair & 63)) != 0);
        }
        let common = common.min(self.count);
        if self.count == 0 || common == 0 {
            return 0.0;
        }
        let alike = 2.0 * common as f32 / (self.count + all) as f32;
        let holds = common as f32 / self.count as f32;
        match () {
            () if alike >= 0.6 => alike,
            () if holds >= 0.8 && all <= 8 * self.count => 0.5,
            () => 0.0,
        }
    }
}

fn pairs_of(line: &[u8]) -> impl Iterator<Item = usize> {
    let line = &line[..line.len().min(MOST_LINE_BYTES)];
    let plain = |byte: u8| usize::from(byte.to_ascii_lowercase());
    line.array_windows().map(move |&[a, b]| plain(a) << 8 | plain(b))
}
