//! How the tools are offered: names, descriptions, and schemas that every client and model accepts.

use std::{
    borrow::Cow,
    sync::{Arc, LazyLock},
};

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value};

use super::{
    EditFile, Exists, Glob, Grep, ListDir, MakeDir, ReadFile, Remove, RunShell, RunTests, ShellKill,
    ShellOutput, TodoRead, TodoWrite, WriteFile, multi_edit,
};

/// How a tool is offered to a model: its name, what it does, and the JSON Schema of its arguments.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolDefinition {
    /// The name a model calls it by.
    pub name: Cow<'static, str>,
    /// The tool that it is: what [`Workspace::call`](crate::Workspace::call) takes, whatever `name` says.
    pub tool: &'static str,
    /// A short title for people.
    pub title: &'static str,
    /// What it does, for a model; at most 1,024 characters.
    pub description: &'static str,
    input_schema: Schema,
    /// It changes nothing.
    pub read_only: bool,
    /// It may destroy something.
    pub destructive: bool,
    /// Calling it again with the same arguments changes nothing more.
    pub idempotent: bool,
    /// It reaches things outside the workspace.
    pub open_world: bool,
}

impl ToolDefinition {
    /// The same tool under another name for the model. A workspace does not know that name: who gets a call of it passes
    /// it on as `tool`.
    #[must_use]
    pub fn named(mut self, name: impl Into<Cow<'static, str>>) -> ToolDefinition {
        self.name = name.into();
        self
    }

    /// JSON Schema (draft 2020-12) of its arguments: an object without unknown properties, without references.
    pub fn input_schema(&self) -> &Value {
        &self.input_schema.0
    }

    /// The same tool, described otherwise.
    pub(super) fn described(mut self, description: &'static str) -> ToolDefinition {
        self.description = description;
        self
    }

    /// The same tool, where this argument is not offered.
    pub(super) fn without(mut self, argument: &'static str) -> ToolDefinition {
        let whole = self.input_schema;
        self.input_schema = Schema::made_by(move || {
            let mut schema = Value::clone(&whole.0);
            if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
                properties.shift_remove(argument);
            }
            schema
        });
        self
    }
}

/// Made when it is first asked for: most servers are started for a few calls, of a few tools.
#[derive(Debug, Clone)]
struct Schema(Arc<LazyLock<Value, Box<dyn FnOnce() -> Value + Send>>>);

impl Schema {
    fn made_by(make: impl FnOnce() -> Value + Send + 'static) -> Schema {
        Schema(Arc::new(LazyLock::new(Box::new(make))))
    }
}

impl PartialEq for Schema {
    fn eq(&self, other: &Schema) -> bool {
        **self.0 == **other.0
    }
}

/// What a tool does to the world, as MCP's annotations put it.
pub(super) enum Effect {
    Reads,
    Replaces,
    Edits,
    Makes,
    Runs,
    /// It changes nothing but where the next look begins.
    Looks,
    /// It stops something that runs.
    Ends,
}

/// Every tool and direct method, in canonical order.
pub(super) fn all() -> &'static [ToolDefinition] {
    static ALL: LazyLock<Vec<ToolDefinition>> = LazyLock::new(|| {
        vec![
            offer::<ReadFile>("read_file", "Read file", READ_FILE, &Effect::Reads),
            offer::<EditFile>("edit_file", "Edit file", EDIT_FILE, &Effect::Edits),
            offer::<multi_edit::Arguments>("multi_edit", "Edit files", MULTI_EDIT, &Effect::Edits),
            offer::<WriteFile>("write_file", "Write file", WRITE_FILE, &Effect::Replaces),
            offer::<ListDir>("list_dir", "List directory", LIST_DIR, &Effect::Reads),
            offer::<RunShell>("run_shell", "Run command", RUN_SHELL, &Effect::Runs),
            offer::<ShellOutput>("shell_output", "Background output", SHELL_OUTPUT, &Effect::Looks),
            offer::<ShellKill>("shell_kill", "End command", SHELL_KILL, &Effect::Ends),
            offer::<RunTests>("run_tests", "Run tests", RUN_TESTS, &Effect::Runs),
            offer::<Grep>("grep", "Search in files", GREP, &Effect::Reads),
            offer::<Glob>("glob", "Find files", GLOB, &Effect::Reads),
            offer::<TodoWrite>("todo_write", "Write todo list", TODO_WRITE, &Effect::Makes),
            offer::<TodoRead>("todo_read", "Read todo list", TODO_READ, &Effect::Reads),
            offer::<Exists>("exists", "Exists", "Says whether something is there.", &Effect::Reads),
            offer::<MakeDir>(
                "mkdir",
                "Make directory",
                "Makes a directory and those above it.",
                &Effect::Makes,
            ),
            offer::<Remove>(
                "remove",
                "Remove",
                "Removes a file, a link, or a whole directory.",
                &Effect::Replaces,
            ),
        ]
    });
    &ALL
}

