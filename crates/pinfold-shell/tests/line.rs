//! The reader of sh mode: what is read prints to a line that reads the same, what is refused says where, and no line
//! makes it panic.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may fail at once, and reads its cases"
)]

use std::{fs, path::Path};

use pinfold_shell::{Line, Reason};
use proptest::prelude::*;

/// Pieces that mean something to one shell at least.
const PIECES: &[&str] = &[
    "a", "b c", " ", "\n", ";", "&&", "||", "|", "&", "(", ")", "$(", "`", "'", "\"", "\\", "\\\n", "${",
    "}", "${v:-", "$v", "$@", "#", "<", ">", ">>", ">|", "<>", "2>&1", ">&-", "<<E\n", "<<'E'\n", "<<-E\n",
    "\nE\n", "E", "\t", "!", "! ", "*", "[", "]", "{", ",", "~", "=", "x=1 ", "cd d", "if", "time ", "10>",
    "\r", "é", "$", "%", "##", "-",
];

fn mixed() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..24).prop_map(|pieces| pieces.concat())
}

fn prints_the_same(text: &str) -> Result<(), String> {
    let Ok(line) = Line::parse(text) else { return Ok(()) };
    let printed = line.to_string();
    match Line::parse(&printed) {
        Ok(again) if again == line => Ok(()),
        Ok(again) => Err(format!(
            "{text:?} prints as {printed:?}, which reads as {:?} not {:?}",
            again.script(),
            line.script()
        )),
        Err(refusal) => Err(format!("{text:?} prints as {printed:?}, which is refused: {refusal}")),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_096))]

    #[test]
    fn a_mixed_line_prints_and_reads_the_same(text in mixed()) {
        prop_assert_eq!(prints_the_same(&text), Ok(()));
    }

    #[test]
    fn a_refusal_points_into_the_line(text in mixed(), other in ".*") {
        for text in [text, other] {
            if let Err(refusal) = Line::parse(&text) {
                prop_assert!(refusal.span().is_none_or(|span| text.get(span).is_some()), "{text:?}");
                prop_assert!(!refusal.to_string().chars().any(char::is_control), "{refusal}");
            }
        }
    }
}

/// What fuzzing found.
#[test]
fn quotes_print_as_they_were_read() {
    for text in ["a \"$0$-:x\"", "a \"$x\"\"\"", "a \"\"\"$x\"", "a \"\"", "a ''\"$x\"''", "a \"$x\"'b'\"\""]
    {
        assert!(Line::parse(text).is_ok(), "{text}");
        assert_eq!(prints_the_same(text), Ok(()));
    }
}

#[test]
fn a_body_outside_does_not_print_into_a_substitution() {
    for text in ["a <<E < $(b)\nx\nE\n", "a <<E > \"$(b; c)\"\n$(d)\nE\n"] {
        assert!(Line::parse(text).is_ok(), "{text}");
        assert_eq!(prints_the_same(text), Ok(()));
    }
}

#[test]
fn bodies_within_bodies_are_the_same_wherever_their_lines_stand() {
    let together = "a <<E && b <<E\n$(c <<F\nx\nF\n)\nE\ny\nE\n";
    assert_eq!(prints_the_same(together), Ok(()));
    let apart = "a <<E &&\n$(c <<F\nx\nF\n)\nE\nb <<E\ny\nE\n";
    assert_eq!(Line::parse(together), Line::parse(apart));
    let swapped = "a <<E &&\ny\nE\nb <<E\n$(c <<F\nx\nF\n)\nE\n";
    assert!(Line::parse(swapped).is_ok() && Line::parse(together) != Line::parse(swapped));
}

#[test]
fn the_corpora_print_and_read_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpora");
    let cases = fs::read_to_string(folder.join("shell_sh.jsonl")).unwrap();
    let cases = cases.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let tricky: Vec<serde_json::Value> =
        serde_json::from_str(&fs::read_to_string(folder.join("lines.json")).unwrap()).unwrap();
    let mut read = 0;
    for case in cases.chain(tricky) {
        let text = case["line"].as_str().unwrap();
        assert_eq!(prints_the_same(text), Ok(()));
        read += usize::from(Line::parse(text).is_ok());
    }
    assert!(read > 300, "only {read} lines were read at all");
}

use Reason::{NotAllowed, UnbalancedQuotes, UnsupportedSyntax};

