//! A unified diff without searching for differences, for we know where they are. Linear in both texts; what is shown is
//! bounded in lines and in their length.

use std::{fmt::Write as _, ops::Range};

use super::{change::Change, lines::Lines};

const CONTEXT: usize = 3;
/// Lines of the diff of one file.
pub(crate) const MOST_LINES: usize = 60;
/// A line of a file without line breaks may be as long as the file.
const MOST_CHARS: usize = 500;

/// The diff between `old` and `new`, which differ in `changes`: at most `most` lines.
pub(crate) fn unified(old: &[u8], new: &[u8], changes: &[Change], path: &str, most: usize) -> String {
    let lines = Lines::of(old);
    let blocks = blocks(&lines, new, changes);
    let mut page = Page { text: format!("--- {path}\n+++ {path}\n"), lines: 2, most };
    let mut shift = 0;
    for hunk in hunks(&blocks) {
        show_hunk(&lines, &blocks[hunk.clone()], shift, &mut page);
        shift += blocks[hunk].iter().map(Block::growth).sum::<isize>();
        if page.is_full() {
            return page.clipped();
        }
    }
    page.text
}

/// Lines that become other lines.
struct Block<'a> {
    old: Range<usize>,
    new: Vec<&'a [u8]>,
}

impl Block<'_> {
    fn growth(&self) -> isize {
        self.new.len() as isize - self.old.len() as isize
    }
}

/// Whole lines around the changes. The line in which a change ends belongs to it, so that both texts have a line break
/// (or their end) where a block ends.
fn blocks<'a>(lines: &Lines<'_>, new: &'a [u8], changes: &[Change]) -> Vec<Block<'a>> {
    let mut blocks: Vec<Block<'a>> = Vec::new();
    let mut rest = changes.iter().peekable();
    while let Some(first) = rest.next() {
        let begin = lines.at(first.old.start);
        let mut last = first;
        let mut end = (lines.at(last.old.end) + 1).min(lines.count());
        while let Some(next) = rest.next_if(|next| lines.at(next.old.start) < end) {
            last = next;
            end = (lines.at(last.old.end) + 1).min(lines.count());
        }
        let head = first.old.start - lines.start(begin);
        let tail = lines.start(end) - last.old.end;
        let text = &new[first.new.start - head..last.new.end + tail];
        let Some(block) = trimmed(lines, begin..end, &split(text)) else { continue };
        match blocks.last_mut() {
            Some(before) if before.old.end == block.old.start => {
                before.old.end = block.old.end;
                before.new.extend(block.new);
            }
            _ => blocks.push(block),
        }
    }
    blocks
}

/// Without the lines that stay the same at either end; none if nothing is left.
fn trimmed<'a>(lines: &Lines<'_>, old: Range<usize>, new: &[&'a [u8]]) -> Option<Block<'a>> {
    let before = split(lines.text(old.clone()));
    let same_start = before.iter().zip(new).take_while(|(a, b)| a == b).count();
    let most = before.len().min(new.len()) - same_start;
    let same_end = before.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let old = old.start + same_start..old.end - same_end;
    let new = new[same_start..new.len() - same_end].to_vec();
    (!old.is_empty() || !new.is_empty()).then_some(Block { old, new })
}

/// Blocks whose context would touch are shown together.
fn hunks(blocks: &[Block<'_>]) -> Vec<Range<usize>> {
    let mut hunks: Vec<Range<usize>> = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        match hunks.last_mut() {
            Some(hunk) if block.old.start <= blocks[hunk.end - 1].old.end + 2 * CONTEXT => hunk.end = at + 1,
            _ => hunks.push(at..at + 1),
        }
    }
    hunks
}

fn show_hunk(lines: &Lines<'_>, blocks: &[Block<'_>], shift: isize, page: &mut Page) {
    let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else { return };
    let begin = first.old.start.saturating_sub(CONTEXT);
    let end = (last.old.end + CONTEXT).min(lines.count());
    let grown: isize = blocks.iter().map(Block::growth).sum();
    let old = end - begin;
    let new = old.saturating_add_signed(grown);
    let start = |count: usize, shift: isize| begin.saturating_add_signed(shift) + usize::from(count > 0);
    page.push(&format!("@@ -{},{old} +{},{new} @@\n", start(old, 0), start(new, shift)));
    let mut from = begin;
    for block in blocks {
        page.show(' ', split(lines.text(from..block.old.start)));
        page.show('-', split(lines.text(block.old.clone())));
        page.show('+', block.new.iter().copied());
        from = block.old.end;
    }
    page.show(' ', split(lines.text(from..end)));
}

fn split(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').collect()
}

