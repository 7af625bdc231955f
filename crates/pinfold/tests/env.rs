//! The *env* dialect as a program uses it: what no table of calls can say.

#![allow(clippy::unwrap_used, reason = "a test panics when it fails")]

use pinfold::{
    Context, Dialect, FailureType, Memory, Policy, RunResult, Workspace,
    env::{EditFile, ReadFile, RunShell, Walk},
    policy::ShellPolicy,
};
use serde_json::json;

fn in_memory(memory: Memory) -> Workspace {
    let shell = Some(ShellPolicy::default());
    Workspace::in_memory(Policy { shell, ..Policy::new("/workspace") }, memory).unwrap()
}

#[tokio::test]
async fn the_advertised_root_is_taken_away_once() {
    let env =
        in_memory(Memory::new().file("a", "1").file("workspace/x", "2").file("workspacex/a", "3")).env();
    for (text, path, content) in [
        ("/workspace/a", "a", "1"),
        ("/workspace/workspace/x", "workspace/x", "2"),
        ("/workspacex/a", "workspacex/a", "3"),
        ("workspace/x", "workspace/x", "2"),
    ] {
        let read = env.read_file(text).await.unwrap();
        assert_eq!((&*read.path, &*read.content), (path, content), "{text}");
    }
    assert_eq!(env.write_file("/workspace/src/x", "y").await.unwrap().path, "src/x");
    assert_eq!(env.read_file("src/x").await.unwrap().content, "y");
}

#[tokio::test]
async fn numbers_below_one_are_refused_to_programs_too() {
    let env = in_memory(Memory::new().file("a", "1")).env();
    let read = ReadFile { start_line: Some(0), ..ReadFile::from("a") };
    assert_eq!(env.read_file(read).await.unwrap_err().failure_type(), FailureType::BadArguments);
    let (path, old_string, new_string) = ("a".into(), "1".into(), "2".into());
    let edit = EditFile { path, old_string, new_string, expect_count: Some(0) };
    assert_eq!(env.edit_file(edit).await.unwrap_err().failure_type(), FailureType::BadArguments);
    let run = RunShell { timeout_ms: Some(0), ..RunShell::from("true") };
    let failure = env.run_shell(run, Context::default()).await.unwrap_err();
    assert_eq!(failure.failure_type(), FailureType::BadArguments);
}

#[tokio::test]
async fn a_scripted_answer_is_clipped_like_a_real_one() {
    let answer = RunResult {
        exit_code: 3,
        signal: None,
        stdout: "abcdef".into(),
        stderr: "warning".into(),
        timed_out: false,
        cancelled: false,
        truncated: false,
        stdout_bytes: 6,
        stderr_bytes: 7,
        stdout_file: None,
        stderr_file: None,
        duration_ms: 12,
        leaked: 0,
        note: None,
    };
    let mut policy = Policy { shell: Some(ShellPolicy::default()), ..Policy::new("/workspace") };
    policy.env_dialect.max_output_bytes = 3;
    let memory = Memory::new().command("npm test", answer);
    let env = Workspace::in_memory(policy, memory).unwrap().env();
    let run = env.run_shell("npm test ", Context::default()).await.unwrap();
    assert_eq!((&*run.stdout, &*run.stderr, run.stdout_bytes, run.stderr_bytes), ("abc", "war", 6, 7));
    assert!(run.stdout_truncated && run.stderr_truncated);
    assert_eq!((run.exit_code, run.duration_ms, &*run.command), (3, 12, "npm test"));
    let other = env.run_shell("npm  test", Context::default()).await.unwrap_err();
    assert_eq!(other.failure_type(), FailureType::Unsupported, "only the exact line has an answer");
}

#[tokio::test]
async fn two_walks_are_compared() {
    let dir = tempfile::tempdir().unwrap();
    let env = Workspace::open(Policy::new(dir.path())).unwrap().env();
    for (path, content) in [("a", "1"), ("b/c", "1"), ("gone", "1")] {
        env.write_file(path, content).await.unwrap();
    }
    let before = env.walk(Walk::default()).await.unwrap();
    assert!(
        before.complete
            && before.files.iter().all(|file| file.mtime_ms.is_some_and(|ms| ms > 1_600_000_000_000))
    );
    env.write_file("b/c", "12").await.unwrap();
    env.write_file("new", "").await.unwrap();
    env.delete_path("gone").await.unwrap();
    let now = env.walk(Walk::default()).await.unwrap();
    let diff = pinfold::env::diff(before.files, now.files).unwrap();
    assert_eq!((diff.removed_paths, diff.added_paths), (vec!["gone".to_owned()], vec!["new".to_owned()]));
    assert_eq!(diff.modified_paths, ["b/c"]);
    assert_eq!(diff.observed_files.len(), 3);
}

#[tokio::test]
async fn where_a_path_lies_in_a_workspace_of_that_name() {
    let env = in_memory(Memory::new()).env();
    let resolved = env.resolve_path("src/./index.ts").unwrap();
    assert_eq!(resolved.to_str(), Some("/workspace/src/index.ts"));
    for outside in ["/other/secrets", "../secrets", "/workspacex"] {
        let failure = env.resolve_path(outside).unwrap_err();
        assert!(failure.message().contains("cannot escape"), "{failure}");
    }
    assert_eq!(env.cwd().to_str(), Some("/workspace"));
}

#[tokio::test]
async fn what_was_picked_stays_picked_in_another_dialect() {
    let tools = in_memory(Memory::new().file("a", "1")).tools();
    let names =
        |tools: pinfold::Tools| tools.all().iter().map(|tool| tool.name.to_string()).collect::<Vec<_>>();
    let some = tools.clone().pick(&["read_file", "list_dir"]).dialect(Dialect::Env);
    assert_eq!(names(some.clone()), ["read_file", "list_files"]);
    let no = some.call("write_file", json!({"path": "a", "content": ""}), Context::default()).await;
    assert_eq!(no.unwrap_err().failure_type(), FailureType::UnknownTool);
    assert_eq!(names(some.dialect(Dialect::Coding)), ["read_file", "list_dir"]);
    assert_eq!(names(tools.clone().dialect(Dialect::Env).dialect(Dialect::Coding)), names(tools));
}

#[tokio::test]
async fn a_dialect_is_kept_by_projections_and_can_be_left() {
    let workspace = in_memory(Memory::new().file("d/a", "1")).dialect(Dialect::Env);
    let scoped = workspace.scope("d").unwrap().readonly();
    let read = scoped.call("read_file", json!({"path": "/a"}), Context::default()).await.unwrap();
    assert_eq!(read["content"], "1");
    let coding = scoped.dialect(Dialect::Coding);
    let read = coding.call("read_file", json!({"path": "a"}), Context::default()).await.unwrap();
    assert_eq!(read["content"], "     1\t1");
    assert!(scoped.call("list_dir", json!({}), Context::default()).await.is_err());
}
