//! What the searching tools share: where they look, which files they want, and how long they may take.

use std::time::{Duration, Instant};

use pinfold_jail::{Dialect, Glob, GlobError, NodeKind, RelPath};
use tokio_util::sync::CancellationToken;

use super::{
    VirtualPath,
    path::{Reader, slashed},
};
use crate::{
    Failure, FailureType,
    backend::{Folder, Node},
    gate::{Ground, Site},
    pattern::Filter,
    walk::{Found, Trip},
    words::clipped,
};

/// How long a search may take; what was found by then is returned.
const TIME: Duration = Duration::from_secs(20);

/// Where is searched.
pub(super) struct Hunt {
    root: VirtualPath,
    node: Node,
    pub(super) ground: Ground,
    filter: Filter,
    include_hidden: bool,
}

/// What the root of a search is.
pub(super) enum Start {
    /// Nothing of it is wanted.
    Nothing,
    /// The root is a file itself.
    File(Node),
    /// What is below a directory.
    Below(Folder),
}

impl Hunt {
    pub(super) fn new(root: VirtualPath, site: Site, glob: Option<Glob>, include_hidden: bool) -> Hunt {
        let mut filter = glob.map_or_else(Filter::default, Filter::of);
        filter.without_hidden = !include_hidden;
        Hunt { root, node: site.node, ground: site.ground, filter, include_hidden }
    }

    /// The same, in the root's own directory only.
    pub(super) fn only_here(mut self) -> Hunt {
        self.filter.only_here = true;
        self
    }

    /// Looks what the root is.
    pub(super) fn start(self) -> Result<(Start, Area), Failure> {
        self.ground.find(&self.node)?;
        let wanted = self.include_hidden || !self.root.is_hidden();
        let start = match self.node.kind() {
            _ if !wanted => Start::Nothing,
            Some(NodeKind::File) => {
                let name = self.root.rel().file_name().unwrap_or_default();
                // The name of a file that is the root itself is all that a pattern counts from.
                let takes = self.include_hidden || !name.starts_with(b".");
                match takes && self.filter.takes(&self.filter.begin(), name) {
                    true => Start::File(self.node),
                    false => Start::Nothing,
                }
            }
            _ => Start::Below(self.node.open_dir().map_err(|error| self.ground.fails(error))?),
        };
        Ok((start, Area { root: self.root, ground: self.ground, filter: self.filter }))
    }
}

/// The place of a search, once it has begun.
pub(super) struct Area {
    pub(super) root: VirtualPath,
    pub(super) ground: Ground,
    filter: Filter,
}

impl Area {
    pub(super) fn trip<'a>(&'a self, top: &'a Folder, cancel: &'a CancellationToken) -> Trip<'a> {
        let (place, terms) = (&*self.ground.place, &*self.ground.terms);
        let deadline = Some(Instant::now() + TIME);
        Trip { top, place, terms, filter: &self.filter, ignores: None, cancel, deadline }
    }

    /// The path of a file that was found.
    pub(super) fn path_of(&self, found: &Found<'_>) -> String {
        let below = found.place.strip_prefix(&self.ground.place).ok();
        let below = below.and_then(|below| RelPath::new(below.as_os_str().as_encoded_bytes()).ok());
        self.root.join(&below.unwrap_or_default()).to_string()
    }
}

/// A pattern that counts from `root`. One that begins with `/` counts from the workspace, and has to lead into `root`.
pub(super) fn pattern(text: &str, root: &VirtualPath, roots: &[std::path::PathBuf]) -> Result<Glob, Failure> {
    let plain = slashed(text);
    if !plain.starts_with('/') {
        return Glob::new(&plain, Dialect::Env).map_err(|error| bad(text, error));
    }
    let reader = Reader { label: "pattern", may_be_root: false, roots };
    let whole = reader.read(text)?;
    match whole.rel().strip(root.rel()) {
        Some(below) if below.is_root() => Err(bad(text, GlobError::Empty)),
        Some(below) => Glob::new(&below.to_text(), Dialect::Env).map_err(|error| bad(text, error)),
        None => Err(outside(text, root)),
    }
}

fn outside(text: &str, root: &VirtualPath) -> Failure {
    let text = clipped(text);
    Failure::new(FailureType::PathEscape, format!("The pattern `{text}` must be inside root, which is `{root}`."))
        .hint("A pattern that begins with `/` counts from the workspace; begin with a name or `**/` to count from root.")
        .at(text)
}

fn bad(text: &str, error: GlobError) -> Failure {
    let text = clipped(text);
    if error == GlobError::DotDot {
        return Failure::new(
            FailureType::PathEscape,
            format!("The pattern `{text}` cannot escape root with `..`."),
        )
        .hint("Patterns only go down: use root to look elsewhere in the workspace.")
        .at(text);
    }
    Failure::new(FailureType::BadArguments, format!("The pattern `{text}` cannot be read: {error}."))
        .hint("`*` and `?` match within a name, `**` as a whole name any directories: `src/**/*.ts`.")
}
