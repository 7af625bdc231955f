//! The tools: one file each, and the closed list of them.
//!
//! A tool's file holds its arguments, its offer to a model, and what it does once it has a permit. None knows which
//! backend it acts on.

mod apply_patch;
mod definition;
mod dialect;
mod edit_file;
mod edit_files;
mod editing;
pub mod env;
mod exists;
mod glob;
mod grep;
mod list_dir;
mod mkdir;
mod multi_edit;
mod read_file;
mod remove;
mod rendering;
mod run_shell;
mod run_tests;
mod shell_output;
mod todo;
mod together;
mod write_file;

use pinfold_contract::EditFilesResult;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

pub use apply_patch::ApplyPatch;
pub use definition::ToolDefinition;
pub use dialect::Dialect;
pub use edit_file::EditFile;
pub use edit_files::{EditFiles, FileEdits};
pub use editing::Edit;
pub use exists::{Exists, ExistsResult};
pub use glob::Glob;
pub use grep::{Grep, GrepMode, GrepOrder};
pub use list_dir::ListDir;
pub use mkdir::{MakeDir, MakeDirResult};
pub use multi_edit::MultiEdit;
pub(crate) use read_file::BigFiles;
pub use read_file::ReadFile;
pub use remove::{Remove, RemoveResult};
pub use rendering::Rendering;
pub(crate) use run_shell::{Judged, Waited};
pub use run_shell::{RunShell, ShellResult};
pub use run_tests::RunTests;
pub(crate) use run_tests::{LastFailed, Planned, report};
pub use shell_output::{ShellKill, ShellOutput, ShellOutputResult};
/// Bounds of single tools, for the table of all bounds.
pub(crate) mod bounds {
    pub(crate) use super::{
        glob::DEFAULT_MATCHES as GLOB_PATHS,
        grep::{DEFAULT_MATCHES as GREP_MATCHES, LONGEST_LINE},
        multi_edit::MOST_EDITS,
        shell_output::LONGEST_WAIT_MS,
    };
}
pub use todo::{TodoItem, TodoRead, TodoWrite};
pub use write_file::WriteFile;

use crate::{
    Failure, FailureType, arguments,
    backend::{Asked, Ledger},
    gate::{Gate, Permit, Verb, Write},
    policy::Interpreter,
};

/// A tool on files: what it asks for, and what it does with the permit.
pub(crate) trait FileTool: Send + 'static {
    /// What it wants to do with the name.
    type Deed: Verb;
    /// Its report: already bounded.
    type Report: Serialize + Send + 'static;

    /// It passes over what ignore rules hide.
    const SEARCHES: bool = false;

    /// The name it wants.
    fn asks(&self) -> Asked;

    /// Does it. Runs to its end, or stops at its own check points of `cancel`; never once a commit has begun.
    fn perform(self, permit: Permit<Self::Deed>, cancel: &CancellationToken)
    -> Result<Self::Report, Failure>;
}

/// A tool that changes several files together.
pub(crate) trait FilesTool: Send + 'static {
    /// The names it wants to write.
    fn asks(&self) -> Result<Vec<Asked>, Failure>;

    /// Does it, with a permit for each name in order: plans everything, then commits it with `ledger`.
    fn perform(
        self,
        permits: Vec<Permit<Write>>,
        ledger: &Ledger,
        cancel: &CancellationToken,
    ) -> Result<EditFilesResult, Failure>;
}

/// One call, read: the closed list of what a workspace can be asked.
#[derive(Debug, Clone)]
pub enum Call {
    /// Reads a window of a text file.
    ReadFile(ReadFile),
    /// Replaces exact text in a file.
    EditFile(EditFile),
    /// Replaces several exact texts in a file: all or none.
    MultiEdit(MultiEdit),
    /// Replaces exact texts in several files: all or none. A model calls it `multi_edit`.
    EditFiles(EditFiles),
    /// Applies a patch: all or nothing. A model calls it `multi_edit`.
    ApplyPatch(ApplyPatch),
    /// Makes or replaces a whole file.
    WriteFile(WriteFile),
    /// Lists a directory.
    ListDir(ListDir),
    /// Runs a command.
    RunShell(RunShell),
    /// Looks at a background job, or lists all.
    ShellOutput(ShellOutput),
    /// Ends a background job.
    ShellKill(ShellKill),
    /// Runs the test command of the policy.
    RunTests(RunTests),
    /// Searches the content of files.
    Grep(Grep),
    /// Finds files by name.
    Glob(Glob),
    /// Replaces the todo list.
    TodoWrite(TodoWrite),
    /// Reads the todo list.
    TodoRead(TodoRead),
    /// Direct method: whether something is there.
    Exists(Exists),
    /// Direct method: makes a directory.
    MakeDir(MakeDir),
    /// Direct method: removes a file, a link, or a directory with all below it.
    Remove(Remove),
}

