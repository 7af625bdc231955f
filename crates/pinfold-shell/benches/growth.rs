//! How the time to judge a line grows with its length: the worst shapes at 1 KiB and at 64 KiB. Linear is 64 times.
//!
//! `cargo bench -p pinfold-shell --bench growth`

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used, reason = "a program for people")]

use std::time::Instant;

use pinfold_shell::{AllowCommand, Answer, DenyPattern, Found, Ground, Outside, Purpose, Rules};

/// The pieces of the worst lines: each is repeated behind a program.
const WORST: &[(&str, &str)] = &[
    ("find", "a;"),
    ("find", "&"),
    ("find", "'a' "),
    ("find", "\\a"),
    ("find", "$x "),
    ("find", "\n"),
    ("find", "-exec "),
    ("find", "-exec a "),
    ("find . -exec", "find -exec "),
    ("find", "-exec a ';' "),
    ("find", "-exec a {} + "),
    ("env", "env "),
    ("env", "a=b "),
    ("timeout", "1 nice "),
    ("git", "-c core.pager=x "),
    ("git", "-c core.editor='git -c core.pager=x' "),
    ("git log", "--x "),
    ("git submodule foreach", "a "),
    ("fd", "-x "),
    ("fd", "-x a ';' "),
    ("sed", "-e s/a/b/e "),
    ("sed", "e"),
    ("sed -e '", "s/[^/]*/e/;"),
    ("awk '", "a/b|| "),
    ("awk '", "||"),
    ("tar", "-I a "),
    ("tar", "fI"),
    ("zip", "-TT a "),
    ("ssh", "-o ProxyCommand=a "),
    ("sort", "--compress-program=a "),
];

/// The same for lines of sh mode.
const LINES: &[&str] = &[
    "(",
    "$(",
    "'",
    "\"",
    "'a' ",
    "\"$a\" ",
    "\\\n",
    "cat <<E\na\nE\n",
    "cat <<E\n$(a)\nE\n",
    "cd a;",
    "`a` ",
    "a|",
    "1",
    "${a:-",
    "cd a && ",
    "(cd a); ",
    "a > f; ",
    "a $(a) ",
];

fn main() {
    let rules = all_rules();
    let mut worst: f64 = 0.0;
    for (program, piece) in WORST {
        let (short, long) = (line(program, piece, 1_024), line(program, piece, 64 * 1_024));
        let (one, all) = (seconds(&rules, &short, 20), seconds(&rules, &long, 1));
        worst = worst.max(all / one);
        println!("{:9.1} µs {:9.1} µs {:6.1} ×  {program} {piece:?}", one * 1e6, all * 1e6, all / one);
    }
    for piece in LINES {
        let text = |length: usize| piece.repeat(length / piece.len());
        let read = |text: &str, times: u32| {
            let began = Instant::now();
            (0..times).for_each(|_| drop(std::hint::black_box(rules.line_verdict(text, &Letters))));
            began.elapsed().as_secs_f64() / f64::from(times)
        };
        let least = |text: &str, times| (0..5).map(|_| read(text, times)).fold(f64::INFINITY, f64::min);
        let (one, all) = (least(&text(1_024), 20), least(&text(64 * 1_024), 1));
        worst = worst.max(all / one);
        println!("{:9.1} µs {:9.1} µs {:6.1} ×  sh {piece:?}", one * 1e6, all * 1e6, all / one);
    }
    println!("the worst grows {worst:.1} × on a line 64 × as long");
}

/// A ground on which everything is inside.
struct Letters;

impl Ground for Letters {
    fn start(&self) -> String {
        "/w".to_owned()
    }

    fn judge(&self, path: &str, _purpose: Purpose) -> Result<String, Outside> {
        Ok(path.to_owned())
    }

    fn program(&self, _dir: &str, _name: &str) -> Option<Found> {
        None
    }
}

/// Every kind of rule at once.
fn all_rules() -> Rules {
    let regex = DenyPattern::regex("^git push .*--force").unwrap();
    Rules::new(None, vec!["rm".to_owned()])
        .unwrap()
        .with_patterns(vec![regex, DenyPattern::prefix("git reset").unwrap()])
        .with_allow_command(AllowCommand::new(|_, _| Answer::Allow))
        .strict(vec!["/srv".into()])
}

fn line(program: &str, piece: &str, length: usize) -> String {
    let line = format!("{program} {}", piece.repeat((length - program.len() - 2) / piece.len()));
    if program.ends_with('\'') { line + "'" } else { line }
}

/// The least of five runs, for one judgement.
fn seconds(rules: &Rules, line: &str, times: u32) -> f64 {
    let run = || {
        let began = Instant::now();
        (0..times).for_each(|_| drop(rules.verdict(line)));
        began.elapsed().as_secs_f64() / f64::from(times)
    };
    (0..5).map(|_| run()).fold(f64::INFINITY, f64::min)
}
