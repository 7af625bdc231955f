//! The part of Starlark that rule files are written in: calls with named arguments, whose values are texts, lists,
//! numbers, `True`, `False` and `None`. Anything else is told with its line, and passed over.

use std::{iter::Peekable, str::CharIndices};

/// A value that is written out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    List(Vec<Value>),
    /// A number, or a word such as `True`.
    Word(String),
}

/// `name(argument = value, …)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) line: usize,
    pub(super) name: String,
    pub(super) arguments: Vec<(String, Value)>,
}

impl Call {
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.arguments.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }
}

/// What is not of that part: its line, and its beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unread {
    pub(super) line: usize,
    pub(super) text: String,
}

/// Every statement of the text, in order.
pub(super) fn read(text: &str) -> Vec<Result<Call, Unread>> {
    let mut reader = Reader { text, rest: text.char_indices().peekable(), depth: 0 };
    let mut statements = Vec::new();
    while let Some(start) = reader.next_statement() {
        let line = text[..start].matches('\n').count() + 1;
        statements.push(match reader.call(line) {
            Some(call) => Ok(call),
            None => {
                reader.pass_over(start);
                let shown = text[start..].lines().next().unwrap_or_default().trim().to_owned();
                Err(Unread { line, text: shown })
            }
        });
    }
    statements
}

struct Reader<'a> {
    text: &'a str,
    rest: Peekable<CharIndices<'a>>,
    /// Lists that are open.
    depth: usize,
}

/// Lists inside of lists.
const DEEPEST: usize = 16;

