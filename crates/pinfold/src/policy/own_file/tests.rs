//! A workspace's own file: that it only narrows, and what it may not say.

#![allow(clippy::disallowed_methods, reason = "a test lays out folders")]

use std::path::PathBuf;

use proptest::{prelude::*, sample::select};

use super::*;
use crate::{Context, Memory, Workspace};

fn own(text: &str) -> OwnFile {
    OwnFile::from_toml(text).unwrap_or_else(|failure| panic!("{text}\n{failure}"))
}

fn narrowed(operators: &str, workspaces: &str) -> Policy {
    Policy::from_toml(&format!("cwd = '/w'\n{operators}")).unwrap().narrowed(own(workspaces))
}

#[test]
fn of_two_the_stricter_holds() {
    let policy = narrowed(
        "allow_paths = ['/a', '/b']\ndeny_paths = ['x', '!x/y']\n[shell]\nallow = ['git', 'npm', 'cargo']\ndeny = ['rm']\n\
         inherit_env = ['PATH', 'HOME']\nargument_table = false\ntimeout_ms = 1000\nmax_output_bytes = 10\n[read]\n\
         default_lines = 5\n[search]\nnested_quantifiers = 'allow'",
        "allowPaths = ['/b', '/c']\ndenyPaths = ['z']\ndeny_write_paths = ['w']\nreadOnly = true\n[shell]\n\
         allow = ['npm', 'sh', 'cargo']\ndeny = ['cargo']\ndeny_patterns = ['git push']\ninherit_env = ['HOME', 'TOKEN']\n\
         argument_table = true\nresolve = 'strict'\ntimeout_ms = 2000\nmaxOutputBytes = 3\n[read]\ndefault_lines = 9\n\
         max_bytes = 7\n[list]\nignore = ['target']\nmax_depth = 2\n[search]\nnested_quantifiers = 'refuse'\ngitignore = true\n\
         ignore = ['dist']",
    );
    let shell = policy.shell.unwrap();
    assert_eq!(policy.allow_paths, [PathBuf::from("/b")]);
    assert_eq!(
        (policy.deny_paths, policy.deny_write_paths),
        (vec!["x".into(), "!x/y".into(), "z".into()], vec!["w".to_owned()])
    );
    assert_eq!(shell.allow, Some(vec!["npm".into(), "cargo".into()]));
    assert_eq!((shell.deny, shell.inherit_env), (vec!["rm".into(), "cargo".into()], vec!["HOME".to_owned()]));
    assert_eq!((shell.deny_patterns.len(), shell.argument_table, shell.resolve), (1, true, Resolve::Strict));
    assert_eq!((shell.timeout_ms, shell.max_output_bytes), (1_000, 3));
    assert_eq!((policy.read.default_lines, policy.read.max_bytes, policy.list.max_depth), (5, Some(7), 2));
    assert_eq!(policy.list.ignore, ["node_modules", ".git", "target"]);
    assert!(policy.read_only && policy.search.gitignore);
    assert_eq!(policy.search.ignore, ["dist"]);
    let limits =
        narrowed("[env_dialect]\nmax_file_bytes = 9", "[envDialect]\nmaxFileBytes = 10\nmax_matches = 5");
    assert_eq!((limits.env_dialect.max_file_bytes, limits.env_dialect.max_matches), (9, 5));
    assert_eq!(policy.search.nested_quantifiers, NestedQuantifiers::Refuse);
    assert!(!narrowed("", "[search]\ngitignore = false").search.gitignore);
    assert!(narrowed("[search]\ngitignore = true", "[search]\ngitignore = false").search.gitignore);
}

#[test]
fn an_empty_file_changes_nothing() {
    let operators = "deny_paths = ['x']\n[shell]\nallow = ['git']\nargument_table = false";
    for text in
        ["", "[shell]", "[read]\n[list]\n[search]\n[shell]\nresolve = 'basename'\nargument_table = false"]
    {
        assert_eq!(narrowed(operators, text), narrowed(operators, ""));
    }
    assert_eq!(narrowed("", "[shell]\nallow = ['git']").shell, None, "a shell cannot be added");
}

#[test]
fn background_commands_can_be_limited_or_taken_away_and_never_added() {
    let left = |operators: &str, own: &str| {
        let text =
            |value: &str| if value.is_empty() { String::new() } else { format!("background = {value}") };
        let [operators, own] = [operators, own].map(|value| format!("[shell]\n{}", text(value)));
        narrowed(&operators, &own).shell.unwrap().background.map(|it| (it.max_jobs, it.timeout_ms))
    };
    for (operators, own, expected) in [
        ("", "true", None),
        ("", "{maxJobs = 9}", None),
        ("true", "", Some((4, None))),
        ("true", "false", None),
        ("false", "true", None),
        ("{maxJobs = 2}", "{maxJobs = 3, timeoutMs = 5}", Some((2, Some(5)))),
        ("{maxJobs = 8, timeoutMs = 5}", "{maxJobs = 3, timeoutMs = 9}", Some((3, Some(5)))),
    ] {
        assert_eq!(left(operators, own), expected, "{operators} {own}");
    }
}

