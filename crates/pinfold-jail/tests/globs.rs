//! Globs and deny rules beside a naive oracle that tries everything.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

use pinfold_jail::{DenyRules, Dialect, Glob, RelPath};
use proptest::prelude::*;

/// Matches by trying every split: exponential, and too short to be wrong. `fold` is how single letters compare.
fn segment(pattern: &[char], name: &[char], search: bool, fold: fn(char) -> char) -> bool {
    let Some((&first, rest)) = pattern.split_first() else { return name.is_empty() };
    let next = |rest: &[char]| !name.is_empty() && segment(rest, &name[1..], search, fold);
    match first {
        '*' => (0..=name.len()).any(|skip| segment(rest, &name[skip..], search, fold)),
        '?' => next(rest),
        '[' if search => {
            let negated = rest[0] == '!';
            let begin = usize::from(negated);
            let end = begin + rest[begin..].iter().position(|&letter| letter == ']').unwrap();
            let held = name.first().is_some_and(|letter| in_class(&rest[begin..end], *letter));
            held != negated && next(&rest[end + 1..])
        }
        letter => name.first().is_some_and(|own| fold(*own) == fold(letter)) && next(rest),
    }
}

fn in_class(class: &[char], letter: char) -> bool {
    match class {
        [low, '-', high, rest @ ..] => (*low..=*high).contains(&letter) || in_class(rest, letter),
        [one, rest @ ..] => *one == letter || in_class(rest, letter),
        [] => false,
    }
}

/// The whole path, `**` being tried with every number of segments.
fn path_matches(pattern: &[&str], path: &[&str], search: bool, fold: fn(char) -> char) -> bool {
    let Some((first, rest)) = pattern.split_first() else { return path.is_empty() };
    if *first == "**" {
        return (0..=path.len()).any(|skip| path_matches(rest, &path[skip..], search, fold));
    }
    let letters = |text: &str| text.chars().collect::<Vec<_>>();
    let here = path.first().is_some_and(|name| segment(&letters(first), &letters(name), search, fold));
    here && path_matches(rest, &path[1..], search, fold)
}

fn split(text: &str) -> Vec<&str> {
    text.split('/').filter(|part| !matches!(*part, "" | ".")).collect()
}

/// Every text that braces stand for, the innermost first.
fn braces(text: &str) -> Vec<String> {
    let Some(close) = text.find('}') else { return vec![text.to_owned()] };
    let open = text[..close].rfind('{').unwrap();
    let choices = text[open + 1..close].split(',');
    choices.flat_map(|choice| braces(&[&text[..open], choice, &text[close + 1..]].concat())).collect()
}

fn exact(letter: char) -> char {
    letter
}

fn folded(letter: char) -> char {
    letter.to_ascii_lowercase()
}

/// A rule by itself: floating without a slash, from the root with one.
fn rule_matches(rule: &str, path: &[&str]) -> bool {
    let mut pattern = split(rule);
    if !rule.trim_end_matches('/').contains('/') {
        pattern.insert(0, "**");
    }
    path_matches(&pattern, path, false, folded)
}

/// At the first depth where the last matching rule is no exception, the path is denied.
fn is_denied(rules: &[String], path: &str) -> bool {
    let path = split(path);
    (0..=path.len()).any(|depth| {
        let last = rules.iter().rev().find(|rule| rule_matches(rule.trim_start_matches('!'), &path[..depth]));
        last.is_some_and(|rule| !rule.starts_with('!'))
    })
}

fn path() -> impl Strategy<Value = String> {
    prop::collection::vec("[abAB]{1,4}", 0..5).prop_map(|names| names.join("/"))
}

fn plain() -> impl Strategy<Value = String> {
    let part = prop_oneof!["[abA*?]{1,5}", Just("**".to_owned())];
    (
        prop::sample::select(vec!["", "", "./", "/"]),
        prop::collection::vec(part, 1..5),
        prop::sample::select(vec!["", "", "/"]),
    )
        .prop_map(|(begin, parts, end)| format!("{begin}{}{end}", parts.join("/")))
}

/// Braces and classes are made closed; classes are never empty.
fn search() -> impl Strategy<Value = String> {
    let atom = prop_oneof![
        "[abA*?]",
        "\\[!?[abB]{1,2}\\]",
        Just("[a-b]".to_owned()),
        Just("[!A-B]".to_owned()),
        Just("/".to_owned()),
        Just("**/".to_owned()),
    ];
    let group = prop::collection::vec(atom, 1..4).prop_map(|atoms| atoms.concat());
    let leaf = group.prop_recursive(2, 6, 3, |inner| {
        prop::collection::vec(inner, 1..3).prop_map(|choices| format!("{{{}}}", choices.join(",")))
    });
    prop::collection::vec(leaf, 1..4).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn plain_and_deny(pattern in plain(), path in path()) {
        let rel = RelPath::new(&path).unwrap();
        for (dialect, fold) in [(Dialect::Plain, exact as fn(char) -> char), (Dialect::Deny, folded)] {
            let found = Glob::new(&pattern, dialect).unwrap().matches(&rel);
            prop_assert_eq!(found, path_matches(&split(&pattern), &split(&path), false, fold), "{:?}", dialect);
        }
    }

    #[test]
    fn searching(pattern in search(), path in path()) {
        let expected = braces(&pattern).iter().any(|one| path_matches(&split(one), &split(&path), true, exact));
        let Ok(glob) = Glob::new(&pattern, Dialect::Search) else {
            prop_assert!(braces(&pattern).iter().any(|one| split(one).is_empty()), "{:?} is not read", pattern);
            return Ok(());
        };
        prop_assert_eq!(glob.matches(&RelPath::new(&path).unwrap()), expected);
    }

    /// Pruning and the fixed base never leave out a match.
    #[test]
    fn a_walk_misses_nothing(pattern in plain(), path in path()) {
        let glob = Glob::new(&pattern, Dialect::Plain).unwrap();
        let rel = RelPath::new(&path).unwrap();
        if glob.matches(&rel) {
            let mut above = rel.clone();
            while above.pop() {
                prop_assert!(glob.may_match_below(&above), "{:?} is pruned", above);
            }
            prop_assert!(rel.is_root() || rel.strip(&glob.fixed_base()).is_some());
        }
    }

    #[test]
    fn deny_rules(
        rules in prop::collection::vec((prop::bool::weighted(0.3), plain()), 0..5),
        path in path(),
    ) {
        let rules: Vec<String> =
            rules.iter().map(|(not, rule)| format!("{}{rule}", if *not { "!" } else { "" })).collect();
        let deny = DenyRules::new(&rules).unwrap();
        let rel = RelPath::new(&path).unwrap();
        let found = deny.denying(&rel);
        prop_assert_eq!(found.is_some(), is_denied(&rules, &path), "{:?}", found);
        // What lies below a denied place is denied, so a walk may leave it out.
        if found.is_some() {
            prop_assert!(deny.denying(&rel.join(b"below").unwrap()).is_some());
        }
    }
}

/// A hostile path of two thousand names, and rules that match nearly all of it.
#[test]
fn many_rules_read_a_deep_path_once_each() {
    let rules: Vec<String> = (0..200).map(|at| format!("!**/a/**/b{at}/*")).collect();
    let deny = DenyRules::new(&rules).unwrap();
    assert!(deny.denying(&RelPath::new(&vec!["a"; 2000].join("/")).unwrap()).is_none());
}
