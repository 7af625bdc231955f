//! The last line that a running command has written: what to show while one waits for it.

use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of a line that are kept: its beginning.
const LONGEST: usize = 200;

/// Where a run leaves its last line, of either stream. Clones look at the same one.
#[derive(Debug, Clone, Default)]
pub struct Progress(Arc<Mutex<Last>>);

#[derive(Debug, Default)]
struct Last {
    /// Without its end; may still grow if `open`.
    line: Vec<u8>,
    open: bool,
}

impl Progress {
    /// The last line that is not blank, at most 200 bytes of it; `None` if there was none yet. A line that a progress bar
    /// has drawn over (carriage return) counts as ended.
    pub fn last_line(&self) -> Option<String> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (!last.line.is_empty()).then(|| String::from_utf8_lossy(&last.line).trim().to_owned())
    }

    pub(crate) fn saw(&self, bytes: &[u8]) {
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let Some(last_byte) = bytes.iter().rposition(|byte| !byte.is_ascii_whitespace()) else {
            return self.close(bytes.iter().any(is_end));
        };
        let start = bytes[..last_byte].iter().rposition(is_end).map(|at| at + 1);
        let end = bytes[last_byte..].iter().position(is_end).map(|at| last_byte + at);
        let text = &bytes[start.unwrap_or(0)..end.unwrap_or(bytes.len())];
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if start.is_some() || !last.open {
            last.line.clear();
        }
        let room = LONGEST.saturating_sub(last.line.len()).min(text.len());
        last.line.extend_from_slice(&text[..room]);
        last.open = end.is_none();
    }

    fn close(&self, ended: bool) {
        if ended {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).open = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(reads: &[&str]) -> Option<String> {
        let progress = Progress::default();
        reads.iter().for_each(|read| progress.saw(read.as_bytes()));
        progress.last_line()
    }

    #[test]
    fn the_last_line_is_the_last_with_something_in_it() {
        for (reads, line) in [
            (&["a\nb\n"][..], "b"),
            (&["a\nb"], "b"),
            (&["a\n\n \n"], "a"),
            (&["one ", "line\n"], "one line"),
            (&["one\n", "two\n"], "two"),
            (&["one", "\n", "two"], "two"),
            (&["10%\r20%\r30%"], "30%"),
            (&["10%\r", "20%\r"], "20%"),
        ] {
            assert_eq!(after(reads).as_deref(), Some(line), "{reads:?}");
        }
        assert_eq!(after(&["", "\n"]), None);
        assert_eq!(after(&[&"x".repeat(1_000), "y"]).unwrap().len(), LONGEST);
    }
}