impl Reader<'_> {
    fn peek(&mut self) -> Option<char> {
        self.rest.peek().map(|(_, letter)| *letter)
    }

    fn take(&mut self, wanted: char) -> Option<()> {
        self.blanks();
        self.rest.next_if(|(_, letter)| *letter == wanted).map(drop)
    }

    /// Blanks, line breaks and comments.
    fn blanks(&mut self) {
        loop {
            match self.peek() {
                Some('#') => while self.rest.next_if(|(_, letter)| *letter != '\n').is_some() {},
                Some(letter) if letter.is_whitespace() || letter == ';' || letter == '\\' => {
                    self.skip();
                }
                _ => return,
            }
        }
    }

    fn next_statement(&mut self) -> Option<usize> {
        self.blanks();
        self.rest.peek().map(|(at, _)| *at)
    }

    /// To the next line that begins without a blank and with a letter: where a statement begins.
    fn pass_over(&mut self, start: usize) {
        let from = self.rest.peek().map_or(self.text.len(), |(at, _)| *at).max(start + 1);
        let from =
            (from..=self.text.len()).find(|at| self.text.is_char_boundary(*at)).unwrap_or(self.text.len());
        let mut at = self.text[from..].find('\n').map_or(self.text.len(), |end| from + end + 1);
        while at < self.text.len() && !self.text[at..].starts_with(|letter: char| letter.is_alphabetic()) {
            at = self.text[at..].find('\n').map_or(self.text.len(), |end| at + end + 1);
        }
        while self.rest.next_if(|(own, _)| *own < at).is_some() {}
    }

    fn call(&mut self, line: usize) -> Option<Call> {
        let name = self.word()?;
        self.take('(')?;
        let mut arguments = Vec::new();
        while self.take(')').is_none() {
            self.blanks();
            let argument = self.word()?;
            self.take('=')?;
            arguments.push((argument, self.value()?));
            if self.take(',').is_none() {
                self.take(')')?;
                break;
            }
        }
        Some(Call { line, name, arguments })
    }

    fn word(&mut self) -> Option<String> {
        let mut word = String::new();
        while let Some((_, letter)) =
            self.rest.next_if(|(_, letter)| letter.is_alphanumeric() || *letter == '_')
        {
            word.push(letter);
        }
        (!word.is_empty()).then_some(word)
    }

    fn value(&mut self) -> Option<Value> {
        self.blanks();
        let value = match self.peek()? {
            '[' | '(' => self.list()?,
            '"' | '\'' => Value::Text(self.string(false)?),
            'r' if self.is_raw() => {
                self.rest.next();
                Value::Text(self.string(true)?)
            }
            _ => Value::Word(self.word()?),
        };
        self.blanks();
        // What is computed is not written out.
        let whole = matches!(self.peek(), Some(',' | ')' | ']'));
        whole.then_some(value)
    }

    fn is_raw(&mut self) -> bool {
        let at = self.rest.peek().map_or(self.text.len(), |(at, _)| *at);
        self.text[at..].starts_with("r\"") || self.text[at..].starts_with("r'")
    }

    fn list(&mut self) -> Option<Value> {
        let close = if self.rest.next()?.1 == '[' { ']' } else { ')' };
        self.depth += 1;
        let mut entries = Vec::new();
        while self.depth <= DEEPEST && self.take(close).is_none() {
            entries.push(self.value()?);
            if self.take(',').is_none() {
                self.take(close)?;
                break;
            }
        }
        let read = self.depth <= DEEPEST;
        self.depth -= 1;
        read.then_some(Value::List(entries))
    }

    fn string(&mut self, raw: bool) -> Option<String> {
        let (at, quote) = self.rest.next()?;
        let triple: String = [quote; 3].iter().collect();
        let end: &str = if self.text[at..].starts_with(&triple) { &triple } else { &triple[..1] };
        (1..end.len()).for_each(|_| self.skip());
        let mut text = String::new();
        loop {
            let (at, letter) = self.rest.next()?;
            if self.text[at..].starts_with(end) {
                (1..end.len()).for_each(|_| self.skip());
                return Some(text);
            }
            match letter {
                '\n' if end.len() == 1 => return None,
                '\\' if !raw => text.extend(self.escape()?),
                '\\' => {
                    text.push('\\');
                    text.push(self.rest.next()?.1);
                }
                letter => text.push(letter),
            }
        }
    }

    fn skip(&mut self) {
        self.rest.next();
    }

    fn escape(&mut self) -> Option<Option<char>> {
        Some(match self.rest.next()?.1 {
            'n' => Some('\n'),
            't' => Some('\t'),
            'r' => Some('\r'),
            '\n' => None,
            letter @ ('\\' | '"' | '\'') => Some(letter),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_read_and_the_rest_is_told() {
        let text = "# rules\nprefix_rule(\n  pattern = [\"git\", ['push', \"fetch\"]],  # both\n  decision=\"prompt\",\n  \
                    match = [\"\"\"git push\"\"\", r'a\\b'],\n)\nX = [\"a\"]\nfor x in X:\n  prefix_rule(pattern=x)\n\
                    prefix_rule(pattern=[\"a\"] + X)\nhost_executable(name = \"git\", n = 3, ok = True)\nprefix_rule(\"unnamed\")\nlast(a=\"b";
        let read = read(text);
        let lines: Vec<(bool, usize)> = read
            .iter()
            .map(|one| match one {
                Ok(call) => (true, call.line),
                Err(unread) => (false, unread.line),
            })
            .collect();
        assert_eq!(
            lines,
            [(true, 2), (false, 7), (false, 8), (false, 10), (true, 11), (false, 12), (false, 13)]
        );
        let first = read[0].as_ref().unwrap();
        let text = |text: &str| Value::Text(text.to_owned());
        let both = Value::List(vec![text("push"), text("fetch")]);
        assert_eq!(first.get("pattern"), Some(&Value::List(vec![text("git"), both])));
        assert_eq!(first.get("match"), Some(&Value::List(vec![text("git push"), text("a\\b")])));
    }

    #[test]
    fn whatever_is_given_comes_to_an_end() {
        for text in [
            "",
            "(",
            "a(",
            "a(b=",
            "a(b=[[[[",
            "é(",
            "\"",
            "a(b='x\ny')",
            &"[".repeat(10_000),
            &"a(b=".repeat(1_000),
        ] {
            read(text);
        }
        let deep = format!("a(b={}{})", "[".repeat(10_000), "]".repeat(10_000));
        assert!(read(&deep)[0].is_err());
    }
}
