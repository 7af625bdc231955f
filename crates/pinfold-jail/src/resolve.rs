//! The two resolvers behind one function.
//!
//! Both follow links themselves, one component at a time, and never look above a root: `..` goes back to the directory
//! that the walk came through, and a name or link that leaves is compared letter by letter with the names of the roots.
//! Where there are no links and no `..`, [`Resolver::Kernel`] asks the kernel for the whole way at once
//! (`openat2(2)` with `RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS`). [`Resolver::Walk`] uses only `openat(2)` with
//! `O_NOFOLLOW`, for kernels before 5.6 and sandboxes that lack the newer call.

mod route;
mod step;
mod walk;

pub use walk::MAX_LINKS;

pub(crate) use {route::names_a_directory, step::kind};

use std::{path::PathBuf, sync::Arc};

use crate::{
    Ask, ErrorKind, Jail, JailError, Last, NodeKind, RelPath, Root, jail::Name, jailed::At, tree::MAX_DEPTH,
};

/// How to go down a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Resolver {
    /// [`Resolver::Kernel`] where the kernel has `openat2(2)`, else [`Resolver::Walk`].
    #[default]
    Best,
    /// `openat2(2)`.
    Kernel,
    /// `openat(2)` with `O_NOFOLLOW`, component by component.
    Walk,
}

impl Resolver {
    /// Looks once whether this system has what the resolver needs.
    pub(crate) fn settled(self, home: &Root) -> Resolver {
        match self {
            Resolver::Best if step::has_openat2(home.dir()) => Resolver::Kernel,
            Resolver::Best => Resolver::Walk,
            chosen => chosen,
        }
    }
}

/// What a name was found to stand for.
pub(crate) struct Resolved {
    pub(crate) root: usize,
    pub(crate) rel: RelPath,
    pub(crate) at: At,
    pub(crate) directory: bool,
}

/// Finds what `name` stands for. `passed` collects the places that a deny rule has to be asked about beside the result.
pub(crate) fn find(
    jail: &Jail,
    name: Name<'_>,
    ask: Ask<'_>,
    passed: &mut Vec<PathBuf>,
) -> Result<Resolved, JailError> {
    passed.extend(route::as_written(jail, name));
    if jail.resolver() == Resolver::Kernel
        && let Some(found) = straight(jail, name, ask.last)?
    {
        return Ok(found);
    }
    walk::walk(jail, name, ask, passed)
}

/// The way without links, `..` or surprises, in two system calls. None: take the long way.
fn straight(jail: &Jail, name: Name<'_>, last: Last) -> Result<Option<Resolved>, JailError> {
    let Some((root, rel)) = route::plain(jail, name) else { return Ok(None) };
    let dir = jail.roots()[root].dir();
    let Some(leaf) = rel.file_name() else {
        let at = At::Root(Arc::clone(dir));
        return Ok(Some(Resolved { root, rel, at, directory: name.directory }));
    };
    let mut parent_rel = rel.clone();
    parent_rel.pop();
    let Some(parent) = step::beneath(dir, &parent_rel) else { return Ok(None) };
    let Ok(Some(node)) = step::node(&parent, leaf) else { return Ok(None) };
    if node.kind == NodeKind::Symlink && last == Last::Follow {
        return Ok(None);
    }
    if rel.components().count() > MAX_DEPTH {
        return Err(ErrorKind::TooDeep.into());
    }
    let at = At::Entry { parent, name: leaf.to_vec(), node };
    Ok(Some(Resolved { root, rel, at, directory: name.directory }))
}
