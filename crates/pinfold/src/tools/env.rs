//! The *env* dialect: the tools of a small execution environment, on the same engine and under the same policy as those
//! of the coding dialect.
//!
//! Its paths are virtual (`path`): `/` is the root, and no text names a file outside. Its reads are raw, its edits
//! count, its search is literal unless it is told otherwise, and of everything it returns few bytes
//! ([`EnvPolicy`](crate::policy::EnvPolicy)).
//!
//! A program uses it through [`Workspace::env`](crate::Workspace::env), with the argument types of this module; a model
//! through `tools().dialect(Dialect::Env)`.

mod definition;
mod delete_path;
mod diff;
mod edit_file;
mod glob_files;
mod grep_files;
mod list_files;
mod look;
mod path;
mod read_file;
mod run_shell;
mod search;
mod walk;
mod write_file;

use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde_json::Value;

pub(crate) use definition::{all, offered};
pub use delete_path::DeletePath;
pub(crate) use diff::Diff;
pub use diff::diff;
pub use edit_file::EditFile;
pub use glob_files::GlobFiles;
pub(crate) use glob_files::Globbing;
pub use grep_files::GrepFiles;
pub(crate) use grep_files::Grepping;
pub use list_files::ListFiles;
pub(crate) use look::{MakeDir, Stat};
pub(crate) use path::{Reader, VirtualPath, resolve};
pub use pinfold_contract::env::{
    EnvDeleted, EnvDiff, EnvEdited, EnvGlobbed, EnvGrepped, EnvKind, EnvListed, EnvMatch, EnvRead, EnvRun,
    EnvStat, EnvWalked, EnvWritten, GrepMode, LineRange, Observed,
};
pub use read_file::ReadFile;
pub use run_shell::{EnvRef, RunShell};
pub use walk::Walk;
pub use write_file::WriteFile;

use crate::{Failure, FailureType, arguments};

/// Arguments in which a path stands.
pub(crate) trait Located {
    /// What the path is called.
    const LABEL: &str = "path";
    /// The root itself may be meant.
    const MAY_BE_ROOT: bool = false;

    /// The path as it was written; none means the root.
    fn text(&self) -> Option<&str>;
}

/// Arguments of which the path was read: from here on it is a name like any other.
#[derive(Debug, Clone)]
pub(crate) struct At<A> {
    path: VirtualPath,
    wish: A,
}

impl<A: Located> At<A> {
    /// Reads the path in `wish`. `roots` are the names of the root, absolute.
    pub(crate) fn read(wish: A, roots: &[PathBuf]) -> Result<At<A>, Failure> {
        let reader = Reader { label: A::LABEL, may_be_root: A::MAY_BE_ROOT, roots };
        let path = wish.text().map_or_else(|| Ok(VirtualPath::root()), |text| reader.read(text))?;
        Ok(At { path, wish })
    }
}

/// One call, read: the closed list of what a workspace can be asked in this dialect.
#[derive(Debug, Clone)]
pub(crate) enum EnvCall {
    ReadFile(At<ReadFile>),
    WriteFile(At<WriteFile>),
    EditFile(At<EditFile>),
    ListFiles(At<ListFiles>),
    GlobFiles(Globbing),
    GrepFiles(Grepping),
    DeletePath(At<DeletePath>),
    RunShell(At<RunShell>),
    /// Direct method: every file.
    Walk(At<Walk>),
    /// Direct method: two walks against each other.
    Diff(Diff),
    /// Direct method: what a path stands for.
    Stat(At<Stat>),
    /// Direct method: whether something is there.
    Exists(At<Stat>),
    /// Direct method: makes a directory.
    MakeDir(At<MakeDir>),
    /// Direct method: where a path lies.
    ResolvePath(String),
}

impl EnvCall {
    /// Reads a call from its name and JSON arguments. `roots` are the names of the root, absolute.
    pub(crate) fn parse(name: &str, given: Value, roots: &[PathBuf]) -> Result<EnvCall, Failure> {
        Ok(match name {
            "read_file" => EnvCall::ReadFile(at(name, given, roots)?),
            "write_file" => EnvCall::WriteFile(at(name, given, roots)?),
            "edit_file" => EnvCall::EditFile(at(name, given, roots)?),
            "list_files" => EnvCall::ListFiles(at(name, given, roots)?),
            "glob_files" => EnvCall::GlobFiles(Globbing::read(arguments(name, given)?, roots)?),
            "grep_files" => EnvCall::GrepFiles(Grepping::read(arguments(name, given)?, roots)?),
            "delete_path" => EnvCall::DeletePath(at(name, given, roots)?),
            "run_shell" => EnvCall::RunShell(at(name, given, roots)?),
            "walk" => EnvCall::Walk(at(name, given, roots)?),
            "diff" => EnvCall::Diff(arguments(name, given)?),
            "stat" => EnvCall::Stat(at(name, given, roots)?),
            "exists" => EnvCall::Exists(at(name, given, roots)?),
            "mkdir" => EnvCall::MakeDir(at(name, given, roots)?),
            "resolve_path" => EnvCall::ResolvePath(arguments::<Stat>(name, given)?.path),
            _ => return Err(super::unknown(name, all().iter().map(|tool| tool.tool))),
        })
    }
}

fn at<A: Located + DeserializeOwned>(name: &str, given: Value, roots: &[PathBuf]) -> Result<At<A>, Failure> {
    At::read(arguments(name, given)?, roots)
}

fn arguments<A: DeserializeOwned>(name: &str, given: Value) -> Result<A, Failure> {
    arguments::read(name, definition::schema(name), given)
}

/// What the schema says to a model holds for a program too.
fn in_bounds(name: &str, number: Option<usize>, most: usize) -> Result<(), Failure> {
    let why = match number {
        Some(0) => "at least 1".to_owned(),
        Some(number) if number > most => format!("at most {most}"),
        _ => return Ok(()),
    };
    let message = format!("`{name}` must be {why}, not {}.", number.unwrap_or_default());
    Err(Failure::new(FailureType::BadArguments, message))
}

/// What the schema says to a model holds for a program too.
fn at_least_one(name: &str, number: Option<u64>) -> Result<(), Failure> {
    match number {
        Some(0) => {
            Err(Failure::new(FailureType::BadArguments, format!("`{name}` must be at least 1, not 0.")))
        }
        _ => Ok(()),
    }
}

fn too_large(bytes: u64, most: u64, path: &str) -> Failure {
    let message =
        format!("`{path}`: the file exceeds the limit, with {bytes} bytes where {most} are allowed.");
    Failure::new(FailureType::TooLarge, message)
        .hint("Nothing was written. Divide the content among several files.")
        .at(path)
}
