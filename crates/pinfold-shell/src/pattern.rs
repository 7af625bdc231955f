//! Denied patterns: uses of an allowed program that may not be.

use std::fmt;

use regex::{Regex, RegexBuilder};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, MapAccess, Visitor, value::MapAccessDeserializer},
    ser::SerializeMap,
};

use crate::{
    argv::Argv,
    rules::{BadRule, Rules, folded},
};

/// Bytes that a compiled regular expression may take: 1 MiB.
const MAX_COMPILED_BYTES: usize = 1 << 20;

/// A pattern of `denyPatterns`: compiled, and its examples tried, when it is made.
///
/// In a policy file it is a string (the words that a command begins with), `{regex = "…"}`, or `{prefix = "…"}`, the
/// last two also with `matches = […]` and `misses = […]`: command lines that the pattern has to match and to miss.
///
/// - *Prefix*: matches when a command's words begin with these. The executable counts by its basename, in any letter
///   case; the other words exactly. `git push --force` does not match `git push origin --force`.
/// - *Regular expression*: tried on the words after quotes were removed, joined by single spaces, with the executable
///   as it was written and as its basename. Linear time; `.` matches a line break too, so that none in an argument is
///   a way around.
#[derive(Debug, Clone)]
pub struct DenyPattern {
    form: Form,
    source: String,
    matches: Vec<String>,
    misses: Vec<String>,
}

#[derive(Debug, Clone)]
enum Form {
    /// The first is a folded basename.
    Prefix(Vec<String>),
    Regex(Regex),
}

impl DenyPattern {
    /// Commands that begin with the words of `text`, which is read like a command line.
    ///
    /// # Errors
    /// [`BadRule::Pattern`] when the text is no plain command line.
    pub fn prefix(text: &str) -> Result<DenyPattern, BadRule> {
        let argv = Argv::parse(text).map_err(|refusal| bad(text, refusal.message()))?;
        let mut words = argv.into_words();
        if let Some(first) = words.first_mut() {
            *first = folded(basename(first));
        }
        Ok(DenyPattern { form: Form::Prefix(words), ..DenyPattern::of(text) })
    }

    /// Commands that the regular expression `text` finds itself in.
    ///
    /// # Errors
    /// [`BadRule::Pattern`] when it cannot be compiled, or takes over 1 MiB then. There is no look-around and there are
    /// no back-references: they do not run in linear time.
    pub fn regex(text: &str) -> Result<DenyPattern, BadRule> {
        let built = RegexBuilder::new(text)
            .size_limit(MAX_COMPILED_BYTES)
            .nest_limit(100)
            .dot_matches_new_line(true)
            .build();
        let regex = built.map_err(|error| bad(text, &said(&error)))?;
        Ok(DenyPattern { form: Form::Regex(regex), ..DenyPattern::of(text) })
    }

    /// Adds command lines that the pattern has to match, and such that it has to miss, and tries them at once. A command
    /// inside a wrapper counts: `time git push --force` is an example for `git push --force`.
    ///
    /// # Errors
    /// [`BadRule::Example`] when one does not do what it says.
    pub fn with_examples(self, matches: Vec<String>, misses: Vec<String>) -> Result<DenyPattern, BadRule> {
        let alone = Rules::of_pattern(self.clone());
        for (lines, wanted) in [(&matches, true), (&misses, false)] {
            for line in lines {
                let found = Argv::parse(line).map(|argv| alone.finds_pattern(&argv));
                crate::rules::tried(&self.source, line, found, wanted)?;
            }
        }
        Ok(DenyPattern { matches, misses, ..self })
    }

    /// The text of the pattern, as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The program that a pattern of words is about: a basename in small letters. `None` for a regular expression.
    pub fn program(&self) -> Option<&str> {
        match &self.form {
            Form::Prefix(words) => words.first().map(String::as_str),
            Form::Regex(_) => None,
        }
    }

    /// The examples: lines that it has to match, and such that it has to miss.
    pub fn examples(&self) -> (&[String], &[String]) {
        (&self.matches, &self.misses)
    }

    /// Whether it matches one command, `words`.
    pub fn matches(&self, words: &[String]) -> bool {
        self.matches_joined(words, &Joined::of(words))
    }

