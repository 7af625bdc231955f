//! Two lines, and where they differ: `foo(a,{-  -}{+ +}b)`, what was sent first, then what the file has.

use std::{fmt::Write as _, ops::Range};

use memchr::memmem;

/// Characters shown on either side of the difference, and of either version of it.
const AROUND: usize = 30;
const WITHIN: usize = 50;
/// A beginning that stands in a line by chance.
const LEAST_ALIKE: usize = 2;
/// A longer line is compared in its beginning.
const MOST_BYTES: usize = 16 << 10;

/// `sent` against `has`.
pub(super) fn contrast(sent: &[u8], has: &[u8]) -> String {
    let (sent, has) = (characters(sent), characters(has));
    let start = sent.iter().zip(&has).take_while(|(a, b)| a == b).count();
    let most = sent.len().min(has.len()) - start;
    let end = sent.iter().rev().zip(has.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let mut out = String::new();
    let from = start.saturating_sub(AROUND);
    if from > 0 {
        out.push('…');
    }
    visible(&has[from..start], &mut out);
    for (marks, all) in [(["{-", "-}"], &sent), (["{+", "+}"], &has)] {
        let part = &all[start..all.len() - end];
        if !part.is_empty() {
            out.push_str(marks[0]);
            visible(&part[..part.len().min(WITHIN)], &mut out);
            out.push_str(if part.len() > WITHIN { "…" } else { "" });
            out.push_str(marks[1]);
        }
    }
    let rest = &has[has.len() - end..];
    visible(&rest[..rest.len().min(AROUND)], &mut out);
    if rest.len() > AROUND {
        out.push('…');
    }
    out
}

/// `sent`, a part of a line, against the part of the line that it resembles.
pub(super) fn contrast_part(sent: &[u8], line: &[u8]) -> String {
    contrast(sent, &line[like(sent, line).unwrap_or(0..line.len())])
}

/// Where the longest beginning of `sent` stands in `line`, up to where its longest end does.
fn like(sent: &[u8], line: &[u8]) -> Option<Range<usize>> {
    let beginning = longest(sent.len(), |len| memmem::find(line, &sent[..len]).is_some());
    let start = memmem::find(line, &sent[..beginning])?;
    let rest = &line[start + beginning.min(line.len() - start)..];
    let end = longest(sent.len() - beginning, |len| memmem::rfind(rest, &sent[sent.len() - len..]).is_some());
    let until = memmem::find(rest, &sent[sent.len() - end..])? + end;
    (beginning >= LEAST_ALIKE && end > 0).then(|| start..start + beginning + until)
}

/// The greatest length up to `most` that `fits`, where every shorter one fits too.
fn longest(most: usize, fits: impl Fn(usize) -> bool) -> usize {
    let (mut good, mut bad) = (0, most + 1);
    while bad - good > 1 {
        let middle = good.midpoint(bad);
        if fits(middle) { good = middle } else { bad = middle }
    }
    good
}

fn characters(line: &[u8]) -> Vec<char> {
    String::from_utf8_lossy(&line[..line.len().min(MOST_BYTES)]).chars().collect()
}

/// What cannot be seen, or looks like something else, is written out.
fn visible(part: &[char], out: &mut String) {
    for &one in part {
        match one {
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            ' ' => out.push(' '),
            _ if one.is_control() || one.is_whitespace() || is_lookalike(one) => {
                // Writing to a String cannot fail.
                write!(out, "\\u{{{:x}}}", u32::from(one)).ok();
            }
            _ => out.push(one),
        }
    }
}

/// Marks of general punctuation, zero-width ones among them, the soft hyphen and the byte order mark.
fn is_lookalike(one: char) -> bool {
    matches!(one, '\u{ad}' | '\u{2010}'..='\u{2015}' | '\u{2018}'..='\u{201f}' | '\u{200b}'..='\u{200f}' | '\u{2212}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_one_place_that_differs() {
        for (sent, has, shown) in [
            ("foo(a,  b)", "foo(a, b)", "foo(a, {- -}b)"),
            ("foo(a,b)", "foo(a, b)", "foo(a,{+ +}b)"),
            ("    x", "\tx", "{-    -}{+\\t+}x"),
            ("a b", "a\u{a0}b", "a{- -}{+\\u{a0}+}b"),
            ("don't", "don’t", "don{-'-}{+\\u{2019}+}t"),
            ("x", "x ", "x{+ +}"),
            ("", "new", "{+new+}"),
            ("same", "same", "same"),
        ] {
            assert_eq!(contrast(sent.as_bytes(), has.as_bytes()), shown);
        }
    }

    #[test]
    fn a_part_is_compared_with_its_likeness() {
        let line = "    let total = add(1, 2);";
        for (sent, shown) in [
            ("add(1,2)", "add(1,{+ +}2)"),
            ("total=add", "total{-=-}{+ = +}add"),
            ("total = sub(1, 2)", "total = {-sub-}{+add+}(1, 2)"),
            ("zzz", "{-zzz-}{+    let total = add(1, 2);+}"),
        ] {
            assert_eq!(contrast_part(sent.as_bytes(), line.as_bytes()), shown);
        }
    }

    #[test]
    fn long_lines_are_cut_around_it() {
        let line = |middle: &str| format!("{}{middle}{}", "a".repeat(900), "b".repeat(900));
        let shown = contrast(line("x").as_bytes(), line("y").as_bytes());
        assert_eq!(shown, format!("…{}{{-x-}}{{+y+}}{}…", "a".repeat(30), "b".repeat(30)));
    }
}
