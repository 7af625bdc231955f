//! The terms of a permit: limits to obey, and what must not be shown.

use std::{
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    sync::Arc,
};

use pinfold_jail::{DenyRules, Glob, RelPath};

use super::Verb;
use crate::{
    Policy,
    policy::{KeepOutput, ShellPolicy},
    text::{known::KnownTexts, miss::Misses},
    tools::{BigFiles, Dialect},
};

/// What whoever acts has to obey.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    /// Where relative names begin, and what paths in results are relative to.
    pub(crate) home: PathBuf,
    /// Every directory that deny rules count from.
    pub(super) bases: Vec<PathBuf>,
    pub(super) deny: DenyRules,
    pub(super) deny_write: DenyRules,
    /// The tools that are spoken of.
    pub(crate) dialect: Dialect,
    /// What listings leave out.
    pub(crate) ignore: Vec<Glob>,
    pub(crate) policy: Policy,
    /// Which edits failed lately; the same in every scope.
    pub(crate) misses: Arc<Misses>,
    /// What was shown or written lately; the same in every scope.
    pub(crate) known_texts: Arc<KnownTexts>,
    /// What is known of big files that were read; the same in every scope.
    pub(crate) big_files: Arc<BigFiles>,
}

impl Terms {
    /// The rule that denies deed `V` at `place`, an absolute path without links.
    pub(super) fn denying<V: Verb>(&self, place: &Path) -> Option<Denying<'_>> {
        if self.is_ours(place) {
            return Some(Denying { glob: OURS, rule: None });
        }
        let policy = &self.policy;
        let denied = |field, texts, rules| Some(Denying::new(field, texts, self.find(rules, place)?));
        denied("denyPaths", &policy.deny_paths, &self.deny).or_else(|| {
            V::CHANGES.then(|| denied("denyWritePaths", &policy.deny_write_paths, &self.deny_write)).flatten()
        })
    }

    /// Bytes of each output stream of a command that are kept, and which.
    pub(crate) fn kept_output(&self, shell: &ShellPolicy) -> (usize, KeepOutput) {
        match self.dialect {
            Dialect::Coding => (shell.max_output_bytes, shell.keep_output),
            Dialect::Env => {
                (shell.max_output_bytes.min(self.policy.env_dialect.max_output_bytes), KeepOutput::Head)
            }
        }
    }

    /// Where a program found on `PATH` could have been made by the agent itself.
    pub(crate) fn writable_roots(&self) -> Vec<PathBuf> {
        self.bases.first().cloned().into_iter().collect()
    }

    /// Whether `place` must not be shown: a denied one, or a file of ours that a crash left half written.
    pub(crate) fn hides(&self, place: &Path) -> bool {
        self.is_ours(place) || self.find(&self.deny, place).is_some()
    }

    /// Whether `place` must not be changed.
    pub(crate) fn protects(&self, place: &Path) -> bool {
        self.find(&self.deny, place).is_some() || self.find(&self.deny_write, place).is_some()
    }

    fn is_ours(&self, place: &Path) -> bool {
        let below = self.bases.iter().filter_map(|base| below(base, place));
        below.into_iter().any(|rel| rel.components().any(is_our_name))
    }

    fn find<'a>(&self, rules: &'a DenyRules, place: &Path) -> Option<&'a str> {
        if rules.is_empty() {
            return None;
        }
        self.bases.iter().find_map(|base| rules.denying(&below(base, place)?))
    }

    /// The path to show for `place`: relative to the home with `/`, or absolute outside it.
    pub(crate) fn shown(&self, place: &Path) -> String {
        match below(&self.home, place) {
            Some(rel) => rel.to_string(),
            None => place.to_string_lossy().into_owned(),
        }
    }
}

/// What says no to a place.
pub(super) struct Denying<'a> {
    /// The glob that it matches.
    pub(super) glob: &'a str,
    /// Where the policy has it, as in `denyPaths[1]`; `None` if it is not the policy that says so.
    pub(super) rule: Option<String>,
}

impl<'a> Denying<'a> {
    /// A glob may have been written with the path of a root before it.
    fn new(field: &str, texts: &[String], glob: &'a str) -> Denying<'a> {
        let index =
            texts.iter().position(|text| text == glob || glob.starts_with('/') && text.ends_with(glob));
        Denying { glob, rule: index.map(|index| format!("{field}[{index}]")) }
    }
}

/// What nobody but the jail itself reads or writes: temporary files, marks of work, journals. Who wrote one could have
/// changes undone, and who put something of his own there would lose it.
const OURS: &str = ".pinfold-*.tmp and .pinfold-*.journal";

pub(super) fn is_our_name(name: &[u8]) -> bool {
    name.starts_with(b".pinfold-") && (name.ends_with(b".tmp") || name.ends_with(b".journal"))
}

fn below(base: &Path, place: &Path) -> Option<RelPath> {
    RelPath::new(place.strip_prefix(base).ok()?.as_os_str().as_bytes()).ok()
}
