//! The part of a long line that is shown.

use std::ops::Range;

/// Characters of a line that are shown. Most lines are shorter, and shown whole.
const WIDTH: usize = 500;
/// Stands for a line of context that is too long to be searched.
pub(super) const LEFT_OUT: &str = "… (a line of more than 2,000 characters)";

/// What is shown of `text` around the match at `span`, and the byte where that begins.
pub(super) fn around(text: &[u8], span: &Range<usize>) -> (String, usize) {
    let whole = String::from_utf8_lossy(text);
    // Where bytes are not UTF-8 their number changes, and only the beginning can be found again.
    let known = whole.len() == text.len();
    let letters: Vec<usize> = whole.char_indices().map(|(at, _)| at).collect();
    if letters.len() <= WIDTH {
        return (whole.into_owned(), 0);
    }
    let (start, end) = if known { (span.start, span.end) } else { (0, 0) };
    let first = letters.partition_point(|at| *at < start);
    let matched = letters.partition_point(|at| *at < end) - first;
    let before = WIDTH.saturating_sub(matched) / 2;
    let from = first.saturating_sub(before).min(letters.len() - WIDTH);
    let to = letters.get(from + WIDTH).copied().unwrap_or(whole.len());
    (whole[letters[from]..to].to_owned(), letters[from])
}

/// The beginning of a line of context.
pub(super) fn beginning(text: &[u8]) -> String {
    let whole = String::from_utf8_lossy(text);
    match whole.char_indices().nth(WIDTH) {
        Some((at, _)) => format!("{}…", &whole[..at]),
        None => whole.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_match_stands_in_the_middle_of_its_window() {
        let line = format!("{}needle{}", "é".repeat(700), "x".repeat(900));
        let (shown, from) = around(line.as_bytes(), &(1400..1406));
        assert_eq!((shown.chars().count(), from), (WIDTH, (700 - 247) * 2));
        assert_eq!(shown.find("needle").unwrap() + from, 1400);
        let (shown, from) = around(line.as_bytes(), &(0..2));
        assert!(from == 0 && shown.chars().all(|c| c == 'é'));
        let end = line.len();
        let (shown, from) = around(line.as_bytes(), &(end - 1..end));
        assert_eq!((shown, from), ("x".repeat(WIDTH), end - WIDTH));
    }

    #[test]
    fn short_lines_are_shown_whole_and_bytes_that_are_no_text_move_nothing() {
        assert_eq!(around(b"a needle", &(2..8)), ("a needle".into(), 0));
        let mut line = vec![0xff; 600];
        line.extend(b"needle");
        let (shown, from) = around(&line, &(600..606));
        assert_eq!((shown.chars().count(), from), (WIDTH, 0));
        assert_eq!(beginning(&[b'a'; 501]).chars().count(), WIDTH + 1);
    }
}
