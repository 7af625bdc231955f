//! What both bodies of the fuzz targets ask of a refusal, and how they quote.

use pinfold_shell::Refusal;

/// Longest text of a refusal, in bytes: six pieces of the line, each clipped, with control characters spelled out.
const MAX_REFUSAL_BYTES: usize = 8 * 1024;

/// Whatever is refused: short, printable, with advice, and pointing into the line.
pub(crate) fn check_refusal(line: &str, refusal: &Refusal) {
    let text = refusal.to_string();
    assert!(text.len() <= MAX_REFUSAL_BYTES, "{} bytes: {text}", text.len());
    assert!(!text.chars().any(char::is_control), "{text:?}");
    assert!(
        !refusal.message().is_empty() && refusal.hint().is_some_and(|hint| !hint.is_empty()),
        "{refusal:?}"
    );
    if let Some(span) = refusal.span() {
        assert!(line.get(span.clone()).is_some_and(|part| !part.is_empty()), "{span:?} of {line:?}");
    }
}

/// The words in single quotes: a line that means the same to every shell.
pub(crate) fn quoted(words: &[String]) -> String {
    let quote = |word: &String| format!("'{}'", word.replace('\'', "'\\''"));
    words.iter().map(quote).collect::<Vec<_>>().join(" ")
}
