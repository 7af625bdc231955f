//! The operations, each with the paths that it is tried on in turn.

use pinfold::{Context, Failure, Workspace};
use serde_json::{Value, json};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    ReadFile,
    WriteFile,
    EditFile,
    MakeDir,
    Remove,
    ListDir,
    Glob,
    Grep,
    Exists,
    RunShell,
}

impl Operation {
    pub(crate) const ALL: [Operation; 10] = [
        Operation::ReadFile,
        Operation::WriteFile,
        Operation::EditFile,
        Operation::MakeDir,
        Operation::Remove,
        Operation::ListDir,
        Operation::Glob,
        Operation::Grep,
        Operation::Exists,
        Operation::RunShell,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Operation::ReadFile => "read_file",
            Operation::WriteFile => "write_file",
            Operation::EditFile => "edit_file",
            Operation::MakeDir => "mkdir",
            Operation::Remove => "remove",
            Operation::ListDir => "list_dir",
            Operation::Glob => "glob",
            Operation::Grep => "grep",
            Operation::Exists => "exists",
            Operation::RunShell => "run_shell",
        }
    }

    /// The call of number `count`.
    pub(crate) async fn call(self, workspace: &Workspace, count: u64) -> Result<Value, Failure> {
        let result = workspace.call(self.name(), self.arguments(count), Context::default()).await?;
        if self == Operation::Exists && count % 3 == 2 {
            assert_eq!(result["exists"], false, "`d/only` exists only outside");
        }
        Ok(result)
    }

    fn arguments(self, count: u64) -> Value {
        let turn = |paths: &[&str]| paths[usize::try_from(count).unwrap() % paths.len()].to_owned();
        let fresh = count % 400;
        match self {
            Operation::ReadFile => json!({"path": turn(&["d/f", "g", "d/sub/f", "d/../d/f"])}),
            Operation::WriteFile => {
                let new = format!("d/new{fresh}/f");
                json!({"path": turn(&["d/f", "g", "d/sub/f", &new, "d/new"]), "content": "inside A\n"})
            }
            Operation::EditFile => {
                let (old, new) = if count.is_multiple_of(2) { ("A", "B") } else { ("B", "A") };
                json!({"path": turn(&["d/f", "d/f", "g", "g", "d/sub/f", "d/sub/f"]), "oldString": old, "newString": new})
            }
            Operation::MakeDir => json!({"path": format!("d/{}{fresh}/n", turn(&["m", "sub/m"]))}),
            Operation::Remove => json!({"path": turn(&["d/f", "g", "d/sub", "d/sub/f", "d"])}),
            Operation::ListDir => json!({"path": turn(&["d", "", "d/sub"]), "depth": 3}),
            Operation::Glob => match count % 3 {
                0 => json!({"pattern": "**"}),
                1 => json!({"pattern": "**/*", "path": "d"}),
                _ => json!({"pattern": "d/*"}),
            },
            Operation::Grep => json!({"pattern": ".", "path": turn(&["", "d", "g", "d/f"])}),
            Operation::Exists => json!({"path": turn(&["d/f", "g", "d/only"])}),
            // Only the directory is the workspace's affair: what a command opens itself is not jailed here.
            Operation::RunShell => json!({"command": "cat f", "cwd": turn(&["d", "d/sub"])}),
        }
    }
}
