//! The book: what it shows is what happens, and its tables are made from the code.
//!
//! A block of `console` holds commands after `$`, run in a small project of the page's own, and what they print: `…` stands
//! for any text, and alone for any lines. A block of `toml policy` is the page's policy from there on. `PINFOLD_BLESS=1`
//! writes the tables.

#![allow(clippy::disallowed_methods, reason = "a test starts programs and lays out files")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test panics when it fails")]

#[path = "support/command.rs"]
mod support;

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use support::{pinfold, said, settled};
use tempfile::TempDir;

/// Where the pages say that the project is.
const PROJECT: &str = "/srv/shop";

fn pages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src")
}

/// A project, and a home for whoever types.
fn project() -> TempDir {
    let dir = TempDir::new().unwrap();
    let shop = dir.path().join("shop");
    fs::create_dir_all(shop.join("src")).unwrap();
    fs::create_dir_all(shop.join(".git")).unwrap();
    fs::write(shop.join("Cargo.toml"), "[package]\nname = \"shop\"\nversion = \"0.1.0\"\n").unwrap();
    fs::write(shop.join("README.md"), "# Shop\n").unwrap();
    fs::write(shop.join("src/main.rs"), "fn main() {\n    // TODO: say more\n}\n").unwrap();
    fs::write(shop.join(".env"), "KEY=1\n").unwrap();
    dir
}

/// The blocks of a page: what stands behind the three backticks, and the lines.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(kind) = line.strip_prefix("```") {
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push((kind.to_owned(), body.join("\n") + "\n"));
        }
    }
    blocks
}

/// What a command prints in the project, with its place as the pages call it.
fn typed(dir: &Path, command: &str) -> String {
    let folder = Path::new(env!("CARGO_BIN_EXE_pinfold")).parent().unwrap();
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(dir.join("shop"))
        .env("PATH", format!("{}:/usr/local/bin:/usr/bin:/bin", folder.display()))
        .env("HOME", dir)
        .env_remove("XDG_CONFIG_HOME")
        .output()
        .unwrap();
    let real = fs::canonicalize(dir.join("shop")).unwrap();
    said(&output).replace(real.to_str().unwrap(), PROJECT)
}

/// Whether `found` is what `expected` says.
fn fits(expected: &[&str], found: &[&str]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((&"…", rest)) => (0..=found.len()).any(|skipped| fits(rest, &found[skipped..])),
        Some((line, rest)) => {
            found.split_first().is_some_and(|(first, more)| line_fits(line, first) && fits(rest, more))
        }
    }
}

fn line_fits(expected: &str, found: &str) -> bool {
    let Some((before, behind)) = expected.split_once('…') else { return expected == found };
    let Some(rest) = found.strip_prefix(before) else { return false };
    let starts = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
    starts.into_iter().any(|at| line_fits(behind, &rest[at..]))
}

fn run_console(dir: &Path, page: &str, block: &str) -> usize {
    let mut commands = 0;
    for part in format!("\n{block}").split("\n$ ").skip(1) {
        let (command, expected) = part.split_once('\n').unwrap_or((part, ""));
        let found = typed(dir, command);
        let expected: Vec<&str> = expected.lines().collect();
        let lines: Vec<&str> = found.lines().collect();
        assert!(fits(&expected, &lines), "{page}: `{command}` prints\n{found}");
        commands += 1;
    }
    commands
}

#[test]
fn every_example_of_the_book_runs() {
    let mut commands = 0;
    for page in fs::read_dir(pages()).unwrap() {
        let path = page.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let dir = project();
        for (kind, body) in blocks(&fs::read_to_string(&path).unwrap()) {
            match kind.as_str() {
                "console" => commands += run_console(dir.path(), &name, &body),
                "toml policy" => {
                    let root = dir.path().join("shop");
                    fs::write(dir.path().join("policy.toml"), body.replace(PROJECT, root.to_str().unwrap()))
                        .unwrap();
                    let checked = typed(dir.path(), "pinfold policy check ../policy.toml && echo sound");
                    assert!(checked.ends_with("sound\n"), "{name}: {checked}");
                }
                // What is built or installed, and results to look at.
                "sh" | "json" | "text" => {}
                kind => panic!("{name}: a block of `{kind}`: is it an example?"),
            }
        }
    }
    assert!(commands > 15, "only {commands} commands");
}