    pub(crate) fn matches_joined(&self, words: &[String], joined: &Joined) -> bool {
        match &self.form {
            Form::Regex(regex) => joined.0.iter().any(|text| regex.is_match(text)),
            Form::Prefix(prefix) => {
                let Some(first) = words.first() else { return false };
                prefix.len() <= words.len()
                    && prefix[1..] == words[1..prefix.len()]
                    && prefix[0] == folded(basename(first))
            }
        }
    }

    fn of(source: &str) -> DenyPattern {
        let form = Form::Prefix(Vec::new());
        DenyPattern { form, source: source.to_owned(), matches: Vec::new(), misses: Vec::new() }
    }

    fn is_regex(&self) -> bool {
        matches!(self.form, Form::Regex(_))
    }
}

/// The texts of one command that regular expressions are tried on.
pub(crate) struct Joined(Vec<String>);

impl Joined {
    pub(crate) fn of(words: &[String]) -> Joined {
        let mut texts = vec![words.join(" ")];
        if let Some((first, rest)) = words.split_first() {
            let name = basename(first);
            for name in [name.to_owned(), folded(name)] {
                if name != *first {
                    let text = std::iter::once(name.as_str()).chain(rest.iter().map(String::as_str));
                    texts.push(text.collect::<Vec<_>>().join(" "));
                }
            }
        }
        Joined(texts)
    }
}

pub(crate) fn basename(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or_default()
}

fn bad(pattern: &str, why: &str) -> BadRule {
    BadRule::Pattern { pattern: pattern.to_owned(), why: why.trim_end_matches('.').to_owned() }
}

/// The last line of what the regex crate says is the reason; the lines above draw it.
fn said(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    let said = last.strip_prefix("error: ").unwrap_or(last);
    if said.contains("look-around") {
        return "there is no look-around, since it takes more than linear time; write out what may follow"
            .to_owned();
    }
    match said {
        "unclosed group" => "a `(` is never closed; write `\\(` for the letter itself".to_owned(),
        "unopened group" => "a `)` is never opened; write `\\)` for the letter itself".to_owned(),
        "unclosed character class" => "a `[` is never closed; write `\\[` for the letter itself".to_owned(),
        "repetition operator missing expression" => {
            "`*`, `+` or `?` has nothing to repeat; `.*` stands for any text".to_owned()
        }
        said => said.to_owned(),
    }
}

/// Two are the same when they were written in the same way.
impl PartialEq for DenyPattern {
    fn eq(&self, other: &DenyPattern) -> bool {
        (self.is_regex(), &self.source, &self.matches, &self.misses)
            == (other.is_regex(), &other.source, &other.matches, &other.misses)
    }
}

impl Eq for DenyPattern {}

impl Serialize for DenyPattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.is_regex() && self.matches.is_empty() && self.misses.is_empty() {
            return serializer.serialize_str(&self.source);
        }
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(if self.is_regex() { "regex" } else { "prefix" }, &self.source)?;
        for (name, lines) in [("matches", &self.matches), ("misses", &self.misses)] {
            if !lines.is_empty() {
                map.serialize_entry(name, lines)?;
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for DenyPattern {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<DenyPattern, D::Error> {
        from.deserialize_any(Written)
    }
}

struct Written;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    prefix: Option<String>,
    regex: Option<String>,
    #[serde(default)]
    matches: Vec<String>,
    #[serde(default)]
    misses: Vec<String>,
}

impl<'de> Visitor<'de> for Written {
    type Value = DenyPattern;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string, or a table with `prefix` or `regex`")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<DenyPattern, E> {
        DenyPattern::prefix(text).map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<DenyPattern, A::Error> {
        let table = Table::deserialize(MapAccessDeserializer::new(map))?;
        let pattern = match (&table.prefix, &table.regex) {
            (Some(text), None) => DenyPattern::prefix(text),
            (None, Some(text)) => DenyPattern::regex(text),
            _ => return Err(A::Error::custom("a pattern has either `prefix` or `regex`")),
        };
        let pattern = pattern.and_then(|pattern| pattern.with_examples(table.matches, table.misses));
        pattern.map_err(A::Error::custom)
    }
}
