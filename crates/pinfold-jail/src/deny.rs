//! Ordered deny rules with exceptions.
//!
//! A rule is a [`Glob`] of [`Dialect::Deny`]. Without a slash it matches a name at any depth, as in `.gitignore`; with
//! one, from the root. `dir` and `dir/**` deny the directory and all below it. A leading `!` makes an exception, and
//! the last rule that matches wins; but nothing reopens what lies below a denied directory, so that a walk may leave
//! such a directory out without looking into it.

use crate::{
    Dialect, Glob, GlobError, RelPath,
    glob::{self, Letters, Reading},
};

/// A list of deny rules, compiled.
#[derive(Debug, Clone, Default)]
pub struct DenyRules {
    rules: Vec<Rule>,
}

/// How far the rules have been read on the way down to a directory that none of them denies. Made by
/// [`DenyRules::begin`], for those rules only.
#[derive(Debug, Clone)]
pub struct Standing(Vec<Reading>);

#[derive(Debug, Clone)]
struct Rule {
    text: String,
    glob: Glob,
    exception: bool,
}

impl DenyRules {
    /// Compiles the rules in order. The error says which one (counted from 0) cannot be read.
    pub fn new<S: AsRef<str>>(texts: &[S]) -> Result<DenyRules, (usize, GlobError)> {
        let compile = |(at, text): (usize, &S)| Rule::new(text.as_ref()).map_err(|error| (at, error));
        let rules = texts.iter().enumerate().map(compile).collect::<Result<_, _>>()?;
        Ok(DenyRules { rules })
    }

    /// No rule at all: nothing can be denied.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The rule that denies `path`, which need not exist: one that matches it or a directory above it.
    pub fn denying(&self, path: &RelPath) -> Option<&str> {
        if self.rules.is_empty() {
            return None;
        }
        let letters = glob::path_letters(path, Dialect::Deny);
        // For each depth the last rule that matches there: each rule reads the path once, however deep it is.
        let mut last: Vec<Option<&Rule>> = vec![None; letters.len() + 1];
        for rule in &self.rules {
            let matched = rule.glob.matches_prefixes(&letters);
            last.iter_mut().zip(matched).filter(|(_, hit)| *hit).for_each(|(last, _)| *last = Some(rule));
        }
        last.into_iter().flatten().find(|rule| !rule.exception).map(|rule| &*rule.text)
    }

    /// At the directory that the rules count from.
    pub fn begin(&self) -> Standing {
        Standing(self.rules.iter().map(|rule| rule.glob.begin()).collect())
    }

    /// Whether `name`, read as [`Dialect::Deny`], is denied in that directory.
    pub fn denies(&self, standing: &Standing, name: &Letters) -> bool {
        let last =
            self.rules.iter().zip(&standing.0).rfind(|(rule, reading)| rule.glob.ends_with(reading, name));
        last.is_some_and(|(rule, _)| !rule.exception)
    }

    /// In the directory `name`, which is not denied.
    pub fn step(&self, standing: &Standing, name: &Letters) -> Standing {
        Standing(
            self.rules.iter().zip(&standing.0).map(|(rule, reading)| rule.glob.step(reading, name)).collect(),
        )
    }
}

impl Rule {
    fn new(text: &str) -> Result<Rule, GlobError> {
        let (exception, pattern) = match text.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let glob = Glob::at_any_depth(pattern, Dialect::Deny)?;
        Ok(Rule { text: text.to_owned(), glob, exception })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rules: &[&str], rows: &[(&str, bool)]) {
        let deny = DenyRules::new(rules).unwrap();
        for (path, expected) in rows {
            let found = deny.denying(&RelPath::new(path).unwrap());
            assert_eq!(found.is_some(), *expected, "{path:?} under {rules:?}: {found:?}");
        }
    }

    #[test]
    fn the_usual_rules() {
        check(
            &[".git/**", ".env*", "node_modules", "build/*", "**/*.pem", "id_???"],
            &[
                ("", false),
                (".git", true),
                (".git/config", true),
                (".GIT/hooks/x", true),
                ("sub/.git/config", false),
                (".github/ci.yml", false),
                ("a/b/.env.local", true),
                ("node_modules/x", true),
                ("packages/a/node_modules", true),
                ("build", false),
                ("build/x/y", true),
                ("certs/a/key.pem", true),
                ("id_rsa", true),
                ("xid_rsa", false),
            ],
        );
    }

    #[test]
    fn exceptions_do_not_reopen_a_denied_directory() {
        check(
            &[".env*", "!.env.example", "secrets", "!secrets/public.txt"],
            &[
                (".env", true),
                (".env.example", false),
                ("a/.env.example", false),
                ("secrets/public.txt", true),
            ],
        );
    }

    #[test]
    fn the_last_match_wins() {
        check(&["*.key", "!*.key", "a.key"], &[("b.key", false), ("a.key", true)]);
    }

    #[test]
    fn brackets_are_letters() {
        check(&["a[1].txt"], &[("a1.txt", false), ("a[1].txt", true)]);
    }

    #[test]
    fn says_which_rule_is_wrong() {
        assert_eq!(DenyRules::new(&["a", "../b"]).unwrap_err(), (1, GlobError::DotDot));
    }
}
