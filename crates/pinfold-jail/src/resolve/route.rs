//! Names before the disk is asked: their components, and which root an absolute one leads into.

use std::{
    collections::VecDeque,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use crate::{
    Jail, RelPath,
    jail::{Name, join},
};

/// The components of a name. Empty ones and `.` say nothing; `..` stays, for it means a place, not a letter.
pub(super) fn components(bytes: &[u8]) -> VecDeque<Vec<u8>> {
    parts(bytes).map(<[u8]>::to_vec).collect()
}

/// Whether a name can only be a directory's: `a/`, `a/.`, `a/..`, and the empty one.
pub(crate) fn names_a_directory(bytes: &[u8]) -> bool {
    matches!(bytes.rsplit(|&b| b == b'/').next(), Some(b"" | b"." | b".."))
}

fn parts(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|&b| b == b'/').filter(|part| !matches!(*part, b"" | b"."))
}

/// The root and the path below it of a name without `..`.
pub(super) fn plain(jail: &Jail, name: Name<'_>) -> Option<(usize, RelPath)> {
    let names: Vec<&[u8]> = from_the_top(jail, name).collect();
    if names.contains(&&b".."[..]) {
        return None;
    }
    let (root, skip) = longest(jail, &names)?;
    Some((root, RelPath::new(&names[skip..].join(&b'/')).ok()?))
}

/// The components of a name, those of the home before it if it is relative.
fn from_the_top<'a>(jail: &'a Jail, name: Name<'a>) -> impl Iterator<Item = &'a [u8]> {
    let home = if name.absolute { Path::new("/") } else { jail.home().real_path() };
    parts(home.as_os_str().as_bytes()).chain(parts(name.bytes))
}

/// The places that the letters of a name say, `..` taking a name away: what a deny rule has to be asked about even where
/// links make the name mean another place, or nothing at all.
pub(super) fn as_written(jail: &Jail, name: Name<'_>) -> Vec<PathBuf> {
    let mut names = Vec::new();
    for part in from_the_top(jail, name) {
        if part == b".." {
            names.pop();
        } else {
            names.push(part);
        }
    }
    spelled(jail, &names)
}

/// Every place that `names` spell: one for each root, and each name of it, that they begin with. A root may have been
/// opened through a link that lies in another root, and then the link's place counts as well.
fn spelled(jail: &Jail, names: &[&[u8]]) -> Vec<PathBuf> {
    let mut places = Vec::new();
    for root in jail.roots() {
        for skip in root.named_by(names) {
            let Ok(rel) = RelPath::new(&names[skip..].join(&b'/')) else { continue };
            let place = join(root.real_path(), &rel);
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    places
}

/// A way from outside into a root.
pub(super) struct Entrance {
    pub(super) root: usize,
    /// Names below the root, to be walked before anything else.
    pub(super) names: VecDeque<Vec<u8>>,
    /// How many of the names to do are used up.
    pub(super) used: usize,
    /// The places that the way in spells.
    pub(super) spelled: Vec<PathBuf>,
}

/// From the directory `from`, which root do the names `todo` lead into?
///
/// The outside is never looked at: names are compared with the names of the roots, and `..` takes a name away. So a
/// way in through a link that lies outside is not found; it is refused like any other way out.
pub(super) fn into_root(jail: &Jail, from: &Path, todo: &VecDeque<Vec<u8>>) -> Option<Entrance> {
    let mut names: Vec<&[u8]> = parts(from.as_os_str().as_bytes()).collect();
    let mut used = 0;
    loop {
        let before = names.len();
        names.extend(todo.iter().skip(used).map(Vec::as_slice).take_while(|part| *part != b".."));
        used += names.len() - before;
        if let Some((root, len)) = longest(jail, &names) {
            let spelled = spelled(jail, &names);
            let names = names[len..].iter().map(|name| name.to_vec()).collect();
            return Some(Entrance { root, names, used, spelled });
        }
        todo.get(used)?;
        used += 1;
        names.pop();
    }
}

fn longest(jail: &Jail, names: &[&[u8]]) -> Option<(usize, usize)> {
    let named = jail.roots().iter().enumerate();
    let named = named.flat_map(|(at, root)| root.named_by(names).map(move |len| (len, at)));
    named.max_by_key(|(len, at)| (*len, std::cmp::Reverse(*at))).map(|(len, at)| (at, len))
}
