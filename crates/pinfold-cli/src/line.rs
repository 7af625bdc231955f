//! From typed words to a command line.

/// One word is the line itself; several are quoted, so that the line has just these words.
pub(crate) fn line(words: &[String]) -> String {
    match words {
        [line] => line.clone(),
        words => words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
    }
}

pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_is_a_line_and_several_are_words() {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert_eq!(line(&owned(&["git log; ls"])), "git log; ls");
        assert_eq!(line(&owned(&["git", "commit", "-m", "it's; ok", ""])), "git commit -m 'it'\\''s; ok' ''");
    }
}