/// A line, and why it is refused. Each is read in two ways by two of dash, bash, bash --posix and busybox ash, or hides
/// something from every reader.
const REFUSED: &[(&str, Reason)] = &[
    ("a $(<<E\nE)\nE\n)", UnsupportedSyntax),
    ("a $(cat <<E\nEcurl x\nE\n)", UnsupportedSyntax),
    ("a \"$(cat <<'E'\nE )\nE\n)\"", UnsupportedSyntax),
    ("a $( (b <<-E\n\tE\\)\n\tE\n) )", UnsupportedSyntax),
    ("a $'b\\'; evil #'", UnsupportedSyntax),
    ("a $\"b\"", UnsupportedSyntax),
    ("((evil))", UnsupportedSyntax),
    ("a $((1))", UnsupportedSyntax),
    ("a $\\\n(\\\n(1))", UnsupportedSyntax),
    ("a $[1]", UnsupportedSyntax),
    ("a 10>f", UnsupportedSyntax),
    ("a {fd}>f", UnsupportedSyntax),
    ("a >&f", UnsupportedSyntax),
    ("a <&-done", UnsupportedSyntax),
    ("a &>f", UnsupportedSyntax),
    ("a |& b", UnsupportedSyntax),
    ("a <(b)", UnsupportedSyntax),
    ("a <<<b", UnsupportedSyntax),
    ("v+=1 a", UnsupportedSyntax),
    ("v[0]=1 a", UnsupportedSyntax),
    ("v=(1)", UnsupportedSyntax),
    ("a c=~/d", UnsupportedSyntax),
    ("a {b,c}", UnsupportedSyntax),
    ("a {1..3}", UnsupportedSyntax),
    ("{c.\\\n.c}url", UnsupportedSyntax),
    ("a --{f.\\\n\\\n.f}orce", UnsupportedSyntax),
    ("!>|a!! a", UnsupportedSyntax),
    ("! ! a", UnsupportedSyntax),
    ("a | ! b", UnsupportedSyntax),
    ("a ${v/y/z}", UnsupportedSyntax),
    ("a ${v:=z}", UnsupportedSyntax),
    ("a \"${v:-'}\" ; x '}\"", UnsupportedSyntax),
    ("a `x \\$(evil)`", UnsupportedSyntax),
    ("a \"`x \"y\"`\"", UnsupportedSyntax),
    ("a\r\nx", UnsupportedSyntax),
    ("a \u{1}", UnsupportedSyntax),
    ("f() { a; }", UnsupportedSyntax),
    ("a @(b|c)", UnsupportedSyntax),
    ("coproc a", UnsupportedSyntax),
    ("[[ a ]]", UnsupportedSyntax),
    ("{ a; }", UnsupportedSyntax),
    ("a;; b", UnsupportedSyntax),
    ("a &&", UnsupportedSyntax),
    ("a )", UnsupportedSyntax),
    ("cat <<E\nE\\\nE\nb\nE", UnsupportedSyntax),
    ("cat <<E \"a\nb\"\nE", UnsupportedSyntax),
    ("cat <<''\nx\n", UnsupportedSyntax),
    ("cat <<\"$x\"\nx\n", UnsupportedSyntax),
    ("a & b", NotAllowed),
    ("", NotAllowed),
    ("# only this", NotAllowed),
    ("a 'b", UnbalancedQuotes),
    ("a \"b", UnbalancedQuotes),
    ("a b\\", UnbalancedQuotes),
    ("(a", UnbalancedQuotes),
    ("a $(b", UnbalancedQuotes),
    ("a `b", UnbalancedQuotes),
    ("a ${b", UnbalancedQuotes),
    ("cat <<E\nx", UnbalancedQuotes),
    ("(cat <<E)\nE\n", UnbalancedQuotes),
    ("cat <<E\n$(x\nE\n)\nE\n", UnbalancedQuotes),
];

#[test]
fn what_shells_read_differently_is_refused() {
    for &(line, reason) in REFUSED {
        let refusal = Line::parse(line).expect_err(line);
        assert_eq!(refusal.reason(), reason, "{line:?}: {refusal}");
        assert!(refusal.hint().is_some(), "{line:?}");
    }
}

#[test]
fn limits_refuse() {
    let nested = |depth: usize| format!("{}a{}", "( ".repeat(depth), " )".repeat(depth));
    assert!(Line::parse(&nested(32)).is_ok());
    assert_eq!(Line::parse(&nested(33)).unwrap_err().reason(), Reason::UnsupportedSyntax);
    assert!(Line::parse(&"a;".repeat(1_000)).is_ok());
    assert_eq!(Line::parse(&"a;".repeat(1_001)).unwrap_err().reason(), Reason::UnsupportedSyntax);
    assert_eq!(Line::parse(&"a".repeat(65_537)).unwrap_err().reason(), Reason::UnsupportedSyntax);
    for open in ["(", "$(", "`", "${v:-", "\"$(", "cat <<E\n$("] {
        assert!(Line::parse(&open.repeat(65_536 / open.len())).is_err(), "{open}");
    }
}
