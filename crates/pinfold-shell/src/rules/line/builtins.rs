//! Builtins that evaluate their arguments, rename things or change how the rest of the line is read.

use std::ops::Range;

use super::{
    super::{Rules, names, single::steers, verdicts},
    UNKNOWN,
};
use crate::{
    line::tree::Simple,
    refusal::{Reason, Refusal},
    shown::shown,
};

/// They keep code, rename programs, or change how lines are read.
const NEVER: &[&str] = &[
    "alias",
    "builtin",
    "unalias",
    "enable",
    "shopt",
    "pushd",
    "popd",
    "dirs",
    "bind",
    "compgen",
    "complete",
    "compopt",
    "fc",
    "let",
    "history",
    "mapfile",
    "readarray",
    // At the top of a line some shells leave it, others complain and go on.
    "return",
    "break",
    "continue",
    "shift",
    "local",
    // A later assignment then ends the line in some shells.
    "readonly",
    "logout",
    "suspend",
];

/// bash evaluates arithmetic in their arguments, and so runs what stands in `a[$(…)]`.
const EVALUATE: &[&str] = &["test", "[", "read", "export", "unset", "declare", "typeset", "wait", "getopts"];

/// They set variables from their arguments.
const ASSIGN: &[&str] = &["export", "declare", "typeset", "read", "getopts", "unset", "wait"];

/// Words behind which `cd` is still the builtin of some shell.
const KEEP: &[&str] = &["command", "builtin", "exec", "time"];

/// Run words in the shell itself: behind them the line may be in any directory.
const LOSE: &[&str] = &["eval", "trap", ".", "source"];

/// What is left of `words` behind those that run a builtin as if it stood alone, and their options.
fn unwrapped(words: &[String]) -> &[String] {
    let keeps = |word: &&String| KEEP.contains(&word.as_str());
    match words.first().filter(keeps) {
        Some(_) => {
            let skipped = |word: &&String| keeps(word) || word.starts_with('-');
            &words[words.iter().take_while(skipped).count()..]
        }
        None => words,
    }
}

/// Whether nobody knows where the line is once the command `words` has run.
pub(super) fn loses_place(words: &[String]) -> bool {
    unwrapped(words).first().is_some_and(|word| LOSE.contains(&word.as_str()))
}

/// Whether the command may move the line.
pub(super) fn moves(words: &[String]) -> bool {
    loses_place(words) || words.first().is_some_and(|word| word == "cd")
}

/// `command cd ..` moves the shell just as well, and so does `chdir ..`, which dash and busybox ash have beside `cd`.
pub(super) fn refuse_hidden_cd(words: &[String], simple: &Simple) -> Result<(), Refusal> {
    let inner = unwrapped(words);
    let what = match inner.first().map(String::as_str) {
        Some("chdir") => "`chdir`, which only some shells have",
        Some("cd") if inner.len() < words.len() => "`cd` behind another word",
        // Words that become nothing would leave the next one as the command: `command $NOTHING cd ..`.
        Some(UNKNOWN) if inner.len() < words.len() => "a command that is decided only when the line runs",
        _ => return Ok(()),
    };
    let hint = match inner.first().map(String::as_str) {
        Some(UNKNOWN) => "Write the name of the command itself.",
        _ => "Write `cd DIR` by itself.",
    };
    Err(no(what, hint, simple.span.range()))
}

