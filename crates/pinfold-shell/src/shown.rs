//! How a piece of somebody else's text appears inside our sentences.

/// Longest piece that is repeated in full, in characters; the rest is left out.
const LONGEST: usize = 120;

/// `text` between backticks: clipped to 120 characters, and with control characters spelled out, so that a line cannot paint over the
/// terminal or the transcript in which its refusal appears.
pub fn shown(text: &str) -> String {
    let mut out = String::from("`");
    for (count, c) in text.chars().enumerate() {
        if count == LONGEST {
            out.push('…');
            break;
        }
        if c.is_control() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out.push('`');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clips_and_spells_out() {
        assert_eq!(shown("a\u{1b}[2Jb"), "`a\\u{1b}[2Jb`");
        assert_eq!(shown("a\nb"), "`a\\nb`");
        assert_eq!(shown(&"é".repeat(500)).chars().count(), LONGEST + 3);
    }
}
