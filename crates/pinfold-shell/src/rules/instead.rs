//! What to run in place of a refused command. Only what the same rules allow is proposed.

use super::{Rules, names};
use crate::argv::Argv;

/// Words of the longest command that a proposal is made for.
const MOST_WORDS: usize = 64;

/// Programs whose arguments are the command that they run.
const BARE_RUNNERS: &[&str] = &["sudo", "doas", "setsid", "eval", "caffeinate", "fakeroot", "torsocks"];

/// Shells that take a script behind `-c`.
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash"];

/// `FOO=1 make` without a shell: by `env`, or else without the variable.
pub(super) fn of_assignment(rules: &Rules, words: &[String]) -> Option<String> {
    let command = words.iter().position(|word| !names::is_assignment(word))?;
    let with_env: Vec<String> = [&["env".to_owned()], words].concat();
    allowed(rules, line_of(&with_env)).or_else(|| allowed(rules, line_of(&words[command..])))
}

/// What a runner would run.
pub(super) fn of_runner(rules: &Rules, name: &str, words: &[String]) -> Option<String> {
    match words {
        [_, option, script] if SHELLS.contains(&name) && option == "-c" => allowed(rules, script.clone()),
        [_, inner @ ..] if BARE_RUNNERS.contains(&name) => allowed(rules, line_of(inner)),
        _ => None,
    }
}

/// `! git diff` without its first word.
pub(super) fn of_shell_word(rules: &Rules, words: &[String]) -> Option<String> {
    allowed(rules, line_of(&words[1..]))
}

fn allowed(rules: &Rules, line: String) -> Option<String> {
    let argv = Argv::parse(&line).ok().filter(|argv| argv.words().len() <= MOST_WORDS)?;
    rules.judge(&argv).ok().map(|()| line)
}

/// A line that is read as just these words.
fn line_of(words: &[String]) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,@%+".contains(c);
    let quoted = |word: &String| match !word.is_empty() && word.chars().all(plain) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    };
    words.iter().take(MOST_WORDS + 1).map(quoted).collect::<Vec<_>>().join(" ")
}
