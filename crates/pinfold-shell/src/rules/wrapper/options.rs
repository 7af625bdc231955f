//! Reads the options of a wrapper, up to the first word that is none.

use super::table::{Shape, Wrapper};

/// What the options said.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    /// The first word behind them; may lie one behind the last word.
    pub(super) end: usize,
    /// An option only asks about the inner command.
    pub(super) only_asks: bool,
    /// An option starts the inner command in another directory.
    pub(super) moves: bool,
}

/// The error is the word that cannot be read; `words.len()` when the value of the last option is missing.
pub(super) fn read(wrapper: &Wrapper, words: &[String]) -> Result<Options, usize> {
    let mut options = Options { end: 1, ..Options::default() };
    while let Some(word) = words.get(options.end) {
        let at = options.end;
        let taken = match word.as_str() {
            "--" => {
                options.end += 1;
                return lone_dash(wrapper, words, options);
            }
            "-" if wrapper.lone_dash => return lone_dash(wrapper, words, options),
            word if wrapper.numbers && is_number(word) => 1,
            word => match word.strip_prefix("--") {
                Some(long) => read_long(wrapper, long, &mut options).ok_or(at)?,
                None if word.len() > 1 && word.starts_with('-') => {
                    read_short(wrapper, &word[1..], &mut options).ok_or(at)?
                }
                None => return Ok(options),
            },
        };
        if at + taken > words.len() {
            return Err(words.len());
        }
        options.end = at + taken;
    }
    Ok(options)
}

/// GNU env takes one `-` behind its options, also behind `--`, and no option behind that. Others differ, so whatever is
/// not plain there is not read.
fn lone_dash(wrapper: &Wrapper, words: &[String], mut options: Options) -> Result<Options, usize> {
    let is_dash = |at: usize| wrapper.lone_dash && words.get(at).is_some_and(|word| word == "-");
    if !is_dash(options.end) {
        return Ok(options);
    }
    let behind_end = options.end > 1 && words[options.end - 1] == "--";
    options.end += 1;
    match words.get(options.end) {
        _ if behind_end => Err(options.end - 1),
        Some(next) if next.starts_with('-') => Err(options.end),
        _ => Ok(options),
    }
}

/// How many words the option takes; `None` when it cannot be read.
fn read_long(wrapper: &Wrapper, long: &str, options: &mut Options) -> Option<usize> {
    let (name, glued) = match long.split_once('=') {
        Some((name, _)) => (name, true),
        None => (long, false),
    };
    let shape = resolve(wrapper, name)?;
    options.moves |= shape == Shape::Moves;
    match (shape, glued) {
        (Shape::Flag, false) | (Shape::Value | Shape::Moves | Shape::Glued, true) | (Shape::Glued, false) => {
            Some(1)
        }
        (Shape::Value | Shape::Moves, false) => Some(2),
        (Shape::Flag, true) | (Shape::Asks | Shape::Hides, _) => None,
    }
}

/// An exact name, or an abbreviation; several candidates are taken only when they all read alike.
fn resolve(wrapper: &Wrapper, name: &str) -> Option<Shape> {
    if let Some((_, shape)) = wrapper.long.iter().find(|(long, _)| *long == name) {
        return Some(*shape);
    }
    let mut shapes = wrapper.long.iter().filter(|(long, _)| long.starts_with(name)).map(|(_, shape)| *shape);
    let first = shapes.next()?;
    shapes.all(|shape| shape == first).then_some(first)
}

/// How many words the bundle `letters` takes; `None` when a letter of it cannot be read.
fn read_short(wrapper: &Wrapper, letters: &str, options: &mut Options) -> Option<usize> {
    for (place, letter) in letters.char_indices() {
        let (_, shape) = wrapper.short.iter().find(|(known, _)| *known == letter)?;
        options.moves |= *shape == Shape::Moves;
        match shape {
            Shape::Flag => {}
            Shape::Asks => options.only_asks = true,
            Shape::Value | Shape::Moves if place + letter.len_utf8() == letters.len() => return Some(2),
            Shape::Value | Shape::Moves => return Some(1),
            Shape::Glued | Shape::Hides => return None,
        }
    }
    Some(1)
}

/// `-5`, `--5`, `-+5`: the old way to write the adjustment of nice(1).
fn is_number(word: &str) -> bool {
    let Some(rest) = word.strip_prefix('-') else { return false };
    let digits = rest.strip_prefix(['-', '+']).unwrap_or(rest);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}