impl Call {
    /// Reads a call from its name and JSON arguments.
    pub fn parse(name: &str, given: Value) -> Result<Call, Failure> {
        Ok(match name {
            "read_file" => Call::ReadFile(read(name, given)?),
            "edit_file" => Call::EditFile(read(name, given)?),
            "multi_edit" => read::<multi_edit::Arguments>(name, given)?.call()?,
            "write_file" => Call::WriteFile(read(name, given)?),
            "list_dir" => Call::ListDir(read(name, given)?),
            "run_shell" => Call::RunShell(read(name, given)?),
            "shell_output" => Call::ShellOutput(read(name, given)?),
            "shell_kill" => Call::ShellKill(read(name, given)?),
            "run_tests" => Call::RunTests(read(name, given)?),
            "grep" => Call::Grep(read(name, given)?),
            "glob" => Call::Glob(read(name, given)?),
            "todo_write" => Call::TodoWrite(read(name, given)?),
            "todo_read" => Call::TodoRead(read(name, given)?),
            "exists" => Call::Exists(read(name, given)?),
            "mkdir" => Call::MakeDir(read(name, given)?),
            "remove" => Call::Remove(read(name, given)?),
            _ => return Err(unknown(name, definition::all().iter().map(|tool| tool.tool))),
        })
    }
}

fn read<T: DeserializeOwned>(name: &str, given: Value) -> Result<T, Failure> {
    arguments::read(name, definition::schema(name), given)
}

pub(crate) fn unknown<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Failure {
    let names: Vec<&str> = names.collect();
    Failure::new(FailureType::UnknownTool, format!("There is no tool `{}`.", crate::words::clipped(name)))
        .hint(format!("The tools are {}.", names.join(", ")))
}

/// The tools that a model is offered, in canonical order.
pub(crate) fn offered(gate: &Gate) -> Vec<ToolDefinition> {
    match gate.dialect() {
        Dialect::Coding => coding(gate),
        Dialect::Env => env::offered(gate),
    }
}

fn coding(gate: &Gate) -> Vec<ToolDefinition> {
    let runs = !gate.is_read_only() && !gate.shell_rules().runs_nothing();
    let offered = |tool: &&ToolDefinition| match tool.tool {
        "exists" | "mkdir" | "remove" => false,
        "run_shell" => runs,
        "shell_output" | "shell_kill" => runs && gate.background().is_some(),
        "run_tests" => runs && (gate.tests_command().is_some() || gate.may_run_tests()),
        // The list is the agent's own: no file changes with it.
        "todo_write" => true,
        _ => tool.read_only || !gate.is_read_only(),
    };
    let fitting = |tool: &ToolDefinition| {
        let tool = match gate.background() {
            Some(_) => tool.clone(),
            None => tool.clone().without("background"),
        };
        match (tool.tool, gate.interpreter()) {
            ("run_shell", Interpreter::Sh) => tool.described(definition::RUN_LINE),
            _ => tool,
        }
    };
    definition::all().iter().filter(offered).map(fitting).collect()
}

/// Those of `offered` that are among `names`, which may be written as `read_file` or `readFile`.
pub(crate) fn picked(offered: Vec<ToolDefinition>, names: &[&str]) -> Vec<ToolDefinition> {
    let camel = arguments::camel_case;
    let names: Vec<String> = names.iter().map(|name| camel(name)).collect();
    offered.into_iter().filter(|tool| names.contains(&camel(tool.tool))).collect()
}

/// What a tool does, by the name that it has in the coding dialect.
pub(crate) fn deed(tool: &str) -> &str {
    match tool {
        "list_files" => "list_dir",
        "glob_files" => "glob",
        "grep_files" => "grep",
        "delete_path" => "remove",
        same => same,
    }
}
