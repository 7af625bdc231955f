//! Words that are known only when the line runs.

use super::{
    super::{
        Rules, arguments,
        judge::{Judgement, Origin},
        names, verdicts, wrapper,
    },
    UNKNOWN,
};
use crate::{
    line::tree::Simple,
    pattern::basename,
    refusal::{Reason, Refusal},
};

/// Commands of git that have no option which holds a command.
const GIT_PLAIN: &[&str] = &[
    "add",
    "blame",
    "branch",
    "cat-file",
    "checkout",
    "cherry-pick",
    "commit",
    "describe",
    "diff",
    "log",
    "ls-files",
    "merge",
    "merge-base",
    "mv",
    "reset",
    "restore",
    "rev-list",
    "rev-parse",
    "revert",
    "rm",
    "shortlog",
    "show",
    "stash",
    "status",
    "switch",
    "tag",
];

/// Patterns and the host would have to be asked about words that nobody knows.
pub(super) fn hidden_from_rules(simple: &Simple) -> Refusal {
    let word = simple.words.iter().find(|word| word.literal().is_none());
    let span = word.map_or(simple.span.range(), |word| word.span.range());
    Refusal::new(
        Reason::NotAllowed,
        "A word is decided only when the line runs, and the policy has rules about the words of commands.",
    )
    .with_hint("Write the value itself, and quote `*`, `?`, `[` and `~` if they are meant as they are.")
    .at(span)
}

/// A command inside another one, by a name that nobody knows.
pub(super) fn hidden_inside(simple: &Simple) -> Refusal {
    let word = simple.words.iter().find(|word| word.literal().is_none());
    let span = word.map_or(simple.span.range(), |word| word.span.range());
    let message = "A command that another one runs is decided only when the line runs.";
    Refusal::new(Reason::NestedCommand, message).with_hint("Write the word itself.").at(span)
}

/// A word that may become an option must not reach a program that runs what its options say.
pub(super) fn judge(rules: &Rules, judgement: &Judgement<'_>, simple: &Simple) -> Result<(), Refusal> {
    let unknown: Vec<usize> =
        (0..simple.words.len()).filter(|at| simple.words[*at].literal().is_none()).collect();
    if unknown.is_empty() || !rules.denies() && rules.allow.is_none() {
        return Ok(());
    }
    let wild = |at: &usize| !simple.words[*at].is_anchored();
    let levels = || judgement.levels.iter().filter_map(|level| Some((*level, judgement.place(*level)?)));
    for (level, place) in levels() {
        let name = names::folded(basename(judgement.name(level)));
        let inside: Vec<usize> = unknown.iter().copied().filter(|at| place.contains(at)).collect();
        let refuse = |at: usize| {
            let text = "a word that is decided only when the line runs";
            let refusal = verdicts::unreadable(&name, None);
            let message = format!("The policy cannot tell what `{name}` will run, because of {text}.");
            Refusal::new(refusal.reason(), message)
                .with_hint(
                    "Write the word itself, quote a pattern, or begin it with a fixed part, such as `./*`.",
                )
                .about(name.as_str())
                .at(simple.words[at].span.range())
        };
        if wrapper::is_wrapper(&name) {
            let inner = levels()
                .filter(|(other, range)| other.origin == Origin::Wrapper && range.start > place.start)
                .map(|(_, range)| range.start)
                .min();
            let bad = if name == "find" {
                inside.iter().copied().find(|at| wild(at))
            } else {
                inside.iter().copied().find(|at| inner.is_none_or(|inner| *at <= inner))
            };
            if let Some(at) = bad {
                return Err(refuse(at));
            }
        }
        let script = matches!(
            name.as_str(),
            "awk" | "gawk" | "mawk" | "nawk" | "original-awk" | "sed" | "gsed" | "tar" | "gtar" | "bsdtar"
        );
        let read = rules.reads_arguments() && arguments::knows(&name);
        // Behind an option it may be the option's value, which no first letter makes harmless.
        let value = |at: &usize| {
            *at > place.start + 1 && {
                let before = &simple.words[at - 1].literal().unwrap_or_default();
                before.starts_with('-') && before != "--"
            }
        };
        let unnamed = name == "git" && !names_subcommand(judgement.words(level));
        let bad = inside.into_iter().find(|at| script || unnamed || wild(at) || value(at));
        if let Some(at) = bad.filter(|_| read && !plain_git(&name, judgement.words(level))) {
            return Err(refuse(at));
        }
    }
    Ok(())
}

/// Which options `git` has depends on its first word.
fn names_subcommand(words: &[String]) -> bool {
    words.get(1).is_some_and(|word| !word.contains(UNKNOWN) && !word.starts_with('-'))
}

fn plain_git(name: &str, words: &[String]) -> bool {
    name == "git" && words.get(1).is_some_and(|word| word != UNKNOWN && GIT_PLAIN.contains(&word.as_str()))
}
