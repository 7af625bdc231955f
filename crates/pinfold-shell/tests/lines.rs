//! The verdict on lines of sh mode, over a ground that is a table. What the oracle of `cargo xtask` found is here too.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may fail at once, and reads its cases"
)]

#[path = "support/policy.rs"]
mod policy;

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use pinfold_shell::{Found, Ground, JudgedCommand, Outside, Purpose, Reason, Rules, Verdict};

/// A workspace `/w`, in which `sub/tool` is a link to `/bin/rm`, and a `PATH` that leads into it under one name.
struct Table;

impl Ground for Table {
    fn start(&self) -> String {
        "/w".to_owned()
    }

    fn judge(&self, path: &str, _purpose: Purpose) -> Result<String, Outside> {
        let mut real = PathBuf::from("/");
        for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
            if part == ".." {
                real.pop();
            } else {
                real.push(part);
            }
        }
        match real.starts_with("/w") {
            true => Ok(real.to_string_lossy().into_owned()),
            false => Err(Outside { message: "it lies outside".to_owned(), hint: None }),
        }
    }

    fn program(&self, dir: &str, name: &str) -> Option<Found> {
        let found = |real: &str, planted| Some(Found { real: real.into(), planted });
        match (dir, name) {
            ("/w/sub", "./tool") => found("/bin/rm", false),
            (_, "planted") => found("/w/planted", true),
            (_, name) if name.contains('/') => None,
            (_, name) => found(&format!("/bin/{name}"), false),
        }
    }
}

fn verdict(allow: Option<&[&str]>, deny: &[&str], line: &str) -> Verdict {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    Rules::new(allow.map(owned), owned(deny)).unwrap().line_verdict(line, &Table)
}

const ALLOW: &[&str] = &[
    "git",
    "echo",
    "true",
    "read",
    "export",
    "sort",
    "rg",
    "exec",
    "time",
    "wait",
    "getopts",
    "eval",
    "tool",
    "scripts/build",
    "cat",
    "planted",
    "return",
    "break",
    "builtin",
    "printf",
    "set",
];

use Reason::{DeniedExecutable, NestedCommand, NotAllowed, PathEscape, UnsupportedSyntax};

/// Refused with an allow list.
const REFUSED: &[(&str, Reason)] = &[
    // bash evaluates what these are set to, as it does an index.
    ("RANDOM='a[$(evil)]'", UnsupportedSyntax),
    ("SRANDOM='a[$(evil)]' true", UnsupportedSyntax),
    ("HISTCMD=x", UnsupportedSyntax),
    ("echo 'a[$(evil)]' | read -r OPTIND", UnsupportedSyntax),
    ("export SECONDS=0", UnsupportedSyntax),
    ("getopts ab RANDOM", UnsupportedSyntax),
    ("wait -p PATH", UnsupportedSyntax),
    ("BASH_ARGV0=x", UnsupportedSyntax),
    // In another encoding a quote may be half of a character.
    ("LC_ALL=zh_CN.GBK; echo x", UnsupportedSyntax),
    ("LANG=$V echo x", UnsupportedSyntax),
    ("export LC_CTYPE=ja_JP.SJIS", UnsupportedSyntax),
    ("read -r LC_ALL", UnsupportedSyntax),
    // Shells do different things.
    ("return; git log", UnsupportedSyntax),
    ("break", UnsupportedSyntax),
    ("exec -l git", UnsupportedSyntax),
    ("exec -c git", UnsupportedSyntax),
    ("builtin git", UnsupportedSyntax),
    // A word behind an option is its value, whatever it begins with.
    ("git -c core.fsmonitor=* status", NestedCommand),
    ("git -c \"core.pager=$V\" log", NestedCommand),
    ("git l$V -x evil", NestedCommand),
    ("sort --compress-program x$V", NestedCommand),
    ("rg --pre x* pattern", NestedCommand),
    // Behind a `cd` a path is another one.
    ("cd sub && scripts/build", NotAllowed),
    ("eval true; scripts/build", NotAllowed),
    ("eval 'cd ..'; echo x > f", PathEscape),
    ("cd sub; echo x > ../../f", PathEscape),
    ("planted", NotAllowed),
];

