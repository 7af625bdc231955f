//! What several crates' tests share: how a test says that it did not run, and how it makes a process [crash].
//!
//! A test that returns early looks like one that passed. With this crate it says so where everybody sees it: on standard
//! error, past the capture of the test runner, and in a log that CI counts. [`need`] is the usual way in:
//!
//! ```no_run
//! # fn python() -> Option<std::path::PathBuf> { None }
//! let Some(python) = testkit::need("python3 with the `mcp` package", python()) else { return };
//! ```
//!
//! | variable | effect |
//! |---|---|
//! | `PINFOLD_SKIP_LOG` | each skip is appended to this file, one line each; give an absolute path |
//! | `PINFOLD_REQUIRE_ALL` | `1`: a skip is a failure |

pub mod crash;
mod skip;
#[cfg(test)]
mod tests;

pub use skip::{need, skip};
