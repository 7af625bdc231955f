//! What our checker says of a line.

use pinfold_shell::JudgedCommand;

use super::{
    applets,
    ground::{Field, Listed},
    policies::Policy,
};

/// A yes, with everything that it lists.
#[derive(Debug, Clone)]
pub(crate) struct Judged {
    pub(crate) commands: Vec<JudgedCommand>,
    pub(crate) listed: Listed,
    text: String,
}

impl Judged {
    /// The verdict; `Err` has the reason and the message of a no.
    pub(crate) fn of(policy: &Policy, line: &str) -> Result<Judged, String> {
        let field = Field::default();
        let verdict = policy.rules.line_verdict(line, &field);
        if !verdict.allowed {
            let reason = verdict.reason.map_or(String::new(), |reason| reason.to_string());
            return Err(format!("{reason}: {}", verdict.message.unwrap_or_default()));
        }
        Ok(Judged { commands: verdict.commands, listed: field.into_listed(), text: line.to_owned() })
    }

    /// A program starts others in a directory of its own choice.
    pub(crate) fn moves(&self) -> bool {
        let words = |command: &JudgedCommand| {
            command.argv.iter().flatten().any(|word| word.starts_with("-C") || word.starts_with("--c"))
        };
        self.commands.iter().any(|command| {
            command.argv.first().is_some_and(|name| name.as_deref() == Some("env")) && words(command)
        })
    }

    /// Errors of a shell may not be seen.
    pub(crate) fn hides_errors(&self) -> bool {
        self.text.contains("2>") || self.text.contains("exec")
    }

    /// The line uses a program that busybox is itself, and that does more than to say something.
    pub(crate) fn runs_applets(&self) -> bool {
        let mut names = self.commands.iter().filter_map(|command| command.argv.first()?.as_deref());
        names.any(|name| applets::is_one(name) && !applets::is_harmless(name))
    }
}
