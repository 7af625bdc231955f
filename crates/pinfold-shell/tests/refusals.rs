//! What refusals say, word for word (`cases/refusals.jsonl`), and that what they tell to run instead may be run.
//!
//! Each row: `line` and `policy` as in the other tables; then, as it was seen to be good, `reason`, `message`, `hint`, and
//! `instead`: the commands that message and hint propose. A change that is meant: `PINFOLD_BLESS=1 cargo test -p
//! pinfold-shell --test refusals` writes the rows anew; read the diff.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail at once")]
#![allow(clippy::disallowed_methods, reason = "the test reads and writes its snapshot")]

#[path = "support/policy.rs"]
mod policy;

use std::{collections::BTreeSet, env, fs, path::PathBuf};

use pinfold_shell::{Argv, Refusal};
use policy::rules;
use serde_json::{Value, json};

/// What stands before a command that shall be run instead.
const PROPOSES: &[&str] = &["run ", "Run ", "then ", "Allowed are: "];

fn refused(row: &Value) -> Refusal {
    let argv = Argv::parse(row["line"].as_str().unwrap());
    let judged = argv.and_then(|argv| rules(&row["policy"]).judge(&argv));
    judged.err().unwrap_or_else(|| panic!("allowed: {row}"))
}

/// The commands that a text proposes: what stands between backticks behind one of [`PROPOSES`], and in the same list.
fn instead(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split('`').collect();
    let mut proposed = Vec::new();
    let mut in_list = false;
    for pair in parts.chunks(2) {
        let [before, quoted] = pair else { continue };
        in_list = PROPOSES.iter().any(|word| before.ends_with(word))
            || in_list && matches!(*before, ", " | " and " | " or ");
        if in_list {
            proposed.push((*quoted).to_owned());
        }
    }
    proposed
}

fn row(asked: &Value) -> Value {
    let refusal = refused(asked);
    let said = refusal.to_string();
    json!({
        "line": asked["line"], "policy": asked["policy"], "reason": refusal.reason(),
        "message": refusal.message(), "hint": refusal.hint(), "instead": instead(&said),
    })
}

fn table() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases/refusals.jsonl")
}

fn rows() -> Vec<Value> {
    let text = fs::read_to_string(table()).unwrap();
    text.lines().map(|row| serde_json::from_str(row).unwrap()).collect()
}

#[test]
fn refusals_say_what_they_said() {
    let rows = rows();
    let now: Vec<Value> = rows.iter().map(row).collect();
    if env::var_os("PINFOLD_BLESS").is_some() {
        let lines: String = now.iter().map(|row| format!("{row}\n")).collect();
        fs::write(table(), lines).unwrap();
        return;
    }
    let reasons: BTreeSet<&str> = rows.iter().filter_map(|row| row["reason"].as_str()).collect();
    let proposing = rows.iter().filter(|row| row["instead"] != json!([])).count();
    // A redirection or `cd` that leaves the workspace is a matter of lines that a shell reads.
    assert_eq!((reasons.len(), reasons.contains("path-escape")), (7, false), "{reasons:?}");
    assert!(
        rows.len() >= 90 && proposing >= 60,
        "{} rows, of which {proposing} propose something",
        rows.len()
    );
    for (then, now) in rows.iter().zip(&now) {
        assert_eq!(then, now);
    }
}

#[test]
fn what_is_proposed_is_allowed() {
    for row in rows() {
        for line in row["instead"].as_array().unwrap() {
            let verdict = rules(&row["policy"]).verdict(line.as_str().unwrap());
            assert!(verdict.allowed, "{line} is refused too, but proposed for\n{row}");
        }
    }
}