/// What is shown, up to one line more than may be.
struct Page {
    text: String,
    lines: usize,
    most: usize,
}

impl Page {
    fn is_full(&self) -> bool {
        self.lines > self.most
    }

    fn push(&mut self, line: &str) {
        if !self.is_full() {
            self.text.push_str(line);
            self.lines += 1;
        }
    }

    fn show<'a>(&mut self, mark: char, lines: impl IntoIterator<Item = &'a [u8]>) {
        for line in lines {
            if self.is_full() {
                return;
            }
            self.push(&format!("{mark}{}\n", shown(line.strip_suffix(b"\n").unwrap_or(line))));
            if !line.ends_with(b"\n") {
                self.push("\\ No newline at end of file\n");
            }
        }
    }

    fn clipped(&self) -> String {
        let mut kept: String = self.text.split_inclusive('\n').take(self.most.saturating_sub(1)).collect();
        kept.push_str("… the diff goes on; read the file to see the rest\n");
        kept
    }
}

fn shown(line: &[u8]) -> String {
    // Four bytes a character at most, so what lies behind is never shown.
    let text = String::from_utf8_lossy(&line[..line.len().min(4 * MOST_CHARS + 4)]);
    match text.char_indices().nth(MOST_CHARS) {
        None => text.into_owned(),
        Some((at, _)) => {
            let mut cut = text[..at].to_owned();
            // Writing to a String cannot fail.
            write!(cut, " … ({} bytes more)", line.len().saturating_sub(at)).ok();
            cut
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{change::compose, search::find, splice::splice};

    fn diff(text: &str, edits: &[(&str, &str)]) -> String {
        let (mut now, mut changes) = (text.as_bytes().to_vec(), Vec::new());
        for (old, new) in edits {
            let (text, done) = splice(&now, &find(&now, old.as_bytes()), old.as_bytes(), new.as_bytes());
            changes = compose(&changes, &done);
            now = text;
        }
        unified(text.as_bytes(), &now, &changes, "f", MOST_LINES)
    }

    fn body(text: &str, edits: &[(&str, &str)]) -> String {
        diff(text, edits).strip_prefix("--- f\n+++ f\n").unwrap().to_owned()
    }

    #[test]
    fn shows_three_lines_around() {
        let content = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let expected = "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n";
        assert_eq!(body(content, &[("5", "five")]), expected);
    }

    #[test]
    fn joins_removes_and_adds_lines() {
        for (content, edits, expected) in [
            ("a\nb\nc\n", &[("a\n", "")][..], "@@ -1,3 +1,2 @@\n-a\n b\n c\n"),
            ("a\nb\nc\n", &[("b\n", "b ")], "@@ -1,3 +1,2 @@\n a\n-b\n-c\n+b c\n"),
            ("a\nb\n", &[("a\n", "a\nx\n")], "@@ -1,2 +1,3 @@\n a\n+x\n b\n"),
            ("a", &[("a", "")], "@@ -1,1 +0,0 @@\n-a\n\\ No newline at end of file\n"),
            (
                "a\nb",
                &[("b", "c")],
                "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n",
            ),
            ("a\n", &[("a\n", "a\nb")], "@@ -1,1 +1,2 @@\n a\n+b\n\\ No newline at end of file\n"),
            ("a\nb\nc\nd\n", &[("a", "A"), ("d", "D")], "@@ -1,4 +1,4 @@\n-a\n+A\n b\n c\n-d\n+D\n"),
            ("a\nb\nc\n", &[("b", "x"), ("x", "y\nz")], "@@ -1,3 +1,4 @@\n a\n-b\n+y\n+z\n c\n"),
        ] {
            assert_eq!(body(content, edits), expected, "{content:?} {edits:?}");
        }
    }

    #[test]
    fn far_apart_makes_two_hunks_and_counts_the_shift() {
        let content = format!("x\n{}x\n", "-\n".repeat(20));
        let got = body(&content, &[("x", "y\ny")]);
        assert!(got.contains("@@ -1,4 +1,5 @@") && got.contains("@@ -19,4 +20,5 @@"), "{got}");
    }

    #[test]
    fn long_diffs_and_long_lines_are_cut_and_say_so() {
        let got = diff(&"x\n".repeat(500), &[("x", "y")]);
        assert_eq!(got.lines().count(), 60);
        assert!(got.ends_with("read the file to see the rest\n"));
        let got = diff(&format!("{}é", "ab".repeat(5_000)), &[("é", "e")]);
        assert!(got.contains(" … (9502 bytes more)\n") && got.len() < 1_300, "{got}");
    }

    #[test]
    fn undone_edits_show_nothing() {
        assert_eq!(body("a\nb\n", &[("a", "x"), ("x", "a")]), "");
    }
}
