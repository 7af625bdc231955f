//! Lines that others and we have written: what mutation begins with.

use serde_json::Value;

use super::fixture::{JAIL, OUTSIDE};
use crate::Result;

const TABLES: &[&str] = &[
    include_str!("../../../../tests/corpora/shell_sh.jsonl"),
    include_str!("../../../pinfold-shell/tests/cases/argv.jsonl"),
    include_str!("../../../pinfold-shell/tests/cases/arguments.jsonl"),
    FOUND,
];

const LINES: &str = include_str!("../../../../tests/corpora/lines.json");

/// What earlier runs found: tried first in every run.
const FOUND: &str = include_str!("../../cases/found.jsonl");

/// Every line of the corpora.
pub(super) fn all() -> Result<Vec<String>> {
    let mut rows: Vec<Value> = serde_json::from_str(LINES)?;
    for row in TABLES.iter().flat_map(|table| table.lines()) {
        rows.push(serde_json::from_str(row)?);
    }
    let mut lines: Vec<String> = rows.iter().filter_map(line).collect();
    lines.sort();
    lines.dedup();
    Ok(lines)
}

/// The lines that broke a law once.
pub(super) fn found() -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for row in FOUND.lines() {
        lines.extend(line(&serde_json::from_str(row)?));
    }
    Ok(lines)
}

fn line(row: &Value) -> Option<String> {
    let text =
        row["line"].as_str()?.replace("@JAIL@", JAIL).replace("@OUT@", OUTSIDE).replace("@NAME@", "app");
    (text.len() < 2_000).then_some(text)
}
