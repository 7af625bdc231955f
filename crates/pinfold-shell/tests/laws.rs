//! Laws of the tokenizer and the rules, tried on generated lines.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail at once")]

use pinfold_shell::{AllowCommand, Answer, Argv, DenyPattern, Reason, Rules};
use proptest::prelude::*;

/// Text in which quotes and operators are frequent.
fn nasty() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop_oneof![
            4 => prop::sample::select(vec!['\'', '"', '\\', ' ', '\t', '\n', ';', '&', '|', '<', '>', '`', '$', '(', ')', '-', '{', '}', '=']).prop_map(String::from),
            3 => "[a-z]{1,3}",
            1 => prop::sample::select(vec!["env", "find", "-exec", "{}", "+", "timeout", "cd", "--", "é", "\u{a0}",
                "git ", "sed ", "awk ", "tar ", "ssh ", "-c", "-e", "-o", "core.pager=", "s/", "system", "zip -TT", "fd -x "]).prop_map(String::from),
            1 => any::<char>().prop_map(String::from),
        ],
        0..40,
    )
    .prop_map(|pieces| pieces.concat())
}

fn single_quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn double_quoted(word: &str) -> String {
    let escaped: String =
        word.chars().flat_map(|c| if "$`\"\\".contains(c) { vec!['\\', c] } else { vec![c] }).collect();
    format!("\"{escaped}\"")
}

fn word() -> impl Strategy<Value = String> {
    nasty().prop_map(|text| text.replace('\0', ""))
}

/// Every kind of rule at once.
fn all_rules() -> Rules {
    let pattern = DenyPattern::regex("^git push .*--force").unwrap();
    Rules::new(None, vec!["rm".to_owned()])
        .unwrap()
        .with_patterns(vec![pattern, DenyPattern::prefix("git reset").unwrap()])
        .with_allow_command(AllowCommand::new(|_, _| Answer::Allow))
        .strict(vec!["/srv".into()])
}

proptest! {
    #[test]
    fn no_line_makes_it_panic(line in nasty(), other in ".*") {
        let rules = all_rules();
        for line in [line, other] {
            let verdict = rules.verdict(&line);
            prop_assert!(verdict.span.is_none_or(|span| line.get(span).is_some()));
            if let Ok(argv) = Argv::parse(&line) {
                prop_assert!(!argv.words()[0].is_empty());
                prop_assert_eq!(rules.judge(&argv).is_ok(), verdict.allowed);
            }
        }
    }

    #[test]
    fn no_argument_makes_it_panic(
        program in prop::sample::select(vec!["git", "sed", "awk", "gawk", "tar", "ssh", "scp", "rg", "sort", "man",
            "zip", "rsync", "split", "fd", "wget", "ag", "sftp", "git submodule foreach", "git -c", "sed -e"]),
        words in prop::collection::vec(word(), 0..6),
    ) {
        let words = words.iter().map(|word| single_quoted(word)).collect::<Vec<_>>().join(" ");
        let line = format!("{program} {words}");
        let verdict = all_rules().verdict(&line);
        prop_assert!(verdict.span.is_none_or(|span| line.get(span).is_some()), "{}", line);
    }

    #[test]
    fn a_refusal_points_into_the_line(line in nasty()) {
        if let Err(refusal) = Argv::parse(&line) {
            if let Some(span) = refusal.span() {
                prop_assert!(line.get(span.clone()).is_some(), "{span:?}");
            }
            prop_assert!(!refusal.to_string().chars().any(char::is_control));
        }
    }

    #[test]
    fn quoting_is_undone(words in prop::collection::vec(word(), 1..8), double in any::<bool>()) {
        prop_assume!(!words[0].is_empty());
        let quote = if double { double_quoted } else { single_quoted };
        let line = words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ");
        let argv = Argv::parse(&line).unwrap();
        prop_assert_eq!(argv.words(), words.as_slice());
    }

    #[test]
    fn backslashes_are_undone(words in prop::collection::vec("[^\n\r\0]{1,9}", 1..8)) {
        let line = words.iter().map(|word| word.chars().flat_map(|c| ['\\', c]).collect()).collect::<Vec<String>>();
        let argv = Argv::parse(&line.join("\t")).unwrap();
        prop_assert_eq!(argv.words(), words.as_slice());
    }

    #[test]
    fn an_operator_outside_quotes_never_survives(
        before in "[a-z ]{1,9}", after in "[a-z ]{0,9}",
        operator in prop::sample::select(vec![';', '&', '|', '<', '>', '`', '$', '(', ')', '\n', '\r']),
    ) {
        let refusal = Argv::parse(&format!("{before}{operator}{after}")).unwrap_err();
        prop_assert_eq!(refusal.reason(), Reason::Metacharacter);
    }

    #[test]
    fn whoever_hides_a_name_behind_wrappers_is_found(chain in prop::collection::vec(
        prop::sample::select(vec!["env", "env A=1", "env -i", "nice", "nice -n 3", "nohup", "time -p", "timeout 5", "timeout -s KILL 1"]), 0..12)) {
        let rules = Rules::new(None, vec!["rm".to_owned()]).unwrap();
        let argv = Argv::parse(&format!("{} /bin/Rm -rf x", chain.join(" "))).unwrap();
        prop_assert_eq!(rules.judge(&argv).unwrap_err().reason(), Reason::DeniedExecutable);
    }
}

#[test]
fn the_longest_line_is_read_and_one_byte_more_is_not() {
    let longest = format!("echo {}", "a ".repeat(pinfold_shell::argv::MAX_LINE_BYTES / 2));
    let longest = &longest[..pinfold_shell::argv::MAX_LINE_BYTES];
    assert!(Argv::parse(longest).is_ok());
    let refusal = Argv::parse(&format!("{longest}a")).unwrap_err();
    assert_eq!(refusal.reason(), Reason::UnsupportedSyntax);
    assert!(refusal.to_string().len() < 1_000, "the line is not repeated whole");
}
