//! Output for a terminal as plain text: without escape sequences, and of a line that was drawn over and over the last state.

/// What would stand there in the end, in linear time. Carriage returns before line ends go too.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\u{1b}', '\r']) {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(sequence) = rest.strip_prefix('\u{1b}') {
            rest = &sequence[escape_length(sequence)..];
            continue;
        }
        rest = rest.trim_start_matches('\r');
        if !rest.is_empty() && !rest.starts_with('\n') {
            // What comes now is written over the line.
            plain.truncate(plain.rfind('\n').map_or(0, |end| end + 1));
        }
    }
    plain.push_str(rest);
    plain
}

/// Length of an escape sequence behind its ESC (ECMA-48): `[…m` and the like, `]…BEL`, or one character.
fn escape_length(sequence: &str) -> usize {
    let up_to = |end: Option<usize>| end.map_or(sequence.len(), |end| end + 1);
    match sequence.bytes().next() {
        Some(b'[') => up_to(sequence[1..].find(|c: char| ('@'..='~').contains(&c)).map(|at| at + 1)),
        Some(b']') => up_to(sequence.find('\u{7}')),
        _ => sequence.chars().next().map_or(0, char::len_utf8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_stand_there_in_the_end() {
        for (text, is) in [
            ("\u{1b}[1m\u{1b}[41m FAIL \u{1b}[22m x\r\n", " FAIL  x\n"),
            ("\u{1b}]8;;http://a\u{7}link\u{1b}]8;;\u{7}", "link"),
            ("cut \u{1b}[3", "cut "),
            ("cut \u{1b}", "cut "),
            ("\u{1b}€a", "a"),
            ("a\n10%\r20%\r\u{1b}[K100%\nb", "a\n100%\nb"),
            ("10%\r20%\r", "20%"),
            ("a\r\r\nb", "a\nb"),
            ("", ""),
        ] {
            assert_eq!(plain(text), is);
        }
    }
}
