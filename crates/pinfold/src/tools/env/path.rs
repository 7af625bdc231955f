//! Virtual paths: text in, a plain path below the root out. Nothing is looked up here, and no text means a file outside.
//!
//! | text | path |
//! |---|---|
//! | `a/b`, `./a/b`, `/a/b`, `a//b`, `a/./b`, `a\b`, blanks around it | `a/b` |
//! | the root's own path and `/a` | `a`: it is taken away once |
//! | `/etc/passwd`, `~/x`, `C:\x`, `...` | `etc/passwd`, `~/x`, `C:/x`, `...`: names like others |
//! | `/`, `.` | the root, where it may be meant |
//! | a `..` between slashes, also one that would stay inside | refused |

use std::{
    ffi::OsString,
    fmt,
    path::{Path, PathBuf},
};

use pinfold_jail::RelPath;

use crate::{Failure, FailureType, backend::Asked, words::clipped};

/// A path that was read: plain names below the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct VirtualPath(RelPath);

/// What a text has to be to name a path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a> {
    /// What the text is called.
    pub(crate) label: &'static str,
    /// The root itself may be meant.
    pub(crate) may_be_root: bool,
    /// What the root is called by those who know where it lies, absolute.
    pub(crate) roots: &'a [PathBuf],
}

/// Where a path lies that may be written as an absolute one: below the root, or it is refused.
///
/// # Errors
/// `path-escape` for a `..` and for an absolute path outside, `bad-arguments` for no path at all.
pub(crate) fn resolve(text: &str, home: &Path) -> Result<PathBuf, Failure> {
    let plain = slashed(text);
    let reader = Reader { label: "path", may_be_root: true, roots: &[] };
    if matches!(&*plain, "." | "./") {
        return Ok(home.to_owned());
    }
    let below = match plain.starts_with('/') {
        false => reader.read(&plain)?,
        true => {
            let whole = reader.read(&plain)?;
            let root = home.strip_prefix("/").unwrap_or(home).as_os_str().as_encoded_bytes();
            let below = RelPath::new(root).ok().and_then(|root| whole.0.strip(&root));
            VirtualPath(below.ok_or_else(|| reader.escapes(text))?)
        }
    };
    Ok(if below.0.is_root() { home.to_owned() } else { home.join(below.name()) })
}

impl Reader<'_> {
    /// Reads `text`.
    ///
    /// # Errors
    /// `path-escape` for a `..`, `bad-arguments` for no path at all, `is-directory` for a root that cannot be meant.
    pub(crate) fn read(&self, text: &str) -> Result<VirtualPath, Failure> {
        let plain = slashed(text);
        // `./` alone has never named the root here.
        let plain = plain.strip_prefix("./").map_or(&*plain, |rest| rest.trim_start_matches('/'));
        if plain.is_empty() {
            return Err(self.required());
        }
        let names = self.names(plain, text)?;
        let below = match text.trim_start().starts_with(['/', '\\']) {
            true => self.without_root(&names),
            false => &names,
        };
        if below.is_empty() && !self.may_be_root {
            return Err(self.root_itself(text));
        }
        RelPath::new(&below.join("/")).map(VirtualPath).map_err(|_| self.required())
    }

    fn names<'t>(&self, plain: &'t str, text: &str) -> Result<Vec<&'t str>, Failure> {
        if plain.contains('\0') {
            let message = format!("`{}` cannot hold a NUL character.", self.label);
            return Err(Failure::new(FailureType::BadArguments, message));
        }
        let names: Vec<&str> = plain.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
        if names.contains(&"..") { Err(self.escapes(text)) } else { Ok(names) }
    }

    /// Takes the root's own path away, once.
    fn without_root<'n, 't>(&self, names: &'n [&'t str]) -> &'n [&'t str] {
        let count = |root: &PathBuf| {
            let root: Vec<&str> = root.to_str()?.split('/').filter(|name| !name.is_empty()).collect();
            names.starts_with(&root).then_some(root.len())
        };
        &names[self.roots.iter().filter_map(count).max().unwrap_or(0)..]
    }

    fn required(&self) -> Failure {
        Failure::new(FailureType::BadArguments, format!("`{}` is required, and was left empty.", self.label))
            .hint("Give a path from the root, such as `src/main.rs`.")
    }

    fn escapes(&self, text: &str) -> Failure {
        let text = clipped(text);
        let message = format!("`{}`: `{text}` cannot escape the root with `..`.", self.label);
        Failure::new(FailureType::PathEscape, message)
            .hint("Paths count from the root, and only go down: write the whole path without `..`.")
            .at(text)
    }

    fn root_itself(&self, text: &str) -> Failure {
        let text = clipped(text);
        let message = format!("`{}` cannot be the workspace root, as `{text}` is.", self.label);
        Failure::new(FailureType::IsDirectory, message).hint("Name something in it.").at(text)
    }
}

