//! `pinfold policy show`: the policy that holds, and where each value comes from.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anstyle::{AnsiColor, Style};
use pinfold::{
    Failure, Policy,
    policy::{file::Format, own_file},
};
use serde_json::{Value, json};

use super::{Outcome, fail};
use crate::{
    arguments::{Place, ShowArguments},
    output,
    place::PolicyFile,
    places,
};

const NAME: Style = AnsiColor::Cyan.on_default().bold();
const QUIET: Style = Style::new().dimmed();

pub(super) fn run(arguments: &ShowArguments) -> Outcome {
    let rows = match rows(&arguments.place) {
        Ok(rows) => rows,
        Err(failure) => return fail(arguments.json, &failure),
    };
    if arguments.json {
        let shown = |row: &Row| json!({"field": row.field, "value": row.value, "from": row.origin});
        output::json(&rows.iter().map(shown).collect::<Vec<_>>())?;
    } else {
        output::coloured(|out| rows.iter().try_for_each(|row| write_row(out, row)))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A value, or one entry of a list.
struct Row {
    /// `denyPaths[3]`.
    field: String,
    value: Value,
    /// A file with a line, an option, `built in` or `default`.
    origin: String,
}

fn write_row(out: &mut dyn Write, Row { field, value, origin }: &Row) -> io::Result<()> {
    let shown = format!("{field} = {value}");
    writeln!(
        out,
        "{NAME}{field}{NAME:#} = {value}{:1$} {QUIET}{origin}{QUIET:#}",
        "",
        56_usize.saturating_sub(shown.len())
    )
}

fn rows(place: &Place) -> Result<Vec<Row>, Failure> {
    let operators = place.operators_policy()?;
    let holds = operators.clone().narrowed_by_workspace()?;
    let sources = Sources {
        place,
        file: place.policy_file()?,
        own: std::fs::read(holds.cwd.join(own_file::FILE_NAME))
            .ok()
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        operators: value(&operators),
    };
    let mut rows = Vec::new();
    sources.walk("", &value(&holds), &mut rows);
    Ok(rows)
}

fn value(policy: &Policy) -> Value {
    serde_json::to_value(policy).unwrap_or_default()
}

/// Where values may come from.
struct Sources<'a> {
    place: &'a Place,
    file: Option<PolicyFile>,
    own: Option<String>,
    /// The policy before the workspace's own file narrowed it.
    operators: Value,
}

impl Sources<'_> {
    fn walk(&self, field: &str, value: &Value, rows: &mut Vec<Row>) {
        let below = |name: &str| if field.is_empty() { name.to_owned() } else { format!("{field}.{name}") };
        match value {
            Value::Object(object) => {
                object.iter().for_each(|(name, value)| self.walk(&below(name), value, rows));
            }
            Value::Array(entries) if !entries.is_empty() => {
                for (at, entry) in entries.iter().enumerate() {
                    let origin = self.entry_origin(field, entry);
                    rows.push(Row { field: format!("{field}[{at}]"), value: entry.clone(), origin });
                }
            }
            value => rows.push(Row {
                field: field.to_owned(),
                value: value.clone(),
                origin: self.origin(field, self.before(field) == Some(value)),
            }),
        }
    }

    /// What the operator's policy has there.
    fn before(&self, field: &str) -> Option<&Value> {
        field.split('.').try_fold(&self.operators, |here, name| here.get(name))
    }

    /// `same`: the workspace's own file changed nothing.
    fn origin(&self, field: &str, same: bool) -> String {
        if !same && let Some(place) = self.in_own_file(field) {
            return place;
        }
        if field == "cwd" && self.place.root.is_some() {
            return "--root".to_owned();
        }
        if field == "readOnly" && self.place.read_only {
            return "--read-only".to_owned();
        }
        let Some(file) = &self.file else {
            return if field == "cwd" { "current directory" } else { "built in" }.to_owned();
        };
        match file.place(field) {
            Some(place) => format!("{}:{}", file.path.display(), place.line),
            None => "default".to_owned(),
        }
    }

    fn entry_origin(&self, field: &str, entry: &Value) -> String {
        let before = self.before(field).and_then(Value::as_array);
        let Some(at) = before.and_then(|entries| entries.iter().position(|before| before == entry)) else {
            return self.in_own_file(field).unwrap_or_else(|| own_file::FILE_NAME.to_owned());
        };
        if self.file.is_none() && field == "shell.allow" {
            return "--allow".to_owned();
        }
        let exact = self.file.as_ref().and_then(|file| {
            Some(format!("{}:{}", file.path.display(), file.place(&format!("{field}[{at}]"))?.line))
        });
        exact.unwrap_or_else(|| self.origin(field, true))
    }

    fn in_own_file(&self, field: &str) -> Option<String> {
        let line = places::line(self.own.as_deref()?, Format::Toml, field)?;
        Some(format!("{}:{line} (narrows)", own_file::FILE_NAME))
    }
}
