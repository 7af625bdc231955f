//! A directory on the way: what of it may be seen and is wanted.

use std::{
    ffi::OsStr,
    os::unix::ffi::OsStrExt,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use pinfold_jail::{Child, Dialect, Letters, NodeKind, tree::MAX_DEPTH};

use super::Trip;
use crate::{backend::Folder, gate::Sight, ignores::Ignores, pattern::Reached};

/// Files that one thread looks at in one go.
const CHUNK: usize = 64;

/// An open directory.
pub(super) struct Spot {
    pub(super) folder: Folder,
    place: PathBuf,
    depth: usize,
    sight: Sight,
    reached: Reached,
    ignores: Option<Ignores>,
}

/// A part of a directory. Parts follow each other in byte order of their paths.
pub(super) enum Part {
    /// The directory where the walk begins.
    Top,
    /// A directory to look into.
    Dir { parent: Arc<Spot>, name: Vec<u8>, reading: Reached },
    /// Files of a directory.
    Files(Arc<Spot>, Vec<Vec<u8>>),
}

impl Spot {
    /// The parts of the directory where the walk begins. None: it cannot be read.
    pub(super) fn top(trip: &Trip<'_>, ignored: &AtomicU64) -> Option<Vec<Part>> {
        let children = trip.top.entries().ok()?;
        let spot = Spot {
            folder: trip.top.clone(),
            place: trip.place.to_owned(),
            depth: 0,
            sight: trip.terms.sight(trip.place),
            reached: trip.filter.begin(),
            ignores: trip.ignores.cloned(),
        };
        Some(Arc::new(spot.reading_ignores(&children, trip)).parts(children, trip, ignored))
    }

    /// The parts of the directory `name` in this one. None: it cannot be read.
    pub(super) fn enter(
        &self,
        name: &[u8],
        reached: Reached,
        trip: &Trip<'_>,
        ignored: &AtomicU64,
    ) -> Option<Vec<Part>> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        let (folder, children) = self.folder.enter(name).ok()?;
        let sight = self.sight.below(trip.terms, name, &Letters::of(name, Dialect::Deny));
        let (place, depth, ignores) = (self.place_of(name), self.depth + 1, self.ignores.clone());
        let spot = Spot { folder, place, depth, sight, reached, ignores };
        Some(Arc::new(spot.reading_ignores(&children, trip)).parts(children, trip, ignored))
    }

    pub(super) fn place_of(&self, name: &[u8]) -> PathBuf {
        self.place.join(OsStr::from_bytes(name))
    }

    /// With the rules of the directory's own files.
    fn reading_ignores(mut self, children: &[Child], trip: &Trip<'_>) -> Spot {
        let has =
            |name: &[u8]| children.iter().any(|child| child.name == name && child.kind == NodeKind::File);
        self.ignores = self.ignores.map(|above| above.entering(&self.folder, &self.place, trip.terms, has));
        self
    }

    fn is_ignored(&self, name: &[u8], is_dir: bool, ignored: &AtomicU64) -> bool {
        let hidden =
            self.ignores.as_ref().is_some_and(|ignores| ignores.passes_over(&self.place_of(name), is_dir));
        if hidden {
            ignored.fetch_add(1, Ordering::Relaxed);
        }
        hidden
    }

    fn parts(self: Arc<Spot>, mut children: Vec<Child>, trip: &Trip<'_>, ignored: &AtomicU64) -> Vec<Part> {
        children.sort_by(|one, other| path_order(one).cmp(path_order(other)));
        let (mut parts, mut files) = (Vec::new(), Vec::new());
        for Child { name, kind } in children {
            if self.sight.hides(trip.terms, &name, &Letters::of(&name, Dialect::Deny)) {
                continue;
            }
            match kind {
                NodeKind::File
                    if trip.filter.takes(&self.reached, &name) && !self.is_ignored(&name, false, ignored) =>
                {
                    files.push(name);
                }
                NodeKind::Directory => {
                    let Some(reading) = trip.filter.enters(&self.reached, &name) else { continue };
                    if self.is_ignored(&name, true, ignored) {
                        continue;
                    }
                    parts.extend(self.chunks(std::mem::take(&mut files)));
                    parts.push(Part::Dir { parent: Arc::clone(&self), name, reading });
                }
                _ => {}
            }
        }
        parts.extend(self.chunks(files));
        parts
    }

    fn chunks(self: &Arc<Spot>, mut files: Vec<Vec<u8>>) -> Vec<Part> {
        let mut chunks = Vec::new();
        while files.len() > CHUNK {
            let rest = files.split_off(CHUNK);
            chunks.push(Part::Files(Arc::clone(self), std::mem::replace(&mut files, rest)));
        }
        if !files.is_empty() {
            chunks.push(Part::Files(Arc::clone(self), files));
        }
        chunks
    }
}

/// Order of whole paths: what is in directory `a` comes where `a/` would, after `a.txt`.
fn path_order(child: &Child) -> impl Iterator<Item = &u8> {
    let end: &[u8] = if child.kind == NodeKind::Directory { b"/" } else { b"" };
    child.name.iter().chain(end)
}
