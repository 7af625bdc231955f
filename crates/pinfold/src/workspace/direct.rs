//! The direct methods: the same calls, typed, for a program's own use.

use std::path::{Path, PathBuf};

use pinfold_contract::{
    EditFilesResult, EditResult, Failure, GlobResult, GrepResult, JobOutput, JobStarted, ListResult,
    MultiEditResult, ReadResult, RunResult, TestsResult, TodoList, WriteResult,
};
use pinfold_shell::Verdict;
use tokio_util::sync::CancellationToken;

use super::{Context, House, Workspace};
use crate::tools::{
    ApplyPatch, EditFile, EditFiles, Exists, Glob, Grep, ListDir, MakeDir, MultiEdit, ReadFile, Remove,
    RunShell, RunTests, ShellKill, ShellOutput, ShellOutputResult, ShellResult, TodoItem, WriteFile,
};
use crate::{gate::Run, policy::Interpreter};

impl Workspace {
    /// Reads a window of a text file.
    ///
    /// # Errors
    /// `path-escape`, `not-found`, `is-directory`, `special-file`, `not-text`, `too-large`, `bad-arguments` (a line
    /// past the end), and what the operating system says.
    pub async fn read_file(&self, file: impl Into<ReadFile>) -> Result<ReadResult, Failure> {
        self.file(file.into(), CancellationToken::new()).await
    }

    /// Makes or replaces a whole file, and the directories above it.
    ///
    /// # Errors
    /// `path-escape`, `read-only`, `is-directory`, `not-directory`, `special-file`, `no-space`, and what the operating
    /// system says. The old content is intact after each.
    pub async fn write_file(
        &self,
        path: impl AsRef<Path>,
        content: impl Into<String>,
    ) -> Result<WriteResult, Failure> {
        let path = path.as_ref().to_owned();
        self.write(WriteFile { path, content: content.into(), ..WriteFile::default() }).await
    }

    /// The same with everything that can be asked for: only a new file, only the file of a hash, byte for byte.
    ///
    /// # Errors
    /// Those of [`Workspace::write_file`], and `stale-hash` (also if there is a file and `if_absent` is set).
    pub async fn write(&self, write: WriteFile) -> Result<WriteResult, Failure> {
        self.file(write, CancellationToken::new()).await
    }

    /// Replaces exact text in a file.
    ///
    /// # Errors
    /// Those of writing, and `edit/not-found`, `not-unique`, `stale-hash`, `no-op`.
    pub async fn edit_file(&self, edit: EditFile) -> Result<EditResult, Failure> {
        self.file(edit, CancellationToken::new()).await
    }

    /// Replaces several exact texts in a file, in order, each in what the one before it left: all or none.
    ///
    /// # Errors
    /// Those of [`Workspace::edit_file`]; `edit_index` of the details says which edit failed.
    pub async fn multi_edit(&self, edits: MultiEdit) -> Result<MultiEditResult, Failure> {
        self.file(edits, CancellationToken::new()).await
    }

    /// Edits several files: all of them or none, also after a crash.
    ///
    /// # Errors
    /// Those of [`Workspace::multi_edit`]; `edit_index` counts the edits of all files in order.
    pub async fn edit_files(&self, edits: EditFiles) -> Result<EditFilesResult, Failure> {
        self.files(edits, CancellationToken::new()).await
    }

    /// Applies a patch, in one of the forms of [`ApplyPatch::read`]: all of it or nothing, also after a crash.
    ///
    /// # Errors
    /// Those of [`Workspace::edit_files`]; `edit_index` counts the hunks. A patch that cannot be read is `bad-arguments`.
    pub async fn apply_patch(&self, patch: &str) -> Result<EditFilesResult, Failure> {
        self.files(ApplyPatch::read(patch)?, CancellationToken::new()).await
    }

