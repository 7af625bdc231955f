//! Output of a runner, read line by line, all of it in linear time.

use std::iter;

use pinfold_contract::TestFailure;

/// Bytes of a message that are kept.
const LONGEST_MESSAGE: usize = 2_048;

/// `N word` wherever it stands in `line`: `3 failed, 2 passed` gives (3, `failed`), (2, `passed`).
pub(super) fn counted(line: &str) -> impl Iterator<Item = (u64, &str)> {
    let mut words =
        line.split([' ', ',', ';', '|', '(', ')', '=']).filter(|word| !word.is_empty()).peekable();
    iter::from_fn(move || {
        loop {
            if let Ok(number) = words.next()?.parse()
                && let Some(word) = words.peek()
            {
                return Some((number, word.trim_end_matches(['.', ':'])));
            }
        }
    })
}

/// The sum of what `counted` finds under one of these words.
pub(super) fn count_of(line: &str, words: &[&str]) -> u64 {
    counted(line).filter(|(_, word)| words.contains(word)).map(|(number, _)| number).sum()
}

/// `FILE:LINE` at the beginning of `text`, whatever follows.
pub(super) fn location(text: &str) -> Option<(&str, u64)> {
    let (at, _) = text.match_indices(':').find(|(at, _)| digits(&text[at + 1..]) > 0)?;
    let file = &text[..at];
    let line = &text[at + 1..][..digits(&text[at + 1..])];
    let is_file = !file.is_empty() && !file.contains([' ', '\'', '"']) && file.contains(['.', '/']);
    Some((file, line.parse().ok()?)).filter(|_| is_file)
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// A failure that is being read, line by line: no more of it is kept than is shown.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) name: String,
    file: Option<String>,
    line: Option<u64>,
    text: String,
    /// The rest is not worth showing: a backtrace, for instance.
    pub(super) over: bool,
}

impl Block {
    pub(super) fn named(name: impl Into<String>) -> Block {
        Block { name: name.into(), ..Block::default() }
    }

    /// The file is known; the line may come later.
    pub(super) fn in_file(mut self, file: Option<&str>) -> Block {
        self.file = file.map(str::to_owned);
        self
    }

    /// Where it failed: the first place that is found holds.
    pub(super) fn found(&mut self, place: Option<(&str, u64)>) {
        if let Some((file, line)) = place.filter(|_| self.line.is_none()) {
            (self.file, self.line) = (Some(file.to_owned()), Some(line));
        }
    }

    pub(super) fn at(mut self, place: Option<(&str, u64)>) -> Block {
        self.found(place);
        self
    }

    /// The last place that is found holds.
    pub(super) fn found_last(&mut self, place: Option<(&str, u64)>) {
        if place.is_some() {
            self.line = None;
            self.found(place);
        }
    }

    pub(super) fn push(&mut self, line: &str) {
        let leading = self.text.is_empty() && line.trim().is_empty();
        if !self.over && !leading && self.text.len() <= LONGEST_MESSAGE {
            self.text.push_str(clip(line));
            self.text.push('\n');
        }
    }

    pub(super) fn is_blank(&self) -> bool {
        self.text.is_empty()
    }

    /// What it holds so far.
    pub(super) fn said(&self) -> &str {
        &self.text
    }

    pub(super) fn failure(self) -> TestFailure {
        let Block { name, file, line, text, .. } = self;
        TestFailure { name, file, line, message: clip(text.trim_end()).to_owned() }
    }
}

/// At most [`LONGEST_MESSAGE`] bytes of it.
pub(super) fn clip(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST_MESSAGE)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_belong_to_the_word_behind_them() {
        let found: Vec<_> = counted("FAILED. 1 passed; 3 failed; (2) 4 | 5 x.").collect();
        assert_eq!(found, [(1, "passed"), (3, "failed"), (2, "4"), (4, "5"), (5, "x")]);
        assert_eq!(count_of("1 error, 2 failed, 3 errors", &["error", "errors"]), 4);
    }

    #[test]
    fn a_place_is_a_file_and_a_line() {
        for (text, place) in [
            ("src/lib.rs:15:67:", Some(("src/lib.rs", 15))),
            ("a.py:1", Some(("a.py", 1))),
            ("node:internal:3", None),
            ("at 12:30", None),
            ("x", None),
            ("C:\\a.rs:3: x", Some(("C:\\a.rs", 3))),
        ] {
            assert_eq!(location(text), place, "{text}");
        }
    }

    #[test]
    fn a_long_message_is_cut_on_a_character() {
        let mut block = Block::named("x");
        (0..1_000).for_each(|_| block.push(&"€".repeat(100)));
        let message = block.failure().message;
        assert!(message.len() <= LONGEST_MESSAGE && message.len() > LONGEST_MESSAGE - 4);
    }
}
