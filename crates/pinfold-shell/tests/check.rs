//! `Rules::new` and `Rules::check`: what is looked up, and what the result of the look-up decides.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail at once")]

use std::cell::RefCell;

use pinfold_shell::{
    AllowCommand, AllowEntry, Answer, Argv, BadRule, Denied, DenyPattern, Locate, NotLocated, NotLocatedKind,
    Program, Reason, Rules,
};

/// A name, and what it resolves to.
#[derive(Debug, PartialEq)]
struct Found(String);

impl Program for Found {
    fn resolved_name(&self) -> Option<&str> {
        Some(&self.0)
    }
}

/// A disk of names; remembers what was asked for.
struct Disk {
    links: Vec<(&'static str, &'static str)>,
    asked: RefCell<Vec<String>>,
}

impl Locate for Disk {
    type Program = Found;

    fn locate(&self, name: &str) -> Result<Found, NotLocated> {
        self.asked.borrow_mut().push(name.to_owned());
        let target = self.links.iter().find(|(link, _)| *link == name).map(|(_, target)| *target);
        let missing = || NotLocated::new(NotLocatedKind::NotFound, format!("There is no `{name}`."));
        target.map(|target| Found(target.to_owned())).ok_or_else(missing)
    }
}

fn disk(links: &[(&'static str, &'static str)]) -> Disk {
    Disk { links: links.to_vec(), asked: RefCell::default() }
}