/// Judges one command as the builtin that it may be.
pub(super) fn judge(rules: &Rules, words: &[String], at: Range<usize>) -> Result<(), Refusal> {
    let Some((name, arguments)) = words.split_first() else { return Ok(()) };
    let name = name.as_str();
    let refuse = |hint: &str| Err(no(&format!("this use of the builtin {}", shown(name)), hint, at.clone()));
    let first = arguments.first().map_or("", String::as_str);
    let option = |word: &str| word == UNKNOWN || word.starts_with(['-', '+']);
    if NEVER.contains(&name) {
        return refuse("Do without it: it changes what other words mean.");
    }
    if EVALUATE.contains(&name)
        && arguments.iter().any(|word| word.contains(['[', '$', '`']) || word == UNKNOWN)
    {
        return refuse(
            "Its arguments are evaluated once more, so they must be plain words, without `$`, `*` and `[`.",
        );
    }
    if ASSIGN.contains(&name)
        && let Some(word) = arguments.iter().find(|word| steers(rules, word))
    {
        return Err(verdicts::steering(word).at(at));
    }
    if ASSIGN.contains(&name) && name != "unset" {
        let set = |word: &String| match word.split_once('=') {
            Some((name, value)) => names::changes_reading(name, Some(value)),
            None => matches!(name, "read" | "getopts") && names::changes_reading(word, None),
        };
        if let Some(word) = arguments.iter().find(|word| set(word)) {
            return Err(verdicts::changes_reading(word).at(at));
        }
    }
    match name {
        "export" | "unset" | "read" | "getopts" if !plain_names(name, arguments) => {
            refuse("Name variables, with no other option than `read -r`.")
        }
        "printf" if first == UNKNOWN || first.starts_with("-v") => {
            refuse("Give the format itself as the first word.")
        }
        "printf" if first.contains("%q") || first.contains("%(") => {
            refuse("Use `%s`: only bash knows this one.")
        }
        // One that is no number, or one too many, ends the line in some shells alone.
        "exit" if !plain_exit(arguments) => refuse("Write `exit`, or `exit` and a number."),
        // Options of bash alone: elsewhere such a word is the program.
        "exec" if first.starts_with('-') => refuse("Write `exec PROGRAM …`, or leave `exec` out."),
        "hash" | "jobs" if arguments.iter().any(|word| option(word)) => refuse("Leave the options out."),
        "declare" | "typeset" if arguments.iter().any(|word| option(word)) => {
            refuse("Assign plainly: `NAME=value`.")
        }
        "set" if first != "--" && !arguments.iter().all(|word| plain_set(word)) => {
            refuse("Only `set -e`, `-u`, `-x`, `-f` and `set -- …` are read.")
        }
        "time" if !plain_time(arguments) => refuse("Write `time PROGRAM …`, without options but `-p`."),
        _ => Ok(()),
    }
}

/// Only names of variables, and options that mean the same everywhere: what shells do about others differs.
fn plain_names(builtin: &str, arguments: &[String]) -> bool {
    let options: &[&str] = match builtin {
        "read" => &["-r"],
        "export" => &["-p", "--"],
        "unset" => &["-v", "-f", "--"],
        _ => &[],
    };
    let skipped = arguments.iter().take_while(|word| options.contains(&word.as_str())).count();
    let names =
        if builtin == "getopts" { arguments.get(1..).unwrap_or_default() } else { &arguments[skipped..] };
    let values = builtin == "export";
    names.iter().all(|word| {
        let (name, value) =
            word.split_once('=').map_or((word.as_str(), None), |(name, value)| (name, Some(value)));
        names::is_assignment(&format!("{name}=")) && !name.ends_with('+') && (values || value.is_none())
    })
}

fn plain_exit(arguments: &[String]) -> bool {
    match arguments {
        [] => true,
        [status] => status == UNKNOWN || status.parse::<u8>().is_ok() && !status.starts_with('+'),
        _ => false,
    }
}

fn plain_set(word: &str) -> bool {
    word.strip_prefix(['-', '+'])
        .is_some_and(|letters| !letters.is_empty() && letters.chars().all(|c| "euxf".contains(c)))
}

/// Keyword of bash, program elsewhere: only where both do the same.
fn plain_time(arguments: &[String]) -> bool {
    let rest = arguments.strip_prefix(&["-p".to_owned()][..]).unwrap_or(arguments);
    let builtin = [
        "export", "exit", "exec", "set", "unset", "read", "readonly", "shift", "return", "trap", "eval", ".",
        "source", "time", "umask", "ulimit", "!", "{", "if", "for", "while", "until", "case", "[[",
        "function", "select", "coproc",
    ];
    rest.first().is_some_and(|word| {
        word != UNKNOWN && !word.starts_with('-') && !word.contains('=') && !builtin.contains(&word.as_str())
    })
}

fn no(what: &str, hint: &str, at: Range<usize>) -> Refusal {
    let message = format!("This is not read, since shells differ in it or it hides what runs: {what}.");
    Refusal::new(Reason::UnsupportedSyntax, message).with_hint(hint).at(at)
}
