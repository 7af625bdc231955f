//! The long way: one component at a time, links followed by us, the directories that were come through held open.

use std::{
    collections::VecDeque,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{Resolved, route, step};
use crate::{
    Ask, ErrorKind, Jail, JailError, Last, NodeKind, RelPath,
    jail::{Name, PATH_MAX, join},
    jailed::{At, Node},
    tree::MAX_DEPTH,
};

/// The longest chain of links that is followed, as in `path_resolution(7)`.
pub const MAX_LINKS: usize = 40;

/// Components walked, those of links included: more than any name that is meant well needs, and few enough that what a
/// walk remembers stays small.
const MAX_STEPS: usize = 4096;

/// Walks from where `name` begins to what it stands for.
pub(super) fn walk(
    jail: &Jail,
    name: Name<'_>,
    ask: Ask<'_>,
    passed: &mut Vec<PathBuf>,
) -> Result<Resolved, JailError> {
    let mut search = Search {
        jail,
        ask,
        passed,
        todo: route::components(name.bytes),
        root: 0,
        rel: RelPath::root(),
        stack: Vec::new(),
        directory: name.directory,
        links: 0,
    };
    match search.run(name.absolute) {
        Ok(at) => Ok(Resolved { root: search.root, rel: search.rel, at, directory: search.directory }),
        Err(error) => {
            search.pass();
            Err(error)
        }
    }
}

/// One walk from a root down.
struct Search<'a> {
    jail: &'a Jail,
    ask: Ask<'a>,
    passed: &'a mut Vec<PathBuf>,
    todo: VecDeque<Vec<u8>>,
    root: usize,
    rel: RelPath,
    /// One directory for each component of `rel`: where `..` goes back to.
    stack: Vec<Arc<OwnedFd>>,
    /// Only a directory can have this name, for it ends in a slash.
    directory: bool,
    links: usize,
}

