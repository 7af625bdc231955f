//! What a shell may do with an allowed line, and what all shells must do alike.

use std::collections::{BTreeMap, BTreeSet};

use pinfold_shell::{Argv, JudgedCommand};

use super::{
    applets,
    fixture::JAIL,
    judged::Judged,
    policies::Policy,
    record::{Run, Start},
};

/// A law that was broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Breach {
    /// A word for the kind.
    pub(crate) law: &'static str,
    pub(crate) policy: &'static str,
    /// What was seen, in a sentence.
    pub(crate) seen: String,
}

/// The first law that the runs break under this policy.
pub(crate) fn broken(policy: &Policy, judged: &Judged, runs: &[Run]) -> Option<Breach> {
    let breach = |law, seen| Breach { law, policy: policy.name, seen };
    if policy.closed {
        return Some(breach("closed", "a line was allowed although nothing is".to_owned()));
    }
    for run in runs {
        if let Some((law, seen)) = broken_by(policy, judged, run) {
            return Some(breach(law, format!("{}: {seen}", run.shell)));
        }
    }
    differ(judged, runs).map(|seen| breach("differ", seen))
}

fn broken_by(policy: &Policy, judged: &Judged, run: &Run) -> Option<(&'static str, String)> {
    for start in &run.starts {
        if !judged.commands.iter().any(|command| matches(&command.argv, &start.argv)) {
            return Some(("start", format!("started {:?}", start.argv)));
        }
        if let Some(refused) = refused(policy, start) {
            return Some(("argv", format!("started {:?}: {refused}", start.argv)));
        }
        if start.cwd != JAIL && !judged.listed.dirs.contains(&start.cwd) && !judged.moves() {
            return Some(("cwd", format!("{:?} started in {}", start.argv, start.cwd)));
        }
        let known =
            |path: &&String| judged.listed.reads.contains(*path) || judged.listed.writes.contains(*path);
        if let Some(path) = start.opens.iter().find(|path| !known(path)) {
            return Some(("open", format!("{:?} has {path} open", start.argv)));
        }
    }
    let mut changed = run.created.iter().chain(&run.modified);
    if let Some(path) = changed.find(|path| !judged.listed.writes.contains(*path)) {
        return Some(("file", format!("wrote {path}")));
    }
    if let Some(path) = run.deleted.first() {
        return Some(("file", format!("deleted {path}")));
    }
    let listed = |name: &str| {
        judged
            .commands
            .iter()
            .any(|command| command.argv.iter().flatten().next().is_some_and(|first| first == name))
    };
    let missing = run.stderr.lines().filter_map(not_found);
    missing.filter(|name| !listed(name)).map(|name| ("name", format!("looked for {name:?}"))).next()
}

/// Whether `argv` is what `pattern` becomes; an unknown word may become any number of words.
fn matches(pattern: &[Option<String>], argv: &[String]) -> bool {
    match pattern.split_first() {
        None => argv.is_empty(),
        Some((Some(word), rest)) => {
            argv.split_first().is_some_and(|(first, others)| first == word && matches(rest, others))
        }
        Some((None, rest)) => (0..=argv.len()).any(|taken| matches(rest, &argv[taken..])),
    }
}

/// What the rules say of the words as they turned out to be.
fn refused(policy: &Policy, start: &Start) -> Option<String> {
    let quoted: Vec<String> =
        start.argv.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
    let argv = Argv::parse(&quoted.join(" ")).ok()?;
    policy.rules.judge(&argv).err().map(|refusal| refusal.to_string())
}

/// The command that a shell did not find.
fn not_found(line: &str) -> Option<&str> {
    let (rest, is_bash) = match line.strip_prefix("bash: ") {
        Some(rest) => (rest, true),
        None => (line.strip_prefix("sh: ")?, false),
    };
    let rest = rest.strip_suffix(if is_bash { ": command not found" } else { ": not found" })?;
    let rest = rest.strip_prefix("line ").unwrap_or(rest);
    let behind = rest.split_once(": ").filter(|(number, _)| number.bytes().all(|b| b.is_ascii_digit()));
    let name = behind.map_or(rest, |(_, name)| name);
    // bash shows other names with escapes; what two shells of a pipeline say at once is mixed.
    let plain = !name.starts_with("$'") && !name.contains(": ");
    plain.then_some(name)
}

