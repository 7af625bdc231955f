//! How a name becomes a program: the search of execvp(3), with what an agent may write left out.

use std::{
    ffi::{OsStr, OsString},
    os::{
        fd::OwnedFd,
        unix::ffi::{OsStrExt, OsStringExt},
    },
    path::{Path, PathBuf},
    sync::Arc,
};

use pinfold_shell::{Locate, NotLocated, NotLocatedKind, shown};
use rustix::fs::{CWD, OFlags};

use crate::{
    descriptor::{hold, real_path},
    program::{Executable, Unfit},
};

/// Finds programs for one command: by the `PATH` that the command will have, or relative to its directory.
///
/// - A name with a slash is opened as it is, relative to the command's directory; links are followed, wherever they
///   lead (`venv/bin/python3` is a link to the outside).
/// - A bare name is looked up in `PATH`, from the left; the first regular file that this process may execute wins.
///   Passed over are entries that are empty or relative, entries that really lie inside a writable root, and files that
///   really do: else a file made by the agent would take the place of a program that a rule names.
#[derive(Debug)]
pub struct SearchPath {
    path: Option<OsString>,
    skip: Vec<PathBuf>,
    cwd: Arc<OwnedFd>,
}

/// What the search met on its way.
#[derive(Debug, Default)]
struct Met {
    passed_over: Option<PathBuf>,
    unfit: Option<PathBuf>,
}

impl SearchPath {
    /// - `path`: the `PATH` of the command's environment; `None` when it has none.
    /// - `skip`: the roots that the agent may write to, as absolute real paths.
    /// - `cwd`: the directory that the command will start in.
    pub fn new(path: Option<&OsStr>, skip: Vec<PathBuf>, cwd: impl Into<Arc<OwnedFd>>) -> SearchPath {
        SearchPath { path: path.map(OsStr::to_owned), skip, cwd: cwd.into() }
    }

    /// The `PATH` to give to the command itself: without the entries that are passed over here, and those that lead
    /// nowhere. So a program that looks up another one (`env tool`, `make`) finds what was judged, too. `None`: nothing is
    /// left. An empty `PATH` would mean the current directory.
    pub fn path_for_command(&self) -> Option<OsString> {
        let entries = self.path.as_ref()?.as_bytes().split(|byte| *byte == b':');
        let kept: Vec<&[u8]> =
            entries.filter(|entry| self.keeps(Path::new(OsStr::from_bytes(entry)))).collect();
        (!kept.is_empty()).then(|| OsString::from_vec(kept.join(&b':')))
    }

    /// The file that a shell would take for the bare `name`, by the `PATH` of [`SearchPath::path_for_command`], although
    /// it really lies in a writable root: a link may lead there. `None`: it would take the one that is found here.
    pub fn planted(&self, name: &str) -> Option<Executable> {
        let entries = self.path.as_ref()?.as_bytes().split(|byte| *byte == b':').map(OsStr::from_bytes);
        let dirs = entries.map(Path::new).filter(|entry| !name.contains('/') && self.keeps(entry));
        let mut found = dirs.filter_map(|dir| {
            let open = hold(CWD, dir, OFlags::DIRECTORY).ok()?;
            Executable::open(&open, Path::new(name), dir.join(name)).ok()
        });
        found.next().filter(|first| self.skips(first.real_path()))
    }

    fn keeps(&self, entry: &Path) -> bool {
        entry.is_absolute()
            && hold(CWD, entry, OFlags::DIRECTORY)
                .and_then(|dir| real_path(&dir))
                .is_ok_and(|real| !self.skips(&real))
    }

    fn by_path(&self, name: &str) -> Result<Executable, NotLocated> {
        Executable::open(&*self.cwd, Path::new(name), PathBuf::from(name))
            .map_err(|unfit| said_of_path(name, unfit))
    }