    /// Lists a directory, level by level.
    ///
    /// # Errors
    /// `path-escape`, `not-found`, `not-directory`, and what the operating system says.
    pub async fn list_dir(&self, list: impl Into<ListDir>) -> Result<ListResult, Failure> {
        self.file(list.into(), CancellationToken::new()).await
    }

    /// Searches the content of files.
    ///
    /// # Errors
    /// `path-escape`, `unsafe-pattern`, `bad-arguments` (no regular expression), `not-found`.
    pub async fn grep(&self, grep: impl Into<Grep>) -> Result<GrepResult, Failure> {
        self.file(grep.into(), CancellationToken::new()).await
    }

    /// Finds files by name.
    ///
    /// # Errors
    /// `path-escape` (a pattern that climbs or looks outside), `bad-arguments` (no glob), `not-found`.
    pub async fn glob(&self, glob: impl Into<Glob>) -> Result<GlobResult, Failure> {
        self.file(glob.into(), CancellationToken::new()).await
    }

    /// Whether something is there. Outside the workspace this is `path-escape`, never false.
    pub async fn exists(&self, path: impl AsRef<Path>) -> Result<bool, Failure> {
        let tool = Exists { path: path.as_ref().to_owned() };
        Ok(self.look_for(tool).await?.exists)
    }

    /// Makes a directory and those above it. False: it was there.
    ///
    /// # Errors
    /// `path-escape`, `read-only`, `not-directory`, and what the operating system says.
    pub async fn mkdir(&self, path: impl AsRef<Path>) -> Result<bool, Failure> {
        let tool = MakeDir { path: path.as_ref().to_owned() };
        Ok(self.file(tool, CancellationToken::new()).await?.created)
    }

    /// Removes a file, a link itself, or a directory with all below it.
    ///
    /// # Errors
    /// `path-escape` (also for the root, and for a tree that holds something protected), `read-only`, `not-found`.
    pub async fn remove(&self, path: impl AsRef<Path>) -> Result<(), Failure> {
        let tool = Remove { path: path.as_ref().to_owned() };
        self.file(tool, CancellationToken::new()).await.map(drop)
    }

    /// What the policy says about a command line, read as `shell.interpreter` says, without running anything. What a
    /// program's name resolves to is judged only when it runs, but for lines of a shell.
    pub fn check_shell_command(&self, line: &str) -> Verdict {
        let gate = &self.house.gate;
        match (gate.admit::<Run>(), gate.interpreter()) {
            (Ok(()), Interpreter::None) => gate.shell_rules().verdict(line),
            (Ok(()), Interpreter::Sh) => self.check_shell_line(line),
            (Err(no), _) => runs_nothing(&no),
        }
    }

    /// What the policy says about a line that a shell would run, without running anything. Redirections and `cd` are
    /// judged by what they lead to now.
    pub fn check_shell_line(&self, line: &str) -> Verdict {
        let House { gate, backend, .. } = &*self.house;
        match gate.admit::<Run>() {
            Ok(()) => gate.shell_rules().line_verdict(line, &self.house.yard(backend.home().to_owned())),
            Err(no) => runs_nothing(&no),
        }
    }

    /// Runs a command to its end, its time-out, or until `context` is cancelled. A command that fails is a result.
    ///
    /// # Errors
    /// `denied-command`, `read-only`, `not-found` (no such program), `path-escape` (its directory).
    pub async fn exec(&self, command: impl Into<RunShell>, context: Context) -> Result<RunResult, Failure> {
        self.command(command.into(), context).await
    }

    /// What the tool `run_shell` does: as [`Workspace::exec`], but a command that runs longer than `shell.foregroundMs` goes on
    /// in the background, where `shell.background` allows that and there is a place; with `background` it begins there.
    ///
    /// # Errors
    /// Those of [`Workspace::exec`] and [`Workspace::start_shell`].
    pub async fn run_shell(
        &self,
        command: impl Into<RunShell>,
        context: Context,
    ) -> Result<ShellResult, Failure> {
        self.shell(command.into(), context).await
    }

