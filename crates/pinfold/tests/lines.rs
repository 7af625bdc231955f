//! Lines of `/bin/sh` through a workspace: what runs is what was judged, and where paths lead is judged at the start.

#![allow(clippy::disallowed_methods, reason = "the test lays out folders and looks at what lines did")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

use pinfold::{
    Context, FailureType, Memory, Policy, Reason, RunResult, Workspace,
    policy::{AllowEntry, BackendKind, BackgroundPolicy, Interpreter, ShellPolicy},
};
use serde_json::json;
use tempfile::TempDir;

const ALLOW: &[&str] = &["echo", "cat", "pwd", "env", "true", "false", "tool", "sleep", "ls", "git"];

fn policy(dir: &Path, allow: &[&str]) -> Policy {
    let shell = ShellPolicy {
        allow: Some(allow.iter().map(|name| AllowEntry::from(*name)).collect()),
        interpreter: Interpreter::Sh,
        env: BTreeMap::from([("PATH".into(), "/usr/bin:/bin".into())]),
        background: Some(BackgroundPolicy::default()),
        ..ShellPolicy::default()
    };
    Policy { shell: Some(shell), deny_paths: vec![".env".into()], ..Policy::new(dir) }
}

/// A folder with a workspace in it, and one beside it.
fn laid_out() -> (TempDir, Workspace) {
    let home = TempDir::new().unwrap();
    let root = home.path().join("w");
    for folder in ["w/sub", "outside"] {
        fs::create_dir_all(home.path().join(folder)).unwrap();
    }
    fs::write(root.join(".env"), "secret").unwrap();
    fs::write(root.join("a.txt"), "alpha\nbeta\n").unwrap();
    let workspace = Workspace::open(policy(&root, ALLOW)).unwrap();
    (home, workspace)
}

async fn run(workspace: &Workspace, line: &str) -> RunResult {
    workspace.exec(line, Context::default()).await.unwrap_or_else(|failure| panic!("{line}: {failure}"))
}

#[tokio::test]
async fn lines_do_what_a_shell_makes_of_them() {
    let (home, workspace) = laid_out();
    let root = fs::canonicalize(home.path().join("w")).unwrap();
    let sub = format!("{}\n", root.join("sub").display());
    let cases = [
        ("echo a && echo b || echo c; echo d", 0, "a\nb\nd\n"),
        ("cat a.txt | cat | cat", 0, "alpha\nbeta\n"),
        ("cd sub && pwd", 0, sub.as_str()),
        ("(cd sub); echo \"$(cat ../w/a.txt)\" > sub/out && cat < sub/out", 0, "alpha\nbeta\n"),
        ("cat <<'EOF'\n$HOME `x`\nEOF", 0, "$HOME `x`\n"),
        ("V='a b'; echo $V \"$V\" ${V%b}", 0, "a b a b a\n"),
        ("! true || echo 'it'\\''s'", 0, "it's\n"),
        ("false", 1, ""),
        ("echo oops 2>/dev/null >&2", 0, ""),
    ];
    for (line, code, stdout) in cases {
        let result = run(&workspace, line).await;
        assert_eq!((result.exit_code, result.stdout.as_str()), (code, stdout), "{line}: {result:?}");
    }
    assert_eq!(fs::read_to_string(root.join("sub/out")).unwrap(), "alpha\nbeta\n");
}

#[tokio::test]
async fn a_refused_line_does_nothing_and_says_which_path() {
    let (home, workspace) = laid_out();
    symlink("../outside", home.path().join("w/out")).unwrap();
    symlink("../outside/new", home.path().join("w/dangling")).unwrap();
    let cases = [
        ("echo first > made; curl x", Reason::NotAllowed, None),
        ("echo x > ../outside/f", Reason::PathEscape, Some("../outside/f")),
        ("echo x > made; echo x > out/f", Reason::PathEscape, Some("out/f")),
        ("echo x >> dangling", Reason::PathEscape, Some("dangling")),
        ("cat < .env", Reason::PathEscape, Some(".env")),
        ("cd sub; echo x > ../../f", Reason::PathEscape, Some("../../f")),
        ("cd .. && ls", Reason::PathEscape, Some("..")),
        ("echo x > made & echo y", Reason::NotAllowed, None),
        ("echo x > made; if true; then echo y; fi", Reason::UnsupportedSyntax, None),
        ("echo x > made; RANDOM='a[$(echo x > evil)]'", Reason::UnsupportedSyntax, None),
    ];
    for (line, reason, path) in cases {
        let failure = workspace.exec(line, Context::default()).await.unwrap_err();
        assert_eq!(failure.failure_type(), FailureType::DeniedCommand, "{line}");
        assert_eq!(failure.details().reason, Some(reason), "{line}: {failure}");
        assert_eq!(failure.details().path.as_deref(), path, "{line}");
        let verdict = workspace.check_shell_command(line);
        assert_eq!(Some(failure.message()), verdict.message.as_deref(), "{line}");
    }
    let made: Vec<_> = fs::read_dir(home.path().join("outside")).unwrap().collect();
    assert!(made.is_empty() && !home.path().join("w/made").exists(), "{made:?}");
}

