//! How a line was read, command by command: what `pinfold explain` draws.

use std::ops::Range;

use serde::Serialize;

use super::{
    super::Rules,
    Found,
    paths::{self, Dirs},
};
use crate::{
    ground::Ground,
    line::{
        Line,
        tree::{Command, Redirection, Target, Word},
    },
    refusal::Refusal,
};

/// One command of a line, in the order in which a person reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// How deep in brackets and substitutions it stands.
    pub depth: usize,
    /// What stands before it: nothing, `;` (a newline too), `&&`, `||`, `|`, `$(`, each with `!` where that stands.
    pub before: String,
    /// Its words; `None` for one that is decided when the line runs. Empty for brackets, and for a command that only assigns
    /// or redirects.
    pub words: Vec<Option<String>>,
    /// Variables that it sets.
    pub assigns: Vec<String>,
    /// Its redirections, as they are written.
    pub redirections: Vec<String>,
    /// The directories that it may start in: absolute, without links.
    pub starts_in: Vec<String>,
    /// Where in the line it stands, in bytes; empty for brackets.
    pub span: Range<usize>,
}

impl Rules {
    /// How `line` was read, and what the rules say about it. Where a redirection or `cd` is refused, the steps end.
    pub fn explain(&self, line: &Line, ground: &dyn Ground) -> (Vec<Step>, Result<(), Refusal>) {
        let said = self.look_again(line, ground);
        let mut found = Found { steps: Some(Vec::new()), ..Found::default() };
        let walked = paths::walk(self, line, ground, &mut found);
        (found.steps.unwrap_or_default(), said.and(walked))
    }
}

impl Step {
    /// The step that `command` is.
    pub(super) fn of(line: &Line, command: &Command, depth: usize, before: String, dirs: &Dirs) -> Step {
        let (words, assigns, redirections, span) = match command {
            Command::Subshell { redirections, .. } => (Vec::new(), Vec::new(), redirections, 0..0),
            Command::Simple(simple) => (
                simple.words.iter().map(Word::literal).collect(),
                simple.assignments.iter().map(|assignment| assignment.name.clone()).collect(),
                &simple.redirections,
                simple.span.range(),
            ),
        };
        let text = |redirection: &Redirection| {
            let written = &line.text()[redirection.span.range()];
            match &redirection.target {
                Target::Here { .. } => format!("{} (text)", written.trim()),
                _ => written.trim().to_owned(),
            }
        };
        let redirections = redirections.iter().map(text).collect();
        let mut starts_in: Vec<String> = dirs.iter().map(|dir| dir.real.clone()).collect();
        starts_in.dedup();
        Step { depth, before, words, assigns, redirections, starts_in, span }
    }
}
