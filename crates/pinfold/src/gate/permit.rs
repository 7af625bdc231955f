//! Permits: a yes that carries what it is for.

use std::{
    marker::PhantomData,
    path::{Path, PathBuf},
    sync::Arc,
};

use pinfold_jail::{ErrorKind, JailError};

use super::Terms;
use crate::{
    Failure,
    backend::{Asked, Key, Node, Resolved},
    ignores::Ignores,
    words,
};

/// What a call wants to do with a name.
pub(crate) trait Verb: Send + 'static {
    /// It changes something.
    const CHANGES: bool;
    /// It takes something away.
    const REMOVES: bool = false;
}

macro_rules! verbs {
    ($($(#[$doc:meta])* $name:ident $changes:literal),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) enum $name {}
        impl Verb for $name {
            const CHANGES: bool = $changes;
        }
    )*};
}

verbs! {
    /// Reading a file.
    Read false,
    /// Looking at what a directory holds, or whether something is there.
    Look false,
    /// Writing a file.
    Write true,
    /// Making a directory.
    Make true,
    /// Running a command in a directory.
    Run true,
}

/// Removing something.
#[derive(Debug)]
pub(crate) enum Remove {}

impl Verb for Remove {
    const CHANGES: bool = true;
    const REMOVES: bool = true;
}

/// The rule that gave the yes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// It lies in the workspace's own root.
    InHome,
    /// It lies in one of `allowPaths`, and is only read.
    InAllowedPath,
}

/// A yes to one deed on one thing: made only by the gate, used up by the one tool that does the deed.
///
/// It holds the key to exactly what was judged, so nothing is looked up by name again, and the terms to obey. There is
/// no way to make one, to copy it, or to use it for another deed (`V`).
#[must_use]
pub struct Permit<V> {
    key: Key,
    place: PathBuf,
    rule: Rule,
    asked: Asked,
    terms: Arc<Terms>,
    ignores: Option<Ignores>,
    deed: PhantomData<V>,
}

/// What opens a [`Key`]: only a permit has one.
pub(crate) struct Unlock(());

/// What a used-up permit leaves: the thing itself, where it lies, and the terms.
pub(crate) struct Site {
    pub(crate) node: Node,
    pub(crate) ground: Ground,
}

/// Where a tool acts, and by which terms.
pub(crate) struct Ground {
    /// Absolute, without links.
    pub(crate) place: PathBuf,
    pub(crate) terms: Arc<Terms>,
    /// What a search passes over, by the rules above `place`.
    pub(crate) ignores: Option<Ignores>,
    asked: Asked,
}

// Which deeds there are is the house's own affair; strangers only see that a permit is for one.
#[allow(private_bounds)]
impl<V: Verb> Permit<V> {
    pub(super) fn grant(asked: &Asked, resolved: Resolved, terms: Arc<Terms>) -> Permit<V> {
        let rule = if resolved.place.starts_with(&terms.home) { Rule::InHome } else { Rule::InAllowedPath };
        let Resolved { key, place, .. } = resolved;
        Permit { key, place, rule, asked: asked.clone(), terms, ignores: None, deed: PhantomData }
    }

    /// With what a search passes over.
    pub(crate) fn passing_over(self, ignores: Option<Ignores>) -> Permit<V> {
        Permit { ignores, ..self }
    }

    /// Uses it up.
    pub(crate) fn open(self) -> Site {
        let Permit { key, place, terms, ignores, asked, .. } = self;
        let ground = Ground { place, terms, ignores, asked };
        Site { node: key.open(&Unlock(())), ground }
    }

    /// Where it lies: absolute, without links.
    pub(crate) fn place(&self) -> &Path {
        &self.place
    }
}

impl<V> Permit<V> {
    /// The rule that gave it.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }
}

impl Ground {
    /// An error of the jail, in words about the name that was asked for.
    pub(crate) fn fails(&self, error: JailError) -> Failure {
        words::jail(error, &self.asked, &self.terms)
    }

    /// Says where nothing is, and what was probably meant.
    ///
    /// # Errors
    /// `not-found`. Of what is hidden nothing is said.
    pub(crate) fn find(&self, node: &Node) -> Result<(), Failure> {
        if node.kind().is_some() {
            return Ok(());
        }
        let failure = self.fails(ErrorKind::NotFound.into());
        Err(match node.gap().and_then(|gap| words::meant(&gap, &self.terms)) {
            Some(hint) => failure.hint(hint),
            None => failure,
        })
    }

    /// What changed since the file had the content with that hash.
    pub(crate) fn changed_since(&self, hash: &str, content: &[u8]) -> String {
        match self.terms.known_texts.differing(hash, content) {
            Some(differing) => differing.said(&self.shown()),
            None => "Which lines changed is not known.".to_owned(),
        }
    }

    /// Whether it is the workspace's own root.
    pub(crate) fn is_at_root(&self) -> bool {
        self.terms.writable_roots().first() == Some(&self.place)
    }

    /// The path to show.
    pub(crate) fn shown(&self) -> String {
        self.terms.shown(&self.place)
    }
}