    /// Starts a command in the background, whatever its `background` says. It belongs to the workspace: it ends with
    /// [`Workspace::shell_kill`], [`Workspace::dispose`], or the last clone of the workspace.
    ///
    /// # Errors
    /// Those of [`Workspace::exec`]; `denied-command` also if the policy has no `shell.background`; `too-many`, `closed`.
    pub async fn start_shell(&self, command: impl Into<RunShell>) -> Result<JobStarted, Failure> {
        self.start(RunShell { background: Some(true), ..command.into() }).await
    }

    /// Looks at a background job, or, without an id, at all of them. A look takes up where the one before ended, whoever
    /// made it.
    ///
    /// # Errors
    /// `job/not-found`, `bad-arguments` (a wait of more than 30 s).
    pub async fn shell_output(&self, look: impl Into<ShellOutput>) -> Result<ShellOutputResult, Failure> {
        look.into().show(&self.house.jobs).await
    }

    /// Kills a background job with everything that it started. One that has ended stays as it is.
    ///
    /// # Errors
    /// `job/not-found`, `read-only`.
    pub async fn shell_kill(&self, id: impl Into<String>) -> Result<JobOutput, Failure> {
        self.end(ShellKill { id: id.into() }).await
    }

    /// Kills every background job, cancels the commands that run, and refuses new ones, on all projections and clones. Calls
    /// on files and looks at jobs go on.
    pub async fn dispose(&self) {
        self.house.jobs.close().await;
    }

    /// Runs the policy's `tests.command`, or the tests that the files in the root point to, and counts them as their runner
    /// does: cargo test, cargo nextest, go, pytest, vitest, jest, node --test, ctest, rspec, phpunit and mix are understood.
    ///
    /// # Errors
    /// Those of [`Workspace::exec`], `unsupported` (there is no such command and no runner, or it cannot run single tests
    /// again), `bad-arguments` (the pattern; nothing to run again).
    pub async fn run_tests(&self, tests: RunTests, context: Context) -> Result<TestsResult, Failure> {
        self.tests(tests, context).await
    }

    /// Replaces the whole todo list, which every projection of this workspace shares; also on a read-only one.
    ///
    /// # Errors
    /// `bad-arguments`: more than 100 items, or one id twice. The old list stays.
    pub fn write_todos(&self, todos: Vec<TodoItem>) -> Result<TodoList, Failure> {
        self.house.todos.replace(todos)
    }

    /// The todo list, and how many of its items are where.
    pub fn read_todos(&self) -> TodoList {
        self.house.todos.read()
    }
}

macro_rules! from_text {
    ($($tool:ident . $field:ident),*) => {$(
        impl From<&str> for $tool {
            fn from(text: &str) -> $tool {
                $tool { $field: text.into(), ..$tool::default() }
            }
        }
        impl From<String> for $tool {
            fn from(text: String) -> $tool {
                $tool { $field: text.into(), ..$tool::default() }
            }
        }
    )*};
}

from_text!(ReadFile.path, Grep.pattern, Glob.pattern, RunShell.command);

impl From<&Path> for ReadFile {
    fn from(path: &Path) -> ReadFile {
        ReadFile { path: path.to_owned(), ..ReadFile::default() }
    }
}

impl From<PathBuf> for ReadFile {
    fn from(path: PathBuf) -> ReadFile {
        ReadFile { path, ..ReadFile::default() }
    }
}

impl From<&str> for ListDir {
    fn from(path: &str) -> ListDir {
        ListDir { path: Some(path.into()), ..ListDir::default() }
    }
}

impl From<&str> for ShellOutput {
    fn from(id: &str) -> ShellOutput {
        ShellOutput { id: Some(id.to_owned()), ..ShellOutput::default() }
    }
}

fn runs_nothing(no: &Failure) -> Verdict {
    Verdict::refused_as(pinfold_shell::Reason::NotAllowed, no.message(), no.advice().unwrap_or_default())
}
