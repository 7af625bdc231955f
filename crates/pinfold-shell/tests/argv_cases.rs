//! The case tables `cases/argv.jsonl` (reading, names, wrappers), `cases/uses.jsonl` (patterns, the host's say, strict
//! names) and `cases/arguments.jsonl` (options that hold a command): one line, its policy, and the verdict.
//!
//! Fields: `line`; `policy` (`allow`, `deny`, `denyPatterns`, `refusePrefix`, `argumentTable`, `strict`, `away`,
//! `noShell`; absent: an allow list that holds the first word of every good row); `expect` (`allow` or `refuse`); `argv`,
//! `reason`, `executable`, `rule`; `nested`: the words of the inner commands; `says`: pieces of message and hint.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail at once")]

#[path = "support/policy.rs"]
mod policy;

use pinfold_shell::{Argv, Refusal};
use policy::{rules, strings};
use serde_json::Value;

fn verdict(row: &Value) -> Result<Vec<String>, Refusal> {
    let argv = Argv::parse(row["line"].as_str().unwrap())?;
    rules(&row["policy"]).judge(&argv)?;
    Ok(argv.words().to_vec())
}

/// The pure verdict has to say the same.
fn disagreement(row: &Value) -> Option<String> {
    let verdict = rules(&row["policy"]).verdict(row["line"].as_str().unwrap());
    let allowed = self::verdict(row).map_err(|refusal| refusal.reason());
    if (verdict.allowed, verdict.reason) != (allowed.is_ok(), allowed.err()) {
        return Some(format!("the verdict differs: {verdict:?}"));
    }
    let nested = verdict.commands.iter().filter(|command| command.nested);
    let nested: Vec<Vec<String>> =
        nested.map(|command| command.argv.iter().flatten().cloned().collect()).collect();
    let wanted: Vec<Vec<String>> = row["nested"].as_array()?.iter().filter_map(strings).collect();
    (nested != wanted).then(|| format!("nested {nested:?}"))
}

/// What is wrong with the answer to `row`.
fn complaint(row: &Value) -> Option<String> {
    match (verdict(row), row["expect"].as_str().unwrap()) {
        (Ok(words), "allow") => {
            let wanted = strings(&row["argv"]).unwrap_or_else(|| words.clone());
            (wanted != words).then(|| format!("words {words:?}"))
        }
        (Err(refusal), "refuse") => wrong_words(row, &refusal),
        (Ok(_), _) => Some("allowed".to_owned()),
        (Err(refusal), _) => Some(format!("refused, {}: {refusal}", refusal.reason())),
    }
}

fn wrong_words(row: &Value, refusal: &Refusal) -> Option<String> {
    let reasons = strings(&row["reason"]).unwrap_or_else(|| vec![row["reason"].as_str().unwrap().to_owned()]);
    if !reasons.iter().any(|reason| reason == refusal.reason().as_str()) {
        return Some(format!("reason {}: {refusal}", refusal.reason()));
    }
    if row["rule"].is_string() && row["rule"].as_str() != refusal.rule() {
        return Some(format!("rule {:?}", refusal.rule()));
    }
    if row["executable"].is_string() && row["executable"].as_str() != refusal.executable() {
        return Some(format!("executable {:?}", refusal.executable()));
    }
    let line = row["line"].as_str().unwrap();
    if refusal.span().is_some_and(|span| line.get(span.clone()).is_none_or(str::is_empty)) {
        return Some(format!("span {:?}", refusal.span()));
    }
    let said = refusal.to_string();
    let missing =
        strings(&row["says"]).unwrap_or_default().into_iter().find(|piece| !said.contains(piece.as_str()));
    missing.map(|piece| format!("does not say {piece:?}: {said}"))
}

fn rows() -> impl Iterator<Item = Value> {
    let tables = [
        include_str!("cases/argv.jsonl"),
        include_str!("cases/uses.jsonl"),
        include_str!("cases/arguments.jsonl"),
    ];
    tables.into_iter().flat_map(str::lines).map(|row| serde_json::from_str::<Value>(row).unwrap())
}

#[test]
fn every_row_of_the_tables_holds() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for row in rows() {
        count += 1;
        let why = complaint(&row).or_else(|| disagreement(&row));
        wrong.extend(why.map(|why| format!("{row}\n    {why}")));
    }
    assert!(count > 450, "only {count} rows were read");
    assert!(wrong.is_empty(), "{} of {count} rows:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_refusal_has_a_hint_or_names_what_to_do() {
    for row in rows() {
        if let Err(refusal) = verdict(&row) {
            assert!(refusal.message().ends_with(['.', 'e']), "{refusal}");
            assert!(refusal.hint().is_some_and(|hint| hint.ends_with('.')), "{refusal}");
            assert!(!refusal.to_string().chars().any(char::is_control), "{refusal:?}");
        }
    }
}
