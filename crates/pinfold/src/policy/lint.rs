//! What is questionable in a policy that can be kept: rules that do nothing, and entries that open more than they say.
//!
//! A finding is about one field; whoever has the policy's text can point at it. Nothing is looked up on disk.

mod opening;

use pinfold_jail::{DenyRules, RelPath};
use serde::Serialize;

use super::{Policy, ShellPolicy};
use opening::Opening;

/// How grave a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Worth knowing; often as it has to be.
    Note,
    /// The policy does not mean what it seems to say, or gives away what it seems to hold.
    Warning,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Where: `shell.allow[2]`. A field that is absent is named too, when its absence is the finding.
    pub field: String,
    /// How grave it is.
    pub level: Level,
    /// What is so, one sentence.
    pub message: String,
    /// What to do, one sentence.
    pub advice: String,
}

impl Policy {
    /// Everything questionable, in the order of the policy's fields.
    pub fn lint(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        self.lint_paths(&mut findings);
        match &self.shell {
            Some(_) if self.read_only => findings.push(warning(
                "shell",
                "No command runs in a read-only workspace, so this section does nothing.".to_owned(),
                "Leave out `[shell]` or `read_only`.",
            )),
            Some(shell) => shell.lint(self, &mut findings),
            None => {}
        }
        self.lint_tests(&mut findings);
        findings
    }

    fn lint_paths(&self, findings: &mut Vec<Finding>) {
        for (at, path) in self.allow_paths.iter().enumerate() {
            let field = format!("allowPaths[{at}]");
            if path.parent().is_none() {
                let message =
                    "`/` makes the whole machine readable, except what `deny_paths` names.".to_owned();
                findings.push(warning(&field, message, "Name the directories that the agent has to read."));
            } else if path.starts_with(&self.cwd) {
                let message =
                    format!("`{}` lies in `cwd`, which is read and written anyway.", path.display());
                findings.push(warning(&field, message, "Leave it out."));
            } else if self.cwd.starts_with(path) {
                let message =
                    format!("`{}` is above `cwd`: everything beside it becomes readable.", path.display());
                findings.push(warning(&field, message, "Name the directories that the agent has to read."));
            }
        }
        globs("denyPaths", &self.deny_paths, findings);
        globs("denyWritePaths", &self.deny_write_paths, findings);
        for (at, glob) in self.deny_write_paths.iter().enumerate() {
            if self.deny_paths.contains(glob) {
                let message =
                    format!("`{glob}` is in `deny_paths` too, which already keeps it from being written.");
                findings.push(warning(&format!("denyWritePaths[{at}]"), message, "Leave it out here."));
            }
        }
        if !self.denies(".env") {
            let message = "`.env` can be read: that is where most projects keep passwords.".to_owned();
            findings.push(warning(
                "denyPaths",
                message,
                "Add `\".env*\"`; `pinfold policy init` lists more of this kind.",
            ));
        }
    }

    fn lint_tests(&self, findings: &mut Vec<Finding>) {
        let Some(command) = &self.tests.command else { return };
        let Ok(verdict) = self.check_shell_command(command) else { return };
        if self.read_only {
            let message = "Tests do not run in a read-only workspace.".to_owned();
            findings.push(warning("tests.command", message, "Leave out `command` or `read_only`."));
        } else if !verdict.allowed {
            let why = verdict.message.unwrap_or_default();
            let message = format!("The policy refuses its own test command `{command}`: {why}");
            findings.push(warning(
                "tests.command",
                message,
                "Allow the program under `[shell]`, or write another command.",
            ));
        }
    }

    fn denies(&self, name: &str) -> bool {
        let rules = DenyRules::new(&self.deny_paths).ok();
        rules.zip(RelPath::new(name).ok()).is_some_and(|(rules, path)| rules.denying(&path).is_some())
    }

    fn denies_writing(&self, name: &str) -> bool {
        let both = [self.deny_paths.clone(), self.deny_write_paths.clone()].concat();
        let rules = DenyRules::new(&both).ok();
        rules.zip(RelPath::new(name).ok()).is_some_and(|(rules, path)| rules.denying(&path).is_some())
    }
}

impl ShellPolicy {
    fn lint(&self, policy: &Policy, findings: &mut Vec<Finding>) {
        let Some(allow) = &self.allow else {
            let message =
                "Without `allow`, every program runs that `deny` does not name, shells included.".to_owned();
            findings.push(warning(
                "shell",
                message,
                "Write `allow`, a list of the programs that are needed.",
            ));
            self.lint_environment(findings);
            return;
        };
        for (at, entry) in allow.iter().enumerate() {
            let field = format!("shell.allow[{at}]");
            let name = entry.name.rsplit('/').next().unwrap_or_default();
            if self.deny.iter().any(|denied| denied.eq_ignore_ascii_case(name)) {
                let message = format!("`{}` is in `deny` too, which wins: it never runs.", entry.name);
                findings.push(warning(&field, message, "Leave it out of one of the lists."));
            } else if allow[..at].iter().any(|before| before.name == entry.name || before.name == name) {
                let message = format!("`{}` is allowed by an entry before it.", entry.name);
                findings.push(warning(&field, message, "Leave it out."));
            } else if let Some(opening) = Opening::of(name)
                && !(opening == Opening::Git && self.has_pattern_about("git"))
            {
                findings.push(opening.finding(&field, name, policy));
            }
        }
        self.lint_patterns(allow, findings);
        self.lint_environment(findings);
    }

