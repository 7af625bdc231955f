//! Lines for `cmd.exe`: what is read, what the rules then say, and what it would be given.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

use pinfold_shell::{CmdLine, DenyPattern, Found, Ground, Outside, Purpose, Rules, line::cmd::MAX_CMD_BYTES};
use serde_json::Value;

/// A workspace `/w` in which `secret.txt` is denied, in any case.
struct Yard;

impl Ground for Yard {
    fn start(&self) -> String {
        "/w".to_owned()
    }

    fn judge(&self, path: &str, _purpose: Purpose) -> Result<String, Outside> {
        let mut parts = Vec::new();
        for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
            match part {
                ".." => _ = parts.pop(),
                _ => parts.push(part),
            }
        }
        let inside = parts.first() == Some(&"w");
        match inside && !parts.iter().any(|part| part.eq_ignore_ascii_case("secret.txt")) {
            true => Ok(format!("/{}", parts.join("/"))),
            false => Err(Outside { message: "outside".to_owned(), hint: None }),
        }
    }

    fn program(&self, _dir: &str, _name: &str) -> Option<Found> {
        None
    }
}

fn rules() -> Rules {
    let allow = ["git", "npm", "echo", "find", "cmd", "call"].map(str::to_owned);
    Rules::new(Some(allow.into()), vec!["rm".to_owned()])
        .unwrap()
        .with_patterns(vec![DenyPattern::prefix("git push --force").unwrap()])
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(|text| text.as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_case() {
    let (mut allowed, mut refused) = (0, 0);
    for case in include_str!("cases/cmd.jsonl").lines() {
        let case: Value = serde_json::from_str(case).unwrap();
        let line = case["line"].as_str().unwrap();
        let verdict = rules().cmd_verdict(line, &Yard);
        let said = format!("{line:?}: {:?} {:?}", verdict.reason, verdict.message);
        if let Some(reason) = case["reason"].as_str() {
            refused += 1;
            assert_eq!(verdict.reason.map(|reason| reason.as_str()), Some(reason), "{said}");
            assert!(verdict.span.is_none_or(|span| line.get(span).is_some()), "{said}");
            continue;
        }
        allowed += 1;
        assert!(verdict.allowed, "{said}");
        let words = verdict.commands.iter().map(|command| {
            command.argv.iter().map(|word| word.as_deref().unwrap()).collect::<Vec<_>>().join(" ")
        });
        assert_eq!(words.collect::<Vec<_>>(), texts(&case["commands"]), "{line:?}");
        let paths = verdict.paths.iter().filter(|path| path.path != "/dev/null");
        let paths: Vec<String> = paths.map(|path| format!("{} {}", path.purpose, path.path)).collect();
        assert_eq!(paths, texts(&case["paths"]), "{line:?}");
    }
    assert!(allowed >= 20 && refused >= 80, "{allowed} allowed, {refused} refused");
}

#[test]
fn exactly_the_line_is_given_to_cmd() {
    let line = CmdLine::parse("git log \"a b\" > NUL").unwrap();
    assert_eq!(line.arguments(), "/d /v:off /s /c \"git log \"a b\" > NUL\"");
}

#[test]
fn a_line_that_is_too_long_is_refused() {
    let line = |length: usize| format!("git {}", "a".repeat(length - 4));
    assert!(CmdLine::parse(&line(MAX_CMD_BYTES)).is_ok());
    assert!(CmdLine::parse(&line(MAX_CMD_BYTES + 1)).is_err());
}

proptest::proptest! {
    /// Any mixture of what is special is read or refused, with a place that can be shown, and nothing that quotes do not
    /// stop is ever read.
    #[test]
    fn any_line(parts in proptest::collection::vec(proptest::sample::select(PIECES), 0..24)) {
        let line = parts.concat();
        match CmdLine::parse(&line) {
            Err(refusal) => assert!(refusal.span().is_none_or(|span| line.get(span).is_some()), "{line:?}"),
            Ok(read) => {
                assert_eq!(read.text(), line);
                assert!(!line.contains(['%', '!', '^', '\n']), "{line:?}");
                assert_eq!(line.matches('"').count() % 2, 0, "{line:?}");
            }
        }
        let verdict = rules().cmd_verdict(&line, &Yard);
        let outside = |name: &str| !["git", "npm", "echo", "find", "cd"].contains(&name);
        let names = verdict.commands.iter().filter_map(|command| command.argv.first()?.as_deref());
        assert!(!verdict.allowed || names.into_iter().all(|name| !outside(name)), "{line:?}");
    }
}

const PIECES: &[&str] = &[
    "git", "npm ", "cd ", "curl", " ", "\t", "\"", "\\", "&", "&&", "|", "||", "<", ">", ">>", "2>&1", "2",
    "%", "!", "^", "(", ")", ";", ",", "sub", "..", "/", ":", "nul", "é", "\u{201c}", "\n", "a b",
];
