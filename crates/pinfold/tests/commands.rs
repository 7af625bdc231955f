//! What the policy says about commands, through a workspace: the same before a command is run and without running it.

#![allow(clippy::disallowed_methods, reason = "the test makes programs for commands to find")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

use std::{collections::BTreeMap, fs, os::unix::fs::PermissionsExt, path::Path};

use pinfold::{
    Context, FailureType, Policy, Reason, Workspace,
    policy::{AllowCommand, AllowEntry, Answer, DenyPattern, Resolve, ShellPolicy},
};
use tempfile::TempDir;

fn shell(allow: &[&str], path: &str) -> ShellPolicy {
    ShellPolicy {
        allow: Some(allow.iter().map(|name| AllowEntry::from(*name)).collect()),
        env: BTreeMap::from([("PATH".into(), path.into())]),
        ..ShellPolicy::default()
    }
}

fn open(dir: &Path, shell: ShellPolicy) -> Workspace {
    Workspace::open(Policy { shell: Some(shell), ..Policy::new(dir) }).unwrap()
}

fn program(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[tokio::test]
async fn running_and_checking_say_the_same() {
    let dir = TempDir::new().unwrap();
    let mut shell = shell(&["echo", "env", "git"], "/usr/bin:/bin");
    shell.deny_patterns = vec![DenyPattern::prefix("echo no").unwrap()];
    shell.allow_command = Some(AllowCommand::new(|argv, _| match argv {
        [_, word] if word == "never" => Answer::Refuse("Never.".into()),
        _ => Answer::Allow,
    }));
    let workspace = open(dir.path(), shell);
    let cases = [
        ("echo yes", None),
        ("echo no", Some(Reason::DeniedPattern)),
        ("env echo no", Some(Reason::DeniedPattern)),
        ("echo never", Some(Reason::NotAllowed)),
        ("ls", Some(Reason::NotAllowed)),
        ("git -c core.pager=x log", Some(Reason::NotAllowed)),
        ("git -p log", Some(Reason::NestedCommand)),
        ("echo a | b", Some(Reason::Metacharacter)),
        ("echo 'a", Some(Reason::UnbalancedQuotes)),
    ];
    for (line, reason) in cases {
        let verdict = workspace.check_shell_command(line);
        assert_eq!(verdict.allowed, reason.is_none(), "{line}");
        match workspace.exec(line, Context::default()).await {
            Ok(_) => assert_eq!(reason, None, "{line}"),
            Err(failure) => {
                assert_eq!(failure.details().reason, reason, "{line}: {failure}");
                assert_eq!(Some(failure.message()), verdict.message.as_deref(), "{line}");
            }
        }
    }
}

#[tokio::test]
async fn a_read_only_workspace_checks_as_it_runs() {
    let dir = TempDir::new().unwrap();
    let workspace = open(dir.path(), shell(&["echo"], "/bin")).readonly();
    let verdict = workspace.check_shell_command("echo x");
    assert!(!verdict.allowed && verdict.message.is_some_and(|said| said.contains("read-only")));
}

#[tokio::test]
async fn a_wrapper_does_not_find_what_the_agent_wrote() {
    let dir = TempDir::new().unwrap();
    let here = fs::canonicalize(dir.path()).unwrap();
    program(&here.join("bin/uname"), "#!/bin/sh\necho fooled\n");
    let path = format!("{}/bin:bin:/usr/bin:/bin", here.display());
    let workspace = open(&here, shell(&["env", "uname", "sh"], &path));
    for line in ["uname", "env uname", "env env uname", "sh -c uname"] {
        let run = workspace.exec(line, Context::default()).await.unwrap();
        assert_eq!(run.stdout, "Linux\n", "{line}");
    }
    let run = workspace.exec("sh -c 'echo $PATH'", Context::default()).await.unwrap();
    assert_eq!(run.stdout, "/usr/bin:/bin\n");
}

#[tokio::test]
async fn strict_names_run_no_program_of_the_workspace() {
    let dir = TempDir::new().unwrap();
    let here = fs::canonicalize(dir.path()).unwrap();
    for name in ["uname", "build", "sub/build"] {
        program(&here.join(name), "#!/bin/sh\necho ours\n");
    }
    std::os::unix::fs::symlink(&here, here.parent().unwrap().join(link_name(&here))).unwrap();
    let around = format!("{}/{}/uname", here.parent().unwrap().display(), link_name(&here));
    let allow = ["uname", "./build"];
    let loose = open(&here, shell(&allow, "/usr/bin:/bin"));
    let strict = open(&here, ShellPolicy { resolve: Resolve::Strict, ..shell(&allow, "/usr/bin:/bin") });
    let reason = async |workspace: &Workspace, line: &str| {
        let run = workspace.exec(line, Context::default()).await;
        run.map(|run| run.stdout).map_err(|failure| failure.details().reason)
    };
    assert_eq!(reason(&loose, "./uname").await, Ok("ours\n".into()));
    for line in ["./uname".to_owned(), format!("{}/uname", here.display()), around.clone()] {
        assert_eq!(reason(&strict, &line).await, Err(Some(Reason::NotAllowed)), "{line}");
    }
    assert_eq!(reason(&strict, "./build").await, Ok("ours\n".into()));
    assert_eq!(reason(&strict, "uname").await, Ok("Linux\n".into()));
    let elsewhere = serde_json::json!({"command": "./build", "cwd": "sub"});
    let failure = strict.call("run_shell", elsewhere, Context::default()).await.unwrap_err();
    assert_eq!(failure.failure_type(), FailureType::DeniedCommand);
    fs::remove_file(Path::new(&around).parent().unwrap()).unwrap();
}

/// A link beside the workspace that leads to it.
fn link_name(root: &Path) -> String {
    format!("{}-link", root.file_name().unwrap().to_string_lossy())
}
