//! The paths of a line of sh mode, judged by the same gate as those of every other call.

use std::{
    ffi::OsString,
    path::{Component, Path, PathBuf},
};

use pinfold_exec::SearchPath;
use pinfold_shell::{Found, Ground, Locate, Outside, Purpose};

use crate::{
    Failure, FailureType,
    backend::{Asked, Backend},
    environment::Environment,
    gate::{Gate, Look, Read, Verb, Write},
};

/// What a line of a workspace may touch.
pub(crate) struct Yard<'a> {
    pub(crate) backend: &'a Backend,
    pub(crate) gate: &'a Gate,
    pub(crate) environment: &'a Environment,
    /// The directory that it starts in: absolute, without links.
    pub(crate) start: PathBuf,
}

impl Yard<'_> {
    fn place<V: Verb>(&self, path: &Path) -> Result<String, Failure> {
        let asked = Asked { name: path.into(), link_itself: false, lossy: false };
        let permit = self.gate.judge::<V>(&asked, self.backend.resolve(&asked))?;
        Ok(permit.place().to_string_lossy().into_owned())
    }

    fn judged(&self, path: &Path, purpose: Purpose) -> Result<String, Failure> {
        match purpose {
            Purpose::Read => self.place::<Read>(path),
            Purpose::Write => self.place::<Write>(path),
            Purpose::Cd => self.place::<Look>(path),
        }
    }
}

impl Ground for Yard<'_> {
    fn start(&self) -> String {
        self.start.to_string_lossy().into_owned()
    }

    /// A path that leads nowhere yet, such as `new/../x`, counts by its letters: a command of the same line may make it.
    fn judge(&self, path: &str, purpose: Purpose) -> Result<String, Outside> {
        let whole = Path::new(path);
        let found = self.judged(whole, purpose).or_else(|no| match no.failure_type() {
            FailureType::PathEscape => Err(no),
            _ => self.judged(&plain(whole), purpose),
        });
        found.map_err(|no| Outside { message: no.message().to_owned(), hint: no.advice().map(str::to_owned) })
    }

    fn program(&self, dir: &str, name: &str) -> Option<Found> {
        let asked = Asked { name: OsString::from(dir), link_itself: false, lossy: false };
        let permit = self.gate.judge::<Look>(&asked, self.backend.resolve(&asked)).ok()?;
        let site = permit.open();
        let cwd = site.node.working_dir().ok().flatten()?;
        let path = self.environment.get("PATH".as_ref());
        let search = SearchPath::new(path, site.ground.terms.writable_roots(), cwd);
        if let Some(planted) = search.planted(name) {
            return Some(Found { real: planted.real_path().to_owned(), planted: true });
        }
        let program = search.locate(name).ok()?;
        Some(Found { real: program.real_path().to_owned(), planted: false })
    }
}

/// Without `.` and `..`, by its letters.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(out.pop()),
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}