#[test]
fn the_reference_of_the_policy_is_made_from_its_types() {
    let schema: Value = serde_json::from_str(&said(&pinfold(&["policy", "schema"]))).unwrap();
    let mut text = "# Policy reference\n\nA policy is TOML or JSON. Fields are written in snake_case or camelCase; an unknown one is \
        an error with its line. `pinfold policy schema` prints this as a JSON Schema, for editors. This page is made from it.\n"
        .to_owned();
    section(&mut text, "", &schema);
    settled(&pages().join("policy.md"), &text);
}

/// The fields of a section by their names in TOML, then the sections inside it.
fn section(text: &mut String, name: &str, schema: &Value) {
    let fields = schema["properties"].as_object().unwrap();
    let snake = |name: &str| !name.contains(|c: char| c.is_ascii_uppercase());
    let own = fields.iter().filter(|(name, _)| snake(name));
    let (sections, plain): (Vec<_>, Vec<_>) = own.partition(|(_, field)| field["properties"].is_object());
    let tables = plain
        .iter()
        .filter_map(|(name, field)| Some((*name, ways(field).find(|way| way["properties"].is_object())?)));
    let tables: Vec<(&String, &Value)> = tables.collect();
    let title = if name.is_empty() { "The policy itself".to_owned() } else { format!("`[{name}]`") };
    write!(text, "\n## {title}\n\n").unwrap();
    if let Some(about) = schema["description"].as_str().filter(|_| !name.is_empty()) {
        write!(text, "{}\n\n", flat(about)).unwrap();
    }
    text.push_str("| field | type | what it does |\n|---|---|---|\n");
    for (field, about) in plain {
        let told = about["description"].as_str().map(flat).unwrap_or_default();
        writeln!(text, "| `{field}` | {} | {told} |", kind(about)).unwrap();
    }
    for (inner, about) in sections.into_iter().chain(tables) {
        let name = if name.is_empty() { inner.clone() } else { format!("{name}.{inner}") };
        section(text, &name, about);
    }
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// The forms that a field may have, if there are several.
fn ways(field: &Value) -> impl Iterator<Item = &Value> {
    ["anyOf", "oneOf"].into_iter().filter_map(|name| field[name].as_array()).flatten()
}

fn kind(field: &Value) -> String {
    let mut several: Vec<String> = ways(field).filter(|way| way["type"] != "null").map(kind).collect();
    several.dedup();
    if !several.is_empty() {
        return several.join(" or ");
    }
    if let Some(word) = field["const"].as_str() {
        return format!("`{word}`");
    }
    let one = |kind: &Value| match kind.as_str().unwrap_or_default() {
        "integer" => "number".to_owned(),
        "array" => "list".to_owned(),
        "object" => "table".to_owned(),
        "boolean" => "true or false".to_owned(),
        other => other.to_owned(),
    };
    if let Some(words) = field["enum"].as_array() {
        return words
            .iter()
            .filter_map(Value::as_str)
            .map(|word| format!("`{word}`"))
            .collect::<Vec<_>>()
            .join(", ");
    }
    match &field["type"] {
        Value::Array(kinds) => {
            kinds.iter().filter(|kind| *kind != "null").map(one).collect::<Vec<_>>().join(" or ")
        }
        Value::String(_) => one(&field["type"]),
        _ => String::new(),
    }
}

#[test]
fn the_table_of_limits_is_made_from_the_code() {
    let limits: Value = serde_json::from_str(&said(&pinfold(&["policy", "limits", "--json"]))).unwrap();
    let mut text = "# Limits\n\nEvery bound, what moves it, and what happens beyond it. `pinfold policy limits` prints the same.\n\n\
        | bound | value | moved by | beyond it |\n|---|---|---|---|\n"
        .to_owned();
    for limit in limits.as_array().unwrap() {
        let word = |name: &str| limit[name].as_str().unwrap_or_default();
        let value =
            limit["value"].as_u64().map_or("none".to_owned(), |value| format!("{value} {}", word("unit")));
        let moved = match word("moved_by") {
            "" => word("class").to_owned(),
            by => format!("{}: `{by}`", word("class")),
        };
        writeln!(text, "| {} | {value} | {moved} | {} |", word("id"), flat(word("beyond"))).unwrap();
    }
    settled(&pages().join("limits.md"), &text);
}
