//! `pinfold check`, as people and scripts call it.

#![allow(clippy::disallowed_methods, reason = "a test starts programs")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test panics when it fails")]

use std::{
    fs,
    io::Write,
    process::{Command, Output, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

fn check(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pinfold"));
    // The policy of whoever runs the tests is not for them.
    command.env("XDG_CONFIG_HOME", "/nonexistent");
    command.arg("check").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("pinfold starts");
    // Whoever refuses its arguments may be gone before it reads.
    drop(child.stdin.take().expect("a pipe").write_all(input.as_bytes()));
    child.wait_with_output().expect("it ends")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_exit_status_tells() {
    let cases: &[(&[&str], i32)] = &[
        (&["--allow", "git", "--", "git status"], 0),
        (&["--allow", "git", "--", "git", "commit", "-m", "a; b"], 0),
        (&["--allow", "git", "--", "git status; ls"], 3),
        (&["--allow", "git", "--json", "--", "ls"], 3),
        (&["git status"], 3),
        (&["--mode", "sh", "--", "ls"], 3),
        (&["--mode", "sh", "--allow", "git,cat", "--", "git log | cat > /dev/null"], 0),
        (&["--mode", "sh", "--allow", "git", "--", "cd .. && git log"], 3),
        (&["--policy", "/no/such/file", "--", "ls"], 1),
        (&["--mode", "fish", "--", "ls"], 2),
        (&[], 2),
        (&["--batch", "ls"], 2),
    ];
    for (arguments, status) in cases {
        let output = check(arguments, "");
        assert_eq!(output.status.code(), Some(*status), "{arguments:?}: {}", said(&output));
    }
}

#[test]
fn people_see_the_line_the_mark_the_reason_and_the_rule() {
    let dir = TempDir::new().unwrap();
    let policy = dir.path().join("policy.toml");
    let text = "cwd = '/no/such/place'\n[shell]\nallow = ['git', 'time']\ndeny_patterns = [\n  'git push --force',\n]\n";
    fs::write(&policy, text).unwrap();
    let output = check(&["--policy", policy.to_str().unwrap(), "--", "time git push --force"], "");
    let expected = format!(
        "  time git push --force\n       ^^^^^^^^^^^^^^^^\nrefused: denied-pattern\n\
         `git push --force` is denied by the policy: it matches the pattern `git push --force`.\n\
         Other spellings of the same command are meant too; do it another way, or ask the person in charge.\n\
         rule: shell.denyPatterns[0] = git push --force, {}:5\n",
        policy.display()
    );
    assert_eq!(said(&output), expected);
    let output = check(&["--policy", policy.to_str().unwrap(), "--", "time git 'a b'"], "");
    assert_eq!(said(&output), "  time git 'a b'\nallowed\n  [time] [git] [a b]\n    [git] [a b]\n");
}

#[test]
fn a_verdict_is_json() {
    let output = check(&["--allow", "git", "--json", "--", "git -c core.pager='curl x' log"], "");
    let verdict: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&verdict["allowed"], &verdict["reason"]), (&false.into(), &"not-allowed".into()));
    assert_eq!(verdict["argv"][2], "core.pager=curl x");
    assert_eq!(verdict["commands"][1], serde_json::json!({"argv": ["curl", "x"], "nested": true}));
    assert_eq!(verdict["span"], serde_json::json!({"start": 7, "end": 26}));
    assert_eq!(verdict["paths"], serde_json::json!([]));
}

#[test]
fn a_bad_row_does_not_end_the_batch() {
    let rows = "{\"id\": 1, \"line\": \"git x\"}\n\nnonsense\n{\"id\": 2, \"mode\": \"sh\", \"line\": \"if ls; then ls; fi\"}\n{\"id\": 3, \"line\": \"ls\"}";
    let output = check(&["--allow", "git", "--batch"], rows);
    assert_eq!(output.status.code(), Some(0));
    let answers: Vec<Value> = said(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 4);
    assert_eq!((&answers[0]["id"], &answers[0]["allowed"]), (&1.into(), &true.into()));
    assert_eq!((&answers[1]["id"], &answers[1]["error"]["type"]), (&Value::Null, &"bad-arguments".into()));
    assert_eq!((&answers[2]["id"], &answers[2]["reason"]), (&2.into(), &"unsupported-syntax".into()));
    assert_eq!((&answers[3]["id"], &answers[3]["reason"]), (&3.into(), &"not-allowed".into()));
}

#[test]
fn the_users_policy_holds_and_the_workspaces_own_file_narrows_it() {
    let dir = TempDir::new().unwrap();
    let (config, root) = (dir.path().join("config"), dir.path().join("root"));
    fs::create_dir_all(config.join("pinfold")).unwrap();
    fs::create_dir(&root).unwrap();
    fs::write(config.join("pinfold/policy.toml"), "[shell]\nallow = ['git', 'ls']\n").unwrap();
    let asked = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pinfold"));
        command.env("XDG_CONFIG_HOME", &config).args(["check", "--root"]).arg(&root).args(more);
        command.output().unwrap()
    };
    assert_eq!(asked(&["--", "ls"]).status.code(), Some(0));
    assert!(said(&asked(&["--", "cargo"])).contains("policy.toml:2"), "the rule's place is told");
    fs::write(root.join("pinfold.toml"), "[shell]\nallow = ['git', 'cargo']\n").unwrap();
    assert_eq!(asked(&["--", "git log"]).status.code(), Some(0));
    for line in ["ls", "cargo"] {
        assert_eq!(asked(&["--", line]).status.code(), Some(3), "{line}");
    }
    let both = asked(&["--allow", "cargo", "--", "cargo"]);
    assert!(
        String::from_utf8_lossy(&both.stderr)
            .contains("`--allow` names programs where there is no policy file")
    );
    fs::write(root.join("pinfold.toml"), "[shell]\nenv = {PATH = '/x'}\n").unwrap();
    let refused = asked(&["--", "git log"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("pinfold.toml"), "{refused:?}");
}
