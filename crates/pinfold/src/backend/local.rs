//! The local disk, through the jail.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use pinfold_jail::{
    Access, Ask, ErrorKind, Jail, JailError, JailedPath, Last, Resolver, Root,
    snapshot::bundle::Ledger,
    spill::{Bounds, SpillFolder},
};

use super::{Asked, Key, Node, Resolved, Unresolved};
use crate::{Failure, FailureType, Policy, policy::SpillPolicy, spill::Shelf};

#[derive(Debug, Clone)]
pub(crate) struct Local {
    jail: Jail,
    /// That of the first home, in scopes too: whoever opens the root again has to find it.
    ledger: Ledger,
    spill: Option<Shelf>,
}

impl Local {
    pub(super) fn open(policy: &Policy, resolver: Resolver) -> Result<Local, Failure> {
        let home = root("cwd", &policy.cwd, Access::ReadWrite)?;
        let mut jail = Jail::new(home, resolver);
        for (at, path) in policy.allow_paths.iter().enumerate() {
            jail.add(root(&format!("allowPaths[{at}]"), path, Access::ReadOnly)?);
        }
        let ledger = Ledger::of(jail.home());
        let spill = policy.shell.as_ref().and_then(|shell| shell.spill.as_ref());
        let spill = spill.map(|spill| shelf(spill, &mut jail)).transpose()?;
        Ok(Local { jail, ledger, spill })
    }

    pub(super) fn resolve(&self, asked: &Asked) -> Result<Resolved, Unresolved> {
        let last = if asked.link_itself { Last::Keep } else { Last::Follow };
        let path = self
            .jail
            .resolve(Ask { name: &asked.name, last, lossy: asked.lossy })
            .map_err(|no| Unresolved { error: no.error, passed: no.passed })?;
        Ok(Resolved {
            place: path.place().to_owned(),
            passed: path.passed().to_vec(),
            access: path.access(),
            is_root: path.is_root(),
            key: Key(Node::Local(path)),
        })
    }

    pub(super) fn scoped(&self, path: &JailedPath) -> Result<Local, JailError> {
        Ok(Local { jail: self.jail.scoped(path)?, ..self.clone() })
    }

    pub(super) fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Where long output is kept.
    pub(super) fn spill(&self) -> Option<&Shelf> {
        self.spill.as_ref()
    }

    /// Removes what a crash left half written.
    pub(super) fn sweep(&self, admit: &dyn Fn(&Path) -> bool) {
        self.jail.sweep(admit);
    }

    pub(super) fn home(&self) -> &Path {
        self.jail.home().real_path()
    }

    pub(super) fn roots(&self) -> Vec<PathBuf> {
        self.jail.roots().iter().map(|root| root.real_path().to_owned()).collect()
    }
}

/// Opens the folder for long output, and adds it to the roots: read like any other, written by no tool.
fn shelf(policy: &SpillPolicy, jail: &mut Jail) -> Result<Shelf, Failure> {
    let bad = |what: &str| {
        let message = format!("`shell.spill.dir`: `{}` {what}.", policy.dir.display());
        Failure::new(FailureType::BadPolicy, message).in_field("shell.spill.dir")
    };
    if !policy.dir.is_absolute() {
        return Err(bad("is not an absolute path").hint("Write the whole path, from `/`."));
    }
    let bounds = Bounds {
        bytes: policy.max_bytes,
        file_bytes: policy.max_file_bytes,
        age: Duration::from_millis(policy.max_age_ms),
    };
    let folder = SpillFolder::open(&policy.dir, bounds);
    let folder = folder.map_err(|error| bad(&format!("cannot be made or opened: {error}")))?;
    let root = root("shell.spill.dir", &policy.dir, Access::ReadOnly)?;
    let (home, own) = (jail.home().real_path(), root.real_path());
    if own.starts_with(home) || home.starts_with(own) {
        return Err(bad("and the workspace's root lie in each other")
            .hint("Choose a directory outside it, where no tool writes."));
    }
    jail.add(root);
    Ok(Shelf(folder))
}

fn root(field: &str, path: &Path, access: Access) -> Result<Root, Failure> {
    let shown = path.display();
    let bad = |message: String| Failure::new(FailureType::BadPolicy, message).in_field(field);
    if !path.is_absolute() {
        return Err(bad(format!("`{field}`: `{shown}` is not an absolute path."))
            .hint("Write the whole path, from `/`."));
    }
    Root::open(path, access).map_err(|error| {
        bad(format!("`{field}`: `{shown}` cannot be opened as a directory: {error}."))
            .hint(format!("A root must be a directory that exists{}.", nearest(path, error.kind())))
    })
}

/// How far a path leads, to tell where it was misspelt.
fn nearest(path: &Path, no: ErrorKind) -> String {
    if no != ErrorKind::NotFound {
        return String::new();
    }
    let above = path.ancestors().skip(1).find(|above| Root::open(above, Access::ReadOnly).is_ok());
    let missing = above.and_then(|above| Some((above, path.strip_prefix(above).ok()?.components().next()?)));
    let told = missing.map(|(above, first)| {
        format!("; `{}` does, but not `{}` in it", above.display(), Path::new(&first).display())
    });
    told.unwrap_or_default()
}
