//! Paths that are only letters: relative, without `.`, `..`, empty components or NUL. No method touches the disk.

use std::{borrow::Cow, ffi::OsStr, fmt, os::unix::ffi::OsStrExt};

/// A path below some root, `/` between its components; empty for the root itself. Any bytes but NUL and `/` may stand
/// in a component: names on disk need not be UTF-8.
///
/// There is no `Deref` to `Path` on purpose: `Path` has methods that look at the disk by name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RelPath(Vec<u8>);

/// Why bytes are not a [`RelPath`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a plain name: `.`, `..`, `/`, NUL and the empty name are not")]
pub struct BadRelPath;

impl RelPath {
    /// The root itself.
    pub fn root() -> RelPath {
        RelPath::default()
    }

    /// Reads a path that is already plain; empty text is the root.
    pub fn new(text: &(impl AsRef<[u8]> + ?Sized)) -> Result<RelPath, BadRelPath> {
        let bytes = text.as_ref();
        if bytes.is_empty() || bytes.split(|&b| b == b'/').all(is_plain) {
            Ok(RelPath(bytes.to_vec()))
        } else {
            Err(BadRelPath)
        }
    }

    /// Whether this is the root itself.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The components from the root down.
    pub fn components(&self) -> impl DoubleEndedIterator<Item = &[u8]> + Clone {
        self.0.split(|&b| b == b'/').filter(|name| !name.is_empty())
    }

    /// The path of `name` directly below this one.
    pub fn join(&self, name: &[u8]) -> Result<RelPath, BadRelPath> {
        let mut child = self.clone();
        child.push(name)?;
        Ok(child)
    }

    /// Goes down to `name`.
    pub fn push(&mut self, name: &[u8]) -> Result<(), BadRelPath> {
        if !is_plain(name) || name.contains(&b'/') {
            return Err(BadRelPath);
        }
        if !self.0.is_empty() {
            self.0.push(b'/');
        }
        self.0.extend_from_slice(name);
        Ok(())
    }

    /// Goes up; false at the root.
    pub fn pop(&mut self) -> bool {
        let up = self.0.iter().rposition(|&b| b == b'/').unwrap_or(0);
        let moved = !self.0.is_empty();
        self.0.truncate(up);
        moved
    }

    /// This path below `base`.
    pub fn below(&self, base: &RelPath) -> RelPath {
        match (base.is_root(), self.is_root()) {
            (true, _) => self.clone(),
            (_, true) => base.clone(),
            _ => RelPath([&base.0[..], b"/", &self.0[..]].concat()),
        }
    }

    /// The path relative to `base`, if it lies there.
    pub fn strip(&self, base: &RelPath) -> Option<RelPath> {
        let rest = self.0.strip_prefix(&base.0[..])?;
        match (base.is_root(), rest.split_first()) {
            (true, _) => Some(self.clone()),
            (_, None) => Some(RelPath::root()),
            (_, Some((b'/', rest))) => Some(RelPath(rest.to_vec())),
            _ => None,
        }
    }

    /// The last component; none for the root.
    pub fn file_name(&self) -> Option<&[u8]> {
        self.components().next_back()
    }

    /// Its bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The same bytes as the operating system's text.
    pub fn as_os_str(&self) -> &OsStr {
        OsStr::from_bytes(&self.0)
    }

    /// Text for people; U+FFFD stands for what is not UTF-8.
    pub fn to_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// Whether it can be shown without loss.
    pub fn is_utf8(&self) -> bool {
        std::str::from_utf8(&self.0).is_ok()
    }
}

fn is_plain(name: &[u8]) -> bool {
    !matches!(name, b"" | b"." | b"..") && !name.contains(&0)
}

impl fmt::Debug for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_text())
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.to_text();
        f.write_str(if self.is_root() { "." } else { &text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_plain_names_only() {
        for good in ["", "a", "a/b", "...", "a..b", " a ", "a\\b", "~"] {
            assert!(RelPath::new(good).is_ok(), "{good:?}");
        }
        for bad in [".", "..", "/", "/a", "a/", "a//b", "a/./b", "a/../b", "a\0b"] {
            assert!(RelPath::new(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn moves_up_and_down() {
        let mut path = RelPath::new("a/b").unwrap();
        path.push(b"c").unwrap();
        assert_eq!(path.as_bytes(), b"a/b/c");
        assert!(path.push(b"x/y").is_err());
        assert!(path.pop() && path.pop() && path.pop() && !path.pop());
        assert!(path.is_root());
    }

    #[test]
    fn strips_by_component() {
        let base = RelPath::new("a/b").unwrap();
        assert_eq!(RelPath::new("a/b/c").unwrap().strip(&base).unwrap().as_bytes(), b"c");
        assert_eq!(base.strip(&base).unwrap(), RelPath::root());
        assert!(RelPath::new("a/bc").unwrap().strip(&base).is_none());
    }
}
