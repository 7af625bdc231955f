//! `todo_write` and `todo_read`: the agent's own checklist, which touches no file.

use pinfold_contract::TodoStatus;
use schemars::JsonSchema;
use serde::Deserialize;

/// The arguments of `todo_write`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TodoWrite {
    /// All items, at most 100.
    #[schemars(length(max = 100))]
    pub todos: Vec<TodoItem>,
}

/// One item as it is written.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TodoItem {
    /// Default: its place, from "1" on.
    pub id: Option<String>,
    /// What is to be done.
    pub content: String,
    /// How far it is.
    // Written out: the schema of an enum with documented variants is a union, which some clients refuse.
    #[schemars(with = "String", extend("enum" = ["pending", "in_progress", "completed"]))]
    pub status: TodoStatus,
}

/// The arguments of `todo_read`: none.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TodoRead {}
