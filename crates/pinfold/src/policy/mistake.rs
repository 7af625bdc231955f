//! What is wrong with a policy's text, where, and what was probably meant.

use std::{fmt, ops::Range};

use pinfold_contract::{Failure, FailureType};

use super::{file::Format, nearest::nearest, schema};

/// One mistake in a policy's text.
pub(super) struct Mistake<'a> {
    text: &'a str,
    /// The bytes of `text` that are wrong, if it is known.
    span: Option<Range<usize>>,
    /// What the parser says, without a position.
    said: String,
    format: Format,
}

impl<'a> Mistake<'a> {
    /// What `toml` says is wrong.
    pub(super) fn in_toml(text: &'a str, error: &toml::de::Error) -> Mistake<'a> {
        Mistake { text, span: error.span(), said: error.message().to_owned(), format: Format::Toml }
    }

    /// What `serde_json` says is wrong. It knows where it stood, not what it stumbled over: when it names a key or a
    /// word, the last such one before that place is meant; else the value that ends there.
    pub(super) fn in_json(text: &'a str, error: &serde_json::Error) -> Mistake<'a> {
        let shown = error.to_string();
        let said = shown.rsplit_once(" at line ").map_or(shown.as_str(), |(said, _)| said).to_owned();
        let stood = offset(text, error.line(), error.column());
        let before = value_before(text, stood);
        let told = before.len() > 2 && said.contains(text[before.clone()].trim_matches('"'));
        let named = || quoted(&said).next().and_then(|name| last_string(&text[..stood], name));
        let span = match error.is_data() {
            true if told => before,
            true => named().unwrap_or(before),
            false => stood.saturating_sub(1)..stood,
        };
        Mistake { text, span: Some(span), said, format: Format::Json }
    }

    /// The failure that tells all of it.
    pub(super) fn failure(&self) -> Failure {
        let what = self.what();
        let message = match &self.span {
            None => format!("The policy is not valid: {what}."),
            Some(span) => {
                let place = Place::of(self.text, span);
                format!("The policy is not valid at {place}: {what}.\n{}", place.drawing)
            }
        };
        let failure = Failure::new(FailureType::BadPolicy, message);
        match self.advice() {
            Some(advice) => failure.hint(advice),
            None => failure,
        }
    }

    /// What is wrong, in a few words.
    fn what(&self) -> String {
        let said = self.said.trim_end_matches('.').replace('\n', ", ");
        let Some((wrong, names)) = self.unknown() else { return expected(&said).unwrap_or(said) };
        let short = said.split_once(", ").map_or(said.as_str(), |(short, _)| short);
        let short = short.replace("unknown variant", "unknown word");
        if nearest(wrong, names.iter().copied()).is_some() || self.at_home(wrong).is_some() {
            return short;
        }
        // Both spellings of a field are valid; one is enough to tell.
        let told = names.iter().filter(|name| !name.contains('_')).map(|name| self.spelt(name));
        format!("{short}; known here are {}", told.collect::<Vec<_>>().join(", "))
    }

    fn advice(&self) -> Option<String> {
        let Some((wrong, names)) = self.unknown() else {
            let known = ADVICE.iter().find(|(said, _)| self.said.contains(said));
            return known.map(|(_, advice)| (*advice).to_owned());
        };
        if let Some(home) = self.at_home(wrong) {
            return Some(home);
        }
        nearest(wrong, names).map(|name| format!("Did you mean {}?", self.spelt(name)))
    }

    /// Where a field belongs that is written right, but in the wrong section.
    fn at_home(&self, wrong: &str) -> Option<String> {
        let plain = |name: &str| name.replace('_', "").to_lowercase();
        let fields = self.said.starts_with("unknown field").then(schema::fields)?;
        let (section, name) = fields.into_iter().find(|(_, name)| plain(name) == plain(wrong))?;
        let name = self.spelt(&name);
        Some(match (section.as_str(), self.format) {
            ("", _) => format!("{name} belongs to no section: write it at the top."),
            (section, Format::Toml) => format!("{name} belongs under `[{section}]`."),
            (section, Format::Json) => format!("{name} belongs into the object `{section}`."),
        })
    }

    /// The name as this format's users write it.
    fn spelt(&self, name: &str) -> String {
        match self.format {
            Format::Toml => format!("`{}`", snake_case(name)),
            Format::Json => format!("`{name}`"),
        }
    }

    /// An unknown name, and the valid ones, which serde lists after it.
    fn unknown(&self) -> Option<(&str, Vec<&str>)> {
        let unknown = self.said.starts_with("unknown field") || self.said.starts_with("unknown variant");
        let mut names = quoted(&self.said);
        let wrong = names.next().filter(|_| unknown)?;
        Some((wrong, names.collect()))
    }
}

/// What to write, by what the parsers say.
const ADVICE: &[(&str, &str)] = &[
    ("duplicate", "It stands twice, perhaps in the other spelling: keep one."),
    ("trailing comma", "Take the comma before it away."),
    ("missing comma", "Write a comma, or close the text before it with its quote."),
    ("EOF while parsing", "The text ends too early: a bracket or a quote is not closed."),
    ("cannot enforce", "Leave it out."),
];

/// The words between backticks.
fn quoted(said: &str) -> impl Iterator<Item = &str> {
    said.split('`').skip(1).step_by(2)
}

/// Where the last JSON string `name` in `text` is, written in camelCase or snake_case.
fn last_string(text: &str, name: &str) -> Option<Range<usize>> {
    let name = name.rsplit('.').next().unwrap_or(name);
    let spellings = [name.to_owned(), snake_case(name)];
    let found = spellings.iter().filter_map(|name| {
        let literal = format!("\"{name}\"");
        text.rfind(&literal).map(|at| at..at + literal.len())
    });
    found.max_by_key(|span| span.start)
}

pub(super) fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

/// The byte that `serde_json` means by a line and a column of bytes, both counted from 1.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    text.floor_char_boundary((before + column).min(text.len()))
}

/// The value that ends at byte `end`, or right before it.
fn value_before(text: &str, end: usize) -> Range<usize> {
    let before = text[..end].trim_end_matches([',', ']', '}', ' ', '\t', '\r', '\n']);
    if before.is_empty() {
        return end.saturating_sub(1)..end;
    }
    // What ends with a bracket is a list or table: its last line is pointed at.
    let whole = before.len();
    let start = match before.strip_suffix('"') {
        Some(inside) => inside.rfind('"').unwrap_or(inside.len()),
        None => {
            before.rfind(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c)).map_or(0, |at| at + 1)
        }
    };
    if start < whole { start..whole } else { end.saturating_sub(1)..end }
}

