//! What a walk may see: the deny rules, read along the way down instead of anew for every path.

use std::{os::unix::ffi::OsStrExt, path::Path};

use pinfold_jail::{Dialect, Letters, RelPath, Standing};

use super::terms::{Terms, is_our_name};

/// How far the deny rules have been read on the way to one directory.
#[derive(Debug, Clone)]
pub(crate) struct Sight(Vec<Base>);

/// A directory that the rules count from.
#[derive(Debug, Clone)]
enum Base {
    /// The walk is at it or below it.
    Reached(Standing),
    /// It lies below where the walk is: by these names.
    Ahead(RelPath),
}

impl Terms {
    /// What may be seen from `place`, an absolute directory without links that is not denied itself.
    pub(crate) fn sight(&self, place: &Path) -> Sight {
        let base = |base: &std::path::PathBuf| {
            if let Ok(way) = place.strip_prefix(base) {
                let names = way.iter().map(|name| Letters::of(name.as_bytes(), Dialect::Deny));
                let step = |standing, name| self.deny.step(&standing, &name);
                return Some(Base::Reached(names.fold(self.deny.begin(), step)));
            }
            let ahead = base.strip_prefix(place).ok()?;
            RelPath::new(ahead.as_os_str().as_bytes()).ok().map(Base::Ahead)
        };
        Sight(self.bases.iter().filter_map(base).collect())
    }
}

impl Sight {
    /// Whether `name` in this directory must not be shown.
    pub(crate) fn hides(&self, terms: &Terms, name: &[u8], letters: &Letters) -> bool {
        self.0.iter().any(|base| match base {
            Base::Reached(standing) => is_our_name(name) || terms.deny.denies(standing, letters),
            Base::Ahead(_) => false,
        })
    }

    /// What may be seen from the directory `name` in this one, which is not hidden.
    pub(crate) fn below(&self, terms: &Terms, name: &[u8], letters: &Letters) -> Sight {
        let step = |base: &Base| match base {
            Base::Reached(standing) => Some(Base::Reached(terms.deny.step(standing, letters))),
            Base::Ahead(way) => {
                let rest = way.strip(&RelPath::new(name).ok()?)?;
                Some(if rest.is_root() { Base::Reached(terms.deny.begin()) } else { Base::Ahead(rest) })
            }
        };
        Sight(self.0.iter().filter_map(step).collect())
    }
}
