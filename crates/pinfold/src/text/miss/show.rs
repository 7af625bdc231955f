//! Showing places of a file within bounds: numbered as `read_file` does, or bare between two rows of backticks, to be
//! copied as they stand.

use std::{fmt::Write as _, ops::Range};

use super::{Asked, NAMED_PLACES, contrast::contrast};
use crate::text::{
    ending::folded,
    lines::{Lines, bare},
};

const MOST_LINES: usize = 20;
const MOST_BYTES: usize = 1_500;
const MOST_LINE_BYTES: usize = 400;
/// A line that only says which place is meant.
const MOST_NAMED_BYTES: usize = 120;
/// With more places than these there is no room for the lines around.
const PLACES_WITH_CONTEXT: usize = 4;

/// The lines, counted from 0, that a range lies in.
pub(super) fn touched(lines: &Lines<'_>, range: &Range<usize>) -> Range<usize> {
    lines.at(range.start)..lines.at(range.end.saturating_sub(1).max(range.start)) + 1
}

/// "line 4", "lines 4 to 6".
pub(super) fn span(lines: &Range<usize>) -> String {
    match lines.len() {
        0 | 1 => format!("line {}", lines.start + 1),
        _ => format!("lines {} to {}", lines.start + 1, lines.end),
    }
}

/// "line 4", "lines 1, 1, 3, …".
pub(super) fn places(lines: &Lines<'_>, places: &[Range<usize>]) -> String {
    let word = if places.len() == 1 { "line" } else { "lines" };
    let named = places.iter().take(NAMED_PLACES).map(|place| (lines.at(place.start) + 1).to_string());
    let more = if places.len() > NAMED_PLACES { ", …" } else { "" };
    format!("{word} {}{more}", named.collect::<Vec<_>>().join(", "))
}

/// Lines with their numbers, from the first on, as far as there is room.
pub(super) fn numbered(lines: &Lines<'_>, range: Range<usize>) -> String {
    let mut out = String::new();
    let end = range.end.min(lines.count());
    for line in range.start..end.min(range.start + MOST_LINES) {
        if out.len() > MOST_BYTES {
            return out + "     …";
        }
        number(lines, line, MOST_LINE_BYTES, &mut out);
    }
    if range.len() > MOST_LINES { out + "     …" } else { out.trim_end_matches('\n').to_owned() }
}

/// Where places begin: each with the lines around it, if they are few.
pub(super) fn around(lines: &Lines<'_>, places: &[Range<usize>]) -> String {
    let mut starts: Vec<usize> = places.iter().map(|place| lines.at(place.start)).collect();
    starts.dedup();
    let context = usize::from(starts.len() <= PLACES_WITH_CONTEXT);
    let mut out = String::new();
    let mut shown = 0;
    for &start in starts.iter().take(NAMED_PLACES) {
        let from = start.saturating_sub(context).max(shown);
        if shown > 0 && from > shown {
            out.push_str("     …\n");
        }
        shown = (start + context + 1).min(lines.count());
        (from..shown).for_each(|line| number(lines, line, MOST_NAMED_BYTES, &mut out));
    }
    out.trim_end_matches('\n').to_owned()
}

fn number(lines: &Lines<'_>, line: usize, most: usize, out: &mut String) {
    // Writing to a String cannot fail.
    writeln!(out, "{:>6}\t{}", line + 1, clipped(lines.line(line), most)).ok();
}

fn clipped(line: &[u8], most: usize) -> String {
    let text = String::from_utf8_lossy(&line[..line.len().min(most + 4)]);
    if line.len() <= most {
        return text.into_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(most)])
}

/// The text at `place`, to be used instead of `sent`; if it is long, the lines in which they differ.
pub(super) fn to_copy(text: &[u8], lines: &Lines<'_>, place: &Range<usize>, asked: &Asked<'_>) -> String {
    let (sent, what) = (asked.old, asked.what);
    let has = folded(&text[place.clone()]);
    let own = touched(lines, place);
    let first = first_difference(sent.as_bytes(), &has).map_or_else(String::new, |(at, difference)| {
        format!("The first difference is in line {}: `{difference}`. ", own.start + at + 1)
    });
    if has.len() <= MOST_BYTES && own.len() <= MOST_LINES {
        let has = String::from_utf8_lossy(&has);
        return format!("{first}Use this as {what}, exactly as it stands:\n```\n{has}\n```");
    }
    let differing = differing(sent.as_bytes(), &has).into_iter().map(|at| own.start + at);
    let mut out =
        format!("{first}These lines of the file differ; copy them exactly, without line numbers:\n");
    for line in differing.take(MOST_LINES) {
        if out.len() > MOST_BYTES {
            return out + "     …";
        }
        number(lines, line, MOST_LINE_BYTES, &mut out);
    }
    out.trim_end_matches('\n').to_owned()
}

/// The first line, counted from 0, in which two texts differ, and how.
pub(super) fn first_difference(sent: &[u8], has: &[u8]) -> Option<(usize, String)> {
    let at = *differing(sent, has).first()?;
    let line = |text| <[u8]>::split(text, |&byte| byte == b'\n').nth(at).map(bare).unwrap_or_default();
    Some((at, contrast(line(sent), line(has))))
}

fn differing(sent: &[u8], has: &[u8]) -> Vec<usize> {
    let split = |text| <[u8]>::split(text, |&byte| byte == b'\n').map(bare);
    let mut sent = split(sent);
    split(has).enumerate().filter(|(_, own)| sent.next() != Some(*own)).map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_shown_with_their_neighbours() {
        let text = b"a\nx\nb\nc\nd\nx\n";
        let lines = Lines::of(text);
        let shown = around(&lines, &[2..3, 10..11]);
        assert_eq!(shown, "     1\ta\n     2\tx\n     3\tb\n     …\n     5\td\n     6\tx");
        assert_eq!(around(&lines, &[0..1, 2..3]), "     1\ta\n     2\tx\n     3\tb");
        assert_eq!(places(&lines, &[0..1, 2..3]), "lines 1, 2");
    }

    #[test]
    fn what_is_shown_is_bounded() {
        let long = format!("{}\n", "é".repeat(9_000)).repeat(90);
        let lines = Lines::of(long.as_bytes());
        let all: Vec<_> = (0..90).map(|at| lines.start(at)..lines.start(at) + 2).collect();
        assert!(around(&lines, &all).len() < 1_100);
        assert!(numbered(&lines, 0..90).len() < 2_100);
        let asked = Asked {
            path: "f",
            what: "oldString",
            whole_lines: false,
            old: "x",
            new: "",
            expected: None,
            after_others: false,
        };
        assert!(to_copy(long.as_bytes(), &lines, &(0..long.len()), &asked).len() < 2_400);
    }
}
