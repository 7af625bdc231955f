//! House-keeping rules of this repository. `cargo test -p tidy` runs them all over the tree.
//!
//! A rule is a function from the [`Repo`] to [`Complaint`]s; each complaint says where, what, and what to do about it.
//! Rules never touch the disk: the tree is read once, and bad samples can be given as text.
//!
//! | module | holds |
//! |---|---|
//! | [`repo`] | the files of the repository, as text |
//! | [`complaint`] | what a rule says, and where |
//! | [`scan`] | what a Rust file contains: functions, modules, marks |
//! | [`lengths`] | files and functions that are too long |
//! | [`docs`] | files without a `//!` |
//! | [`names`] | `mod.rs`, and modules named after nothing in particular |
//! | [`contents`] | `lib.rs` is a table of contents |
//! | [`arrows`] | which of our crates may depend on which |
//! | [`papers`] | README, CHANGELOG, and a line per dependency in ARCHITECTURE |
//! | [`attacks`] | what docs/attacks.md names exists |
//! | [`forgotten`] | test files and data that nothing runs |
//! | [`words`] | `#[ignore]`, unfinished code, names of one machine |

pub mod arrows;
pub mod attacks;
pub mod complaint;
pub mod contents;
pub mod docs;
pub mod forgotten;
pub mod lengths;
pub mod names;
pub mod papers;
pub mod repo;
pub mod scan;
pub mod words;

pub use complaint::Complaint;
pub use repo::{Repo, TextFile};
