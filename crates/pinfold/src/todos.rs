//! The todo list of a workspace: in memory, one for the workspace and every projection of it.
//!
//! It is replaced as a whole, so that a list is always one that somebody wrote, never a mixture of two.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use pinfold_contract::{Failure, FailureType, Todo, TodoList};

use crate::tools::TodoItem;

/// Items of the longest list.
pub(crate) const MOST_TODOS: usize = 100;

/// The list itself. Projections share it.
#[derive(Debug, Default)]
pub(crate) struct Todos {
    list: Mutex<TodoList>,
}

impl Todos {
    /// Puts `items` in the place of the whole list; a list that is refused leaves the old one.
    pub(crate) fn replace(&self, items: Vec<TodoItem>) -> Result<TodoList, Failure> {
        let list = listed(items)?;
        self.list().clone_from(&list);
        Ok(list)
    }

    /// The list as it is now.
    pub(crate) fn read(&self) -> TodoList {
        self.list().clone()
    }

    fn list(&self) -> MutexGuard<'_, TodoList> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The list that `items` make: an item without an id gets its own place, counted from 1.
fn listed(items: Vec<TodoItem>) -> Result<TodoList, Failure> {
    if items.len() > MOST_TODOS {
        let why = format!("`todos` holds {} items, and a list at most {MOST_TODOS}", items.len());
        return Err(bad(&why, "Leave out what is completed, or join small steps."));
    }
    let todos: Vec<Todo> = items.into_iter().enumerate().map(named).collect();
    let mut places = HashMap::new();
    for (at, todo) in todos.iter().enumerate() {
        if let Some(first) = places.insert(todo.id.as_str(), at) {
            let why = format!("items {} and {} of `todos` both have the id `{}`", first + 1, at + 1, todo.id);
            return Err(bad(
                &why,
                "Give every item an id of its own, or none: then it is its place, from \"1\" on.",
            ));
        }
    }
    Ok(todos.into())
}

fn named((at, item): (usize, TodoItem)) -> Todo {
    // A model that leaves a field open often sends an empty text.
    let id = item.id.filter(|id| !id.is_empty()).unwrap_or_else(|| (at + 1).to_string());
    Todo { id, content: item.content, status: item.status }
}

fn bad(why: &str, hint: &str) -> Failure {
    Failure::new(FailureType::BadArguments, format!("Arguments of todo_write: {why}.")).hint(hint)
}

#[cfg(test)]
mod tests {
    use pinfold_contract::TodoStatus;
    use proptest::{collection::vec, option, prelude::*, sample::select};

    use super::*;

    fn item() -> impl Strategy<Value = TodoItem> {
        let statuses = vec![TodoStatus::Pending, TodoStatus::InProgress, TodoStatus::Completed];
        let id = option::of(select(vec!["", "1", "2", "3", "7", "a", "b", "é"]).prop_map(str::to_owned));
        (id, "[a-z]{0,3}", select(statuses)).prop_map(|(id, content, status)| TodoItem {
            id,
            content,
            status,
        })
    }

    /// The id that the item at `at` has to have.
    fn expected(at: usize, item: &TodoItem) -> String {
        match item.id.as_deref() {
            None | Some("") => (at + 1).to_string(),
            Some(id) => id.to_owned(),
        }
    }

    proptest! {
        #[test]
        fn ids_are_those_given_or_the_places_and_no_two_are_equal(items in vec(item(), 0..6)) {
            let expected: Vec<String> = items.iter().enumerate().map(|(at, item)| expected(at, item)).collect();
            let mut distinct = expected.clone();
            distinct.sort_unstable();
            distinct.dedup();
            let todos = Todos::default();
            match todos.replace(items.clone()) {
                Ok(list) => {
                    prop_assert_eq!(distinct.len(), items.len());
                    prop_assert_eq!(list.todos.iter().map(|todo| todo.id.clone()).collect::<Vec<_>>(), expected);
                    let counts = list.counts;
                    prop_assert_eq!(counts.pending + counts.in_progress + counts.completed, counts.total);
                    prop_assert_eq!(counts.total, items.len() as u64);
                    prop_assert_eq!(todos.read(), list);
                }
                Err(failure) => {
                    prop_assert!(distinct.len() < items.len(), "{}", failure);
                    prop_assert_eq!(failure.failure_type(), FailureType::BadArguments);
                    prop_assert_eq!(todos.read(), TodoList::default());
                }
            }
        }
    }

    #[test]
    fn a_hundred_items_fit_and_one_more_does_not() {
        let item = TodoItem { id: None, content: "x".into(), status: TodoStatus::Pending };
        let todos = Todos::default();
        assert_eq!(todos.replace(vec![item.clone(); 100]).unwrap().todos[99].id, "100");
        let failure = todos.replace(vec![item; 101]).unwrap_err();
        assert!(failure.message().contains("101 items"), "{failure}");
        assert_eq!(todos.read().counts.total, 100);
    }
}