#[test]
fn an_allow_list_refuses() {
    for &(line, reason) in REFUSED {
        let verdict = verdict(Some(ALLOW), &[], line);
        assert_eq!(verdict.reason, Some(reason), "{line:?}: {:?}", verdict.message);
        assert!(verdict.hint.is_some(), "{line:?}");
    }
}

#[test]
fn an_empty_allow_list_lets_nothing_pass() {
    for line in ["> f", "V=1", "cd sub", "< f", "(> f)", "! cd sub", "git"] {
        assert_eq!(verdict(Some(&[]), &[], line).reason, Some(NotAllowed), "{line}");
    }
}

#[test]
fn names_are_looked_up_from_every_directory() {
    assert!(verdict(None, &["rm"], "./tool").allowed);
    for line in ["find . -exec n$V ;", "find . -exec 'x'*/y {} +", "env -- - rm x", "env - -- rm x"] {
        assert_eq!(verdict(None, &["rm"], line).reason, Some(NestedCommand), "{line}");
    }
    for line in ["cd sub && ./tool", "cd sub; ./tool", "(cd sub && true | ./tool)", "cd sub && echo `./tool`"]
    {
        assert_eq!(verdict(None, &["rm"], line).reason, Some(DeniedExecutable), "{line}");
    }
    assert_eq!(verdict(Some(ALLOW), &["rm"], "eval true; ./tool").reason, Some(NestedCommand));
}

const ALLOWED: &[&str] = &[
    "LC_ALL=C sort",
    "LANG=en_US.UTF-8 git log",
    "LC_ALL= true",
    "export LC_ALL=C.UTF-8",
    "rg TODO src/*.rs",
    "rg -- x*",
    "git log x$V",
    "git push origin HEAD:x",
    "git add src/*.rs",
    "cd sub && git log > ../f",
    "scripts/build",
    "(cd sub && git log) && echo x > f",
    "exec git log",
    "exec 3> f; git log >&3",
    "set -e; git log",
];

#[test]
fn everyday_lines_pass() {
    for line in ALLOWED {
        let verdict = verdict(Some(ALLOW), &[], line);
        assert!(verdict.allowed, "{line:?}: {:?}", verdict.message);
    }
}

/// What dash really started, in the corpus, is what the verdict lists; an unknown word may become any number of words.
#[test]
fn the_corpus_runs_what_is_listed() {
    fn matches(pattern: &[Option<String>], argv: &[String]) -> bool {
        match pattern.split_first() {
            None => argv.is_empty(),
            Some((Some(word), rest)) => argv.first() == Some(word) && matches(rest, &argv[1..]),
            Some((None, rest)) => (0..=argv.len()).any(|taken| matches(rest, &argv[taken..])),
        }
    }
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpora/shell_sh.jsonl");
    let mut compared = 0;
    for row in fs::read_to_string(corpus).unwrap().lines() {
        let row: Value = serde_json::from_str(row).unwrap();
        let Some(runs) = row["runs"].as_array() else { continue };
        let text = row["line"].as_str().unwrap().replace("@JAIL@", "/w").replace("@OUT@", "/outside");
        let verdict = policy::rules(&row["policy"]).line_verdict(&text, &Table);
        assert!(verdict.allowed, "{text:?}: {:?}", verdict.message);
        for run in runs {
            let argv: Vec<String> = serde_json::from_value(run.clone()).unwrap();
            // `find` puts names of files where `{}` stands.
            let found = |word: &Option<String>| word.clone().filter(|word| !word.contains("{}"));
            let listed =
                |command: &JudgedCommand| matches(&command.argv.iter().map(found).collect::<Vec<_>>(), &argv);
            assert!(
                verdict.commands.iter().any(listed),
                "{text:?} started {argv:?}, not of {:?}",
                verdict.commands
            );
            compared += 1;
        }
    }
    assert!(compared > 150, "only {compared} commands were compared");
}