/// Without blanks around it, and with `/` alone between names.
pub(super) fn slashed(text: &str) -> String {
    let blank = |letter: char| letter.is_whitespace() || letter == '\u{feff}';
    text.trim_matches(blank).replace('\\', "/")
}

impl VirtualPath {
    /// The root.
    pub(crate) fn root() -> VirtualPath {
        VirtualPath(RelPath::root())
    }

    /// Its names.
    pub(crate) fn rel(&self) -> &RelPath {
        &self.0
    }

    /// The path of what lies below it.
    pub(crate) fn join(&self, below: &RelPath) -> VirtualPath {
        VirtualPath(below.below(&self.0))
    }

    /// Whether one of its names begins with a dot.
    pub(crate) fn is_hidden(&self) -> bool {
        self.0.components().any(|name| name.starts_with(b"."))
    }

    /// As a name that a backend resolves.
    pub(crate) fn name(&self) -> OsString {
        self.0.as_os_str().to_owned()
    }

    /// Asks for what is there, links followed; U+FFFD may stand for what is not UTF-8.
    pub(crate) fn to_look_at(&self) -> Asked {
        Asked { name: self.name(), link_itself: false, lossy: true }
    }

    /// Asks for what is to be written there.
    pub(crate) fn to_write(&self) -> Asked {
        Asked { name: self.name(), link_itself: false, lossy: false }
    }

    /// Asks for the link itself, if it is one.
    pub(crate) fn to_remove(&self) -> Asked {
        Asked { name: self.name(), link_itself: true, lossy: false }
    }
}

impl fmt::Display for VirtualPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str, may_be_root: bool) -> Result<String, FailureType> {
        let roots = ["/workspace".into()];
        let reader = Reader { label: "path", may_be_root, roots: &roots };
        reader.read(text).map(|path| path.to_string()).map_err(|failure| failure.failure_type())
    }

    #[test]
    fn texts_that_name_a_path() {
        for (text, path) in [
            ("a/b", "a/b"),
            ("./a/b", "a/b"),
            (".//a/b", "a/b"),
            ("/a/b", "a/b"),
            ("//a/b/", "a/b"),
            ("a//b", "a/b"),
            ("a/./b", "a/b"),
            ("/workspace/a", "a"),
            ("\\workspace\\a", "a"),
            ("/workspace/workspace/x", "workspace/x"),
            ("/workspacex/a", "workspacex/a"),
            ("workspace/a", "workspace/a"),
            ("/etc/passwd", "etc/passwd"),
            (" a ", "a"),
            ("\u{feff}a\t\n", "a"),
            ("a\\b", "a/b"),
            ("C:\\x", "C:/x"),
            ("~/.ssh", "~/.ssh"),
            ("...", "..."),
            ("a/..b", "a/..b"),
        ] {
            assert_eq!(read(text, false).as_deref(), Ok(path), "{text:?}");
        }
    }

    #[test]
    fn the_root_where_it_may_be_meant() {
        for text in ["/", ".", "/workspace", "/workspace/", "/.", "././"] {
            assert_eq!(read(text, true).as_deref(), Ok("."), "{text:?}");
            assert_eq!(read(text, false), Err(FailureType::IsDirectory), "{text:?}");
        }
    }

    #[test]
    fn texts_that_name_none() {
        for may_be_root in [true, false] {
            for text in ["", "   ", "./", ".\\", " ./ ", "a\0b", "/\0"] {
                assert_eq!(read(text, may_be_root), Err(FailureType::BadArguments), "{text:?}");
            }
            for text in ["a/../b", "..", "..\\x", "/workspace/../etc", "./../x", "/..", "a\\..", " .. "] {
                assert_eq!(read(text, may_be_root), Err(FailureType::PathEscape), "{text:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn whatever_is_read_is_plain_and_reads_as_itself(text in r"[a.~/\\ \x00é]{0,12}") {
            if let Ok(path) = read(&text, true) {
                prop_assert!(path == "." || RelPath::new(&path).is_ok());
                // Slashes around it keep blanks that belong to a name.
                prop_assert_eq!(read(&format!("/{path}/"), true), Ok(path));
            }
        }
    }
}