    /// Somebody thought about its uses.
    fn has_pattern_about(&self, program: &str) -> bool {
        self.deny_patterns.iter().any(|pattern| pattern.source().trim_start_matches('^').starts_with(program))
    }

    /// A pattern about a program that may not run anyway does nothing, unless it is inside of another command.
    fn lint_patterns(&self, allow: &[super::AllowEntry], findings: &mut Vec<Finding>) {
        for (at, pattern) in self.deny_patterns.iter().enumerate() {
            let field = format!("shell.denyPatterns[{at}]");
            if self.deny_patterns[..at].contains(pattern) {
                let message = format!("The pattern `{}` is there twice.", pattern.source());
                findings.push(warning(&field, message, "Leave it out once."));
                continue;
            }
            let Some(first) = pattern.program() else { continue };
            let listed = |entry: &super::AllowEntry| {
                entry.name.rsplit('/').next().is_some_and(|name| name.eq_ignore_ascii_case(first))
            };
            if !allow.iter().any(listed) {
                let message =
                    format!("`{first}` is not on the allow list, so this pattern never decides anything.");
                findings.push(warning(&field, message, "Leave it out, or allow the program."));
            }
        }
    }

    fn lint_environment(&self, findings: &mut Vec<Finding>) {
        const SECRET: &[&str] =
            &["TOKEN", "SECRET", "PASSWORD", "PASSWD", "API_KEY", "APIKEY", "PRIVATE_KEY", "CREDENTIAL"];
        for (at, name) in self.inherit_env.iter().enumerate() {
            let field = format!("shell.inheritEnv[{at}]");
            let upper = name.to_uppercase();
            if self.env.contains_key(name) {
                let message = format!("`{name}` is set under `env`, which wins: it is never inherited.");
                findings.push(warning(&field, message, "Leave it out of one of them."));
            } else if SECRET.iter().any(|word| upper.contains(word)) {
                let message =
                    format!("`{name}` looks like a secret: every allowed command can read it, and print it.");
                findings.push(warning(&field, message, "Leave it out, unless a command cannot do without."));
            } else if upper.starts_with("LD_") || upper == "SSH_AUTH_SOCK" {
                let message = format!("`{name}` lets commands act with more than they have themselves.");
                findings.push(warning(&field, message, "Leave it out, unless a command cannot do without."));
            }
        }
    }
}

/// Globs that are there twice, and exceptions from nothing.
fn globs(list: &str, globs: &[String], findings: &mut Vec<Finding>) {
    for (at, glob) in globs.iter().enumerate() {
        let field = format!("{list}[{at}]");
        if globs[..at].contains(glob) {
            findings.push(warning(&field, format!("`{glob}` is there twice."), "Leave it out once."));
        } else if let Some(pattern) = glob.strip_prefix('!') {
            // Only of an exception without wildcards is it known what it reopens.
            let denied = |path: &RelPath| {
                DenyRules::new(&globs[..at]).is_ok_and(|rules| rules.denying(path).is_some())
            };
            let plain = !pattern.contains(['*', '?']);
            let inside = RelPath::new(pattern.trim_start_matches('/')).ok();
            if plain && inside.as_ref().is_some_and(|path| !denied(path)) {
                let message =
                    format!("`{glob}` is an exception from nothing: no glob before it denies `{pattern}`.");
                findings.push(warning(
                    &field,
                    message,
                    "Write it behind the glob that it is an exception from, or leave it out.",
                ));
            } else if plain && inside.is_some_and(|path| still_denied(&globs[..=at], &path)) {
                let message = format!("`{glob}` reopens nothing: a directory above it is denied.");
                findings.push(warning(
                    &field,
                    message,
                    "Deny what is in the directory (`dir/*`) instead of the directory.",
                ));
            }
        }
    }
}

fn still_denied(globs: &[String], path: &RelPath) -> bool {
    DenyRules::new(globs).is_ok_and(|rules| rules.denying(path).is_some())
}

fn warning(field: &str, message: String, advice: &str) -> Finding {
    Finding { field: field.to_owned(), level: Level::Warning, message, advice: advice.to_owned() }
}

#[cfg(test)]
mod tests;
