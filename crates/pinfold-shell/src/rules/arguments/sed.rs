//! sed(1): the command `e` and the flag `e` of `s`, which run a program.
//!
//! The program text is read command by command (POSIX XCU, sed; the GNU manual for what it adds). What cannot be read is
//! refused, but only if there is an `e` in it at all.

use super::{
    Found, Held,
    options::{
        self, Item, Spec,
        Takes::{Glued, Program, Text, Value},
    },
};

/// `-e` is marked as a text and `-f` as a program so that they can be told apart.
const SED: Spec = Spec {
    short: &[('e', Text), ('f', Program), ('i', Glued), ('l', Value)],
    long: &[("expression", Text), ("file", Program), ("in-place", Glued), ("line-length", Value)],
    leading: false,
};

pub(super) fn read(words: &[String]) -> Vec<Found> {
    let mut script = Vec::new();
    let mut first = None;
    let mut file = false;
    for item in options::read(&SED, words) {
        match item {
            Item::Option { takes: Text, value: Some(value), at } => script.push((at, value)),
            Item::Option { takes: Program, .. } => file = true,
            Item::Operand(at) if first.is_none() => first = Some((at, words[at].as_str())),
            _ => {}
        }
    }
    if script.is_empty() && !file {
        script.extend(first);
    }
    // Pieces are lines of one script, and a line may go on in the next.
    let text = script.iter().map(|(_, piece)| *piece).collect::<Vec<_>>().join("\n");
    let Some((at, _)) = script.first() else { return Vec::new() };
    Script { rest: &text }.held().map(|held| Found { at: *at, held }).into_iter().collect()
}

struct Script<'a> {
    rest: &'a str,
}

impl<'a> Script<'a> {
    /// The first command that it runs.
    fn held(mut self) -> Option<Held> {
        if !self.rest.contains('e') {
            return None;
        }
        loop {
            self.skip(|c| c.is_whitespace() || c == ';' || c == '}');
            if self.rest.is_empty() {
                return None;
            }
            match self.command() {
                Some(None) => {}
                Some(found) => return found,
                None => return Some(Held::Hidden),
            }
        }
    }

    /// Reads one command; the outer `None` when it cannot.
    fn command(&mut self) -> Option<Option<Held>> {
        self.addresses()?;
        let c = self.take()?;
        match c {
            '{' | '=' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z' | 'F' => {}
            'q' | 'Q' | 'l' | 'L' => self.skip(|c| c == ' ' || c.is_ascii_digit()),
            ':' | 'b' | 't' | 'T' | 'v' => {
                self.skip(|c| c == ' ');
                self.skip(|c| !c.is_whitespace() && c != ';' && c != '}');
            }
            'a' | 'i' | 'c' => self.text()?,
            '#' | 'r' | 'R' | 'w' | 'W' => drop(self.line()),
            's' => return self.substitution(),
            'y' => {
                let delimiter = self.take()?;
                self.part(delimiter, false)?;
                self.part(delimiter, false)?;
            }
            'e' => {
                let command = self.line().trim();
                let text = if command.is_empty() { Held::Hidden } else { Held::Text(command.to_owned()) };
                return Some(Some(text));
            }
            _ => return None,
        }
        Some(None)
    }

    fn addresses(&mut self) -> Option<()> {
        loop {
            self.skip(|c| matches!(c, ' ' | '\t' | ',' | '!' | '$' | '+' | '~') || c.is_ascii_digit());
            let delimiter = match self.rest.chars().next() {
                Some('/') => self.take()?,
                Some('\\') => {
                    self.take()?;
                    self.take()?
                }
                _ => return Some(()),
            };
            self.part(delimiter, true)?;
            self.skip(|c| matches!(c, 'I' | 'M'));
        }
    }

    fn substitution(&mut self) -> Option<Option<Held>> {
        let delimiter = self.take()?;
        self.part(delimiter, true)?;
        self.part(delimiter, false)?;
        loop {
            match self.rest.chars().next() {
                Some('e') => return Some(Some(Held::Hidden)),
                Some('w') => {
                    self.line();
                    return Some(None);
                }
                Some(c) if "gpiImM".contains(c) || c.is_ascii_digit() => drop(self.take()),
                _ => return Some(None),
            }
        }
    }

    /// Goes behind the next `delimiter`. In a bracket it is a character like any other; a reader to whom it is not finds
    /// a bracket that never ends, and refuses the whole script.
    fn part(&mut self, delimiter: char, regex: bool) -> Option<()> {
        if delimiter == '\n' || delimiter == '\\' {
            return None;
        }
        loop {
            match self.take()? {
                '\\' => drop(self.take()?),
                c if c == delimiter => return Some(()),
                '[' if regex => self.bracket()?,
                _ => {}
            }
        }
    }

    /// Goes behind the bracket that was just opened (XBD 9.3.5).
    fn bracket(&mut self) -> Option<()> {
        self.rest = self.rest.strip_prefix('^').unwrap_or(self.rest);
        self.rest = self.rest.strip_prefix(']').unwrap_or(self.rest);
        loop {
            match self.take()? {
                ']' => return Some(()),
                // To some a backslash makes the next character literal, to others it is a character of the bracket.
                '\\' if self.rest.starts_with([']', '[']) => return None,
                '[' if self.rest.starts_with(':') => self.rest = &self.rest[self.rest.find(":]")? + 2..],
                '[' if self.rest.starts_with(['.', '=']) => return None,
                _ => {}
            }
        }
    }

    /// The text of `a`, `i` and `c`: up to a line that does not end with a backslash. Of several at its end each reader
    /// thinks as it likes.
    fn text(&mut self) -> Option<()> {
        loop {
            let line = self.line();
            if line.ends_with("\\\\") {
                return None;
            }
            if !line.ends_with('\\') || self.rest.is_empty() {
                return Some(());
            }
        }
    }

    fn line(&mut self) -> &'a str {
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        line
    }

    fn take(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn skip(&mut self, skips: impl Fn(char) -> bool) {
        self.rest = self.rest.trim_start_matches(skips);
    }
}
