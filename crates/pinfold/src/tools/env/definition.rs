//! How the tools of this dialect are offered.

use std::sync::LazyLock;

use serde_json::Value;

use super::{
    DeletePath, Diff, EditFile, GlobFiles, GrepFiles, ListFiles, MakeDir, ReadFile, RunShell, Stat, Walk,
    WriteFile,
};
use crate::{
    gate::Gate,
    policy::Interpreter,
    tools::{
        ToolDefinition,
        definition::{Effect, RUN_LINE, offer},
    },
};

/// Every tool and direct method, in canonical order.
pub(crate) fn all() -> &'static [ToolDefinition] {
    static ALL: LazyLock<Vec<ToolDefinition>> = LazyLock::new(|| {
        vec![
            offer::<ReadFile>("read_file", "Read file", READ_FILE, &Effect::Reads),
            offer::<WriteFile>("write_file", "Write file", WRITE_FILE, &Effect::Replaces),
            offer::<EditFile>("edit_file", "Edit file", EDIT_FILE, &Effect::Edits),
            offer::<ListFiles>("list_files", "List directory", LIST_FILES, &Effect::Reads),
            offer::<GlobFiles>("glob_files", "Find files", GLOB_FILES, &Effect::Reads),
            offer::<GrepFiles>("grep_files", "Search in files", GREP_FILES, &Effect::Reads),
            offer::<DeletePath>("delete_path", "Delete", DELETE_PATH, &Effect::Replaces),
            offer::<RunShell>("run_shell", "Run command", RUN_SHELL, &Effect::Runs),
            offer::<Walk>("walk", "Walk", "Returns every file with its size and time.", &Effect::Reads),
            offer::<Diff>("diff", "Compare walks", "Compares two walks.", &Effect::Reads),
            offer::<Stat>("stat", "Look", "Says what is at a path.", &Effect::Reads),
            offer::<Stat>("exists", "Exists", "Says whether something is there.", &Effect::Reads),
            offer::<MakeDir>(
                "mkdir",
                "Make directory",
                "Makes a directory and those above it.",
                &Effect::Makes,
            ),
            offer::<Stat>("resolve_path", "Resolve path", "Says where a path lies.", &Effect::Reads),
        ]
    });
    &ALL
}

const READ_FILE: &str = "Reads a UTF-8 text file: the text as it is, without line numbers, or lines startLine to endLine of \
it. Long text is cut at the byte limit, and `truncated` says so: read the rest by lines. Paths count from the root; `/a` is `a`.";
const WRITE_FILE: &str = "Makes or replaces one whole UTF-8 file with exactly this content; missing directories are made. To \
change part of a file use edit_file.";
const EDIT_FILE: &str = "Replaces exact text in one file. oldString must occur as often as expectCount says, once by default; \
else nothing is written.";
const LIST_FILES: &str = "Lists the names in one directory, hidden ones too.";
const GLOB_FILES: &str = "Finds files by pattern, in byte order: `*` and `?` match within a name, `**` as a whole name any \
directories. `[`, `{` and `!` are ordinary. Hidden names are left out unless includeHidden is set.";
const GREP_FILES: &str = "Searches text files line by line for a literal text, or with mode regex for a regular expression \
(Rust syntax, linear time). Returns every occurrence with line and column. Binary files are skipped and named.";
const DELETE_PATH: &str =
    "Deletes one file, link or empty directory; with recursive also a directory and all that is in it.";
const RUN_SHELL: &str = "Runs one program with its arguments to its end, without a shell: quotes work; pipes, redirections, \
`&&`, `$VAR` and wildcards do not. Returns exit code and the beginning of stdout and stderr; a non-zero exit code is a normal result.";

/// The schema of the arguments of a tool that exists; null for another.
pub(super) fn schema(name: &str) -> &'static Value {
    all().iter().find(|tool| tool.tool == name).map_or(&Value::Null, ToolDefinition::input_schema)
}

/// The tools that a model is offered, in canonical order.
pub(crate) fn offered(gate: &Gate) -> Vec<ToolDefinition> {
    let offered = |tool: &&ToolDefinition| match tool.tool {
        "walk" | "diff" | "stat" | "exists" | "mkdir" | "resolve_path" => false,
        "run_shell" => !gate.is_read_only() && !gate.shell_rules().runs_nothing(),
        _ => tool.read_only || !gate.is_read_only(),
    };
    // No backend here takes secrets by name, so no model is asked for them.
    let fitting = |tool: &ToolDefinition| match (tool.tool, gate.interpreter()) {
        ("run_shell", interpreter) => {
            let tool = tool.clone().without("envRefs").without("materialRefs");
            if interpreter == Interpreter::Sh { tool.described(RUN_LINE) } else { tool }
        }
        _ => tool.clone(),
    };
    all().iter().filter(offered).map(fitting).collect()
}