#[test]
fn a_shell_can_be_taken_away_and_never_added() {
    let left = |operators: &str, own: &str| {
        let [operators, own] = [operators, own].map(|it| format!("[shell]\ninterpreter = '{it}'"));
        narrowed(&operators, &own).shell.unwrap().interpreter
    };
    assert_eq!(left("sh", "sh"), Interpreter::Sh);
    for (operators, own) in [("sh", "none"), ("none", "sh"), ("none", "none")] {
        assert_eq!(left(operators, own), Interpreter::None, "{operators} {own}");
    }
}

#[test]
fn of_a_name_and_a_path_that_ends_in_it_the_path_is_left() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("allow = ['gradlew']", "allow = ['./gradlew']", &["./gradlew"]),
        ("allow = ['./gradlew']", "allow = ['gradlew']", &["./gradlew"]),
        ("allow = ['./gradlew']", "allow = ['./gradlew']", &["./gradlew"]),
        ("allow = ['./gradlew']", "allow = ['bin/gradlew']", &[]),
        ("allow = ['gradlew']\nresolve = 'strict'", "allow = ['./gradlew']", &[]),
        ("allow = ['./gradlew']\nresolve = 'strict'", "allow = ['./gradlew']", &["./gradlew"]),
    ];
    for (operators, workspaces, left) in cases {
        let policy = narrowed(&format!("[shell]\n{operators}"), &format!("[shell]\n{workspaces}"));
        let names: Vec<String> =
            policy.shell.unwrap().allow.unwrap().into_iter().map(|entry| entry.name).collect();
        assert_eq!(&names, left, "{operators} / {workspaces}");
    }
}

#[test]
fn where_the_operator_has_no_list_the_names_only_refuse() {
    let policy = narrowed("[shell]\ndeny = ['rm']", "[shell]\nallow = ['ls', 'sh', 'env', './x']");
    let allowed = |line: &str| policy.check_shell_command(line).unwrap().allowed;
    let lines = [
        ("ls -l", true),
        ("./x", true),
        ("./ls", true),
        ("env ls", true),
        ("y/x", false),
        ("git log", false),
    ];
    for (line, expected) in
        lines.into_iter().chain([("env git", false), ("sh -c ls", false), ("rm x", false)])
    {
        assert_eq!(allowed(line), expected, "{line}");
    }
    let refused = policy.check_shell_command("git log").unwrap();
    assert!(refused.message.unwrap().contains("allows only: `./x`, `env`, `ls`, `sh`."));
}

#[test]
fn what_could_widen_is_refused_where_it_stands() {
    let cases = [
        ("cwd = '/'", "only the operator's policy decides this"),
        ("backend = 'memory'", "only the operator's policy decides this"),
        ("tests = {command = 'make'}", "only the operator's policy decides this"),
        ("[shell]\nenv = {A = 'b'}", "only the operator's policy decides this"),
        ("deny_paths = ['!x']", "`!x` is an exception"),
        ("[list]\nignore = ['!x']", "`!x` is an exception"),
        ("[shell]\nalow = []", "Did you mean `allow`?"),
        ("read_only = 'yes'", "here has to be `true` or `false`"),
    ];
    for (text, words) in cases {
        let said = OwnFile::from_toml(text).unwrap_err().to_string();
        let place = format!("at line {}, column", text.lines().count());
        assert!(said.contains(words) && said.contains(&place), "{text}\n{said}");
    }
}

#[test]
fn it_is_read_from_the_root_and_never_from_elsewhere() {
    let home = tempfile::tempdir().unwrap();
    let root = home.path().join("w");
    std::fs::create_dir(&root).unwrap();
    let read = || Policy::new(&root).narrowed_by_workspace();
    assert_eq!(read().unwrap(), Policy::new(&root));
    std::fs::write(root.join(FILE_NAME), "read_only = true").unwrap();
    assert!(read().unwrap().read_only);
    std::fs::write(root.join(FILE_NAME), "cwd = '/'").unwrap();
    let failure = read().unwrap_err();
    assert_eq!(failure.details().path.as_deref(), Some(FILE_NAME));
    std::fs::rename(root.join(FILE_NAME), home.path().join("outside")).unwrap();
    std::os::unix::fs::symlink("../outside", root.join(FILE_NAME)).unwrap();
    assert!(read().unwrap_err().to_string().contains("it leads out of the workspace"));
    assert_eq!(
        Policy::new("/nowhere/at/all").narrowed_by_workspace().unwrap(),
        Policy::new("/nowhere/at/all")
    );
}