/// Builtins and programs whose result is their own affair: shells have their own, and these fail in different cases.
const RESULTS: &[&str] = &[
    "printf", "kill", "times", "ulimit", "umask", "jobs", "fg", "bg", "type", "hash", "wait", "test", "[",
    "read", "time",
];

/// How often each program was started. Where, is the affair of the law about directories: after `cd gone/../src` some shells
/// have moved and some have not, and a verdict lists both.
type Counts = BTreeMap<String, usize>;

/// Says it when two shells start different programs, so that neither merely stopped earlier than the other.
fn differ(judged: &Judged, runs: &[Run]) -> Option<String> {
    let own = |name: &str| RESULTS.contains(&name);
    if judged
        .commands
        .iter()
        .any(|command| command.argv.first().is_some_and(|name| name.as_deref().is_some_and(own)))
    {
        return None;
    }
    let comparable = runs.iter().filter(|run| !run.timed_out);
    let counted: Vec<(&Run, Counts)> = comparable.map(|run| (run, counts(judged, run))).collect();
    for (at, (one, first)) in counted.iter().enumerate() {
        for (other, second) in &counted[at + 1..] {
            let within = |a: &Counts, b: &Counts| {
                a.iter().all(|(key, many)| b.get(key).is_some_and(|more| more >= many))
            };
            let (less, more) = (within(first, second), within(second, first));
            let stopped =
                |run: &Run, is_less: bool| is_less && (!run.stderr.is_empty() || judged.hides_errors());
            if less && more || stopped(one, less) || stopped(other, more) {
                continue;
            }
            return Some(format!("{} {first:?}, {} {second:?}", one.shell, other.shell));
        }
    }
    None
}

fn counts(judged: &Judged, run: &Run) -> Counts {
    let mut counts = Counts::new();
    // Some shells are these programs themselves, and start nothing.
    let told =
        run.starts.iter().filter(|start| !applets::is_one(start.argv.first().map_or("", String::as_str)));
    for start in told {
        *counts.entry(key(&judged.commands, start)).or_default() += 1;
    }
    counts
}

/// The words, but for those that are decided when the line runs.
fn key(commands: &[JudgedCommand], start: &Start) -> String {
    let exact = |command: &&JudgedCommand| command.argv.iter().all(Option::is_some);
    let all: BTreeSet<String> = commands
        .iter()
        .filter(|command| matches(&command.argv, &start.argv))
        .filter(|command| !exact(command))
        .map(|command| format!("{:?}", command.argv))
        .collect();
    match all.into_iter().next() {
        Some(pattern) => pattern,
        None => format!("{:?}", start.argv),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn an_unknown_word_may_become_many_or_none() {
        let pattern = [Some("git".to_owned()), None, Some("x".to_owned())];
        for argv in [&["git", "x"][..], &["git", "a", "x"], &["git", "a", "b", "x"]] {
            assert!(matches(&pattern, &words(argv)), "{argv:?}");
        }
        for argv in [&["git"][..], &["git", "x", "y"], &["rg", "x"], &[]] {
            assert!(!matches(&pattern, &words(argv)), "{argv:?}");
        }
    }

    #[test]
    fn what_was_not_found_is_read_from_each_shell() {
        let cases = [
            ("sh: 1: gone: not found", Some("gone")),
            ("bash: line 3: gone: command not found", Some("gone")),
            ("sh: gone: not found", Some("gone")),
            ("sh: line 2: gone: not found", Some("gone")),
            ("sh: 1: hash: x: not found", None),
            ("bash: line 1: type: x: not found", None),
            ("bash: line 1: $'\\303\\251': command not found", None),
            ("gone: not found", None),
        ];
        for (line, name) in cases {
            assert_eq!(not_found(line), name, "{line}");
        }
    }
}
