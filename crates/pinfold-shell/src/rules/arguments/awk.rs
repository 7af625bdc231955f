//! awk(1): `system`, pipes, loaded code, and programs in files.

use super::{
    Found, Held,
    options::{
        self, Item, Spec,
        Takes::{Glued, Hides, Text, Value},
    },
};

/// `-e` (gawk) is marked as a text so that it can be told apart. `-W` (mawk, gawk) begins options of many kinds.
const AWK: Spec = Spec {
    short: &[
        ('e', Text),
        ('f', Hides),
        ('E', Hides),
        ('i', Hides),
        ('l', Hides),
        ('D', Hides),
        ('W', Hides),
        ('F', Value),
        ('v', Value),
        ('d', Glued),
        ('L', Glued),
        ('o', Glued),
        ('p', Glued),
    ],
    long: &[
        ("source", Text),
        ("file", Hides),
        ("exec", Hides),
        ("include", Hides),
        ("load", Hides),
        ("debug", Hides),
        ("assign", Value),
        ("field-separator", Value),
        ("dump-variables", Glued),
        ("lint", Glued),
        ("pretty-print", Glued),
        ("profile", Glued),
    ],
    leading: true,
};

pub(super) fn read(words: &[String]) -> Vec<Found> {
    let mut all = Vec::new();
    let mut sourced = false;
    for item in options::read(&AWK, words) {
        match item {
            Item::Option { takes: Hides, at, .. } => {
                all.push(Found { at, held: Held::Hidden });
                return all;
            }
            Item::Option { takes: Text, value: Some(text), at } => {
                sourced = true;
                all.extend(runs(text).then_some(Found { at, held: Held::Hidden }));
            }
            Item::Operand(at) => {
                let program = !sourced && runs(&words[at]);
                all.extend(program.then_some(Found { at, held: Held::Hidden }));
                return all;
            }
            Item::Option { .. } => {}
        }
    }
    all
}

/// Whether a program text may run a command. Only where a text holds a suspicious character at all it has to be read;
/// then strings, regular expressions and comments are passed over.
fn runs(text: &str) -> bool {
    let plain = text.replace("||", "  ");
    if !plain.contains(['|', '@']) && !plain.contains("system") {
        return false;
    }
    // Where a `/` may divide or begin a regular expression, the text cannot be read.
    Code { rest: text, before: Before::Nothing }.has_command().unwrap_or(true)
}

/// What stands before the place that is read, as far as it decides what a `/` is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// An operator or nothing: a regular expression begins.
    Nothing,
    /// A value: it divides.
    Value,
    /// Only the whole grammar would tell.
    Unclear,
}

struct Code<'a> {
    rest: &'a str,
    before: Before,
}

impl Code<'_> {
    /// `None`: it cannot be read.
    fn has_command(&mut self) -> Option<bool> {
        while let Some(c) = self.take() {
            self.before = match c {
                '@' => return Some(true),
                '|' => {
                    self.rest = match self.rest.strip_prefix('|') {
                        Some(rest) => rest,
                        None => return Some(true),
                    };
                    Before::Nothing
                }
                '#' => {
                    self.rest = self.rest.find('\n').map_or("", |end| &self.rest[end..]);
                    self.before
                }
                '"' => self.quoted('"').map(|()| Before::Value)?,
                '/' if self.before == Before::Unclear => return None,
                '/' if self.before == Before::Nothing => self.quoted('/').map(|()| Before::Unclear)?,
                c if c == '_' || c.is_alphanumeric() => {
                    if self.word(c) {
                        return Some(true);
                    }
                    self.before
                }
                ')' | '$' | '.' => Before::Unclear,
                ']' => Before::Value,
                '+' | '-' if self.rest.starts_with(c) => {
                    self.take();
                    Before::Unclear
                }
                '\\' => return None,
                c if c.is_whitespace() && c != '\n' => self.before,
                _ => Before::Nothing,
            };
        }
        Some(false)
    }

    /// Goes over a word; whether it is `system`.
    fn word(&mut self, first: char) -> bool {
        let end = self.rest.find(|c: char| !(c == '_' || c.is_alphanumeric())).unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        self.rest = &self.rest[end..];
        // Behind a word such as `return` or `in` a regular expression may stand; behind a name it is a division.
        let keyword = first.is_ascii_lowercase() && !word.is_empty();
        self.before = if keyword { Before::Unclear } else { Before::Value };
        first == 's' && word == "ystem"
    }

    /// Goes behind the closing `mark`. A regular expression with a bracket of the harder kinds cannot be read: it is
    /// not known whether a `/` in it ends it.
    fn quoted(&mut self, mark: char) -> Option<()> {
        let mut bracket = false;
        loop {
            match self.take()? {
                '\\' => drop(self.take()?),
                c if c == mark => return (!bracket).then_some(()),
                '[' if mark == '/' => {
                    let inside = self.rest.strip_prefix('^').unwrap_or(self.rest);
                    if bracket || inside.starts_with(']') {
                        return None;
                    }
                    bracket = true;
                }
                ']' if mark == '/' => bracket = false,
                '\n' => return None,
                _ => {}
            }
        }
    }

    fn take(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }
}
