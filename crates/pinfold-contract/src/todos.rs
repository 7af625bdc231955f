//! A todo list: its items, and how many of them are where.

use serde::{Deserialize, Serialize};

/// How far an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TodoStatus {
    /// Not begun.
    Pending,
    /// Being done.
    InProgress,
    /// Done.
    Completed,
}

/// One item of a todo list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Todo {
    /// What tells it from the others; no two items of a list have the same.
    pub id: String,
    /// What is to be done.
    pub content: String,
    /// How far it is.
    pub status: TodoStatus,
}

/// How many items of a list have which status.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TodoCounts {
    /// Not begun.
    pub pending: u64,
    /// Being done.
    pub in_progress: u64,
    /// Done.
    pub completed: u64,
    /// All of them.
    pub total: u64,
}

/// The result of `todo_write` and `todo_read`: the whole list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TodoList {
    /// The items, in the order in which they were written.
    pub todos: Vec<Todo>,
    /// How many of them are where.
    pub counts: TodoCounts,
}

impl TodoCounts {
    /// Counts `todos`.
    pub fn of(todos: &[Todo]) -> TodoCounts {
        let mut counts = TodoCounts::default();
        for todo in todos {
            counts.total += 1;
            match todo.status {
                TodoStatus::Pending => counts.pending += 1,
                TodoStatus::InProgress => counts.in_progress += 1,
                TodoStatus::Completed => counts.completed += 1,
            }
        }
        counts
    }
}

impl From<Vec<Todo>> for TodoList {
    fn from(todos: Vec<Todo>) -> TodoList {
        TodoList { counts: TodoCounts::of(&todos), todos }
    }
}
