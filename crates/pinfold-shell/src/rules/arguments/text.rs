//! A command inside a word, which a shell or something like it will read.

use crate::argv::Argv;

/// Characters that may mean something to a shell, where they mean nothing to argv mode, or not the same.
const SHELL_MEANS: &[char] = &['$', '`', '\\', '\n', '*', '?', '[', '~', '{', '}', '#', '!'];

/// The words of `text`, if every reader would find the same: no operators, no expansion, no glob. `None` otherwise.
///
/// A text in which quotes hide such a character is not read either: it would have to be known where they end for each
/// of the readers.
pub(in super::super) fn plain_words(text: &str) -> Option<Vec<String>> {
    if text.contains(SHELL_MEANS) {
        return None;
    }
    Argv::parse(text).ok().map(Argv::into_words)
}
