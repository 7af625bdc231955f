//! What must hold of the verdict on any line under any rules: the body of the fuzz target, and of its smoke run.

use pinfold_shell::{
    AllowCommand, Answer, Argv, Denied, DenyPattern, Locate, NotLocated, NotLocatedKind, Program, Rules,
    Verdict,
};

use crate::shared::{check_refusal, quoted};

/// Programs of the shorter allow list; of the longer one too.
const SHORT: &[&str] = &["git", "echo", "ls", "nice"];
/// What the longer one has besides: every kind of program that runs another.
const LONG: &[&str] = &[
    "env",
    "time",
    "timeout",
    "nohup",
    "find",
    "sed",
    "awk",
    "tar",
    "sort",
    "split",
    "rg",
    "ssh",
    "rsync",
    "zip",
    "fd",
    "man",
    "sh",
    "xargs",
    "cat",
    "./gradlew",
    "tools/x",
];

/// One bit of the first byte for each kind of rule, so that every mixture is tried.
#[derive(Clone, Copy)]
struct Mixture(u8);

impl Mixture {
    fn has(self, bit: u8) -> bool {
        self.0 & (1 << bit) != 0
    }

    fn allow(self) -> Option<Vec<String>> {
        let more = if self.has(1) { LONG } else { &[] };
        let names = SHORT.iter().chain(more).map(|name| (*name).to_owned());
        self.has(0).then(|| names.collect())
    }

