//! Globs on whole paths: our own matcher, segment by segment, in time linear in the path for a given pattern.
//!
//! `*` stands for any run of characters within one segment, `?` for one character, `**` as a whole segment for any
//! number of segments, none included; inside a segment `**` is `*`. What else is special depends on the [`Dialect`].
//! Hidden names are names like others.

mod pattern;
mod reading;
mod segment;

pub use reading::{Letters, Reading};
pub(crate) use segment::path_letters;

use crate::RelPath;
use pattern::Alternative;

/// What is special in a pattern, and how letters compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Only `*`, `**`, `?`; letter case and Unicode normal form are folded. For rules that forbid.
    Deny,
    /// Only `*`, `**`, `?`; letters compare exactly.
    Plain,
    /// Also `{a,b}` and `[a-z]`, `[!a]`; letters compare exactly. For searching.
    Search,
    /// Only `*`, `**`, `?`, which takes one unit of UTF-16; letters compare exactly. For the *env* tools.
    Env,
}

/// Why a text is not a glob.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GlobError {
    /// No text, or only slashes.
    #[error("an empty pattern matches nothing")]
    Empty,
    /// A `..` segment: patterns never climb.
    #[error("a pattern cannot hold `..`: it is matched against paths below the root")]
    DotDot,
    /// A NUL byte, which no path holds.
    #[error("a pattern cannot hold a NUL character")]
    Nul,
    /// Longer than 4,096 bytes.
    #[error("a pattern longer than 4,096 bytes")]
    TooLong,
    /// Braces that stand for more than 256 patterns.
    #[error("braces that stand for more than 256 patterns")]
    TooManyAlternatives,
    /// `{` or `[` that is never closed; write `?` for the character itself.
    #[error("`{{` or `[` is never closed; write `?` in its place to match the character itself")]
    Unclosed,
}

/// A compiled glob.
#[derive(Debug, Clone)]
pub struct Glob {
    text: String,
    dialect: Dialect,
    alternatives: Vec<Alternative>,
}

impl Glob {
    /// Compiles `text`. Leading `./` and `/`, doubled and trailing slashes are dropped.
    pub fn new(text: &str, dialect: Dialect) -> Result<Glob, GlobError> {
        let alternatives = pattern::compile(text, dialect)?;
        Ok(Glob { text: text.to_owned(), dialect, alternatives })
    }

    /// Like [`Glob::new`], but a pattern of one segment matches at any depth, as in `.gitignore`.
    pub fn at_any_depth(text: &str, dialect: Dialect) -> Result<Glob, GlobError> {
        let mut glob = Glob::new(text, dialect)?;
        let anchored = text.trim_end_matches('/').contains('/');
        if !anchored {
            glob.alternatives.iter_mut().for_each(Alternative::float);
        }
        Ok(glob)
    }

    /// Whether the whole of `path` matches.
    pub fn matches(&self, path: &RelPath) -> bool {
        self.matches_prefixes(&self.letters(path)).last() == Some(&true)
    }

    /// Whether anything below directory `dir` could match: if not, a walk need not enter it.
    pub fn may_match_below(&self, dir: &RelPath) -> bool {
        let letters = self.letters(dir);
        self.alternatives.iter().any(|one| one.may_match_below(&letters))
    }

    /// The directory that every match lies in or below, from the segments that are plain letters.
    pub fn fixed_base(&self) -> RelPath {
        match &self.alternatives[..] {
            [one] if self.dialect != Dialect::Deny => one.fixed_base(),
            _ => RelPath::root(),
        }
    }

    /// The pattern as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the first `n` segments of `path` match, for every `n` from 0 to all.
    pub(crate) fn matches_prefixes(&self, path: &[Vec<u32>]) -> Vec<bool> {
        let mut matched = vec![false; path.len() + 1];
        for one in &self.alternatives {
            one.walk(path, |read, states| matched[read] |= states.last() == Some(&true));
        }
        matched
    }

