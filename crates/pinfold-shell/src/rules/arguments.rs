//! The argument table: options of common programs that hold another command.
//!
//! `sort --compress-program=PROGRAM`, `tar --to-command=TEXT`, `git -c core.pager=TEXT`, the `e` of sed: a program that is
//! allowed to run starts another one. What such an option holds is judged like the inner command of a wrapper; where it
//! cannot be read, the line is refused. Options that only read or write elsewhere are not looked at.
//!
//! Sources: the manuals of GNU coreutils 9, tar 1.35, sed 4.9, gawk 5, git 2.50, ripgrep 14, OpenSSH 9, rsync 3.2, man-db
//! 2.12, Info-ZIP zip 3.0, fd 10; GTFOBins for which of them matter.

mod awk;
mod fd;
mod git;
mod git_keys;
mod options;
mod sed;
mod ssh;
mod table;
mod tar;
mod text;
mod zip;

use std::ops::Range;

use super::names;
use options::{Item, Takes};
pub(super) use text::plain_words;

/// A command that an argument holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The word that holds it.
    pub(super) at: usize,
    pub(super) held: Held,
}

/// What an option holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Held {
    /// The name of a program, executed as it is.
    Program(String),
    /// A text that a shell will read, or that is split like one.
    Text(String),
    /// The following words are the command.
    Rest(Range<usize>),
    /// Something is run, but the words do not show what.
    Hidden,
}

/// How the words of a program are read.
#[derive(Clone, Copy)]
enum Reader {
    /// By its options alone.
    Options(&'static options::Spec),
    /// By a function of its own.
    Own(fn(&[String]) -> Vec<Found>),
}

/// Every program of the table, under all its names.
const PROGRAMS: &[(&[&str], Reader)] = &[
    (&["awk", "gawk", "mawk", "nawk", "original-awk"], Reader::Own(awk::read)),
    (&["fd", "fdfind"], Reader::Own(fd::read)),
    (&["git"], Reader::Own(git::read)),
    (&["sed", "gsed"], Reader::Own(sed::read)),
    (&["ssh"], Reader::Own(ssh::read)),
    (&["tar", "gtar", "bsdtar"], Reader::Own(tar::read)),
    (&["zip"], Reader::Own(zip::read)),
    (&["ag"], Reader::Options(&table::AG)),
    (&["man"], Reader::Options(&table::MAN)),
    (&["rg"], Reader::Options(&table::RG)),
    (&["rsync"], Reader::Options(&table::RSYNC)),
    (&["scp"], Reader::Options(&ssh::SCP)),
    (&["sftp"], Reader::Options(&ssh::SFTP)),
    (&["sort", "gsort"], Reader::Options(&table::SORT)),
    (&["split", "gsplit"], Reader::Options(&table::SPLIT)),
    (&["wget"], Reader::Options(&table::WGET)),
];

/// The commands that the arguments of program `name` (a basename, in any letter case) hold, from the left.
pub(super) fn read(name: &str, words: &[String]) -> Vec<Found> {
    match reader(name) {
        None => Vec::new(),
        Some(Reader::Own(read)) => read(words),
        Some(Reader::Options(spec)) => options::read(spec, words).filter_map(found).collect(),
    }
}

/// Whether both names are read alike, as far as they are read at all. `awk` is `mawk` on many systems.
pub(super) fn same_table(one: &str, other: &str) -> bool {
    place(one) == place(other)
}

/// Whether the table has the program.
pub(super) fn knows(name: &str) -> bool {
    place(name).is_some()
}

fn reader(name: &str) -> Option<Reader> {
    place(name).map(|place| PROGRAMS[place].1)
}

fn place(name: &str) -> Option<usize> {
    let name = names::folded(name);
    PROGRAMS.iter().position(|(names, _)| names.contains(&name.as_str()))
}

/// What one option holds, if it holds a command. An empty value runs nothing.
fn found(item: Item<'_>) -> Option<Found> {
    let Item::Option { takes, value, at } = item else { return None };
    let held = match (takes, value) {
        (Takes::Hides, _) | (Takes::MayText, None) => Held::Hidden,
        (Takes::Program | Takes::Text | Takes::MayText, Some(value)) if value.trim().is_empty() => {
            return None;
        }
        (Takes::Program, Some(value)) => Held::Program(value.to_owned()),
        (Takes::Text | Takes::MayText, Some(value)) => Held::Text(value.to_owned()),
        (Takes::Ask(ask), Some(value)) => ask(value)?,
        // The value is missing, so the program refuses.
        _ => return None,
    };
    Some(Found { at, held })
}
