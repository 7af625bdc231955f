//! `list_dir`: what a directory holds, level by level. Links are shown, never followed.

use std::{
    collections::VecDeque,
    ffi::OsStr,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use pinfold_contract::{Entry, FileKind, ListResult};
use pinfold_jail::{Child, Dialect, Glob, JailError, NodeKind, RelPath};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::FileTool;
use crate::{
    Failure, FailureType,
    backend::{Asked, Folder},
    gate::{Ground, Look, Permit, Site},
    ignores::Ignores,
    words,
};

/// The arguments of `list_dir`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListDir {
    /// Default: the root.
    pub path: Option<PathBuf>,
    /// How many levels to list. Default: 1.
    #[schemars(range(min = 1))]
    pub depth: Option<u32>,
    /// More globs of entries to leave out.
    pub ignore: Option<Vec<String>>,
}

impl FileTool for ListDir {
    const SEARCHES: bool = true;

    type Deed = Look;
    type Report = ListResult;

    fn asks(&self) -> Asked {
        let name = self.path.clone().unwrap_or_default().into_os_string();
        Asked { name, link_itself: false, lossy: true }
    }

    fn perform(self, permit: Permit<Look>, cancel: &CancellationToken) -> Result<ListResult, Failure> {
        let Site { node, ground } = permit.open();
        ground.find(&node)?;
        let top = node.open_dir().map_err(|error| ground.fails(error))?;
        let policy = &ground.terms.policy.list;
        let listing = Listing {
            ground: &ground,
            ignore: ignored(self.ignore.unwrap_or_default())?,
            max_depth: self.depth.unwrap_or(1).clamp(1, policy.max_depth.max(1)),
            max_entries: policy.max_entries,
            entries: Vec::new(),
            ignored: 0,
            cancel,
        };
        listing.run(&top)
    }
}

fn ignored(texts: Vec<String>) -> Result<Vec<Glob>, Failure> {
    let compile = |text: String| {
        Glob::at_any_depth(&text, Dialect::Plain).map_err(|error| {
            Failure::new(
                FailureType::BadArguments,
                format!("`ignore`: the glob `{text}` cannot be read: {error}."),
            )
        })
    };
    texts.into_iter().map(compile).collect()
}

struct Listing<'a> {
    ground: &'a Ground,
    ignore: Vec<Glob>,
    max_depth: u32,
    max_entries: usize,
    entries: Vec<Entry>,
    ignored: u64,
    cancel: &'a CancellationToken,
}

/// An entry that is shown.
struct Visible {
    child: Child,
    /// Below the directory that is listed.
    own: RelPath,
    place: PathBuf,
}

/// Where a listing was cut.
struct Cut {
    dir: RelPath,
    /// Entries of that directory that are left.
    more: usize,
    /// Directories whose entries were to come.
    unseen: usize,
}

