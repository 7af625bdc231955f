//! Globs of the search tools: what a model writes, against paths below where it looks.

use std::path::Path;

use pinfold_jail::{Dialect, Glob, GlobError, Letters, Reading};

use crate::{Failure, FailureType, gate::Ground, words::clipped};

/// Which files a search wants, by their paths below where it begins.
#[derive(Debug, Default)]
pub(crate) struct Filter {
    /// One of these has to match, if there are any.
    wanted: Vec<Glob>,
    /// None of these may match, nor a directory above.
    unwanted: Vec<Glob>,
    /// Names that begin with a dot are passed over.
    pub(crate) without_hidden: bool,
    /// No directory is entered.
    pub(crate) only_here: bool,
}

/// How far a filter has been read on the way to a directory.
#[derive(Debug, Clone)]
pub(crate) struct Reached {
    wanted: Vec<Reading>,
    unwanted: Vec<Reading>,
}

impl Filter {
    /// Files that match `text`, which counts from where the search begins: `*.rs` matches there only.
    pub(crate) fn from_top(text: &str, ground: &Ground) -> Result<Filter, Failure> {
        let own = inside(text, ground)?;
        let glob = Glob::new(own, Dialect::Search).map_err(|error| bad(text, error))?;
        let to_the_letter = as_written(own, Glob::new);
        Ok(Filter { wanted: std::iter::once(glob).chain(to_the_letter).collect(), ..Filter::default() })
    }

    /// Files that match this glob, which counts from where the search begins.
    pub(crate) fn of(glob: Glob) -> Filter {
        Filter { wanted: vec![glob], ..Filter::default() }
    }

    /// Also files that match `text` as other tools know it: `*.rs` matches at any depth, and `!text` leaves out.
    pub(crate) fn and(mut self, text: &str, ground: &Ground) -> Result<Filter, Failure> {
        let (own, list) = match text.strip_prefix('!') {
            Some(rest) => (rest, &mut self.unwanted),
            None => (text, &mut self.wanted),
        };
        let own = inside(own, ground)?;
        list.push(Glob::at_any_depth(own, Dialect::Search).map_err(|error| bad(text, error))?);
        list.extend(as_written(own, Glob::at_any_depth));
        Ok(self)
    }

    /// Where the search begins.
    pub(crate) fn begin(&self) -> Reached {
        let begin = |globs: &[Glob]| globs.iter().map(Glob::begin).collect();
        Reached { wanted: begin(&self.wanted), unwanted: begin(&self.unwanted) }
    }

    /// Whether the file `name` in that directory is wanted.
    pub(crate) fn takes(&self, reached: &Reached, name: &[u8]) -> bool {
        if self.passes_over(name) {
            return false;
        }
        if self.wanted.is_empty() && self.unwanted.is_empty() {
            return true;
        }
        let letters = self.letters(name);
        (self.wanted.is_empty() || any_ends(&self.wanted, &reached.wanted, &letters))
            && !any_ends(&self.unwanted, &reached.unwanted, &letters)
    }

    /// The directory `name` in that directory; none if nothing below it is wanted.
    pub(crate) fn enters(&self, reached: &Reached, name: &[u8]) -> Option<Reached> {
        if self.only_here || self.passes_over(name) {
            return None;
        }
        let letters = self.letters(name);
        if any_ends(&self.unwanted, &reached.unwanted, &letters) {
            return None;
        }
        let step = |globs: &[Glob], readings: &[Reading]| -> Vec<Reading> {
            globs.iter().zip(readings).map(|(glob, reading)| glob.step(reading, &letters)).collect()
        };
        let wanted = step(&self.wanted, &reached.wanted);
        let goes_on = self.wanted.iter().zip(&wanted).any(|(glob, reading)| glob.goes_on(reading));
        (self.wanted.is_empty() || goes_on)
            .then(|| Reached { wanted, unwanted: step(&self.unwanted, &reached.unwanted) })
    }
}

impl Filter {
    fn passes_over(&self, name: &[u8]) -> bool {
        self.without_hidden && name.starts_with(b".")
    }

    /// All globs of a filter are of one dialect, or of `Search` and `Plain`, which read names alike.
    fn letters(&self, name: &[u8]) -> Letters {
        let glob = self.wanted.first().or(self.unwanted.first());
        Letters::of(name, glob.map_or(Dialect::Search, Glob::dialect))
    }
}

fn any_ends(globs: &[Glob], readings: &[Reading], letters: &Letters) -> bool {
    globs.iter().zip(readings).any(|(glob, reading)| glob.ends_with(reading, letters))
}

/// Names such as `src/[id]/x` are common in web frameworks: a pattern with brackets or braces also means them as they stand.
fn as_written(text: &str, new: fn(&str, Dialect) -> Result<Glob, GlobError>) -> Option<Glob> {
    text.contains(['[', '{']).then(|| new(text, Dialect::Plain).ok()).flatten()
}

/// A pattern that begins with the whole path of where the search begins counts from there; any other that begins with
/// `/` would look outside.
fn inside<'a>(text: &'a str, ground: &Ground) -> Result<&'a str, Failure> {
    if !text.starts_with('/') {
        return Ok(text);
    }
    let top = ground.place.to_str().unwrap_or("/");
    match text.strip_prefix(top) {
        Some(rest) if top == "/" || rest.starts_with('/') => Ok(rest),
        _ => Err(outside(text, &ground.place)),
    }
}

fn outside(text: &str, top: &Path) -> Failure {
    let text = &*clipped(text);
    Failure::new(FailureType::PathEscape, format!("The pattern `{text}` looks outside `{}`.", top.display()))
        .hint("Patterns are relative: begin with a name or `**/`, and use path to look elsewhere.")
        .at(text)
}

fn bad(text: &str, error: GlobError) -> Failure {
    let text = &*clipped(text);
    if error == GlobError::DotDot {
        return Failure::new(FailureType::PathEscape, format!("The pattern `{text}` climbs with `..`."))
            .hint("Patterns only go down: use path to look elsewhere in the workspace.")
            .at(text);
    }
    Failure::new(FailureType::BadArguments, format!("The pattern `{text}` cannot be read: {error}."))
}
