//! One command by itself: its name, what it is used for, and what its name resolved to.

use super::{Rules, arguments, instead, names, strict, verdicts, wrapper};
use crate::{
    pattern::{Joined, basename},
    refusal::Refusal,
};

/// Judges the first of `words`.
pub(super) fn judge_name(rules: &Rules, words: &[String], moved: bool) -> Result<(), Refusal> {
    let written = words.first().map_or("", String::as_str);
    let name = basename(written);
    if let Some((index, entry)) = denied_by(rules, name) {
        return Err(verdicts::denied(written, entry).by(format!("deny[{index}]")));
    }
    if name == "cd" {
        return Err(verdicts::cd());
    }
    if names::is_assignment(written) {
        return Err(verdicts::assignment(written, instead::of_assignment(rules, words)));
    }
    let sourcing = written == "." && (rules.denies() || rules.allow.is_some());
    if matches!(name, "" | "." | "..") && !sourcing {
        return Err(verdicts::no_name(written));
    }
    let listed = rules.lists(written, moved);
    if listed != Some(true) && names::is_shell_word(written) {
        return Err(verdicts::shell_word(written, instead::of_shell_word(rules, words)));
    }
    if listed == Some(false) {
        return Err(verdicts::not_allowed(written, name, rules.allow.as_deref().unwrap_or_default()));
    }
    strict::judge_written(rules, written, moved)?;
    if rules.denies() && listed != Some(true) && names::is_runner(name) {
        return Err(verdicts::runner(name, instead::of_runner(rules, name, words)));
    }
    Ok(())
}

/// Judges what a program is used for: the denied patterns, then the host.
pub(super) fn judge_use(rules: &Rules, words: &[String], nested: bool) -> Result<(), Refusal> {
    if !rules.patterns.is_empty() {
        let joined = Joined::of(words);
        let found = rules.patterns.iter().position(|pattern| pattern.matches_joined(words, &joined));
        if let Some(index) = found {
            let refusal = verdicts::denied_pattern(words, rules.patterns[index].source());
            return Err(refusal.by(format!("denyPatterns[{index}]")));
        }
    }
    match rules.allow_command.as_ref().and_then(|ask| ask.refusal(words, nested)) {
        Some(text) => Err(verdicts::refused_by_host(words, &text).by("allowCommand")),
        None => Ok(()),
    }
}

/// Judges what a name resolved to: `sh` may be `dash`, and a link of any name may be `rm`.
pub(super) fn judge_resolved(rules: &Rules, words: &[String], resolved: &str) -> Result<(), Refusal> {
    let written = words.first().map_or("", String::as_str);
    let name = basename(written);
    if let Some((index, entry)) = denied_by(rules, resolved) {
        return Err(verdicts::denied_resolved(written, resolved, entry).by(format!("deny[{index}]")));
    }
    if name == resolved || names::is_multi_call(resolved) {
        return Ok(());
    }
    let known = names::is_runner(name) || wrapper::is_wrapper(name);
    if wrapper::is_wrapper(resolved) && !known {
        return Err(verdicts::hidden_runner(written, resolved));
    }
    if rules.denies() && rules.allow.is_none() && names::is_runner(resolved) {
        return Err(verdicts::hidden_runner(written, resolved));
    }
    // Under its own name the options of the program would have been read.
    let other = rules.reads_arguments() && !arguments::same_table(name, resolved);
    if other && !arguments::read(resolved, words).is_empty() {
        return Err(verdicts::hidden_runner(written, resolved));
    }
    Ok(())
}

/// Whether `NAME=value` must not be set: variables of the shell never, those that name programs not while rules hold.
pub(super) fn steers(rules: &Rules, assignment: &str) -> bool {
    let name = assignment.split('=').next().unwrap_or_default();
    names::steers_shells(name) || (rules.denies() || rules.allow.is_some()) && names::steers_programs(name)
}

pub(super) fn denied_by<'a>(rules: &'a Rules, name: &str) -> Option<(usize, &'a str)> {
    let folded = names::folded(name);
    let found = rules.deny.iter().position(|entry| names::folded(entry) == folded)?;
    Some((found, &rules.deny[found]))
}
