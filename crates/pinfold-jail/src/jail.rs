//! The roots together, and the one way in.

use std::{
    ffi::OsStr,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use crate::{
    ErrorKind, JailError, JailedPath, NodeKind, RelPath, Resolver, Root,
    resolve::{self, Resolved, names_a_directory},
};

/// What to do with a link in the last place of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Last {
    /// Follow it, like every other link on the way: for reading and writing.
    Follow,
    /// Take the link itself: for removing.
    Keep,
}

/// A name to resolve.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// The name as it was written: relative to the first root, or absolute. Nothing is trimmed, decoded or expanded.
    pub name: &'a OsStr,
    /// What to do with a link in the last place.
    pub last: Last,
    /// U+FFFD may stand for a byte that is not UTF-8, where exactly one entry is shown so. For reading what a listing
    /// showed.
    pub lossy: bool,
}

/// Why a name was not resolved, and the places that were looked at on the way.
#[derive(Debug, Clone)]
pub struct Unresolved {
    /// What went wrong.
    pub error: JailError,
    /// Absolute paths without links: whoever denies names has to look at these before telling the error, or the error
    /// tells what exists below a denied directory.
    pub passed: Vec<PathBuf>,
}

/// Several directories, and everything that lies below them *now*.
#[derive(Debug, Clone)]
pub struct Jail {
    roots: Vec<Root>,
    resolver: Resolver,
}

impl Jail {
    /// A jail whose first root is `home`: relative names begin there.
    pub fn new(home: Root, resolver: Resolver) -> Jail {
        Jail { resolver: resolver.settled(&home), roots: vec![home] }
    }

    /// Adds a root that absolute names and links may lead into.
    pub fn add(&mut self, root: Root) {
        self.roots.push(root);
    }

    /// The root that relative names begin in.
    pub fn home(&self) -> &Root {
        &self.roots[0]
    }

    /// All roots, the home first.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// The resolver in force: never [`Resolver::Best`].
    pub fn resolver(&self) -> Resolver {
        self.resolver
    }

    /// Finds what `ask.name` stands for, and holds it. Whether it exists or not, nothing is changed and nothing but
    /// directories is opened, so neither a pipe nor a device can make it wait.
    pub fn resolve(&self, ask: Ask<'_>) -> Result<JailedPath, Unresolved> {
        let mut passed = Vec::new();
        let path = match read_name(ask.name).and_then(|name| resolve::find(self, name, ask, &mut passed)) {
            Ok(found) => self.jailed(found, passed),
            Err(error) => return Err(Unresolved { error, passed }),
        };
        if path.directory && path.kind().is_some_and(|kind| kind != NodeKind::Directory) {
            let passed = [path.passed(), &[path.place().to_owned()]].concat();
            return Err(Unresolved { error: ErrorKind::NotDirectory.into(), passed });
        }
        Ok(path)
    }

    /// The same jail narrowed to a directory of it, which becomes the new home; the other roots stay.
    pub fn scoped(&self, at: &JailedPath) -> Result<Jail, JailError> {
        let dir = at.dir_fd()?;
        let written = self.roots.iter().find_map(|root| root.written(&root.relative(at.place())?));
        let mut roots = vec![Root::held(dir, written.as_deref(), at.access(), Some(at.anchor()))?];
        roots.extend(self.roots[1..].iter().cloned());
        Ok(Jail { roots, resolver: self.resolver })
    }

    fn jailed(&self, found: Resolved, mut passed: Vec<PathBuf>) -> JailedPath {
        let root = &self.roots[found.root];
        let place = join(root.real_path(), &found.rel);
        passed.retain(|other| *other != place);
        let holds_root = self.roots.iter().any(|root| root.real_path().starts_with(&place));
        JailedPath::new(found, root, place, passed, holds_root)
    }
}

/// The components of a name, and whether it begins at the top.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Name<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) absolute: bool,
    /// It ends in a slash, so only a directory can have it.
    pub(crate) directory: bool,
}

/// The longest path that Linux takes (`PATH_MAX`, with its NUL).
pub const PATH_MAX: usize = 4096;

fn read_name(name: &OsStr) -> Result<Name<'_>, JailError> {
    let bytes = name.as_bytes();
    if bytes.contains(&0) {
        return Err(ErrorKind::BadName.into());
    }
    if bytes.len() >= PATH_MAX {
        return Err(ErrorKind::NameTooLong.into());
    }
    Ok(Name { bytes, absolute: bytes.first() == Some(&b'/'), directory: names_a_directory(bytes) })
}

pub(crate) fn join(root: &Path, rel: &RelPath) -> PathBuf {
    if rel.is_root() { root.to_owned() } else { root.join(rel.as_os_str()) }
}
