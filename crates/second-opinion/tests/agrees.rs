//! Every command that another parser sees in a line which sh mode allows stands in the verdict.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test panics when it fails, and tells what it counted"
)]

use pinfold_shell::{Found, Ground, Outside, Purpose, Rules};
use serde_json::Value;

/// A ground on which everything is inside: only the commands matter here.
struct Everywhere;

impl Ground for Everywhere {
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

/// The lines of the corpora, of attacks and of every day.
fn lines() -> Vec<String> {
    let rows = include_str!("../../../tests/corpora/shell_sh.jsonl").lines();
    let rows = rows.map(|row| serde_json::from_str::<Value>(row).unwrap());
    let pieces: Vec<Value> = serde_json::from_str(include_str!("../../../tests/corpora/lines.json")).unwrap();
    rows.chain(pieces).map(|row| row["line"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn no_command_is_seen_that_the_verdict_does_not_list() {
    let rules = Rules::new(None, Vec::new()).unwrap();
    let (mut allowed, mut answered, mut commands) = (0, 0, 0);
    for line in lines() {
        let verdict = rules.line_verdict(&line, &Everywhere);
        if !verdict.allowed {
            continue;
        }
        allowed += 1;
        let Some(names) = second_opinion::names(&line) else { continue };
        answered += 1;
        commands += names.len();
        for name in names {
            let mut listed = verdict.commands.iter().filter_map(|command| command.argv.first()?.as_deref());
            assert!(listed.any(|first| first == name), "{line:?}: {name} is not listed");
        }
    }
    println!("{allowed} allowed lines, {answered} read by the other parser too, with {commands} commands");
    assert!(answered > 200 && commands > answered, "too few to say anything: {answered}, {commands}");
}
