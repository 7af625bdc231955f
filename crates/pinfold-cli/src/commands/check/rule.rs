//! The rule that refused, and where the policy file says it.

use pinfold::{Policy, Verdict};

use crate::place::PolicyFile;

/// A rule of a policy.
pub(in super::super) struct Rule {
    /// `shell.denyPatterns[1]`.
    pub(super) field: String,
    /// The entry of a list, as it was written.
    pub(super) entry: Option<String>,
    /// The file and the line in it, counted from 1, if it is found there.
    pub(super) place: Option<String>,
}

impl Rule {
    /// The rule that gave the verdict, if it was one.
    pub(super) fn of(verdict: &Verdict, policy: &Policy, file: Option<&PolicyFile>) -> Option<Rule> {
        let named = verdict.rule.as_deref()?;
        let (list, index) = match named.split_once('[') {
            Some((list, index)) => (list, index.trim_end_matches(']').parse().ok()),
            None => (named, None),
        };
        let entry = index.and_then(|index: usize| {
            let shell = policy.shell.as_ref()?;
            match list {
                "deny" => shell.deny.get(index).cloned(),
                "denyPatterns" => shell.deny_patterns.get(index).map(|pattern| pattern.source().to_owned()),
                _ => None,
            }
        });
        let field = format!("shell.{named}");
        let place =
            file.and_then(|file| Some(format!("{}:{}", file.path.display(), file.place(&field)?.line)));
        Some(Rule { field, entry, place })
    }
}
