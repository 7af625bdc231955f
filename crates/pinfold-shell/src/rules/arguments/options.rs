//! Reads options as getopt_long(3) does: bundled, glued, `--name=value`, abbreviated, ended by `--`.
//!
//! Unlike the reader of wrappers, this one knows only the options that take a value. One that it does not know counts as
//! a flag: then the next word may be read as an option though it is a value, which refuses too much, never too little.

use super::Held;

/// What an option takes, and what that is.
#[derive(Clone, Copy)]
pub(super) enum Takes {
    /// A value of no interest: glued, or the next word.
    Value,
    /// A value of no interest, only when it is glued.
    Glued,
    /// The name of a program.
    Program,
    /// A command as text.
    Text,
    /// A command as text, only when it is glued; without it some default runs.
    MayText,
    /// A value that has to be looked at.
    Ask(fn(&str) -> Option<Held>),
    /// Nothing or a value: what it does is not seen either way.
    Hides,
}

/// The options of one program.
pub(super) struct Spec {
    pub(super) short: &'static [(char, Takes)],
    pub(super) long: &'static [(&'static str, Takes)],
    /// Options end at the first word that is none (POSIX), instead of standing anywhere (GNU).
    pub(super) leading: bool,
}

/// One thing that was read.
#[derive(Clone, Copy)]
pub(super) enum Item<'a> {
    /// An option, its value, and the word that holds the value.
    Option { takes: Takes, value: Option<&'a str>, at: usize },
    /// Any other word.
    Operand(usize),
}

/// Reads the words behind the first.
pub(super) fn read<'a>(spec: &'a Spec, words: &'a [String]) -> impl Iterator<Item = Item<'a>> {
    read_from(spec, words, 1)
}

/// Reads the words from `start` on.
pub(super) fn read_from<'a>(spec: &'a Spec, words: &'a [String], start: usize) -> Items<'a> {
    Items { spec, words, next: start, letters: "", ended: false }
}

/// The items of a command, from the left.
pub(super) struct Items<'a> {
    spec: &'a Spec,
    words: &'a [String],
    next: usize,
    /// What is left of a bundle; its word is the one before `next`.
    letters: &'a str,
    ended: bool,
}

impl<'a> Iterator for Items<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        loop {
            if let Some(item) = self.letter() {
                return Some(item);
            }
            let at = self.next;
            let word = self.words.get(at)?;
            self.next += 1;
            match word.strip_prefix('-') {
                Some("-") if !self.ended => self.ended = true,
                Some(rest) if !self.ended && !rest.is_empty() => match rest.strip_prefix('-') {
                    Some(long) => {
                        if let Some(item) = self.long(long, at) {
                            return Some(item);
                        }
                    }
                    None => self.letters = rest,
                },
                _ => {
                    self.ended |= self.spec.leading;
                    return Some(Item::Operand(at));
                }
            }
        }
    }
}

impl<'a> Items<'a> {
    /// The next letter of a bundle that takes something.
    fn letter(&mut self) -> Option<Item<'a>> {
        while let Some(letter) = self.letters.chars().next() {
            let rest = &self.letters[letter.len_utf8()..];
            self.letters = rest;
            let known = self.spec.short.iter().find(|(known, _)| *known == letter);
            let Some((_, takes)) = known else { continue };
            let at = self.next - 1;
            match takes {
                Takes::Hides => return Some(Item::Option { takes: *takes, value: None, at }),
                Takes::Glued | Takes::MayText => {
                    self.letters = "";
                    let value = Some(rest).filter(|rest| !rest.is_empty());
                    return Some(Item::Option { takes: *takes, value, at });
                }
                _ => {
                    self.letters = "";
                    return Some(self.with_value(*takes, Some(rest).filter(|rest| !rest.is_empty()), at));
                }
            }
        }
        None
    }

    fn long(&mut self, long: &'a str, at: usize) -> Option<Item<'a>> {
        let (name, glued) = match long.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (long, None),
        };
        let takes = resolve(self.spec, name)?;
        match takes {
            Takes::Hides | Takes::Glued | Takes::MayText => Some(Item::Option { takes, value: glued, at }),
            _ => Some(self.with_value(takes, glued, at)),
        }
    }

    fn with_value(&mut self, takes: Takes, glued: Option<&'a str>, at: usize) -> Item<'a> {
        if glued.is_some() {
            return Item::Option { takes, value: glued, at };
        }
        let at = self.next;
        self.next += 1;
        Item::Option {
            takes,
            value: self.words.get(at).map(String::as_str),
            at: at.min(self.words.len() - 1),
        }
    }
}

/// An exact name, or an abbreviation. Of several candidates one that holds a command wins: the program may know fewer
/// names than the table.
fn resolve(spec: &Spec, name: &str) -> Option<Takes> {
    if let Some((_, takes)) = spec.long.iter().find(|(long, _)| *long == name) {
        return Some(*takes);
    }
    let candidates = || spec.long.iter().filter(|(long, _)| !name.is_empty() && long.starts_with(name));
    let holds = |takes: &Takes| !matches!(takes, Takes::Value | Takes::Glued);
    let (_, takes) = candidates().find(|(_, takes)| holds(takes)).or_else(|| candidates().next())?;
    Some(*takes)
}
