//! Programs that run another program whose name stands in their own words: where it stands.
//!
//! Options are read from a table ([`table`]), as getopt_long(3) of the GNU C library reads them: bundled (`-iu NAME`),
//! glued (`-uNAME`, `--unset=NAME`), abbreviated (`--uns`), ended by `--`. A word that the table does not know makes
//! the whole command unreadable: it is never guessed where the inner command begins.

mod find;
mod options;
mod table;

use std::ops::Range;

use super::names;
use table::{Operands, WRAPPERS, Wrapper};

/// What a wrapper's words say.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Read {
    /// The words of each inner command, counted within the wrapper's own words. Never empty ranges.
    pub(super) inner: Vec<Range<usize>>,
    /// The words that set a variable for the inner command.
    pub(super) assignments: Vec<usize>,
    /// The wrapper is `find`, which puts names of files into the inner command.
    pub(super) find: bool,
    /// The inner command may start in another directory.
    pub(super) moves: bool,
}

/// Whether `name` (a basename) is a wrapper. Letter case does not count, as for the deny list.
pub(super) fn is_wrapper(name: &str) -> bool {
    let name = names::folded(name);
    name == "find" || WRAPPERS.iter().any(|wrapper| wrapper.name == name)
}

/// Reads the words of the program `name`; `words[0]` is its name as it was written. `None`: it is no wrapper.
///
/// The error is the first word that cannot be read; `words.len()` when something is missing at the end.
pub(super) fn read(name: &str, words: &[String]) -> Option<Result<Read, usize>> {
    let name = names::folded(name);
    if name == "find" {
        return Some(find::read(words));
    }
    let wrapper = WRAPPERS.iter().find(|wrapper| wrapper.name == name)?;
    Some(read_with(wrapper, words))
}

fn read_with(wrapper: &Wrapper, words: &[String]) -> Result<Read, usize> {
    let options = options::read(wrapper, words)?;
    let mut read = Read { moves: options.moves, ..Read::default() };
    let mut next = options.end;
    match wrapper.operands {
        Operands::None => {}
        Operands::One => next += 1,
        Operands::Assignments => {
            while words.get(next).is_some_and(|word| word.contains('=')) {
                read.assignments.push(next);
                next += 1;
            }
        }
    }
    if next < words.len() && !options.only_asks {
        read.inner.push(next..words.len());
    }
    Ok(read)
}
