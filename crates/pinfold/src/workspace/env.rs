//! The *env* dialect, typed, for a program's own use.

use std::path::{Path, PathBuf};

use pinfold_contract::env::{
    EnvDeleted, EnvEdited, EnvGlobbed, EnvGrepped, EnvListed, EnvRead, EnvRun, EnvStat, EnvWalked, EnvWritten,
};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{Context, House, Workspace, json};
use crate::{
    Dialect, Failure, FailureType,
    env::{DeletePath, EditFile, GlobFiles, GrepFiles, ListFiles, ReadFile, RunShell, Walk, WriteFile},
    tools::{
        FileTool,
        env::{At, EnvCall, Globbing, Grepping, Located, MakeDir, Stat, resolve},
    },
};

/// A workspace as the *env* dialect sees it: the same place under the same rules, with virtual paths.
#[derive(Debug, Clone)]
pub struct Env {
    workspace: Workspace,
}

impl Workspace {
    /// The direct methods of the *env* dialect.
    pub fn env(&self) -> Env {
        Env { workspace: self.dialect(Dialect::Env) }
    }

    pub(super) async fn call_env(
        &self,
        name: &str,
        arguments: Value,
        context: Context,
    ) -> Result<Value, Failure> {
        let roots = self.house.names_of_root();
        let cancel = context.cancel.clone();
        match EnvCall::parse(name, arguments, &roots)? {
            EnvCall::ReadFile(tool) => self.file(tool, cancel).await.and_then(json),
            EnvCall::WriteFile(tool) => self.file(tool, cancel).await.and_then(json),
            EnvCall::EditFile(tool) => self.file(tool, cancel).await.and_then(json),
            EnvCall::ListFiles(tool) => self.file(tool, cancel).await.and_then(json),
            EnvCall::GlobFiles(tool) => self.file(tool, cancel).await.and_then(json),
            EnvCall::GrepFiles(tool) => self.file(tool, cancel).await.and_then(json),
            EnvCall::Walk(tool) => self.file(tool, cancel).await.and_then(json),
            EnvCall::Diff(tool) => tool.compare().and_then(json),
            EnvCall::Stat(tool) => self.file(tool, cancel).await.and_then(json),
            EnvCall::Exists(tool) => {
                self.env_exists(tool).await.and_then(|exists| json(serde_json::json!({ "exists": exists })))
            }
            EnvCall::MakeDir(tool) => self.file(tool, cancel).await.and_then(json),
            EnvCall::ResolvePath(path) => {
                self.env_path(&path).and_then(|path| json(serde_json::json!({ "path": path })))
            }
            EnvCall::DeletePath(tool) => self.file(tool, cancel).await.and_then(json),
            EnvCall::RunShell(tool) => self.env_command(tool, context).await.and_then(json),
        }
    }

    async fn env_exists(&self, tool: At<Stat>) -> Result<bool, Failure> {
        match self.file(tool, CancellationToken::new()).await {
            Ok(_) => Ok(true),
            Err(no) if matches!(no.failure_type(), FailureType::NotFound | FailureType::NotDirectory) => {
                Ok(false)
            }
            Err(no) => Err(no),
        }
    }

    fn env_path(&self, path: &str) -> Result<PathBuf, Failure> {
        resolve(path, self.root())
    }

    async fn env_command(&self, tool: At<RunShell>, context: Context) -> Result<EnvRun, Failure> {
        let (command, told) = tool.command(self.house.gate.policy())?;
        self.command(command, context).await.map(|run| told.of(run))
    }
}

impl House {
    /// What the root is called: where it lies, and, unless this is a part of it, what the policy calls it.
    fn names_of_root(&self) -> Vec<PathBuf> {
        let policys = (!self.scoped).then(|| self.gate.policy().cwd.clone());
        [self.backend.home().to_owned()].into_iter().chain(policys).collect()
    }
}

impl Env {
    async fn at<A>(&self, wish: A) -> Result<<At<A> as FileTool>::Report, Failure>
    where
        A: Located,
        At<A>: FileTool,
    {
        let at = At::read(wish, &self.workspace.house.names_of_root())?;
        self.workspace.file(at, CancellationToken::new()).await
    }

    /// Reads a text file, or lines of it.
    ///
    /// # Errors
    /// `path-escape`, `not-found`, `is-directory`, `special-file`, `not-text`, `too-large`, `bad-arguments` (no path; lines
    /// past the end), and what the operating system says.
    pub async fn read_file(&self, file: impl Into<ReadFile>) -> Result<EnvRead, Failure> {
        self.at(file.into()).await
    }

    /// Makes or replaces a whole file, and the directories above it.
    ///
    /// # Errors
    /// `path-escape`, `read-only`, `too-large`, `is-directory`, `not-directory`, `special-file`, `no-space`, and what the
    /// operating system says. The old content is intact after each.
    pub async fn write_file(
        &self,
        path: impl Into<String>,
        content: impl Into<String>,
    ) -> Result<EnvWritten, Failure> {
        self.at(WriteFile { path: path.into(), content: content.into() }).await
    }

