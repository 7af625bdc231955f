//! From the `shell` section to the rules that judge a line.

use std::path::PathBuf;

use pinfold_jail::{Access, Root};
use pinfold_shell::{BadRule, Rules, Step, Verdict};

use super::{BackendKind, Interpreter, Policy, Resolve, ShellPolicy};
use crate::{Failure, FailureType, Memory, Workspace};

impl Policy {
    /// What the policy says about a command line, read as `shell.interpreter` says. Nothing is run; without a shell nothing
    /// is looked up either, and neither the root nor a program needs to exist. [`Workspace::check_shell_command`](crate::Workspace::check_shell_command) is the same for many lines.
    ///
    /// # Errors
    /// `bad-policy` when the rules contradict themselves.
    pub fn check_shell_command(&self, line: &str) -> Result<Verdict, Failure> {
        if self.shell.as_ref().is_some_and(|shell| shell.interpreter == Interpreter::Sh) {
            return self.check_shell_line(line);
        }
        Ok(self.shell_rules(vec![self.cwd.clone()])?.verdict(line))
    }

    /// What the policy says about a line that a shell would run. Nothing is run; links are followed below `cwd`, if that
    /// can be opened, else paths count by their letters.
    ///
    /// # Errors
    /// `bad-policy` when the rules contradict themselves.
    pub fn check_shell_line(&self, line: &str) -> Result<Verdict, Failure> {
        Ok(self.looked_at()?.check_shell_line(line))
    }

    /// How a line that a shell would run is read, and the verdict on it. A line that cannot be read has no steps.
    ///
    /// # Errors
    /// `bad-policy` when the rules contradict themselves.
    pub fn explain_shell_line(&self, line: &str) -> Result<(Vec<Step>, Verdict), Failure> {
        let workspace = self.looked_at()?;
        Ok((workspace.steps(line), workspace.check_shell_line(line)))
    }

    /// Tries whether a workspace could be opened with the policy: its roots, its globs, its rules. Nothing is touched.
    ///
    /// # Errors
    /// `bad-policy`, with the field that is wrong.
    pub fn validate(&self) -> Result<(), Failure> {
        self.untouched().map(drop)
    }

    fn untouched(&self) -> Result<Workspace, Failure> {
        match self.backend {
            BackendKind::Local => Workspace::open_untouched(self.clone()),
            BackendKind::Memory => Workspace::open(self.clone()),
        }
    }

    /// A workspace in which nothing is changed; where there is no such folder, an empty one in memory.
    fn looked_at(&self) -> Result<Workspace, Failure> {
        match self.untouched() {
            Err(_) if Root::open(&self.cwd, Access::ReadWrite).is_err() => {
                Workspace::in_memory(self.clone(), Memory::new())
            }
            opened => opened,
        }
    }

    /// The rules about commands. `writable` are the absolute roots that commands may change.
    pub(crate) fn shell_rules(&self, writable: Vec<PathBuf>) -> Result<Rules, Failure> {
        let Some(shell) = &self.shell else { return Ok(Rules::nothing()) };
        compile(shell, writable).map_err(|error| {
            let said = error.to_string();
            Failure::new(FailureType::BadPolicy, format!("`shell`: {}.", said.trim_end_matches('.')))
        })
    }
}

fn compile(shell: &ShellPolicy, writable: Vec<PathBuf>) -> Result<Rules, BadRule> {
    for entry in shell.allow.iter().flatten() {
        entry.validate()?;
    }
    let names =
        |entries: &Vec<_>| entries.iter().map(|entry: &super::AllowEntry| entry.name.clone()).collect();
    let mut rules = Rules::new(shell.allow.as_ref().map(names), shell.deny.clone())?
        .with_patterns(shell.deny_patterns.clone())
        .with_argument_table(shell.argument_table);
    if let Some(ask) = &shell.allow_command {
        rules = rules.with_allow_command(ask.clone());
    }
    Ok(match shell.resolve {
        Resolve::Basename => rules,
        Resolve::Strict => rules.strict(writable),
    })
}
