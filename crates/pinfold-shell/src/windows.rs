//! Quoting for Windows, as pure text. Nothing of Pinfold runs there yet.
//!
//! Batch files such as `npm.cmd` cannot be started without `cmd.exe`, which reads its whole command line once more. So
//! every word is put into double quotes, and one that `cmd.exe` might still read differently is refused instead of being
//! escaped: `"` ends the quoting, `%` and `!` expand inside it, `^` means something only outside, a line break ends the
//! command.

use crate::{
    argv::Argv,
    refusal::{Reason, Refusal},
    shown::shown,
};

/// Characters that no escaping makes safe.
const REFUSED: &[char] = &['"', '%', '!', '^', '\n', '\r', '\0'];

/// The arguments to give to `cmd.exe`, as one text: `/d` runs no start-up command of the registry, `/s` makes it strip
/// exactly the outer pair of quotes, `/c` runs the rest.
///
/// # Errors
/// [`Reason::Metacharacter`] for a word with one of `"`, `%`, `!`, `^`, a line break or NUL in it.
pub fn cmd_arguments(argv: &Argv) -> Result<String, Refusal> {
    let mut quoted = Vec::with_capacity(argv.words().len());
    for (index, word) in argv.words().iter().enumerate() {
        quoted.push(quote(word).map_err(|c| refusal(word, c).at(argv.span(index)))?);
    }
    Ok(format!("/d /s /c \"{}\"", quoted.join(" ")))
}

/// The word in quotes. Programs read backslashes before a quote as escapes, so those at the end are doubled.
fn quote(word: &str) -> Result<String, char> {
    if let Some(c) = word.chars().find(|c| REFUSED.contains(c)) {
        return Err(c);
    }
    let slashes = word.len() - word.trim_end_matches('\\').len();
    Ok(format!("\"{word}{}\"", "\\".repeat(slashes)))
}

fn refusal(word: &str, c: char) -> Refusal {
    let message =
        format!("{} holds {}, which `cmd.exe` would read for itself.", shown(word), shown(&c.to_string()));
    Refusal::new(Reason::Metacharacter, message)
        .with_hint("Leave the character out, or put the text into a file and name the file.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_quoted_and_the_whole_once_more() {
        let cases = [
            ("npm test", r#"/d /s /c ""npm" "test"""#),
            ("npm run 'a b'", r#"/d /s /c ""npm" "run" "a b"""#),
            ("node ''", r#"/d /s /c ""node" """"#),
            ("node 'a & b | c > d'", r#"/d /s /c ""node" "a & b | c > d"""#),
            (r"node 'C:\dir\'", r#"/d /s /c ""node" "C:\dir\\"""#),
            (r"node 'a\\b\\\'", r#"/d /s /c ""node" "a\\b\\\\\\"""#),
            ("node '(x)' 'a;b,c=d'", r#"/d /s /c ""node" "(x)" "a;b,c=d"""#),
        ];
        for (line, expected) in cases {
            assert_eq!(cmd_arguments(&Argv::parse(line).unwrap()).unwrap(), expected, "{line}");
        }
    }

    #[test]
    fn what_cmd_would_read_is_refused() {
        for line in [
            "node 'a\"b'",
            "node '%PATH%'",
            "node 'a!b!'",
            "git show 'HEAD^'",
            "node 'a\nb'",
            "node 'a\rb'",
            "'a%b' x",
        ] {
            let refusal = cmd_arguments(&Argv::parse(line).unwrap()).unwrap_err();
            assert_eq!(refusal.reason(), Reason::Metacharacter, "{line}");
            assert!(refusal.span().is_some_and(|span| line.get(span).is_some()), "{line}");
            assert!(!refusal.to_string().chars().any(char::is_control), "{refusal}");
        }
    }
}