/// A few entries of `pool` as a TOML list.
fn some(pool: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::collection::vec(select(pool), 0..4).prop_map(|entries| {
        format!("[{}]", entries.iter().map(|e| format!("'{e}'")).collect::<Vec<_>>().join(", "))
    })
}

const GLOBS: &[&str] = &["a", "a/**", "*.txt", "a/b", "**/c.txt", "d*", "/a", "A/*"];
const EXCEPTIONS: &[&str] = &["a", "a/**", "*.txt", "!a/b.txt", "!c.txt", "!*.txt", "d/**", "!d/e"];
const NAMES: &[&str] = &["git", "env", "find", "time", "sort", "./git", "bin/git", "/w/git", "sh"];
const PATTERNS: &[&str] = &["git push", "env", "sort -o", "find . -delete"];
/// Lines for a shell.
const SHELL_LINES: &[&str] = &[
    "git log | cat",
    "git add -A && git push",
    "cd src; git push > a.txt",
    "git log > secrets/x",
    "cat < .env",
    "(cd sub && npm test) || rm -rf x",
    "env A=$(git push) npm test",
    "echo `rm x`",
];

const LINES: &[&str] = &[
    "git log",
    "git push",
    "./git log",
    "bin/git x",
    "/w/git",
    "env git push",
    "env A=1 git log",
    "time ./git",
    "sh -c x",
    "find . -exec git push ;",
    "sort --compress-program=git",
    "sort -o x",
    "git -c core.pager=sort log",
    "time bin/git",
    "env",
    "find . -delete",
    "nohup git log",
];
const PATHS: &[&str] = &["a/b.txt", "a/c.txt", "a/b/f", "c.txt", "d/e", "d/e.txt", "x", "dd"];

fn shell(names: &'static [&'static str]) -> impl Strategy<Value = String> {
    let allow = prop::option::of(some(names))
        .prop_map(|list| list.map_or(String::new(), |list| format!("allow = {list}\n")));
    (allow, some(&["git", "sort", "env"]), some(PATTERNS), select(&["basename", "strict"][..]), any::<bool>()).prop_map(
        |(allow, deny, patterns, resolve, table)| {
            format!("[shell]\n{allow}deny = {deny}\ndeny_patterns = {patterns}\nresolve = '{resolve}'\nargument_table = {table}\n")
        },
    )
}

fn policy_text(globs: &'static [&'static str]) -> impl Strategy<Value = String> {
    (some(globs), some(globs), any::<bool>(), shell(NAMES)).prop_map(
        |(deny, deny_write, read_only, shell)| {
            format!("deny_paths = {deny}\ndeny_write_paths = {deny_write}\nread_only = {read_only}\n{shell}")
        },
    )
}

fn workspace(policy: Policy) -> Workspace {
    let memory = PATHS.iter().fold(Memory::new(), |memory, path| memory.file(path, "text\n"));
    Workspace::in_memory(policy, memory).unwrap()
}

proptest! {
    /// No line and no path is allowed by both together that the operator's policy refuses.
    #[test]
    fn nothing_is_allowed_that_the_operator_refuses(operators in policy_text(EXCEPTIONS), own_text in policy_text(GLOBS)) {
        let mine = Policy::from_toml(&format!("cwd = '/w'\n{operators}")).unwrap();
        let both = mine.clone().narrowed(own(&own_text));
        for line in LINES {
            let allowed = |policy: &Policy| policy.check_shell_command(line).unwrap().allowed;
            prop_assert!(!allowed(&both) || allowed(&mine), "{line}");
        }
        for line in LINES.iter().chain(SHELL_LINES) {
            let allowed = |policy: &Policy| policy.check_shell_line(line).unwrap().allowed;
            prop_assert!(!allowed(&both) || allowed(&mine), "sh: {line}");
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (mine, both) = (workspace(mine), workspace(both));
        for path in PATHS {
            let calls = [
                ("read_file", serde_json::json!({"path": path})),
                ("write_file", serde_json::json!({"path": path, "content": "text\n"})),
                ("remove", serde_json::json!({"path": path})),
            ];
            for (tool, arguments) in calls {
                let done = |workspace: &Workspace| {
                    runtime.block_on(workspace.call(tool, arguments.clone(), Context::default())).is_ok()
                };
                prop_assert!(!done(&both) || done(&mine), "{tool} {path}");
            }
        }
    }
}
