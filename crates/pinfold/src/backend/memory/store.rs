//! The map itself.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use pinfold_jail::{Child, ErrorKind, JailError, NodeKind, RelPath};

/// One thing in the map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    /// Shared, so that a copy of the map costs no copy of its files.
    File(Arc<[u8]>),
    Directory,
}

impl Item {
    pub(super) fn kind(&self) -> NodeKind {
        match self {
            Item::File(_) => NodeKind::File,
            Item::Directory => NodeKind::Directory,
        }
    }
}

/// Every path, its directories included; the root is always there.
#[derive(Debug, Clone, Default)]
pub(super) struct Store {
    items: BTreeMap<RelPath, Item>,
}

impl Store {
    pub(super) fn get(&self, path: &RelPath) -> Option<&Item> {
        if path.is_root() { Some(&Item::Directory) } else { self.items.get(path) }
    }

    pub(super) fn content(&self, path: &RelPath) -> Option<&[u8]> {
        match self.get(path) {
            Some(Item::File(content)) => Some(content),
            _ => None,
        }
    }

    pub(super) fn put(&mut self, path: &RelPath, content: Vec<u8>) -> Result<(), JailError> {
        if self.get(path) == Some(&Item::Directory) {
            return Err(ErrorKind::IsDirectory.into());
        }
        let mut parent = path.clone();
        parent.pop();
        self.make_dir(&parent)?;
        self.items.insert(path.clone(), Item::File(content.into()));
        Ok(())
    }

    /// Makes a directory and those above it. False: it was there.
    pub(super) fn make_dir(&mut self, path: &RelPath) -> Result<bool, JailError> {
        if self.get(path) == Some(&Item::Directory) {
            return Ok(false);
        }
        let mut above = RelPath::root();
        for name in path.components() {
            above.push(name).map_err(|_| ErrorKind::BadName)?;
            match self.get(&above) {
                Some(Item::File(_)) => return Err(ErrorKind::NotDirectory.into()),
                Some(Item::Directory) => {}
                None => drop(self.items.insert(above.clone(), Item::Directory)),
            }
        }
        Ok(true)
    }

    pub(super) fn remove(&mut self, path: &RelPath, denied: &dyn Fn(&Path) -> bool) -> Result<(), JailError> {
        if path.is_root() {
            return Err(ErrorKind::RootItself.into());
        }
        if !self.items.contains_key(path) {
            return Err(ErrorKind::NotFound.into());
        }
        let below: Vec<RelPath> =
            self.items.keys().filter(|own| own.strip(path).is_some()).cloned().collect();
        if below.iter().any(|own| denied(Path::new(own.as_os_str()))) {
            return Err(ErrorKind::Denied.into());
        }
        below.iter().for_each(|own| drop(self.items.remove(own)));
        Ok(())
    }

    pub(super) fn children(&self, path: &RelPath) -> Vec<Child> {
        let child = |(own, item): (&RelPath, &Item)| {
            let rest = own.strip(path)?;
            let name = rest.file_name()?.to_vec();
            (rest.components().count() == 1).then(|| Child { name, kind: item.kind() })
        };
        let mut children: Vec<Child> = self.items.iter().filter_map(child).collect();
        children.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        children
    }
}
