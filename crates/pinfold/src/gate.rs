//! The one who decides.
//!
//! A name that was resolved comes in, a [`Permit`] goes out or a refusal. The permit carries the key to exactly what was
//! judged, the rule that gave the yes, and the terms that whoever acts has to obey. Deny rules are asked about every
//! place that the name led through, before any other error is told: an error must not say what lies behind a rule.

pub(crate) mod denials;
mod permit;
mod sight;
mod terms;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use pinfold_jail::{Access, Dialect, Glob};
use pinfold_shell::Rules;

pub(crate) use permit::{Ground, Look, Make, Read, Remove, Run, Site, Unlock, Verb, Write};
pub use permit::{Permit, Rule};
pub(crate) use sight::Sight;
pub(crate) use terms::Terms;

use crate::{
    Failure, FailureType, Policy,
    backend::{Asked, Resolved, Unresolved},
    policy::{BackgroundPolicy, Interpreter},
    runners::Runner,
    tools::Dialect as SpokenDialect,
    words,
};

/// Judges every call of one workspace. Made once, from the policy.
#[derive(Debug, Clone)]
pub(crate) struct Gate {
    terms: Arc<Terms>,
    rules: Arc<Rules>,
    read_only: bool,
}

impl Gate {
    /// `roots` are the absolute, link-free paths of the backend's roots, the home first.
    pub(crate) fn new(policy: Policy, roots: Vec<PathBuf>) -> Result<Gate, Failure> {
        let named = [&roots[..], std::slice::from_ref(&policy.cwd), &policy.allow_paths].concat();
        let deny = denials::rules("denyPaths", &policy.deny_paths, &named)?;
        let deny_write = denials::rules("denyWritePaths", &policy.deny_write_paths, &named)?;
        let ignore = globs("list.ignore", &policy.list.ignore)?;
        let rules = policy.shell_rules(roots.iter().take(1).cloned().collect())?;
        let read_only = policy.read_only;
        let home = roots.first().cloned().unwrap_or_default();
        let (misses, known_texts, big_files) = Default::default();
        let terms = Terms {
            home,
            bases: roots,
            deny,
            deny_write,
            dialect: SpokenDialect::default(),
            ignore,
            policy,
            misses,
            known_texts,
            big_files,
        };
        Ok(Gate { terms: Arc::new(terms), rules: Arc::new(rules), read_only })
    }

    /// The same rules for a workspace that changes nothing.
    pub(crate) fn readonly(mut self) -> Gate {
        self.read_only = true;
        self
    }

    /// The same rules for a workspace whose home is `home`. They apply below it too, and below the old one still.
    pub(crate) fn scoped(mut self, home: PathBuf) -> Gate {
        let mut terms = Terms::clone(&self.terms);
        terms.bases.push(home.clone());
        terms.home = home;
        self.terms = Arc::new(terms);
        self
    }

    /// The same rules for a workspace that speaks another dialect.
    pub(crate) fn speaking(mut self, dialect: SpokenDialect) -> Gate {
        let terms = Terms::clone(&self.terms);
        self.terms = Arc::new(Terms { dialect, ..terms });
        self
    }

    /// The policy that it was made from.
    pub(crate) fn policy(&self) -> &Policy {
        &self.terms.policy
    }

    /// The terms that every permit carries.
    pub(crate) fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The dialect that the workspace speaks.
    pub(crate) fn dialect(&self) -> SpokenDialect {
        self.terms.dialect
    }

    /// Whether the policy says that `place`, absolute and without links, must not be changed.
    pub(crate) fn protects(&self, place: &Path) -> bool {
        self.terms.protects(place)
    }

    pub(crate) fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// The policy's test command; a blank one is none.
    pub(crate) fn tests_command(&self) -> Option<&str> {
        self.terms.policy.tests.command.as_deref().filter(|command| !command.trim().is_empty())
    }

    /// Whether the policy lets any test runner run that can be found without a command.
    pub(crate) fn may_run_tests(&self) -> bool {
        Runner::lines().any(|line| self.rules.verdict(line).allowed)
    }

    /// The limits of background jobs, if there may be any.
    pub(crate) fn background(&self) -> Option<&BackgroundPolicy> {
        self.terms.policy.shell.as_ref()?.background.as_ref()
    }

    /// The root that commands may write to.
    pub(crate) fn root(&self) -> PathBuf {
        self.terms.writable_roots().into_iter().next().unwrap_or_default()
    }

    /// What reads command lines.
    pub(crate) fn interpreter(&self) -> Interpreter {
        self.terms.policy.shell.as_ref().map_or(Interpreter::None, |shell| shell.interpreter)
    }

    /// How long a command is waited for before it goes on in the background, if it may.
    pub(crate) fn foreground(&self) -> Option<Duration> {
        let shell = self.terms.policy.shell.as_ref().filter(|shell| shell.background.is_some())?;
        (shell.foreground_ms > 0).then(|| Duration::from_millis(shell.foreground_ms))
    }

    pub(crate) fn shell_rules(&self) -> &Rules {
        &self.rules
    }

    /// A call that changes something is refused on a read-only workspace before its name is even looked at.
    pub(crate) fn admit<V: Verb>(&self) -> Result<(), Failure> {
        if V::CHANGES && self.read_only { Err(words::read_only()) } else { Ok(()) }
    }

    /// Judges what `asked` was resolved to.
    pub(crate) fn judge<V: Verb>(
        &self,
        asked: &Asked,
        resolution: Result<Resolved, Unresolved>,
    ) -> Result<Permit<V>, Failure> {
        let (places, found) = match resolution {
            Ok(resolved) => ([resolved.passed.clone(), vec![resolved.place.clone()]].concat(), Ok(resolved)),
            Err(unresolved) => (unresolved.passed, Err(unresolved.error)),
        };
        if let Some(no) = places.iter().find_map(|place| self.terms.denying::<V>(place)) {
            return Err(words::denied(asked, no.glob).with(|details| details.rule = no.rule));
        }
        self.allow(asked, found.map_err(|error| words::jail(error, asked, &self.terms))?)
    }

    fn allow<V: Verb>(&self, asked: &Asked, resolved: Resolved) -> Result<Permit<V>, Failure> {
        if V::CHANGES && resolved.access == Access::ReadOnly {
            return Err(words::only_read(asked));
        }
        if V::REMOVES && resolved.is_root {
            return Err(words::root_itself(asked));
        }
        Ok(Permit::grant(asked, resolved, Arc::clone(&self.terms)))
    }
}

fn globs(field: &str, texts: &[String]) -> Result<Vec<Glob>, Failure> {
    let compile = |text: &String| {
        Glob::at_any_depth(text, Dialect::Plain).map_err(|error| {
            let message = format!("`{field}`: the glob `{text}` cannot be read: {error}.");
            Failure::new(FailureType::BadPolicy, message)
        })
    };
    texts.iter().map(compile).collect()
}
