//! zip(1): the command that tests the archive. Its short options may have two letters, so it is read apart.

use super::{Found, Held};

pub(super) fn read(words: &[String]) -> Vec<Found> {
    let mut all = Vec::new();
    for (at, word) in words.iter().enumerate().skip(1) {
        let glued = match word.strip_prefix("--") {
            Some(long) => {
                let (name, value) = long.split_once('=').unwrap_or((long, ""));
                let meant = name.len() > 2 && "unzip-command".starts_with(name);
                meant.then_some(value)
            }
            None if word.starts_with('-') => word.find("TT").map(|letters| &word[letters + 2..]),
            None => None,
        };
        let Some(glued) = glued.map(|value| value.trim_start_matches('=')) else { continue };
        let (at, value) = match glued {
            "" => (at + 1, words.get(at + 1).map_or("", String::as_str)),
            glued => (at, glued),
        };
        if !value.is_empty() {
            all.push(Found { at, held: Held::Text(value.to_owned()) });
        }
    }
    all
}
