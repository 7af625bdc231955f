//! Where in the text of a policy file a field or an entry of a list stands.

use std::ops::Range;

use jsonc_parser::{
    CollectOptions, ParseOptions,
    ast::{ObjectPropName, Value},
    common::Ranged,
    parse_to_ast,
};
use pinfold::policy::file::Format;
use toml_edit::{Document, Item, TableLike};

/// The span of `field`, such as `shell.allow[2]`: of the entry or the value; of a list or section that of its name. Both
/// spellings are found; an absent field has none.
pub(crate) fn span(text: &str, format: Format, field: &str) -> Option<Range<usize>> {
    // The parsers pass over a byte order mark, or count it: both count from the same byte here.
    let mark = text.len() - text.trim_start_matches('\u{feff}').len();
    let steps = steps(field);
    let found = match format {
        Format::Toml => in_toml(&text[mark..], &steps),
        Format::Json => in_json(&text[mark..], &steps),
    }?;
    Some(found.start + mark..found.end + mark)
}

/// The line of `field`, counted from 1.
pub(crate) fn line(text: &str, format: Format, field: &str) -> Option<usize> {
    let at = span(text, format, field)?.start;
    Some(text[..at].matches('\n').count() + 1)
}

#[derive(Debug, PartialEq, Eq)]
enum Step<'a> {
    Name(&'a str),
    Entry(usize),
}

fn steps(field: &str) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    for part in field.split('.') {
        let (name, index) = part.split_once('[').unwrap_or((part, ""));
        steps.push(Step::Name(name));
        steps.extend(index.trim_end_matches(']').parse().ok().map(Step::Entry));
    }
    steps
}

/// Letter case and underscores are how the two spellings of a field differ.
fn same(written: &str, name: &str) -> bool {
    let plain = |text: &str| text.replace('_', "").to_lowercase();
    written == name || plain(written) == plain(name)
}

fn in_toml(text: &str, steps: &[Step<'_>]) -> Option<Range<usize>> {
    let document = Document::parse(text).ok()?;
    let (mut here, mut span) = (document.as_item(), None);
    for step in steps {
        match step {
            Step::Name(name) => {
                let (key, item) = toml_field(here.as_table_like()?, name)?;
                here = item;
                // A value of its own is pointed at, a list or section by its name.
                let single = item.as_value().filter(|value| !value.is_array() && !value.is_inline_table());
                span = Some(single.and_then(|value| value.span()).unwrap_or(key));
            }
            Step::Entry(index) => {
                let entry = here.as_array()?.get(*index)?;
                return entry.span();
            }
        }
    }
    span
}

fn toml_field<'a>(table: &'a dyn TableLike, name: &str) -> Option<(Range<usize>, &'a Item)> {
    let written = table.iter().map(|(written, _)| written).find(|written| same(written, name))?.to_owned();
    let (key, item) = table.get_key_value(&written)?;
    Some((key.span()?, item))
}

fn in_json(text: &str, steps: &[Step<'_>]) -> Option<Range<usize>> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default()).ok()?;
    let root = parsed.value?;
    let (mut here, mut span) = (&root, None);
    for step in steps {
        match (step, here) {
            (Step::Name(name), Value::Object(object)) => {
                let found = object.properties.iter().find(|one| same(one.name.as_str(), name))?;
                here = &found.value;
                let range = match &found.name {
                    ObjectPropName::String(name) => name.range,
                    ObjectPropName::Word(name) => name.range,
                };
                let single = !matches!(here, Value::Array(_) | Value::Object(_));
                let range = if single { here.range() } else { range };
                span = Some(range.start..range.end);
            }
            (Step::Entry(index), Value::Array(array)) => {
                let range = array.elements.get(*index)?.range();
                return Some(range.start..range.end);
            }
            _ => return None,
        }
    }
    span
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_entries_are_found_in_both_formats() {
        let toml = "\u{feff}cwd = '/a'\ndeny_paths = ['x', 'y']\n[shell]\nallow = [\n  'git',\n  {name = 'ls'},\n]\nenv = {CI = '1'}\n";
        let json = "{\"cwd\": \"/a\",\n \"denyPaths\": [\"x\", \"y\"],\n \"shell\": {\n  \"allow\": [\n  \"git\",\n  {\"name\": \"ls\"}\n ],\n \"env\": {\"CI\": \"1\"}}}";
        let cases = [
            ("cwd", Some("/a")),
            ("denyPaths[1]", Some("y")),
            ("shell.allow[0]", Some("git")),
            ("shell.allow[1]", Some("{")),
            ("shell.env.CI", Some("1")),
            ("shell", Some("shell")),
            ("shell.deny", None),
            ("denyPaths[2]", None),
            ("shell.allow.x", None),
        ];
        for (text, format) in [(toml, Format::Toml), (json, Format::Json)] {
            for (field, start) in cases {
                let found = span(text, format, field).map(|span| text[span].trim_start_matches(['\'', '"']));
                assert_eq!(found.is_some(), start.is_some(), "{field}: {found:?}");
                assert!(
                    found.unwrap_or_default().starts_with(start.unwrap_or_default()),
                    "{field}: {found:?}"
                );
            }
        }
        assert_eq!(line(toml, Format::Toml, "shell.allow[1]"), Some(6));
    }
}
