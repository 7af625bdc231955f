//! The seam below the tools: names become keys, keys become nodes.
//!
//! A backend resolves a name and holds what it stood for in a [`Key`]. The key says nothing and can do nothing; only a
//! [`crate::Permit`] turns it into a [`Node`], on which a tool acts. What judges stays above: no backend is trusted to
//! keep the policy, and none can be reached around it.

mod ledger;
mod local;
pub(crate) mod memory;
mod node;

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use pinfold_jail::{Access, JailError, Resolver};

pub(crate) use ledger::{Broken, Ledger};
pub(crate) use local::Local;
use memory::Memory;
pub(crate) use node::{Folder, Gap, Node, Part, Seen, Stored, Written};

use crate::{Failure, Policy, spill::Shelf};

/// A name, as it was written, and what it is wanted for.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) name: OsString,
    /// A link in the last place is meant itself.
    pub(crate) link_itself: bool,
    /// U+FFFD in the name may stand for bytes that are not UTF-8.
    pub(crate) lossy: bool,
}

/// What a name was found to stand for: the places to judge, and the key to what is there.
pub(crate) struct Resolved {
    /// Absolute, without links.
    pub(crate) place: PathBuf,
    /// Links and directories that the name led through.
    pub(crate) passed: Vec<PathBuf>,
    pub(crate) access: Access,
    pub(crate) is_root: bool,
    pub(crate) key: Key,
}

/// A name that stands for nothing that can be reached, and the places that were passed on the way.
pub(crate) struct Unresolved {
    pub(crate) error: JailError,
    pub(crate) passed: Vec<PathBuf>,
}

/// What a backend holds. Made by [`Backend::resolve`]; opened by a permit.
pub(crate) struct Key(Node);

impl Key {
    /// Only the gate's permits call this.
    pub(crate) fn open(self, _with: &crate::gate::Unlock) -> Node {
        self.0
    }
}

/// Where the files are.
#[derive(Debug, Clone)]
pub(crate) enum Backend {
    Local(Local),
    Memory(Memory),
}

impl Backend {
    pub(crate) fn local(policy: &Policy, resolver: Resolver) -> Result<Backend, Failure> {
        Local::open(policy, resolver).map(Backend::Local)
    }

    pub(crate) fn resolve(&self, asked: &Asked) -> Result<Resolved, Unresolved> {
        match self {
            Backend::Local(local) => local.resolve(asked),
            Backend::Memory(memory) => memory.resolve(asked),
        }
    }

    /// The same files, where relative names begin in the directory `node`.
    pub(crate) fn scoped(&self, node: &Node) -> Result<Backend, JailError> {
        match (self, node) {
            (Backend::Local(local), Node::Local(path)) => local.scoped(path).map(Backend::Local),
            (Backend::Memory(memory), Node::Memory(node)) => memory.scoped(node).map(Backend::Memory),
            _ => Err(pinfold_jail::ErrorKind::Other.into()),
        }
    }

    /// Removes what a crash of an earlier process left half written. Bounded work; nothing that is in use is touched.
    pub(crate) fn sweep(&self, admit: &dyn Fn(&Path) -> bool) {
        match self {
            Backend::Local(local) => local.sweep(admit),
            Backend::Memory(_) => {}
        }
    }

    /// Where long output is kept, if anywhere.
    pub(crate) fn spill(&self) -> Option<&Shelf> {
        match self {
            Backend::Local(local) => local.spill(),
            Backend::Memory(_) => None,
        }
    }

    /// The directory in which relative names begin: absolute, without links.
    pub(crate) fn home(&self) -> &Path {
        match self {
            Backend::Local(local) => local.home(),
            Backend::Memory(memory) => memory.home(),
        }
    }

    /// Where several files change together: one for a workspace and all its projections.
    pub(crate) fn ledger(&self) -> Ledger {
        match self {
            Backend::Local(local) => Ledger::Local(local.ledger().clone()),
            Backend::Memory(_) => Ledger::Memory,
        }
    }

    /// Every root, the home first: deny rules apply in each.
    pub(crate) fn roots(&self) -> Vec<PathBuf> {
        match self {
            Backend::Local(local) => local.roots(),
            Backend::Memory(memory) => vec![memory.home().to_owned()],
        }
    }
}