    /// Replaces a text as often as it was said to occur.
    ///
    /// # Errors
    /// Those of writing, and `edit/not-found`, `not-unique`.
    pub async fn edit_file(&self, edit: EditFile) -> Result<EnvEdited, Failure> {
        self.at(edit).await
    }

    /// The names in a directory, hidden ones too.
    ///
    /// # Errors
    /// `path-escape`, `not-found`, `not-directory`, and what the operating system says.
    pub async fn list_files(&self, list: impl Into<ListFiles>) -> Result<EnvListed, Failure> {
        self.at(list.into()).await
    }

    /// Files by pattern.
    ///
    /// # Errors
    /// `path-escape` (also a pattern outside `root`, or with `..`), `bad-arguments` (no pattern), `not-found`.
    pub async fn glob_files(&self, glob: impl Into<GlobFiles>) -> Result<EnvGlobbed, Failure> {
        let tool = Globbing::read(glob.into(), &self.workspace.house.names_of_root())?;
        self.workspace.file(tool, CancellationToken::new()).await
    }

    /// Every occurrence of a text, or of a regular expression.
    ///
    /// # Errors
    /// `path-escape`, `not-found`, `bad-arguments` (no text, no regular expression, or one that matches nothing at all),
    /// `unsafe-pattern` (too large once compiled).
    pub async fn grep_files(&self, grep: impl Into<GrepFiles>) -> Result<EnvGrepped, Failure> {
        let tool = Grepping::read(grep.into(), &self.workspace.house.names_of_root())?;
        self.workspace.file(tool, CancellationToken::new()).await
    }

    /// Every file below a root with its size and time: at most 1,000,000, and for at most 20 s. Links are not followed.
    /// Two walks are compared by [`diff`](crate::env::diff).
    ///
    /// # Errors
    /// `path-escape`, `not-found`, and what the operating system says of the root.
    pub async fn walk(&self, walk: Walk) -> Result<EnvWalked, Failure> {
        self.at(walk).await
    }

    /// What a path stands for, links followed.
    ///
    /// # Errors
    /// `path-escape`, `not-found`, `not-directory`.
    pub async fn stat(&self, path: impl Into<String>) -> Result<EnvStat, Failure> {
        self.at(Stat { path: path.into() }).await
    }

    /// Whether something is there.
    ///
    /// # Errors
    /// `path-escape` for what the policy denies, and for a `..`.
    pub async fn exists(&self, path: impl Into<String>) -> Result<bool, Failure> {
        let at = At::read(Stat { path: path.into() }, &self.workspace.house.names_of_root())?;
        self.workspace.env_exists(at).await
    }

    /// Makes a directory and those above it. False: it was there.
    ///
    /// # Errors
    /// `path-escape`, `read-only`, `not-directory`, and what the operating system says.
    pub async fn mkdir(&self, path: impl Into<String>) -> Result<bool, Failure> {
        Ok(self.at(MakeDir { path: path.into() }).await?.created)
    }

    /// The root: absolute, without links.
    pub fn cwd(&self) -> &Path {
        self.workspace.root()
    }

    /// Where a path lies. Here an absolute path is one of the machine: it has to be the root, or lie below it. Nothing is
    /// looked up, and nothing said of what is there.
    ///
    /// # Errors
    /// `path-escape` for what lies outside and for a `..`, `bad-arguments` for no path.
    pub fn resolve_path(&self, path: &str) -> Result<PathBuf, Failure> {
        self.workspace.env_path(path)
    }

    /// Removes a file, a link itself, or a directory; one that is not empty only if that is said.
    ///
    /// # Errors
    /// `path-escape` (also for the root, and for a tree that holds something protected), `read-only`, `not-found`,
    /// `is-directory` (one that is not empty).
    pub async fn delete_path(&self, delete: impl Into<DeletePath>) -> Result<EnvDeleted, Failure> {
        self.at(delete.into()).await
    }

    /// Runs a command to its end, its time-out, or until `context` is cancelled. A command that fails is a result.
    ///
    /// # Errors
    /// `denied-command`, `read-only`, `not-found` (no such program), `path-escape` (its directory), `bad-arguments` (too
    /// long), `unsupported` (secrets by name).
    pub async fn run_shell(&self, command: impl Into<RunShell>, context: Context) -> Result<EnvRun, Failure> {
        let at = At::read(command.into(), &self.workspace.house.names_of_root())?;
        self.workspace.env_command(at, context).await
    }
}

macro_rules! from_text {
    ($($tool:ident . $field:ident),*) => {$(
        impl From<&str> for $tool {
            fn from(text: &str) -> $tool {
                $tool { $field: text.to_owned(), ..$tool::default() }
            }
        }
    )*};
}

from_text!(ReadFile.path, DeletePath.path, RunShell.command, GlobFiles.pattern, GrepFiles.pattern);

impl From<&str> for ListFiles {
    fn from(path: &str) -> ListFiles {
        ListFiles { path: Some(path.to_owned()) }
    }
}
