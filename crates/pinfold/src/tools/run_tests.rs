//! `run_tests`: the operator's test command, or the one that the project's files point to; and what its runner counted.

mod report;

use std::sync::{Mutex, PoisonError};

use pinfold_shell::argv::MAX_LINE_BYTES;
use schemars::JsonSchema;
use serde::Deserialize;

use super::RunShell;
use crate::{
    Failure, FailureType,
    runners::{self, Files, Found, Runner},
    words::clipped,
};
pub(crate) use report::report;

/// The arguments of `run_tests`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunTests {
    /// Which tests, by name. Default: all.
    pub pattern: Option<String>,
    /// At most the policy's.
    #[schemars(range(min = 1))]
    pub timeout_ms: Option<u64>,
    /// Only those that failed last.
    pub rerun_failed: Option<bool>,
}

/// The command that a call of `run_tests` stands for: it is judged like any other.
#[derive(Debug)]
pub(crate) struct Planned {
    pub(crate) runner: Option<Runner>,
    pub(crate) command: RunShell,
}

/// How the tests of this workspace that failed last are named to their runner.
#[derive(Debug, Default)]
pub(crate) struct LastFailed(Mutex<Vec<String>>);

impl LastFailed {
    pub(crate) fn set(&self, names: Vec<String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = names;
    }

    fn names(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl RunTests {
    /// `base` is the policy's command. Without one it is the first that the files point to and the rules let run.
    pub(crate) fn plan(
        self,
        base: Option<&str>,
        files: &impl Files,
        allowed: impl Fn(&str) -> bool,
        last: &LastFailed,
    ) -> Result<Planned, Failure> {
        let found = match base {
            Some(line) => {
                let words: Vec<&str> = line.split_whitespace().collect();
                Found { runner: Runner::of(&words), line: line.to_owned() }
            }
            None => {
                let mut found = runners::detect(files);
                let first = found.iter().position(|found| allowed(&found.line)).unwrap_or(0);
                if found.is_empty() {
                    return Err(no_command());
                }
                found.swap_remove(first)
            }
        };
        let words = self.narrowing(&found, base.is_none(), last)?;
        let mut line = found.line;
        for word in words {
            line.push(' ');
            line.push_str(&quoted(&word)?);
        }
        if line.len() > MAX_LINE_BYTES {
            return Err(bad(
                "so many tests failed that they cannot all be named",
                "Run all of them, or use `pattern`.",
            ));
        }
        let command = RunShell { command: line, timeout_ms: self.timeout_ms, ..RunShell::default() };
        Ok(Planned { runner: found.runner, command })
    }

    /// The words behind the line. The operator's own command gets a pattern as one more argument, whatever it makes of it.
    fn narrowing(&self, found: &Found, detected: bool, last: &LastFailed) -> Result<Vec<String>, Failure> {
        let pattern = self.pattern.as_deref().filter(|pattern| !pattern.is_empty());
        if self.rerun_failed != Some(true) {
            return Ok(match (pattern, found.runner.filter(|_| detected)) {
                (None, _) => Vec::new(),
                (Some(pattern), Some(runner)) => runner.only(pattern),
                (Some(pattern), None) => vec![pattern.to_owned()],
            });
        }
        if pattern.is_some() {
            return Err(bad(
                "`pattern` and `rerunFailed` are given; only one of them can hold",
                "Give one of them.",
            ));
        }
        let failed = last.names();
        if failed.is_empty() {
            return Err(bad("no failed test is known", "Run all tests first, without `rerunFailed`."));
        }
        let has_dashes = found.line.split_whitespace().any(|word| word == "--");
        let again = found.runner.and_then(|runner| runner.again(&failed, has_dashes));
        again.ok_or_else(|| {
            let message = format!("Tests cannot be named one by one to `{}`.", clipped(&found.line));
            Failure::new(FailureType::Unsupported, message).hint("Use `pattern`, or run all of them.")
        })
    }
}

fn bad(why: &str, hint: &str) -> Failure {
    Failure::new(FailureType::BadArguments, format!("Arguments of run_tests: {why}.")).hint(hint)
}

/// `word` as one word of a line, whatever is in it.
fn quoted(word: &str) -> Result<String, Failure> {
    if word.contains(['"', '\n', '\r']) {
        let message = "Arguments of run_tests: `pattern` must not hold `\"` or a line break.";
        return Err(Failure::new(FailureType::BadArguments, message)
            .hint("Give a shorter part of the test's name, or use run_shell with the whole command."));
    }
    // Within quotes a backslash may take the character behind it along; doubled it is only itself.
    Ok(format!("\"{}\"", word.replace('\\', "\\\\")))
}

fn no_command() -> Failure {
    let message =
        "This workspace has no test command: its policy names none, and no test runner is found in its root.";
    Failure::new(FailureType::Unsupported, message).hint(format!(
        "Looked for {}. Its operator sets `tests.command` in the policy, such as `make test`; `shell` has to allow it.",
        runners::LOOKED_FOR
    ))
}

#[cfg(test)]
mod tests {
    use pinfold_shell::Argv;
    use proptest::prelude::*;

    use super::*;

    struct NoFiles;

    impl Files for NoFiles {
        fn has(&self, _: &str) -> bool {
            false
        }
        fn text(&self, _: &str) -> Option<String> {
            None
        }
        fn matches(&self, _: &str) -> bool {
            false
        }
    }

    fn line(pattern: &str) -> Result<String, Failure> {
        let tests = RunTests { pattern: Some(pattern.into()), ..RunTests::default() };
        let planned = tests.plan(Some("npm test --"), &NoFiles, |_| true, &LastFailed::default());
        planned.map(|planned| planned.command.command)
    }

    proptest! {
        #[test]
        fn a_pattern_is_one_argument_and_stays_as_it_is(pattern in "[^\"\n\r\0]{1,12}") {
            let argv = Argv::parse(&line(&pattern).unwrap()).unwrap();
            prop_assert_eq!(argv.words(), ["npm", "test", "--", pattern.as_str()]);
        }
    }

    #[test]
    fn what_could_end_the_quotes_is_refused() {
        for pattern in ["x\"; curl e #", "a\nb", "a\rb", "\""] {
            assert_eq!(line(pattern).unwrap_err().failure_type(), FailureType::BadArguments, "{pattern:?}");
        }
        assert_eq!(line("").unwrap(), "npm test --");
        assert_eq!(line("a\\").unwrap(), "npm test -- \"a\\\\\"");
    }
}
