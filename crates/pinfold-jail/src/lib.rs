//! Reaches files by name without ever leaving its roots, races included.
//!
//! A [`Jail`] holds its roots as open descriptors. [`Jail::resolve`] walks a name component by component, follows links
//! itself, and gives a [`JailedPath`]: a handle on what the name stood for, not a name to be looked up again. Whoever
//! renames or links while a call runs changes what the *next* call finds, never where this one acts.
//!
//! | module | holds |
//! |---|---|
//! | [`rel_path`] | paths that are only letters: no `..`, no root, no disk |
//! | [`glob`] | the segment matcher: `*`, `**`, `?`, and where asked `{a,b}` and `[ab]` |
//! | [`deny`] | ordered deny rules with exceptions |
//! | [`root`], [`jail`] | the roots, and what is inside them |
//! | [`resolve`] | the two resolvers behind one function |
//! | [`jailed`] | the handle and what can be done with it |
//! | [`snapshot`] | seen → planned → on disk, several files together in `snapshot::bundle`; sweeping what a crash left |
//! | [`dir`] | a directory handle: its entries, and what lies directly in it |
//! | [`spill`] | a bounded folder of our own for output that is too long to be shown |
//! | [`tree`] | making and removing directories |
//! | [`version`] | states of a file |
//! | [`error`] | what can go wrong |
//!
//! Nothing here knows of tools, commands or JSON, and nothing here decides: what is denied is decided by the caller,
//! from the names that a [`JailedPath`] reports.

#![forbid(unsafe_code)]

pub mod deny;
pub mod dir;
pub mod error;
pub mod glob;
pub mod jail;
pub mod jailed;
pub mod rel_path;
pub mod resolve;
pub mod root;
pub mod snapshot;
pub mod spill;
pub mod tree;
pub mod version;

pub use deny::{DenyRules, Standing};
pub use dir::{Child, Dir};
pub use error::{ErrorKind, JailError};
pub use glob::{Dialect, Glob, GlobError, Letters, Reading};
pub use jail::{Ask, Jail, Last, PATH_MAX, Unresolved};
pub use jailed::{JailedPath, NodeKind};
pub use rel_path::{BadRelPath, RelPath};
pub use resolve::{MAX_LINKS, Resolver};
pub use root::{Access, Root};
pub use snapshot::{Draft, Guard, Receipt, Removal, Snapshot};
pub use version::Version;