/// What a parser expected and did not find, in words for people: `None` for anything else that it says.
fn expected(said: &str) -> Option<String> {
    let (found, wanted) = said
        .strip_prefix("invalid type: ")
        .or(said.strip_prefix("invalid value: "))?
        .split_once(", expected ")?;
    let wanted = match wanted {
        "a sequence" => "a list in brackets, such as `[\"…\"]`",
        "a boolean" => "`true` or `false`",
        "a string" | "string or table" | "string or map" => "a text in quotes",
        "u64" | "usize" | "u32" => "a whole number, 0 or more",
        "a map" => "a table of named fields",
        wanted if wanted.starts_with("struct ") => "a table of named fields",
        wanted => wanted,
    };
    let found = match found.split_once(' ') {
        Some(("string", text)) => format!("the text {text}"),
        Some(("integer" | "boolean", value)) => value.to_owned(),
        Some(("floating", value)) => value.trim_start_matches("point ").to_owned(),
        _ => match found {
            "map" => "a table".to_owned(),
            "sequence" => "a list".to_owned(),
            other => other.to_owned(),
        },
    };
    Some(format!("here has to be {wanted}, not {found}"))
}

/// Where something stands in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
    /// The line, with the part underlined, on three lines.
    pub drawing: String,
}

impl Place {
    /// The place of the bytes `span` of `text`.
    pub fn of(text: &str, span: &Range<usize>) -> Place {
        let (line, column) = position(text, span.start);
        Place { line, column, drawing: excerpt(text, span, line, column) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Line and column of a byte, counted from 1, columns in characters.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(at)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// The line with the wrong part underlined.
fn excerpt(text: &str, span: &Range<usize>, line: usize, column: usize) -> String {
    let shown = text.split('\n').nth(line - 1).unwrap_or_default().trim_end_matches('\r');
    let wrong = &text[text.floor_char_boundary(span.start)..text.ceil_char_boundary(span.end)];
    let room = (shown.chars().count() + 1).saturating_sub(column).max(1);
    let width = wrong.split('\n').next().unwrap_or_default().chars().count().clamp(1, room);
    // A tab stays a tab in the line below, so that the marks stand under the part that they mark.
    let indent: String = shown.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let gutter = " ".repeat(line.to_string().len());
    format!("{gutter} |\n{line} | {shown}\n{gutter} | {indent}{}", "^".repeat(width))
}
