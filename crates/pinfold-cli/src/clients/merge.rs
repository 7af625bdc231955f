//! Putting a server into settings that are there, so that everything else stays as it is: comments, order, indents.

use std::str::FromStr;

use jsonc_parser::{
    ParseOptions,
    cst::{CstInputValue, CstObject, CstRootNode},
};
use pinfold::{Failure, FailureType};
use serde_json::Value;
use toml_edit::{DocumentMut, Item, Table, TableLike};

use super::{Entry, Language};

/// Settings with the server in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Merged {
    pub(crate) text: String,
    /// It is another text than before.
    pub(crate) changed: bool,
}

/// Puts `entry` into `text`. Of a server of that name that is there, only the fields of the entry are set.
///
/// # Errors
/// `bad-arguments` when the settings cannot be read, or hold something else where the servers should be.
pub(crate) fn merge(language: Language, text: &str, entry: &Entry) -> Result<Merged, Failure> {
    let (mark, body) = match text.strip_prefix('\u{feff}') {
        Some(body) => ("\u{feff}", body),
        None => ("", text),
    };
    let merged = match language {
        Language::Json => in_json(body, entry)?,
        Language::Toml => in_toml(body, entry)?,
    };
    let whole = format!("{mark}{}", with_endings_of(text, merged));
    only_the_entry(language, text, &whole, entry)?;
    Ok(Merged { changed: whole != text, text: whole })
}

/// Comments and trailing commas are what settings have; anything looser is a mistake that must not be built upon.
fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        ..ParseOptions::default()
    }
}

fn in_json(text: &str, entry: &Entry) -> Result<String, Failure> {
    let blank = text.trim().is_empty();
    let text = if blank { "{}\n" } else { text };
    let root = CstRootNode::parse(text, &options()).map_err(|error| unreadable(&error.to_string()))?;
    let all = root.object_value().ok_or_else(|| unreadable("they are no object"))?;
    let servers = object(&all, entry.section)?;
    let server = object(&servers, &entry.name)?;
    for (name, value) in &entry.fields {
        match server.get(name) {
            None => drop(server.append(name, input(value))),
            Some(field) if field.value().and_then(|own| own.to_serde_value()).as_ref() == Some(value) => {}
            Some(field) => field.set_value(input(value)),
        }
    }
    Ok(root.to_string())
}

fn object(parent: &CstObject, name: &str) -> Result<CstObject, Failure> {
    parent.object_value_or_create(name).ok_or_else(|| unreadable(&format!("`{name}` is no object")))
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(yes) => CstInputValue::Bool(*yes),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(entries) => CstInputValue::Array(entries.iter().map(input).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}

fn in_toml(text: &str, entry: &Entry) -> Result<String, Failure> {
    let mut document = DocumentMut::from_str(text).map_err(|error| unreadable(error.message()))?;
    let all = document.as_table_mut();
    let servers = table(all, entry.section, true)?;
    let server = table(servers, &entry.name, false)?;
    for (name, value) in &entry.fields {
        let value = toml_value(value).ok_or_else(|| unreadable("a value has no form in TOML"))?;
        match server.get_mut(name).and_then(Item::as_value_mut) {
            Some(before) if plain(before) == plain(&value) => {}
            Some(before) => {
                let decor = before.decor().clone();
                *before = value;
                *before.decor_mut() = decor;
            }
            None => drop(server.insert(name, Item::Value(value))),
        }
    }
    Ok(document.to_string())
}

/// A table that only holds tables needs no header of its own.
fn table<'a>(
    parent: &'a mut dyn TableLike,
    name: &str,
    implicit: bool,
) -> Result<&'a mut dyn TableLike, Failure> {
    if parent.get(name).is_none() {
        let mut table = Table::new();
        table.set_implicit(implicit);
        parent.insert(name, Item::Table(table));
    }
    let found = parent.get_mut(name).and_then(Item::as_table_like_mut);
    found.ok_or_else(|| unreadable(&format!("`{name}` is no table")))
}

fn toml_value(value: &Value) -> Option<toml_edit::Value> {
    Some(match value {
        Value::Bool(yes) => (*yes).into(),
        Value::String(text) => text.as_str().into(),
        Value::Number(number) => number.as_i64()?.into(),
        Value::Array(entries) => {
            toml_edit::Value::Array(entries.iter().map(toml_value).collect::<Option<toml_edit::Array>>()?)
        }
        Value::Null | Value::Object(_) => return None,
    })
}

/// Without blanks and comments around.
fn plain(value: &toml_edit::Value) -> String {
    let mut value = value.clone();
    if let Some(array) = value.as_array_mut() {
        array.fmt();
    }
    value.decor_mut().clear();
    value.to_string()
}

/// With the line endings that the text had.
fn with_endings_of(before: &str, after: String) -> String {
    let (lines, carried) = (before.matches('\n').count(), before.matches("\r\n").count());
    if lines == 0 || carried < lines { after } else { after.replace("\r\n", "\n").replace('\n', "\r\n") }
}

/// The last look: whatever the libraries did, nothing but this server may be another.
fn only_the_entry(language: Language, before: &str, after: &str, entry: &Entry) -> Result<(), Failure> {
    let without = |text: &str| {
        let mut all = value(language, text)?;
        let servers = all.get_mut(entry.section).and_then(Value::as_object_mut);
        let empty = servers.is_some_and(|servers| {
            servers.shift_remove(&entry.name);
            servers.is_empty()
        });
        if let Some(all) = all.as_object_mut().filter(|_| empty) {
            all.shift_remove(entry.section);
        }
        Some(all)
    };
    if without(before).is_some_and(|before| Some(before) == without(after)) {
        return Ok(());
    }
    Err(unreadable("putting the server in would change something else"))
}

fn value(language: Language, text: &str) -> Option<Value> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match language {
        _ if text.trim().is_empty() => Some(Value::Object(Default::default())),
        Language::Json => jsonc_parser::parse_to_serde_value(text, &options()).ok(),
        Language::Toml => toml::from_str(text).ok(),
    }
}

fn unreadable(why: &str) -> Failure {
    Failure::new(FailureType::BadArguments, format!("The settings cannot be changed: {why}."))
        .hint("Mend them, or put the output of `pinfold mcp-config` in by hand. Nothing was written.")
}
