//! What must hold of the tokenizer on any bytes: the body of the fuzz target, and of its smoke run.

use pinfold_shell::{Argv, Reason, windows};

use crate::shared::{check_refusal, quoted};

/// Reads `data` as a line and asserts every law.
pub(crate) fn tokenizer(data: &[u8]) {
    let line = String::from_utf8_lossy(data);
    match Argv::parse(&line) {
        Err(refusal) => {
            check_refusal(&line, &refusal);
            assert_eq!(expected(&line), Err(refusal.reason()), "{line:?}");
        }
        Ok(argv) => {
            assert_eq!(expected(&line).as_deref(), Ok(argv.words()), "{line:?}");
            check_spans(&line, &argv);
            check_quoting(&argv);
            check_windows(&line, &argv);
        }
    }
}

/// Words stand in order, apart, nothing but blanks between them, and each alone is the same word.
fn check_spans(line: &str, argv: &Argv) {
    let mut end = 0;
    for (index, word) in argv.words().iter().enumerate() {
        let span = argv.span(index);
        let between = line.get(end..span.start);
        assert!(
            between.is_some_and(|between| between.trim_matches([' ', '\t']).is_empty()),
            "{line:?} {span:?}"
        );
        assert!(index == 0 || end < span.start, "words {line:?} touch at {end}");
        let alone = format!("x {}", line.get(span.clone()).unwrap());
        assert_eq!(Argv::parse(&alone).unwrap().words()[1], *word, "{line:?} {span:?}");
        end = span.end;
    }
    assert!(line[end..].trim_matches([' ', '\t']).is_empty(), "{line:?} after {end}");
}

/// Quoting is undone by reading, unless the quotes make the line too long.
fn check_quoting(argv: &Argv) {
    let line = quoted(argv.words());
    match Argv::parse(&line) {
        Ok(again) => assert_eq!(again.words(), argv.words(), "{line:?}"),
        Err(refusal) => assert!(line.len() > pinfold_shell::argv::MAX_LINE_BYTES, "{refusal} of {line:?}"),
    }
}

/// The text for `cmd.exe` has exactly our own quotes in it, and nothing that is expanded inside quotes.
fn check_windows(line: &str, argv: &Argv) {
    match windows::cmd_arguments(argv) {
        Err(refusal) => check_refusal(line, &refusal),
        Ok(text) => {
            assert!(!text.contains(['%', '!', '^', '\n', '\r', '\0']), "{text:?}");
            assert_eq!(text.matches('"').count(), 2 * argv.words().len() + 2, "{text:?}");
        }
    }
}

/// The same reading once more, written as plainly as possible: what the tokenizer is compared with.
fn expected(line: &str) -> Result<Vec<String>, Reason> {
    if line.len() > pinfold_shell::argv::MAX_LINE_BYTES {
        return Err(Reason::UnsupportedSyntax);
    }
    if line.contains('\0') {
        return Err(Reason::Metacharacter);
    }
    let (words, operator) = split(line).ok_or(Reason::UnbalancedQuotes)?;
    match words.first() {
        _ if operator => Err(Reason::Metacharacter),
        None => Err(Reason::NotAllowed),
        Some(first) if first.is_empty() => Err(Reason::NotAllowed),
        Some(_) => Ok(words),
    }
}

/// The words, and whether an operator stands outside quotes; `None` when a quote is never closed.
fn split(line: &str) -> Option<(Vec<String>, bool)> {
    let mut words: Vec<String> = Vec::new();
    let (mut inside, mut operator) = (false, false);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        if c == ' ' || c == '\t' {
            inside = false;
            continue;
        }
        let escaped_break = c == '\\' && matches!(chars.peek(), Some('\n' | '\r'));
        if escaped_break || ";&|<>`$()\n\r".contains(c) {
            operator = true;
            chars.next_if(|_| escaped_break);
            inside = false;
            continue;
        }
        if !inside {
            words.push(String::new());
            inside = true;
        }
        let word = words.last_mut()?;
        match c {
            '\'' => loop {
                match chars.next()? {
                    '\'' => break,
                    c => word.push(c),
                }
            },
            '"' => loop {
                match chars.next()? {
                    '"' => break,
                    '\\' if matches!(chars.peek(), Some('$' | '`' | '"' | '\\')) => word.extend(chars.next()),
                    '\\' if chars.peek() == Some(&'\n') => drop(chars.next()),
                    c => word.push(c),
                }
            },
            '\\' => word.push(chars.next()?),
            c => word.push(c),
        }
    }
    Some((words, operator))
}