const READ_FILE: &str = "Reads a text file and returns numbered lines like `cat -n`, the totals, and the SHA-256 of the whole \
file; shows images. When `truncated` is true, go on with startLine. Pass `hash` as expectHash when editing.";
const EDIT_FILE: &str = "Replaces oldString by newString in a file. oldString must match exactly, without line-number \
prefixes, and occur once: add surrounding lines to make it unique, or set replaceAll. Line endings of the file are \
kept.";
const MULTI_EDIT: &str = "Makes 1 to 100 edits like those of edit_file, in order, all or none: in one file (path, edits), in \
several (files), or as a patch (unified diff or `*** Begin Patch`), which may also add, delete and move files.";
const WRITE_FILE: &str =
    "Makes or replaces a whole file; missing directories are made. To change part of a file use edit_file.";
const LIST_DIR: &str =
    "Lists a directory, level by level: path, type, size, depth. Links are shown, not followed.";
const RUN_SHELL: &str = "Runs one program with its arguments, without a shell: quotes work; pipes, redirections, `&&`, `$VAR` \
and wildcards do not. One command per call. A non-zero exit code is a normal result.";
/// Where the policy has a shell.
pub(super) const RUN_LINE: &str = "Runs a command line by /bin/sh: pipes, `&&`, `||`, `;`, redirections, `cd` and here-documents \
work, if every program, file and directory in it is allowed. `if`, `for`, functions, `&`, `$(( ))` and `{a,b}` are not read. \
Returns exit code, stdout and stderr; a non-zero exit code is a normal result.";
const GREP: &str = "Searches files by line (Rust regex). When `nextOffset` is there, go on with offset.";
const GLOB: &str = "Finds files by name: `*`, `?`, `**` across directories, `{a,b}`, `[a-z]`.";

const SHELL_OUTPUT: &str =
    "Returns what a background command wrote since the last look, whether it runs, and its exit code.";
const SHELL_KILL: &str =
    "Kills a background command with everything that it started; returns its last output.";
const RUN_TESTS: &str = "Runs the project's tests; returns counts and failures beside what run_shell does.";
const TODO_WRITE: &str = "Replaces your todo list; always send all items. Returns it, counted by status.";
const TODO_READ: &str = "Returns your todo list, counted by status.";

pub(super) fn offer<T: JsonSchema>(
    name: &'static str,
    title: &'static str,
    description: &'static str,
    effect: &Effect,
) -> ToolDefinition {
    ToolDefinition {
        name: name.into(),
        tool: name,
        title,
        description,
        input_schema: Schema::made_by(|| plain(schema_of::<T>())),
        read_only: matches!(effect, Effect::Reads | Effect::Looks),
        destructive: matches!(effect, Effect::Replaces | Effect::Edits | Effect::Runs | Effect::Ends),
        idempotent: matches!(effect, Effect::Reads | Effect::Replaces | Effect::Makes | Effect::Ends),
        open_world: matches!(effect, Effect::Runs),
    }
}

/// The schema of the arguments of a tool that exists; null for another.
pub(super) fn schema(name: &str) -> &'static Value {
    all().iter().find(|tool| tool.tool == name).map_or(&Value::Null, ToolDefinition::input_schema)
}

fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|it| it.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    if let Value::Object(own) = &mut schema {
        // The tool itself is described beside it.
        own.remove("description");
        // A tool without arguments says so, as clients expect it.
        own.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    }
    schema
}

/// Takes away what some client or model does not accept: unions with null, number formats, titles.
fn plain(mut schema: Value) -> Value {
    if let Value::Object(own) = &mut schema {
        for key in ["$schema", "title", "format"] {
            own.remove(key);
        }
        if own.get("default").is_some_and(Value::is_null) {
            own.remove("default");
        }
        // Who counts knows that it does not begin below.
        if own.get("minimum") == Some(&Value::from(0)) {
            own.remove("minimum");
        }
        if let Some(Value::Array(types)) = own.get("type")
            && let Some(first) = types.iter().find(|one| one.as_str() != Some("null")).cloned()
        {
            own.insert("type".into(), first);
        }
        // What an item is, its list says.
        if let Some(Value::Object(items)) = own.get_mut("items") {
            items.remove("description");
        }
        own.iter_mut()
            .filter(|(key, _)| *key != "properties")
            .for_each(|(_, value)| *value = plain(value.take()));
        if let Some(Value::Object(properties)) = own.get_mut("properties") {
            properties.values_mut().for_each(|value| *value = plain(value.take()));
        }
    }
    schema
}