    fn deny(self) -> Vec<String> {
        let names: &[&str] = if self.has(2) { &["rm", "curl"] } else { &[] };
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    /// The rules, with this allow list and these more names denied.
    fn rules(self, allow: Option<Vec<String>>, denied: &[String]) -> Rules {
        let mut rules = Rules::new(allow, [&self.deny(), denied].concat()).unwrap();
        if self.has(3) {
            rules = rules.with_patterns(patterns());
        }
        if self.has(4) {
            rules = rules.with_allow_command(host());
        }
        if self.has(5) {
            rules = rules.strict(vec!["/srv".into()]);
        }
        if self.has(6) {
            rules = rules.away_from_root();
        }
        rules.with_argument_table(!self.has(7))
    }
}

fn patterns() -> Vec<DenyPattern> {
    vec![DenyPattern::prefix("git push --force").unwrap(), DenyPattern::regex("^git reset .*--hard").unwrap()]
}

fn host() -> AllowCommand {
    AllowCommand::new(|argv, _| match argv {
        [git, clean, ..] if git == "git" && clean == "clean" => {
            Answer::Refuse("Nothing is cleaned here.".into())
        }
        _ => Answer::Allow,
    })
}

/// Reads the first byte of `data` as the mixture of rules, the rest as a line, and asserts every law.
pub(crate) fn checker(data: &[u8]) {
    let (mixture, line) =
        data.split_first().map_or((Mixture(0), data), |(first, rest)| (Mixture(*first), rest));
    let line = String::from_utf8_lossy(line);
    let rules = mixture.rules(mixture.allow(), &[]);
    let verdict = rules.verdict(&line);
    assert_eq!(rules.verdict(&line), verdict, "twice the same line, {line:?}");
    let Ok(argv) = Argv::parse(&line) else {
        assert!(!verdict.allowed && verdict.commands.is_empty(), "{line:?}");
        return;
    };
    check_judge(&rules, &line, &argv, &verdict);
    check_quoting(&rules, &argv, &verdict);
    if verdict.allowed {
        check_allowed(mixture, &verdict);
        check_look_up(&rules, &line);
    } else {
        check_stricter(mixture, &line, &verdict);
        check_wrapped(mixture, &line);
    }
}

/// The two ways to ask agree, and the verdict says what it is about.
fn check_judge(rules: &Rules, line: &str, argv: &Argv, verdict: &Verdict) {
    let judged = rules.judge(argv);
    assert_eq!(judged.is_ok(), verdict.allowed, "{line:?}");
    let words = verdict.argv.iter().flat_map(|words| words.iter().flatten());
    assert!(words.eq(argv.words()));
    assert!((1..=1_001).contains(&verdict.commands.len()), "{} commands in {line:?}", verdict.commands.len());
    assert!(
        !verdict.commands[0].nested && verdict.commands[1..].iter().all(|command| command.nested),
        "{line:?}"
    );
    if let Err(refusal) = judged {
        check_refusal(line, &refusal);
        assert_eq!(Some(refusal.reason()), verdict.reason);
    }
}

/// How a word was quoted decides nothing.
fn check_quoting(rules: &Rules, argv: &Argv, verdict: &Verdict) {
    let again = rules.verdict(&quoted(argv.words()));
    if again.argv.is_some() {
        assert_eq!(
            Verdict { span: None, ..again },
            Verdict { span: None, ..verdict.clone() },
            "{:?}",
            argv.words()
        );
    }
}

/// Every command of an allowed line keeps every rule by itself.
fn check_allowed(mixture: Mixture, verdict: &Verdict) {
    for command in &verdict.commands {
        let words: Vec<String> = command.argv.iter().flatten().cloned().collect();
        let name = words[0].rsplit('/').next().unwrap();
        let listed = |allow: Vec<String>| allow.iter().any(|entry| *entry == words[0] || *entry == name);
        assert!(mixture.allow().is_none_or(listed), "{words:?} is not on the list");
        assert!(!mixture.deny().contains(&name.to_lowercase()), "{words:?} is denied");
        assert!(!(mixture.has(3) && patterns().iter().any(|pattern| pattern.matches(&words))), "{words:?}");
        assert!(!(mixture.has(4) && words.starts_with(&["git".to_owned(), "clean".to_owned()])), "{words:?}");
    }
}

/// A program of every name.
struct Everything(Option<&'static str>);

struct Found(String);

impl Program for Found {
    fn resolved_name(&self) -> Option<&str> {
        Some(&self.0)
    }
}

impl Locate for Everything {
    type Program = Found;

    fn locate(&self, name: &str) -> Result<Found, NotLocated> {
        let name = name.rsplit('/').next().unwrap_or_default();
        self.0
            .map(|resolved| Found(if resolved.is_empty() { name.to_owned() } else { resolved.to_owned() }))
            .ok_or_else(|| NotLocated::new(NotLocatedKind::NotFound, format!("There is no `{name}`.")))
    }
}

/// What the look-up finds can only narrow the yes of the words: a link to a denied program is denied, and where nothing
/// is found nothing runs.
fn check_look_up(rules: &Rules, line: &str) {
    let check = |disk: Everything| rules.check(Argv::parse(line).unwrap(), &disk);
    assert!(check(Everything(None)).is_err(), "{line:?}");
    match check(Everything(Some(""))) {
        Err(Denied::Refused(refusal)) => check_refusal(line, &refusal),
        Err(Denied::NotFound(missing)) => panic!("{missing} in {line:?}"),
        Ok(checked) => assert_eq!(checked.argv(), Argv::parse(line).unwrap().words()),
    }
    if rules.deny().iter().any(|entry| entry == "rm") {
        assert!(matches!(check(Everything(Some("rm"))), Err(Denied::Refused(_))), "{line:?}");
    }
}

/// No rule that narrows turns the no into a yes.
fn check_stricter(mixture: Mixture, line: &str, verdict: &Verdict) {
    let mut names: Vec<String> =
        verdict.commands.iter().filter_map(|command| command.argv[0].clone()).collect();
    names.truncate(3);
    names.push("git".to_owned());
    for name in names {
        let name = name.rsplit('/').next().unwrap_or_default().to_owned();
        if let Ok(denied) = Rules::new(None, vec![name]) {
            refused(&mixture.rules(mixture.allow(), denied.deny()), line, "one more is denied");
        }
    }
    let fewer = mixture.allow().map(|allow| allow.into_iter().step_by(2).collect());
    refused(&mixture.rules(fewer, &[]), line, "fewer are allowed");
    for bit in 2..=6 {
        let stricter = Mixture(mixture.0 | 1 << bit);
        refused(&stricter.rules(mixture.allow(), &[]), line, "one more kind of rule");
    }
    let reading = Mixture(mixture.0 & !(1 << 7));
    refused(&reading.rules(mixture.allow(), &[]), line, "the argument table is on");
}

/// A program that runs another is no way around a refusal. `nice` stands on both allow lists.
fn check_wrapped(mixture: Mixture, line: &str) {
    refused(&mixture.rules(mixture.allow(), &[]), &format!("nice -n 1 -- {line}"), "behind a wrapper");
}

fn refused(rules: &Rules, line: &str, why: &str) {
    assert!(!rules.verdict(line).allowed, "{why}, and {line:?} is allowed");
}
