//! fd(1): the words behind `-x` and `-X`, up to `;`, are run for what it finds.

use super::{Found, Held};

/// Letters of options that take a value, so that none behind them is an option.
const VALUES: &str = "dEetScjoC";

pub(super) fn read(words: &[String]) -> Vec<Found> {
    let mut all = Vec::new();
    let mut at = 1;
    while let Some(word) = words.get(at) {
        match executes(word) {
            Some(true) => {
                let end = (at + 1..words.len()).find(|end| words[*end] == ";").unwrap_or(words.len());
                if at + 1 < end {
                    // fd puts names in place of `{}`, `{/}` and their kin, also in place of the program's.
                    let named = words[at + 1].contains('{');
                    let held = if named { Held::Hidden } else { Held::Rest(at + 1..end) };
                    all.push(Found { at: at + 1, held });
                }
                at = end + 1;
            }
            Some(false) => {
                all.push(Found { at, held: Held::Hidden });
                at += 1;
            }
            None => at += 1,
        }
    }
    all
}

/// Whether the word is an option that runs a command; false: its first word is glued to it.
fn executes(word: &str) -> Option<bool> {
    if let Some(long) = word.strip_prefix("--") {
        let (name, glued) = long.split_once('=').map_or((long, false), |(name, _)| (name, true));
        return matches!(name, "exec" | "exec-batch").then_some(!glued);
    }
    let letters = word.strip_prefix('-')?;
    let end = letters.find(|letter| VALUES.contains(letter)).unwrap_or(letters.len());
    let place = letters[..end].find(['x', 'X'])?;
    Some(place + 1 == letters.len())
}
