//! Output that is too long: kept in a folder of its own, read back by the file tools, under the rules for all roots.

#![allow(clippy::disallowed_methods, reason = "the test looks at the folder from outside")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

use std::{collections::BTreeMap, fs, path::Path};

use pinfold::{
    Context, FailureType, Policy, RunResult, Workspace,
    policy::{KeepOutput, ShellPolicy, SpillPolicy},
    tools::{Grep, ReadFile},
};
use tempfile::TempDir;

fn policy(top: &Path) -> Policy {
    fs::create_dir_all(top.join("root")).unwrap();
    let shell = ShellPolicy {
        allow: Some(["seq", "sh"].map(Into::into).into()),
        env: BTreeMap::from([("PATH".into(), "/usr/bin:/bin".into())]),
        max_output_bytes: 2_000,
        spill: Some(SpillPolicy::at(top.join("state/output"))),
        ..ShellPolicy::default()
    };
    Policy { shell: Some(shell), ..Policy::new(top.join("root")) }
}

async fn run(workspace: &Workspace, line: &str) -> RunResult {
    workspace.exec(line, Context::default()).await.unwrap()
}

#[tokio::test]
async fn long_output_is_read_back_by_the_file_tools() {
    let top = TempDir::new().unwrap();
    let workspace = Workspace::open(policy(&top.path().canonicalize().unwrap())).unwrap();
    let result = run(&workspace, "seq 100000").await;
    assert!(result.truncated && result.stdout.contains("bytes omitted") && result.stderr_file.is_none());
    let file = result.stdout_file.unwrap();
    let window = ReadFile { start_line: Some(54_321), limit: Some(1), ..ReadFile::from(file.as_str()) };
    let read = workspace.read_file(window).await.unwrap();
    assert_eq!((read.content.trim_end(), read.total_lines), (" 54321\t54321", 100_000));
    let found =
        workspace.grep(Grep { path: Some(file.clone().into()), ..Grep::from("^9999[89]$") }).await.unwrap();
    assert_eq!(found.matches.len(), 2);
    let again = run(&workspace, "seq 100000").await;
    assert_eq!(again.stdout_file, Some(file.clone()), "the same output, the same name");
    assert_eq!(run(&workspace, "seq 10").await.stdout_file, None, "what fits is not kept elsewhere");
    // A projection reads it too, and nobody writes there.
    assert!(workspace.readonly().read_file(file.as_str()).await.is_ok());
    let failure = workspace.write_file(&file, "x").await.unwrap_err();
    assert_eq!(failure.failure_type(), FailureType::PathEscape);
}

#[tokio::test]
async fn both_streams_are_kept_whole_whatever_is_shown() {
    let top = TempDir::new().unwrap();
    let mut policy = policy(&top.path().canonicalize().unwrap());
    if let Some(shell) = &mut policy.shell {
        shell.keep_output = KeepOutput::Head;
    }
    let workspace = Workspace::open(policy).unwrap();
    let result = run(&workspace, "sh -c 'seq 2000; seq 3000 >&2'").await;
    let text = |file: Option<String>| fs::read_to_string(file.unwrap()).unwrap();
    let numbers = |to: u32| (1..=to).map(|number| format!("{number}\n")).collect::<String>();
    assert_eq!(text(result.stdout_file), numbers(2_000));
    assert_eq!(text(result.stderr_file), numbers(3_000));
}

#[tokio::test]
async fn deny_rules_hold_there_too() {
    let top = TempDir::new().unwrap();
    let mut policy = policy(&top.path().canonicalize().unwrap());
    policy.deny_paths = vec!["run_shell-stdout-*".into()];
    let workspace = Workspace::open(policy).unwrap();
    let file = run(&workspace, "seq 100000").await.stdout_file.unwrap();
    let failure = workspace.read_file(file.as_str()).await.unwrap_err();
    assert_eq!(failure.failure_type(), FailureType::PathEscape);
}

#[test]
fn a_folder_in_the_workspace_is_refused() {
    let top = TempDir::new().unwrap();
    let top = top.path().canonicalize().unwrap();
    for dir in [top.join("root/output"), top.clone(), "output".into()] {
        let mut policy = policy(&top);
        policy.shell.as_mut().unwrap().spill = Some(SpillPolicy::at(&dir));
        let failure = Workspace::open(policy).unwrap_err();
        assert!(failure.message().contains("shell.spill.dir"), "{failure}");
    }
}

#[tokio::test]
async fn output_for_a_terminal_is_shown_plainly_where_the_policy_says_so() {
    let top = TempDir::new().unwrap();
    let mut policy = policy(&top.path().canonicalize().unwrap());
    let line = r#"sh -c 'printf "\033[32m10%%\r20%%\r100%%\033[0m\ndone\n"'"#;
    let raw = run(&Workspace::open(policy.clone()).unwrap(), line).await;
    assert_eq!(raw.stdout, "\u{1b}[32m10%\r20%\r100%\u{1b}[0m\ndone\n");
    policy.shell.as_mut().unwrap().plain_output = true;
    let plain = run(&Workspace::open(policy).unwrap(), line).await;
    assert_eq!(plain.stdout, "100%\ndone\n");
}
