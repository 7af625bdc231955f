//! A map in memory: no disk, no process. For tests of an agent, under the same policy and with the same tools.
//!
//! It has files, directories and scripted commands, and no links, modes, special files or extra roots. Names work as on
//! disk: `..` needs the directory it leaves to exist, and nothing lies outside the root.

mod route;
mod store;

use std::{
    collections::BTreeMap,
    io::Cursor,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use pinfold_contract::RunResult;
use pinfold_jail::{Access, Child, ErrorKind, Guard, JailError, NodeKind, RelPath};

use super::{Asked, Broken, Gap, Key, Node, Resolved, Stored, Unresolved, Written};
use route::Found;
use store::{Item, Store};

/// The files and scripted commands of a workspace in memory.
///
/// ```
/// let memory = pinfold::Memory::new().file("src/main.rs", "fn main() {}\n");
/// ```
#[derive(Debug, Clone)]
pub struct Memory {
    shared: Arc<Mutex<Store>>,
    commands: Arc<BTreeMap<String, Script>>,
    root: PathBuf,
    /// Where relative names begin: the root, or a directory below it for a scope.
    home: RelPath,
    at: PathBuf,
}

/// The answer to a command line.
#[derive(Debug, Clone)]
pub(crate) struct Script {
    pub(crate) result: RunResult,
    /// In the background it runs until it is killed.
    pub(crate) running: bool,
}

impl Default for Memory {
    fn default() -> Self {
        Memory::new()
    }
}

impl Memory {
    /// No files.
    pub fn new() -> Memory {
        Memory {
            shared: Arc::default(),
            commands: Arc::default(),
            root: PathBuf::from("/"),
            home: RelPath::root(),
            at: PathBuf::from("/"),
        }
    }

    /// Adds a file, and the directories above it. A path that is not plain (`..`, absolute) is left out.
    #[must_use]
    pub fn file(self, path: &str, content: impl Into<Vec<u8>>) -> Memory {
        if let Ok(path) = RelPath::new(path) {
            lock(&self.shared).put(&path, content.into()).ok();
        }
        self
    }

    /// Adds the answer to a command line, compared exactly.
    #[must_use]
    pub fn command(self, line: impl Into<String>, result: RunResult) -> Memory {
        self.script(line.into(), Script { result, running: false })
    }

    /// The same for a command that, in the background, has written this and runs until it is killed.
    #[must_use]
    pub fn running(self, line: impl Into<String>, result: RunResult) -> Memory {
        self.script(line.into(), Script { result, running: true })
    }

    fn script(mut self, line: String, script: Script) -> Memory {
        Arc::make_mut(&mut self.commands).insert(line, script);
        self
    }

    /// The answer to a command line.
    pub(crate) fn scripted(&self, line: &str) -> Option<Script> {
        self.commands.get(line).cloned()
    }

    pub(crate) fn rooted(mut self, root: &Path) -> Memory {
        root.clone_into(&mut self.root);
        root.clone_into(&mut self.at);
        self
    }

    pub(super) fn home(&self) -> &Path {
        &self.at
    }

    pub(super) fn scoped(&self, node: &MemoryNode) -> Result<Memory, JailError> {
        match node.kind() {
            Some(NodeKind::Directory) => {
                let at = self.place(&node.path);
                Ok(Memory { home: node.path.clone(), at, ..self.clone() })
            }
            Some(_) => Err(ErrorKind::NotDirectory.into()),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    fn place(&self, path: &RelPath) -> PathBuf {
        if path.is_root() { self.root.clone() } else { self.root.join(path.as_os_str()) }
    }

    pub(super) fn resolve(&self, asked: &Asked) -> Result<Resolved, Unresolved> {
        let mut passed = Vec::new();
        let found = route::find(self, &lock(&self.shared), &asked.name, &mut passed);
        match found {
            Ok(Found { path, directory }) => {
                let node =
                    MemoryNode { shared: Arc::clone(&self.shared), root: self.root.clone(), path, directory };
                let place = self.place(&node.path);
                if node.directory && node.kind() == Some(NodeKind::File) {
                    passed.push(place);
                    return Err(Unresolved { error: ErrorKind::NotDirectory.into(), passed });
                }
                Ok(Resolved {
                    place,
                    passed,
                    access: Access::ReadWrite,
                    is_root: node.path == self.home,
                    key: Key(Node::Memory(node)),
                })
            }
            Err(error) => Err(Unresolved { error, passed }),
        }
    }
}

fn lock(store: &Mutex<Store>) -> MutexGuard<'_, Store> {
    // A panic elsewhere leaves the map whole: every change to it is one insertion or removal.
    store.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A resolved place in memory.
#[derive(Debug, Clone)]
pub(crate) struct MemoryNode {
    shared: Arc<Mutex<Store>>,
    root: PathBuf,
    path: RelPath,
    /// The name ended in a slash.
    directory: bool,
}

/// An open directory in memory.
#[derive(Debug, Clone)]
pub(crate) struct MemoryFolder(MemoryNode);

/// A file as it was seen.
pub(crate) struct MemorySeen {
    node: MemoryNode,
    before: Option<Vec<u8>>,
}

impl MemoryNode {
    fn item(&self) -> Option<Item> {
        lock(&self.shared).get(&self.path).cloned()
    }

    pub(super) fn kind(&self) -> Option<NodeKind> {
        self.item().map(|item| item.kind())
    }

    pub(super) fn size(&self) -> Option<u64> {
        self.content().ok().map(|content| content.len() as u64)
    }

    fn content(&self) -> Result<Vec<u8>, JailError> {
        match self.item() {
            Some(Item::File(content)) => Ok(content.to_vec()),
            Some(Item::Directory) => Err(ErrorKind::IsDirectory.into()),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    pub(super) fn open_file(&self) -> Result<Box<dyn Stored>, JailError> {
        Ok(Box::new(Cursor::new(self.content()?)))
    }

    pub(super) fn gap(&self, most: usize) -> Option<Gap> {
        let store = lock(&self.shared);
        let mut above = self.path.clone();
        let mut missing = Vec::new();
        while store.get(&above).is_none() {
            missing.push(above.file_name()?.to_vec());
            above.pop();
        }
        let names = store.children(&above).into_iter().map(|child| child.name).take(most).collect();
        let last = missing.len() == 1;
        Some(Gap { place: self.root.join(above.as_os_str()), missing: missing.pop()?, last, names })
    }

    pub(super) fn open_dir(&self) -> Result<MemoryFolder, JailError> {
        match self.item() {
            Some(Item::Directory) => Ok(MemoryFolder(self.clone())),
            Some(Item::File(_)) => Err(ErrorKind::NotDirectory.into()),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    pub(super) fn glance(self) -> Result<MemorySeen, JailError> {
        let before = match self.item() {
            Some(_) => Some(self.content()?),
            None if self.directory => return Err(ErrorKind::NotDirectory.into()),
            None => None,
        };
        Ok(MemorySeen { node: self, before })
    }

    pub(super) fn snapshot(self, max_bytes: u64) -> Result<MemorySeen, JailError> {
        let content = self.content()?;
        if content.len() as u64 > max_bytes {
            return Err(ErrorKind::TooLarge.into());
        }
        Ok(MemorySeen { node: self, before: Some(content) })
    }

    pub(super) fn make_dir(self) -> Result<bool, JailError> {
        lock(&self.shared).make_dir(&self.path)
    }

    pub(super) fn remove(self, denied: &dyn Fn(&Path) -> bool) -> Result<(), JailError> {
        lock(&self.shared).remove(&self.path, &|path| denied(&self.root.join(path)))
    }

    pub(super) fn remove_alone(self) -> Result<(), JailError> {
        let mut store = lock(&self.shared);
        if store.children(&self.path).is_empty() {
            return store.remove(&self.path, &|_| false);
        }
        Err(ErrorKind::NotEmpty.into())
    }
}

impl MemorySeen {
    pub(super) fn content(&self) -> &[u8] {
        self.before.as_deref().unwrap_or_default()
    }

    pub(super) fn commit(self, bytes: Vec<u8>, guard: Guard) -> Result<Written, JailError> {
        let mut store = lock(&self.node.shared);
        if guard == Guard::Unchanged && store.content(&self.node.path) != self.before.as_deref() {
            return Err(ErrorKind::Stale.into());
        }
        let hash = pinfold_jail::snapshot::sha256(&bytes);
        let written = Written { bytes: bytes.len() as u64, hash, created: self.before.is_none() };
        store.put(&self.node.path, bytes)?;
        Ok(written)
    }
}

/// What becomes of one of several files; without bytes it goes.
pub(crate) struct MemoryPart {
    seen: MemorySeen,
    bytes: Option<Vec<u8>>,
}

impl MemorySeen {
    pub(super) fn part(self, bytes: Option<Vec<u8>>) -> MemoryPart {
        MemoryPart { seen: self, bytes }
    }
}

/// All of them or none.
pub(super) fn commit_all(parts: Vec<MemoryPart>) -> Result<Vec<Option<Written>>, Broken> {
    let Some(first) = parts.first() else { return Ok(Vec::new()) };
    let shared = Arc::clone(&first.seen.node.shared);
    let mut store = lock(&shared);
    let before = store.clone();
    let mut written = Vec::with_capacity(parts.len());
    for (at, part) in parts.into_iter().enumerate() {
        match part.put(&mut store, &before) {
            Ok(done) => written.push(done),
            Err(error) => {
                *store = before;
                return Err(Broken { part: Some(at), error });
            }
        }
    }
    Ok(written)
}

impl MemoryPart {
    fn put(self, store: &mut Store, before: &Store) -> Result<Option<Written>, JailError> {
        let MemoryPart { seen: MemorySeen { node, before: content }, bytes } = self;
        if before.content(&node.path) != content.as_deref() {
            return Err(ErrorKind::Stale.into());
        }
        let Some(bytes) = bytes else { return store.remove(&node.path, &|_| false).map(|()| None) };
        let hash = pinfold_jail::snapshot::sha256(&bytes);
        let written = Written { bytes: bytes.len() as u64, hash, created: content.is_none() };
        store.put(&node.path, bytes)?;
        Ok(Some(written))
    }
}

impl MemoryFolder {
    fn child(&self, name: &[u8]) -> Result<MemoryNode, JailError> {
        let path = self.0.path.join(name).map_err(|_| ErrorKind::BadName)?;
        Ok(MemoryNode { path, directory: false, ..self.0.clone() })
    }

    pub(super) fn entries(&self) -> Result<Vec<Child>, JailError> {
        Ok(lock(&self.0.shared).children(&self.0.path))
    }

    pub(super) fn size(&self, name: &[u8]) -> Result<u64, JailError> {
        self.child(name)?.size().ok_or(ErrorKind::NotFound.into())
    }

    pub(super) fn open_dir(&self, name: &[u8]) -> Result<MemoryFolder, JailError> {
        self.child(name)?.open_dir()
    }

    pub(super) fn open_file(&self, name: &[u8]) -> Result<Box<dyn Stored>, JailError> {
        self.child(name)?.open_file()
    }
}
