//! Where fuzzing begins: every line of the corpora and of our own tables.

use serde_json::Value;

const TABLES: &[&str] = &[
    include_str!("../../../../tests/corpora/shell_argv.jsonl"),
    include_str!("../../../../tests/corpora/shell_sh.jsonl"),
    include_str!("../cases/argv.jsonl"),
    include_str!("../cases/uses.jsonl"),
    include_str!("../cases/arguments.jsonl"),
];

/// Lines without a policy.
const LINES: &str = include_str!("../../../../tests/corpora/lines.json");

/// Every line once, in order.
pub(crate) fn lines() -> Vec<String> {
    let rows = TABLES.iter().flat_map(|table| table.lines());
    let mut rows: Vec<Value> = rows.map(|row| serde_json::from_str(row).unwrap()).collect();
    rows.extend(serde_json::from_str::<Vec<Value>>(LINES).unwrap());
    let mut lines: Vec<String> =
        rows.iter().filter_map(|row| Some(row["line"].as_str()?.to_owned())).collect();
    lines.sort();
    lines.dedup();
    lines
}
