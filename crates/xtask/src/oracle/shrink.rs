//! Makes a line that breaks a law as short as it goes.

use crate::Result;

/// Lines that are tried at most.
const MOST: usize = 300;

/// Takes parts away for as long as `breaks` says yes.
pub(super) fn shrink(line: &str, mut breaks: impl FnMut(&str) -> Result<bool>) -> Result<String> {
    let mut best = line.to_owned();
    let (mut tried, mut size) = (0, best.chars().count().div_ceil(2));
    while size > 0 {
        let mut at = 0;
        let mut shorter = false;
        while at < best.chars().count() && tried < MOST {
            let text: String = best
                .chars()
                .enumerate()
                .filter(|(place, _)| *place < at || *place >= at + size)
                .map(|(_, c)| c)
                .collect();
            tried += 1;
            if breaks(&text)? {
                best = text;
                shorter = true;
            } else {
                at += size;
            }
        }
        if !shorter || size > 1 {
            size /= 2;
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_matters_is_left() {
        let shrunk =
            shrink("git status; echo a && evil | wc -l # x", |text| Ok(text.contains("&& e"))).unwrap();
        assert_eq!(shrunk, "&& e");
    }
}
