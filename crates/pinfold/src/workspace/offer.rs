//! The tools of a workspace as a framework takes them: what to offer to a model, and whom to call.

use std::sync::Arc;

use serde_json::Value;

use super::{Context, Workspace};
use crate::{
    Failure, ToolDefinition,
    tools::{self, Dialect, Rendering},
};

/// The tools that a workspace offers to a model: the one seam for frameworks and loops of one's own.
///
/// ```
/// # async fn example() -> Result<(), pinfold::Failure> {
/// use pinfold::{Context, Memory, Policy, Workspace, tools::Rendering};
/// use serde_json::json;
///
/// let workspace = Workspace::in_memory(Policy::new("/srv/app"), Memory::new().file("a.txt", "hello\n"))?;
/// let tools = workspace.tools().pick(&["read_file", "grep"]).renamed("read_file", "open");
/// let for_the_model = tools.definitions(Rendering::OpenAiStrict);
/// assert_eq!(for_the_model[0]["name"], "open");
/// let answer = tools.call("open", json!({"path": "a.txt"}), Context::default()).await?;
/// assert_eq!(answer["totalLines"], 1);
/// # Ok(()) }
/// # tokio::runtime::Runtime::new().unwrap().block_on(example()).unwrap();
/// ```
#[derive(Debug, Clone)]
pub struct Tools {
    workspace: Workspace,
    offered: Arc<Vec<ToolDefinition>>,
    /// Of these the rest was taken away: nothing may bring it back.
    picked: bool,
}

impl Tools {
    pub(super) fn of(workspace: &Workspace) -> Tools {
        let offered = Arc::new(tools::offered(&workspace.house.gate));
        Tools { workspace: workspace.clone(), offered, picked: false }
    }

    /// Every tool of these, in canonical order.
    pub fn all(&self) -> &[ToolDefinition] {
        &self.offered
    }

    /// Those that are named here, as `read_file` or `readFile`. A name that is not offered is dropped in silence, so that
    /// no list of names can widen a projection.
    #[must_use]
    pub fn pick(mut self, names: &[&str]) -> Tools {
        self.offered = Arc::new(tools::picked(Arc::unwrap_or_clone(self.offered), names));
        self.picked = true;
        self
    }

    /// The tools of another dialect, for the same workspace. After a [`pick`](Tools::pick) they are those that do what
    /// the picked ones did. Other names that were given are forgotten.
    #[must_use]
    pub fn dialect(self, dialect: Dialect) -> Tools {
        let mut tools = Tools::of(&self.workspace.dialect(dialect));
        if self.picked {
            let deeds: Vec<&str> = self.offered.iter().map(|tool| tools::deed(tool.tool)).collect();
            Arc::make_mut(&mut tools.offered).retain(|tool| deeds.contains(&tools::deed(tool.tool)));
            tools.picked = true;
        }
        tools
    }

    /// The same, with the tool `tool` under another name. It changes nothing if `tool` is not offered, or `name` is taken.
    #[must_use]
    pub fn renamed(mut self, tool: &str, name: &str) -> Tools {
        if self.offered.iter().all(|other| other.name != name)
            && let Some(place) = self.offered.iter().position(|offered| offered.tool == tool)
        {
            let offered = Arc::make_mut(&mut self.offered);
            let renamed = offered.remove(place).named(name.to_owned());
            offered.insert(place, renamed);
        }
        self
    }

    /// What to send to a model or client: one JSON object a tool.
    pub fn definitions(&self, rendering: Rendering) -> Vec<Value> {
        self.offered.iter().map(|tool| tool.rendered(rendering)).collect()
    }

    /// Makes a call by the name that the model knows.
    ///
    /// # Errors
    /// `unknown-tool` for a name that is not among these, also if the workspace has such a tool; else those of the tool.
    pub async fn call(&self, name: &str, arguments: Value, context: Context) -> Result<Value, Failure> {
        match self.offered.iter().find(|tool| tool.name == name) {
            Some(tool) => self.workspace.call(tool.tool, arguments, context).await,
            None => Err(tools::unknown(name, self.offered.iter().map(|tool| &*tool.name))),
        }
    }
}

impl IntoIterator for Tools {
    type Item = ToolDefinition;
    type IntoIter = std::vec::IntoIter<ToolDefinition>;

    fn into_iter(self) -> Self::IntoIter {
        Arc::unwrap_or_clone(self.offered).into_iter()
    }
}

impl<'a> IntoIterator for &'a Tools {
    type Item = &'a ToolDefinition;
    type IntoIter = std::slice::Iter<'a, ToolDefinition>;

    fn into_iter(self) -> Self::IntoIter {
        self.offered.iter()
    }
}
