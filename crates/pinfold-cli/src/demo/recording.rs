//! The data of a session: a small repository, and what the agent did in it.

use serde::Deserialize;
use serde_json::{Map, Value};

/// A session that can be played.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Recording {
    /// What the agent was asked to do.
    pub(crate) task: String,
    /// The folder that becomes the workspace's root, one of those that `files` lie in.
    pub(crate) root: String,
    /// Programs that the agent may run.
    pub(crate) allow: Vec<String>,
    /// What there is before the agent comes; some of it may lie outside the root.
    pub(crate) files: Vec<File>,
    /// What the agent does.
    pub(crate) steps: Vec<Step>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) executable: bool,
    pub(crate) text: String,
}

/// One call, why the agent makes it, and what comes of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    pub(crate) thought: String,
    pub(crate) tool: String,
    pub(crate) arguments: Map<String, Value>,
    #[serde(default)]
    pub(crate) expect: Expectation,
}

/// What has to come of a call. Nothing said: that it is allowed.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Expectation {
    /// The type of the error that refuses it.
    pub(crate) refused: Option<String>,
    /// The reason beside that type.
    pub(crate) reason: Option<String>,
    /// How the command ends.
    pub(crate) exit_code: Option<i64>,
    /// Pieces of text in the result.
    pub(crate) shows: Vec<String>,
    /// Pieces of text that must not be in it.
    pub(crate) hides: Vec<String>,
}

impl Recording {
    /// The session that `pinfold demo` plays.
    pub(crate) fn of_the_demo() -> Result<Recording, toml::de::Error> {
        toml::from_str(include_str!("session.toml"))
    }
}