/// A shell reads more of its environment than a program does.
#[tokio::test]
async fn the_shell_gets_no_variable_that_steers_it() {
    let home = TempDir::new().unwrap();
    let mut policy = policy(home.path(), ALLOW);
    let shell = policy.shell.as_mut().unwrap();
    for name in [
        "ENV",
        "BASH_ENV",
        "SHELLOPTS",
        "BASHOPTS",
        "CDPATH",
        "IFS",
        "PS4",
        "GLOBIGNORE",
        "OLDPWD",
        "PROMPT_COMMAND",
        "BASH_FUNC_echo%%",
        "a-b",
        "RANDOM",
        "POSIXLY_CORRECT",
    ] {
        shell.env.insert(name.into(), "() { cat /etc/passwd; }".into());
    }
    shell.env.insert("LC_ALL".into(), "zh_CN.GBK".into());
    shell.env.insert("LANG".into(), "C.UTF-8".into());
    shell.env.insert("HOME".into(), "/nowhere".into());
    shell.env.insert("PWD".into(), "/".into());
    let workspace = Workspace::open(policy).unwrap();
    let result = run(&workspace, "env; true").await;
    let mut names: Vec<&str> = result.stdout.lines().map(|line| line.split('=').next().unwrap()).collect();
    names.sort_unstable();
    // `_` and SHLVL are the shell's own doing, where it is bash.
    names.retain(|name| !["_", "SHLVL"].contains(name));
    assert_eq!(names, ["HOME", "LANG", "PATH", "PWD"], "{}", result.stdout);
    let root = fs::canonicalize(home.path()).unwrap();
    assert!(result.stdout.contains(&format!("PWD={}\n", root.display())), "{}", result.stdout);
}

#[tokio::test]
async fn programs_are_those_of_the_path_that_was_judged() {
    let (home, _) = laid_out();
    let root = fs::canonicalize(home.path().join("w")).unwrap();
    for (folder, text) in [("w/bin", "echo evil"), ("safe", "echo good")] {
        fs::create_dir_all(home.path().join(folder)).unwrap();
        let tool = home.path().join(folder).join("tool");
        fs::write(&tool, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let mut policy = policy(&root, ALLOW);
    let safe = home.path().join("safe");
    let path = |safe: &Path| format!("{}:bin:.:{}:/usr/bin:/bin", root.join("bin").display(), safe.display());
    policy.shell.as_mut().unwrap().env.insert("PATH".into(), path(&safe));
    let workspace = Workspace::open(policy.clone()).unwrap();
    assert_eq!(run(&workspace, "true && tool").await.stdout, "good\n");
    // A link in a folder outside that leads into the workspace: a shell would take it.
    let links = home.path().join("links");
    fs::create_dir(&links).unwrap();
    symlink(root.join("bin/tool"), links.join("tool")).unwrap();
    policy.shell.as_mut().unwrap().env.insert("PATH".into(), path(&links));
    let workspace = Workspace::open(policy).unwrap();
    let failure = workspace.exec("true && tool", Context::default()).await.unwrap_err();
    assert_eq!(failure.details().reason, Some(Reason::NotAllowed), "{failure}");
}

#[tokio::test]
async fn a_line_may_start_below_the_root_and_in_the_background() {
    let (home, workspace) = laid_out();
    let ran = workspace
        .call("run_shell", json!({"command": "pwd > here && cat here", "cwd": "sub"}), Context::default())
        .await
        .unwrap();
    let sub = fs::canonicalize(home.path().join("w/sub")).unwrap();
    assert_eq!(ran["stdout"], format!("{}\n", sub.display()));
    let job = workspace.start_shell("echo one; sleep 1000 | cat").await.unwrap();
    let look = workspace
        .call("shell_output", json!({"id": job.id, "waitMs": 20_000, "waitFor": "one"}), Context::default())
        .await
        .unwrap();
    assert_eq!(look["stdout"], "one\n");
    workspace.shell_kill(job.id).await.unwrap();
    let failure = workspace.start_shell("echo one > ../outside/f").await.unwrap_err();
    assert_eq!(failure.details().reason, Some(Reason::PathEscape));
}

#[tokio::test]
async fn run_tests_goes_on_without_a_shell() {
    let home = TempDir::new().unwrap();
    let mut policy = policy(home.path(), ALLOW);
    policy.tests.command = Some("echo".into());
    let workspace = Workspace::open(policy).unwrap();
    let pattern = json!({"pattern": "$HOME `x`; curl"});
    let ran = workspace.call("run_tests", pattern, Context::default()).await.unwrap();
    assert_eq!(ran["stdout"], "$HOME `x`; curl\n");
}

#[tokio::test]
async fn memory_judges_lines_alike() {
    let policy = Policy { backend: BackendKind::Memory, ..policy(Path::new("/w"), ALLOW) };
    let answer = RunResult { stdout: "a\nx".into(), stdout_bytes: 3, ..RunResult::default() };
    let line = "echo a && cat < a.txt";
    let memory =
        Memory::new().file("a.txt", "x").command(line, answer.clone()).command("echo a > ../f", answer);
    let workspace = Workspace::in_memory(policy, memory).unwrap();
    assert_eq!(run(&workspace, line).await.stdout, "a\nx");
    let failure = workspace.exec("echo a > ../f", Context::default()).await.unwrap_err();
    assert_eq!(failure.details().reason, Some(Reason::PathEscape));
    let failure = workspace.exec("echo b && echo c", Context::default()).await.unwrap_err();
    assert_eq!(failure.failure_type(), FailureType::Unsupported);
}

#[test]
fn the_tool_says_that_there_is_a_shell() {
    let home = TempDir::new().unwrap();
    let workspace = Workspace::open(policy(home.path(), ALLOW)).unwrap();
    let tool = workspace.tools().into_iter().find(|tool| tool.name == "run_shell").unwrap();
    assert!(tool.description.contains("/bin/sh"), "{}", tool.description);
}
