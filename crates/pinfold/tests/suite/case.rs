//! A case as it is written.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

/// One file of cases.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaseFile {
    /// What its cases are about.
    pub(crate) about: String,
    pub(crate) case: Vec<Case>,
}

/// What only the local backend has.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Need {
    /// Symbolic and hard links.
    Links,
    /// File modes.
    Modes,
    /// Pipes, sockets, names that are not UTF-8, and more than one root.
    Special,
    /// Programs that really run.
    Process,
}

/// Files, a policy, a sequence of calls, and what has to come of them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) name: String,
    /// Where this is not empty the case runs on the local backend only.
    #[serde(default)]
    pub(crate) needs: Vec<Need>,
    /// What is there before: see `line`.
    #[serde(default)]
    pub(crate) make: Vec<String>,
    /// Fields of the policy; `cwd` is `$ROOT` unless it is given.
    #[serde(default)]
    pub(crate) policy: Map<String, Value>,
    /// Lines that a workspace in memory answers, with their standard output. Locally the real programs run.
    #[serde(default)]
    pub(crate) commands: BTreeMap<String, String>,
    /// Narrows the workspace to this directory before the calls.
    pub(crate) scope: Option<String>,
    /// The dialect of the calls: `env`. Without it they are those of the coding dialect.
    pub(crate) dialect: Option<String>,
    /// Makes the workspace read-only before the calls.
    #[serde(default)]
    pub(crate) readonly: bool,
    /// The workspace is not opened, or not narrowed: the error of it.
    pub(crate) refused: Option<String>,
    /// Words of that error.
    #[serde(default)]
    pub(crate) says: Vec<String>,
    #[serde(default)]
    pub(crate) calls: Vec<Call>,
    /// How what is there differs afterwards: lines as in `make`, and `!path` for what is gone.
    #[serde(default)]
    pub(crate) after: Vec<String>,
}

/// One call and its answer.
#[derive(Deserialize)]
pub(crate) struct Call {
    /// `tool = arguments`, exactly one.
    #[serde(flatten)]
    tool: BTreeMap<String, Value>,
    /// The result holds at least this.
    pub(crate) gives: Option<Value>,
    /// The failure's kind and type: `policy/path-escape`.
    pub(crate) error: Option<String>,
    /// Fields of the failure.
    pub(crate) fields: Option<Value>,
    /// Words that message or hint of the failure hold.
    #[serde(default)]
    pub(crate) says: Vec<String>,
    /// Words that appear nowhere in the answer.
    #[serde(default)]
    pub(crate) lacks: Vec<String>,
}

impl Case {
    /// Panics if it cannot mean what it says.
    pub(crate) fn check(&self, file: &str) {
        let name = format!("{file}: `{}`", self.name);
        assert!(self.refused.is_some() == self.calls.is_empty(), "{name}: either calls or a refusal");
        for call in &self.calls {
            let names: Vec<&str> = call.tool.keys().map(String::as_str).collect();
            assert_eq!(names.len(), 1, "{name}: one tool in each call, not {names:?}");
            assert!(call.gives.is_some() != call.error.is_some(), "{name}: {names:?} gives or fails");
            let told = call.fields.is_none() && call.says.is_empty();
            assert!(call.error.is_some() || told, "{name}: `says` and `fields` are about failures");
        }
    }
}

impl Call {
    pub(crate) fn tool(&self) -> &str {
        self.tool.keys().next().map_or("", String::as_str)
    }

    pub(crate) fn arguments(&self) -> &Value {
        self.tool.values().next().unwrap_or(&Value::Null)
    }
}