fn list(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn reason(rules: &Rules, disk: &Disk, line: &str) -> Option<Reason> {
    match rules.check(Argv::parse(line).unwrap(), disk) {
        Ok(_) => None,
        Err(Denied::Refused(refusal)) => Some(refusal.reason()),
        Err(Denied::NotFound(missing)) => panic!("{missing}"),
    }
}

#[test]
fn carries_the_words_and_the_program() {
    let rules = Rules::new(Some(list(&["git"])), Vec::new()).unwrap();
    let checked = rules.check(Argv::parse("git 'a b'").unwrap(), &disk(&[("git", "git-2")])).unwrap();
    assert_eq!(checked.argv(), ["git", "a b"]);
    assert_eq!(checked.program(), &Found("git-2".to_owned()));
    assert_eq!(checked.into_parts(), (list(&["git", "a b"]), Found("git-2".to_owned())));
}

#[test]
fn nothing_is_looked_up_for_a_refused_line() {
    let disk = disk(&[("rm", "rm")]);
    assert_eq!(
        reason(&Rules::new(None, list(&["rm"])).unwrap(), &disk, "rm x"),
        Some(Reason::DeniedExecutable)
    );
    assert!(disk.asked.borrow().is_empty());
}

#[test]
fn deny_looks_at_what_the_name_resolves_to_also_behind_a_wrapper() {
    let disk = disk(&[("del", "rm"), ("env", "env"), ("./x", "RM"), ("ok", "ok")]);
    let rules = Rules::new(None, list(&["rm"])).unwrap();
    for line in ["del x", "./x y", "env del x"] {
        assert_eq!(reason(&rules, &disk, line), Some(Reason::DeniedExecutable), "{line}");
    }
    assert_eq!(reason(&rules, &disk, "env ok x"), None);
    assert_eq!(reason(&Rules::new(None, Vec::new()).unwrap(), &disk, "del x"), None);
}

#[test]
fn a_link_to_a_runner_or_wrapper_is_no_way_around() {
    let disk = disk(&[("x", "bash"), ("y", "env"), ("ls", "busybox"), ("sh", "dash"), ("env", "coreutils")]);
    let deny = Rules::new(None, list(&["rm"])).unwrap();
    assert_eq!(reason(&deny, &disk, "x -c y"), Some(Reason::NestedCommand));
    assert_eq!(reason(&deny, &disk, "y rm"), Some(Reason::NestedCommand));
    assert_eq!(reason(&deny, &disk, "ls -l"), None, "an applet is judged by its own name");
    assert_eq!(reason(&deny, &disk, "env ls"), None);
    let allow = Rules::new(Some(list(&["sh", "x", "y"])), list(&["rm"])).unwrap();
    assert_eq!(reason(&allow, &disk, "sh -c y"), None);
    assert_eq!(reason(&allow, &disk, "x -c y"), None, "the allow list names it");
    assert_eq!(reason(&allow, &disk, "y rm"), Some(Reason::NestedCommand));
}

#[test]
fn a_program_that_is_not_there_is_its_own_answer() {
    let rules = Rules::new(None, Vec::new()).unwrap();
    let denied = rules.check(Argv::parse("env gone").unwrap(), &disk(&[("env", "env")])).unwrap_err();
    assert_eq!(denied.to_string(), "There is no `gone`.");
    assert!(matches!(denied, Denied::NotFound(missing) if missing.kind() == NotLocatedKind::NotFound));
}

#[test]
fn rules_that_could_not_mean_what_they_say_are_errors() {
    let bad = |allow: &[&str], deny: &[&str]| Rules::new(Some(list(allow)), list(deny)).unwrap_err();
    assert_eq!(bad(&["git", ""], &[]), BadRule::Empty { list: "allow" });
    assert_eq!(bad(&[], &[""]), BadRule::Empty { list: "deny" });
    assert!(matches!(bad(&["git push"], &[]), BadRule::Blank { list: "allow", .. }));
    assert!(matches!(bad(&[], &["git push"]), BadRule::Blank { list: "deny", .. }));
    assert_eq!(
        bad(&[], &["/bin/rm"]).to_string(),
        "`deny` names programs by their last component: write `rm` instead of `/bin/rm`."
    );
}

#[test]
fn a_link_to_a_program_of_the_argument_table_is_no_way_around() {
    let disk = disk(&[("x", "git"), ("awk", "mawk"), ("git", "git"), ("sort", "sort")]);
    let rules = Rules::new(None, list(&["rm"])).unwrap();
    assert_eq!(reason(&rules, &disk, "x -c core.pager=curl log"), Some(Reason::NestedCommand));
    assert_eq!(reason(&rules, &disk, "x log"), None);
    assert_eq!(reason(&rules, &disk, "awk '{print}'"), None);
    let off = rules.with_argument_table(false);
    assert_eq!(reason(&off, &disk, "x -c core.pager=curl log"), None);
}

#[test]
fn a_command_in_an_option_is_looked_up_but_may_be_missing() {
    let disk = disk(&[("git", "git"), ("del", "rm")]);
    let rules = Rules::new(None, list(&["rm"])).unwrap();
    assert_eq!(reason(&rules, &disk, "git -c core.editor=vim log"), None);
    assert_eq!(reason(&rules, &disk, "git -c core.editor=del log"), Some(Reason::DeniedExecutable));
}

#[test]
fn a_host_that_panics_refuses() {
    let rules = Rules::new(None, Vec::new()).unwrap();
    let rules = rules.with_allow_command(AllowCommand::new(|argv, _| match argv[0].as_str() {
        "git" => panic!("the host is broken"),
        "npm" => Answer::Refuse(" ask\u{1b} first. ".into()),
        "env" => Answer::Refuse(String::new()),
        _ => Answer::Allow,
    }));
    let said = |line: &str| rules.judge(&Argv::parse(line).unwrap()).unwrap_err().to_string();
    assert!(said("git x").contains("The check of the host failed"));
    assert!(said("npm x").starts_with("`npm x` is refused: ask  first. "), "{}", said("npm x"));
    assert!(said("env").contains("refused by whoever runs this workspace"));
    assert!(rules.judge(&Argv::parse("ls").unwrap()).is_ok());
}

#[test]
fn examples_are_tried_when_the_rules_are_made() {
    let pattern = || DenyPattern::prefix("git push --force").unwrap();
    assert!(
        pattern()
            .with_examples(list(&["time git push --force x"]), list(&["git push origin --force", "ls"]))
            .is_ok()
    );
    let wrong = pattern().with_examples(list(&["git push"]), Vec::new()).unwrap_err();
    assert!(
        wrong.to_string().contains("`git push` of `git push --force` is wrong: it stands under `matches`")
    );
    let wrong = pattern().with_examples(Vec::new(), list(&["git push --force"])).unwrap_err();
    assert!(wrong.to_string().contains("stands under `misses`"), "{wrong}");
    let wrong = pattern().with_examples(list(&["a; b"]), Vec::new()).unwrap_err();
    assert!(wrong.to_string().contains("`;` is not supported"), "{wrong}");
    let entry = |matches: &[&str], misses: &[&str]| AllowEntry {
        name: "git".into(),
        matches: list(matches),
        misses: list(misses),
    };
    assert_eq!(entry(&["./git x"], &["gitk", "GIT"]).validate(), Ok(()));
    assert!(matches!(entry(&["gitk"], &[]).validate(), Err(BadRule::Example { .. })));
    assert!(matches!(entry(&[], &["git"]).validate(), Err(BadRule::Example { .. })));
    assert!(AllowEntry::from("git push").validate().is_err());
}

#[test]
fn patterns_that_cannot_be_kept_are_errors() {
    for bad in ["(", "a(?=b)", "(a)\\1", "(a{1000}){1000}"] {
        let error = DenyPattern::regex(bad).unwrap_err();
        assert!(matches!(error, BadRule::Pattern { .. }), "{error}");
        assert!(!error.to_string().contains('\n'), "{error}");
    }
    for bad in ["", "git push > x", "git 'a"] {
        assert!(DenyPattern::prefix(bad).is_err(), "{bad}");
    }
}

#[test]
fn patterns_and_entries_are_read_as_they_are_written() {
    let same =
        [r#""git push""#, r#"{"regex":"^git"}"#, r#"{"prefix":"git","matches":["git x"],"misses":["ls"]}"#];
    for text in same {
        let pattern: DenyPattern = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&pattern).unwrap(), text.replace(",\"misses\":[]", ""));
    }
    let bad = [
        (r#"{"regex":"a","prefix":"b"}"#, "either `prefix` or `regex`"),
        (r#"{"regexp":"a"}"#, "unknown field `regexp`"),
        (r#"{"regex":"("}"#, "cannot be used"),
        ("7", "a string, or a table"),
    ];
    for (text, says) in bad {
        let error = serde_json::from_str::<DenyPattern>(text).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    for text in [r#""git""#, r#"{"name":"git","matches":["git x"],"misses":[]}"#] {
        let entry: AllowEntry = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&entry).unwrap(), text);
    }
    assert!(serde_json::from_str::<AllowEntry>(r#"{"name":"git","matches":["ls"]}"#).is_err());
}