impl Listing<'_> {
    /// Breadth first, so that a listing that is cut still holds the upper levels whole. Only the names of the
    /// directories to come are remembered: each is opened again from the top, one directory at a time.
    fn run(mut self, top: &Folder) -> Result<ListResult, Failure> {
        let mut waiting = VecDeque::from([(RelPath::root(), 1, self.ground.ignores.clone())]);
        let mut truncated = false;
        while let Some((path, depth, above)) = waiting.pop_front() {
            let Some((folder, children)) = self.look(top, &path)? else {
                truncated = true;
                continue;
            };
            let ignores = self.ignores_in(above, &folder, &path, &children);
            let mut visible = self.visible(&path, children, ignores.as_ref()).into_iter();
            while let Some(Visible { child, own, place }) = visible.next() {
                if self.entries.len() == self.max_entries || self.cancel.is_cancelled() {
                    let cut = Cut { dir: path, more: 1 + visible.len(), unseen: waiting.len() };
                    return Ok(self.report(true, Some(cut)));
                }
                if child.kind == NodeKind::Directory && depth < self.max_depth {
                    waiting.push_back((own.clone(), depth + 1, ignores.clone()));
                }
                self.entries.push(self.entry(&folder, &child, &place, &own, depth));
            }
        }
        Ok(self.report(truncated, None))
    }

    fn ignores_in(
        &self,
        above: Option<Ignores>,
        folder: &Folder,
        path: &RelPath,
        children: &[Child],
    ) -> Option<Ignores> {
        let has =
            |name: &[u8]| children.iter().any(|child| child.name == name && child.kind == NodeKind::File);
        Some(above?.entering(folder, &below(&self.ground.place, path), &self.ground.terms, has))
    }

    /// What of a directory is shown. What is denied or left out is as if it were not there; what is ignored is counted.
    fn visible(&mut self, dir: &RelPath, children: Vec<Child>, ignores: Option<&Ignores>) -> Vec<Visible> {
        let mut visible = Vec::with_capacity(children.len());
        for child in children {
            let Ok(own) = dir.join(&child.name) else { continue };
            let place = below(&self.ground.place, &own);
            if self.ground.terms.hides(&place) || self.leaves_out(&own) {
                continue;
            }
            let is_dir = child.kind == NodeKind::Directory;
            if ignores.is_some_and(|ignores| ignores.passes_over(&place, is_dir)) {
                self.ignored += 1;
                continue;
            }
            visible.push(Visible { child, own, place });
        }
        visible
    }

    fn report(self, truncated: bool, cut: Option<Cut>) -> ListResult {
        let told = [cut.map(|cut| self.told(&cut)), words::ignored(self.ignored)];
        let note = told.into_iter().flatten().collect::<Vec<_>>().join(" ");
        ListResult {
            path: self.ground.shown(),
            entries: self.entries,
            truncated,
            ignored: self.ignored,
            note: (!note.is_empty()).then_some(note),
        }
    }

    /// What is not in the listing, as far as it is known, and how to see it.
    fn told(&self, cut: &Cut) -> String {
        let dir = self.ground.terms.shown(&below(&self.ground.place, &cut.dir));
        let more = format!("{} more in `{dir}`", cut.more);
        match cut.unseen {
            0 => format!("{more}: find them by glob."),
            1 => format!("{more}, and 1 directory was not looked into: list it, or with less depth."),
            unseen => {
                format!(
                    "{more}, and {unseen} directories were not looked into: list one, or with less depth."
                )
            }
        }
    }

    /// What is in `path`. None: it vanished, or cannot be read; but the directory that was asked for has to be.
    fn look(&self, top: &Folder, path: &RelPath) -> Result<Option<(Folder, Vec<Child>)>, Failure> {
        let found = reach(top, path).and_then(|folder| folder.entries().map(|children| (folder, children)));
        match found {
            Err(error) if path.is_root() => Err(self.ground.fails(error)),
            found => Ok(found.ok()),
        }
    }

    fn leaves_out(&self, path: &RelPath) -> bool {
        self.ground.terms.ignore.iter().chain(&self.ignore).any(|glob| glob.matches(path))
    }

    fn entry(&self, folder: &Folder, child: &Child, place: &Path, path: &RelPath, depth: u32) -> Entry {
        let size = if child.kind == NodeKind::File { folder.size(&child.name).ok() } else { None };
        let r#type = match child.kind {
            NodeKind::File => FileKind::File,
            NodeKind::Directory => FileKind::Directory,
            NodeKind::Symlink => FileKind::Symlink,
            NodeKind::Other => FileKind::Other,
        };
        Entry { path: self.ground.terms.shown(place), r#type, size, depth, not_utf8: !path.is_utf8() }
    }
}

fn reach(top: &Folder, path: &RelPath) -> Result<Folder, JailError> {
    path.components().try_fold(top.clone(), |folder, name| folder.open_dir(name))
}

fn below(place: &Path, path: &RelPath) -> PathBuf {
    place.join(OsStr::from_bytes(path.as_bytes()))
}