impl Search<'_> {
    fn run(&mut self, absolute: bool) -> Result<At, JailError> {
        let jail = self.jail;
        self.enter(if absolute { Path::new("/") } else { jail.home().real_path() })?;
        for _ in 0..MAX_STEPS {
            let Some(part) = self.todo.pop_front() else {
                // Nothing was left after a `..` or a link: the place is a directory that the walk came through.
                return Ok(self.here());
            };
            if let Some(at) = self.step(part)? {
                return Ok(at);
            }
        }
        Err(ErrorKind::TooManyLinks.into())
    }

    /// Goes on to `part`. Some: the walk ends there.
    fn step(&mut self, part: Vec<u8>) -> Result<Option<At>, JailError> {
        if part == b".." {
            self.pass();
            return self.up().map(|()| None);
        }
        if self.switch(&part)? {
            return Ok(None);
        }
        let Some((part, node)) = self.look(part)? else { return self.missing().map(Some) };
        self.down(&part)?;
        let last = self.todo.is_empty();
        match node.kind {
            NodeKind::Symlink if !last || self.ask.last == Last::Follow => self.follow(&node)?,
            NodeKind::Directory if !last => self.stack.push(node.into_dir()),
            _ if last => return Ok(Some(self.entry(part, node))),
            _ => return Err(ErrorKind::NotDirectory.into()),
        }
        Ok(None)
    }

    /// Another root that lies at `part`, inside this one, is entered by its descriptor: its name may have come to mean
    /// another directory, and what may be done below it is the inner root's to say.
    fn switch(&mut self, part: &[u8]) -> Result<bool, JailError> {
        if self.jail.roots().len() == 1 {
            return Ok(false);
        }
        let place = join(
            self.jail.roots()[self.root].real_path(),
            &self.rel.join(part).map_err(|_| ErrorKind::BadName)?,
        );
        let Some(root) = self.jail.roots().iter().position(|root| root.real_path() == place) else {
            return Ok(false);
        };
        self.begin(root);
        Ok(true)
    }

    /// Looks at `part` in the present directory; goes nowhere.
    fn look(&mut self, part: Vec<u8>) -> Result<Option<(Vec<u8>, Node)>, JailError> {
        let found = self.node(&part);
        match &found {
            Ok(Some(_)) => {}
            Ok(None) => self.todo.push_front(part),
            // What is told of the error is the place that it happened at.
            Err(_) => self.down(&part)?,
        }
        found
    }

    fn node(&self, part: &[u8]) -> Result<Option<(Vec<u8>, Node)>, JailError> {
        let dir = self.dir();
        if let Some(node) = step::node(dir, part)? {
            return Ok(Some((part.to_vec(), node)));
        }
        let alike = if self.ask.lossy { step::shown_as(dir, part)? } else { None };
        let Some(real) = alike else { return Ok(None) };
        Ok(step::node(dir, &real)?.map(|node| (real, node)))
    }

    /// Nothing is there from here on: the rest are names to be made. `..` would need them to be directories already.
    fn missing(&mut self) -> Result<At, JailError> {
        let base = Arc::clone(self.dir());
        let climbs = self.todo.iter().any(|part| part == b"..");
        let names: Vec<Vec<u8>> = self.todo.drain(..).take_while(|part| part != b"..").collect();
        for name in &names {
            self.down(name)?;
            if name.len() > 255 {
                return Err(ErrorKind::NameTooLong.into());
            }
        }
        if climbs { Err(ErrorKind::NotFound.into()) } else { Ok(At::Missing { base, names }) }
    }

    fn follow(&mut self, link: &Node) -> Result<(), JailError> {
        self.pass();
        self.links += 1;
        if self.links > MAX_LINKS {
            return Err(ErrorKind::TooManyLinks.into());
        }
        let target = step::link_target(link)?;
        self.rel.pop();
        self.directory |= self.todo.is_empty() && route::names_a_directory(&target);
        route::components(&target).into_iter().rev().for_each(|part| self.todo.push_front(part));
        if target.first() == Some(&b'/') { self.enter(Path::new("/")) } else { Ok(()) }
    }

    fn down(&mut self, name: &[u8]) -> Result<(), JailError> {
        self.rel.push(name).map_err(|_| ErrorKind::BadName)?;
        if self.rel.as_bytes().len() >= PATH_MAX {
            return Err(ErrorKind::NameTooLong.into());
        }
        if self.rel.components().count() > MAX_DEPTH { Err(ErrorKind::TooDeep.into()) } else { Ok(()) }
    }

    fn up(&mut self) -> Result<(), JailError> {
        if self.rel.pop() {
            self.stack.pop();
            return Ok(());
        }
        let jail = self.jail;
        let root = jail.roots()[self.root].real_path();
        self.enter(root.parent().unwrap_or(root))
    }

    /// Outside every root, at `from`: reads on, letter by letter, until the names lead into a root.
    fn enter(&mut self, from: &Path) -> Result<(), JailError> {
        let entrance = route::into_root(self.jail, from, &self.todo).ok_or(ErrorKind::Escape)?;
        self.passed.extend(entrance.spelled);
        self.todo.drain(..entrance.used);
        entrance.names.into_iter().rev().for_each(|name| self.todo.push_front(name));
        self.begin(entrance.root);
        Ok(())
    }

    fn begin(&mut self, root: usize) {
        self.root = root;
        self.rel = RelPath::root();
        self.stack.clear();
    }

    fn pass(&mut self) {
        let place = join(self.jail.roots()[self.root].real_path(), &self.rel);
        self.passed.push(place);
    }

    fn dir(&self) -> &Arc<OwnedFd> {
        self.stack.last().unwrap_or_else(|| self.jail.roots()[self.root].dir())
    }

    fn entry(&self, name: Vec<u8>, node: Node) -> At {
        At::Entry { parent: Arc::clone(self.dir()), name, node }
    }

    fn here(&mut self) -> At {
        match (self.stack.pop(), self.rel.file_name()) {
            (Some(held), Some(name)) => self.entry(name.to_vec(), Node::directory(held)),
            _ => At::Root(Arc::clone(self.dir())),
        }
    }
}