    fn by_name(&self, name: &str) -> Result<Executable, NotLocated> {
        let Some(path) = &self.path else {
            return Err(no_path(name));
        };
        let mut met = Met::default();
        for entry in path.as_bytes().split(|byte| *byte == b':') {
            if let Some(found) = self.in_entry(Path::new(OsStr::from_bytes(entry)), name, &mut met) {
                return Ok(found);
            }
        }
        Err(not_in_path(name, path, met))
    }

    fn in_entry(&self, entry: &Path, name: &str, met: &mut Met) -> Option<Executable> {
        // An empty entry means the current directory (XBD 8.3).
        let shown = if entry.as_os_str().is_empty() { Path::new(".") } else { entry };
        let start = if entry.is_absolute() {
            hold(CWD, entry, OFlags::DIRECTORY)
        } else {
            hold(&*self.cwd, shown, OFlags::DIRECTORY)
        };
        let dir = start.ok()?;
        let skipped = !entry.is_absolute() || self.skips(&real_path(&dir).ok()?);
        match Executable::open(&dir, Path::new(name), shown.join(name)) {
            Ok(found) if skipped || self.skips(found.real_path()) => {
                met.passed_over.get_or_insert_with(|| shown.join(name));
            }
            Ok(found) => return Some(found),
            Err(Unfit::NotPermitted) if !skipped => {
                met.unfit.get_or_insert_with(|| shown.join(name));
            }
            Err(_) => {}
        }
        None
    }

    fn skips(&self, real: &Path) -> bool {
        self.skip.iter().any(|root| real.starts_with(root))
    }
}

impl Locate for SearchPath {
    type Program = Executable;

    fn locate(&self, name: &str) -> Result<Executable, NotLocated> {
        if name.contains('/') { self.by_path(name) } else { self.by_name(name) }
    }
}

fn said_of_path(name: &str, unfit: Unfit) -> NotLocated {
    let name = shown(name);
    match unfit {
        Unfit::Missing(errno) => NotLocated::new(
            NotLocatedKind::NotFound,
            format!("The program {name} cannot be opened: {errno}."),
        )
        .with_hint("Paths are relative to the directory that the command starts in."),
        Unfit::NotAFile => NotLocated::new(
            NotLocatedKind::NotExecutable,
            format!("{name} is not a regular file, so it cannot be run."),
        ),
        Unfit::NotPermitted => {
            NotLocated::new(NotLocatedKind::NotExecutable, format!("The file {name} is not executable."))
                .with_hint(
                    "Set its execute bit, or run the program that interprets it with the file as argument.",
                )
        }
    }
}

fn no_path(name: &str) -> NotLocated {
    let name = shown(name);
    let message = format!("The program {name} cannot be looked up: the command's environment has no PATH.");
    NotLocated::new(NotLocatedKind::NotFound, message)
        .with_hint("Call it by its path, or have the policy pass PATH on: `shell.inheritEnv = [\"PATH\"]`.")
}

fn not_in_path(name: &str, path: &OsStr, met: Met) -> NotLocated {
    let (name, path) = (shown(name), shown(&path.to_string_lossy()));
    if let Some(unfit) = met.unfit {
        let message = format!(
            "The program {name} is in the command's PATH only as {}, which is not executable.",
            shown(&unfit.to_string_lossy())
        );
        return NotLocated::new(NotLocatedKind::NotExecutable, message);
    }
    if let Some(passed_over) = met.passed_over {
        let message = format!(
            "The program {name} is in the command's PATH only as {}, in a place that is passed over: it is relative, or the workspace may write there.",
            shown(&passed_over.to_string_lossy())
        );
        return NotLocated::new(NotLocatedKind::NotFound, message)
            .with_hint("Call it by its path, with a slash in it.");
    }
    NotLocated::new(NotLocatedKind::NotFound, format!("There is no program {name} in the command's PATH, {path}."))
        .with_hint("Look at the spelling; a builtin of a shell is not a program, and a file here needs its path: `./NAME`.")
}