    fn letters(&self, path: &RelPath) -> Vec<Vec<u32>> {
        path_letters(path, self.dialect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(dialect: Dialect, rows: &[(&str, &str, bool)]) {
        for (pattern, path, expected) in rows {
            let glob = Glob::new(pattern, dialect).unwrap();
            let path = RelPath::new(path).unwrap();
            assert_eq!(glob.matches(&path), *expected, "{pattern:?} on {path:?}");
        }
    }

    #[test]
    fn plain_grammar() {
        check(
            Dialect::Plain,
            &[
                ("**/x", "x", true),
                ("**/x", "a/b/x", true),
                ("a/**", "a", true),
                ("a/**", "a/b/c", true),
                ("a/**", "ab", false),
                ("a/**/b", "a/b", true),
                ("a/**/b", "a/x/y/b", true),
                ("a/**/b", "a/x/y/c", false),
                ("a**b", "axxb", true),
                ("a**b", "ax/xb", false),
                ("**.ts", "d/x.ts", false),
                ("**.ts", "x.ts", true),
                ("*", ".hidden", true),
                ("*", "a/b", false),
                ("?.c", "é.c", true),
                ("?", "😀", true),
                ("[ab]", "a", false),
                ("[ab]", "[ab]", true),
                ("{a,b}", "{a,b}", true),
                ("A.ts", "a.ts", false),
                ("./a//b/", "a/b", true),
                ("/a", "a", true),
            ],
        );
    }

    #[test]
    fn env_grammar() {
        check(
            Dialect::Env,
            &[
                ("**/x", "x", true),
                ("a/**", "a", true),
                ("a**b", "axxb", true),
                ("**.ts", "d/x.ts", false),
                ("[ab]", "a", false),
                ("[ab]", "[ab]", true),
                ("{a,b}", "{a,b}", true),
                ("!x", "!x", true),
                ("!x", "y", false),
                ("A.ts", "a.ts", false),
                ("?", "😀", false),
                ("??", "😀", true),
                ("😀?", "😀x", true),
                ("*", "😀", true),
                ("?", "é", true),
            ],
        );
    }

    #[test]
    fn search_grammar() {
        check(
            Dialect::Search,
            &[
                ("*.{rs,toml}", "a.toml", true),
                ("*.{rs,toml}", "a.md", false),
                ("{,a}b", "b", true),
                ("{,a}b", "ab", true),
                ("{src,lib}/**/*.rs", "lib/a/b.rs", true),
                ("a{b{c,d},e}", "abd", true),
                ("a{b{c,d},e}", "ae", true),
                ("[a-c]x", "bx", true),
                ("[!a-c]x", "bx", false),
                ("[]]", "]", true),
                ("[a-]", "-", true),
            ],
        );
    }

    #[test]
    fn deny_folds_case_and_normal_form() {
        check(
            Dialect::Deny,
            &[
                (".env*", ".ENV.local", true),
                ("s\u{e9}cret", "se\u{301}cret", true),
                ("stra\u{df}e", "STRASSE", true),
                ("\u{212a}", "k", true),
            ],
        );
    }

    #[test]
    fn a_name_that_is_not_utf8_matches_byte_by_byte() {
        let glob = Glob::new("a?b", Dialect::Plain).unwrap();
        assert!(glob.matches(&RelPath::new(b"a\xffb").unwrap()));
        assert!(!glob.matches(&RelPath::new(b"a\xff\xfeb").unwrap()));
    }

    #[test]
    fn refuses_what_cannot_match() {
        for (text, error) in [
            ("", GlobError::Empty),
            ("/", GlobError::Empty),
            ("a/../b", GlobError::DotDot),
            ("a\0", GlobError::Nul),
            ("{a", GlobError::Unclosed),
            ("[a", GlobError::Unclosed),
        ] {
            assert_eq!(Glob::new(text, Dialect::Search).unwrap_err(), error, "{text:?}");
        }
        let wide = "{a,b}".repeat(9);
        assert_eq!(Glob::new(&wide, Dialect::Search).unwrap_err(), GlobError::TooManyAlternatives);
    }

    #[test]
    fn patterns_that_make_others_crawl() {
        let stars = Glob::new("*a*a*a*a*a*a*a*a*a*a*b", Dialect::Plain).unwrap();
        assert!(!stars.matches(&RelPath::new(&"a".repeat(255)).unwrap()));
        let deep = Glob::new(&format!("{}x", "**/".repeat(1000)), Dialect::Plain).unwrap();
        assert!(!deep.matches(&RelPath::new(&vec!["y"; 2000].join("/")).unwrap()));
    }

    #[test]
    fn prunes_and_finds_its_base() {
        let glob = Glob::new("src/**/t/*.rs", Dialect::Search).unwrap();
        let below = |dir| glob.may_match_below(&RelPath::new(dir).unwrap());
        assert!(below("") && below("src") && below("src/a/b") && !below("lib"));
        assert_eq!(glob.fixed_base(), RelPath::new("src").unwrap());
        assert_eq!(Glob::new("src/a.rs", Dialect::Search).unwrap().fixed_base().as_bytes(), b"src");
        assert_eq!(Glob::new("*.rs", Dialect::Search).unwrap().fixed_base(), RelPath::root());
    }
}
