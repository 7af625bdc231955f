//! Deny rules from the policy's text. What could not mean what it seems to say is refused: a rule that protects nothing
//! would be worse than none.

use std::path::{Path, PathBuf};

use pinfold_jail::DenyRules;

use crate::{Failure, FailureType};

/// Compiles `texts`. A rule may also be written with the whole path of a root before it, by either of the root's names:
/// then it counts from that root.
pub(crate) fn rules(field: &str, texts: &[String], roots: &[PathBuf]) -> Result<DenyRules, Failure> {
    let mut all = Vec::with_capacity(texts.len());
    let mut origins = Vec::with_capacity(texts.len());
    for (at, text) in texts.iter().enumerate() {
        let (mark, pattern) = text.strip_prefix('!').map_or(("", text.as_str()), |rest| ("!", rest));
        if let Some(why) = misleads(pattern, roots) {
            return Err(bad(field, at, text, &why));
        }
        all.push(text.clone());
        let below = roots.iter().filter_map(|root| pattern.strip_prefix(root.to_str()?)?.strip_prefix('/'));
        all.extend(below.map(|rest| format!("{mark}/{rest}")));
        origins.resize(all.len(), at);
    }
    DenyRules::new(&all).map_err(|(at, error)| bad(field, origins[at], &all[at], &error.to_string()))
}

/// Whether a rule could mean what it seems to say, wherever the roots are.
///
/// # Errors
/// Why not.
pub(crate) fn readable(text: &str) -> Result<(), String> {
    if let Some(why) = misleads(text.strip_prefix('!').unwrap_or(text), &[]) {
        return Err(why);
    }
    DenyRules::new(&[text]).map(drop).map_err(|(_, error)| error.to_string())
}

/// Why a pattern would protect something else than its writer thinks.
fn misleads(pattern: &str, roots: &[PathBuf]) -> Option<String> {
    if pattern.trim() != pattern {
        return Some("it begins or ends with a blank, which would be part of the name".to_owned());
    }
    if pattern.starts_with("~/") {
        return Some(
            "`~` is an ordinary name here: write the path from the root of the workspace".to_owned(),
        );
    }
    let whole = Path::new(pattern);
    if pattern.len() > 1 && roots.iter().any(|root| root.starts_with(whole)) {
        return Some("it is a root of the workspace, or lies above one: nothing would be left".to_owned());
    }
    None
}

fn bad(field: &str, at: usize, text: &str, why: &str) -> Failure {
    let message = format!("`{field}`: the glob `{text}` cannot be used: {why}.");
    Failure::new(FailureType::BadPolicy, message).in_field(format!("{field}[{at}]")).hint(
        "Globs count from the root: `secrets`, `*.pem`, `config/**`; only `*`, `**` and `?` are special.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compiled(text: &str) -> Result<DenyRules, Failure> {
        let roots = ["/srv/real".into(), "/srv/link".into()];
        rules("denyPaths", &[text.to_owned()], &roots)
    }

    #[test]
    fn rules_that_would_protect_nothing_are_refused() {
        for text in [" a", "a ", "~/.ssh", "/srv/real", "/srv/link/", "/srv", "../a", ""] {
            assert_eq!(compiled(text).unwrap_err().failure_type(), FailureType::BadPolicy, "{text:?}");
        }
    }

    #[test]
    fn a_rule_counts_from_a_root_by_either_name() {
        let path = pinfold_jail::RelPath::new("secrets/k").unwrap();
        for text in ["secrets", "/secrets", "/srv/real/secrets", "/srv/link/secrets"] {
            assert!(compiled(text).unwrap().denying(&path).is_some(), "{text:?}");
        }
        for text in ["a[1].txt", "{a,b}", "a{b", "~x", "~"] {
            assert!(compiled(text).is_ok(), "{text:?}");
        }
    }
}
