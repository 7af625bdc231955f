//! Which tools a projection offers, in which order, and what projections share.

#![allow(clippy::unwrap_used, reason = "a test panics when it fails")]

use pinfold::{
    Context, FailureType, Memory, Policy, TodoStatus, Tools, Workspace, policy::ShellPolicy, tools::TodoItem,
};
use serde_json::json;

fn open(tests: Option<&str>, shell: Option<ShellPolicy>) -> Workspace {
    let mut policy = Policy { shell, ..Policy::new("/srv") };
    policy.tests.command = tests.map(str::to_owned);
    Workspace::in_memory(policy, Memory::new().file("sub/a", "1")).unwrap()
}

fn names(tools: &Tools) -> Vec<&str> {
    tools.all().iter().map(|tool| &*tool.name).collect()
}

const FILES: [&str; 5] = ["read_file", "edit_file", "multi_edit", "write_file", "list_dir"];
const REST: [&str; 4] = ["grep", "glob", "todo_write", "todo_read"];

#[test]
fn each_projection_offers_its_own_in_canonical_order() {
    let shell = || Some(ShellPolicy::default());
    let all = open(Some("npm test"), shell());
    assert_eq!(names(&all.tools()), [&FILES[..], &["run_shell", "run_tests"], &REST].concat());
    // Without a command the runner that the files point to is run, if the policy allows any.
    assert_eq!(names(&open(None, shell()).tools()), names(&all.tools()));
    let only_git = Some(ShellPolicy { allow: Some(vec!["git".into()]), ..ShellPolicy::default() });
    assert_eq!(names(&open(None, only_git).tools()), [&FILES[..], &["run_shell"], &REST].concat());
    assert_eq!(names(&open(Some("npm test"), None).tools()), [&FILES[..], &REST].concat());
    let reading = ["read_file", "list_dir", "grep", "glob", "todo_write", "todo_read"];
    assert_eq!(names(&all.readonly().tools()), reading);
    assert_eq!(names(&all.scope("sub").unwrap().tools()), names(&all.tools()));
}

#[test]
fn picking_drops_what_is_not_offered() {
    let all = open(None, None);
    assert_eq!(
        names(&all.tools().pick(&["glob", "readFile", "read_file", "nothing", "exists"])),
        ["read_file", "glob"]
    );
    assert!(all.readonly().tools().pick(&["writeFile", "run_shell", "runTests"]).all().is_empty());
    assert!(all.tools().pick(&[]).all().is_empty());
}

#[tokio::test]
async fn a_renamed_tool_is_called_by_its_new_name_only() {
    let tools = open(None, None)
        .tools()
        .pick(&["readFile", "glob"])
        .renamed("read_file", "open")
        .renamed("glob", "open");
    assert_eq!(names(&tools), ["open", "glob"], "a name that is taken changes nothing");
    assert_eq!(tools.all()[0].tool, "read_file");
    let call = |name: &'static str| tools.call(name, json!({"path": "sub/a"}), Context::default());
    assert_eq!(call("open").await.unwrap()["totalLines"], 1);
    for name in ["read_file", "write_file", "exists", "none"] {
        let failure = call(name).await.unwrap_err();
        assert_eq!(failure.failure_type(), FailureType::UnknownTool, "{name}");
        assert_eq!(failure.advice(), Some("The tools are open, glob."));
    }
}

#[test]
fn projections_share_one_list() {
    let all = open(None, None);
    let item = TodoItem { id: None, content: "a".into(), status: TodoStatus::InProgress };
    let written = all.readonly().write_todos(vec![item]).unwrap();
    assert_eq!(all.read_todos(), written);
    assert_eq!(all.scope("sub").unwrap().read_todos(), written);
    assert_eq!(all.clone().read_todos().counts.in_progress, 1);
}
