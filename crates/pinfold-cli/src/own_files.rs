//! Files of the person at the terminal: policies and the settings of clients, which no agent asked for.
//!
//! They are read by name, and written like any file of a workspace: atomically, with the mode that they had, and not at
//! all if somebody else changed them in between.

use std::{
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

use pinfold::{
    Failure, FailureType, Policy, Workspace,
    tools::{ReadFile, WriteFile},
};
use tokio::runtime;

use crate::place::absolute;

/// One file, as it was when it was looked at.
pub(crate) struct OwnFile {
    pub(crate) path: PathBuf,
    /// `None`: there was none.
    pub(crate) text: Option<String>,
    /// Of its bytes.
    hash: Option<String>,
}

impl OwnFile {
    /// Looks at a file, which need not be there.
    pub(crate) fn look(path: &Path) -> Result<OwnFile, Failure> {
        let path = absolute(path)?;
        let hash = match awaited(async |all| all.read_file(ReadFile::from(path.as_path())).await)? {
            Err(failure) if failure.failure_type() == FailureType::NotFound => {
                return Ok(OwnFile { path, text: None, hash: None });
            }
            read => read?.hash,
        };
        let text = String::from_utf8(std::fs::read(&path).map_err(|error| unreadable(&path, &error))?)
            .map_err(|_| Failure::new(FailureType::NotText, format!("`{}` is not UTF-8.", path.display())))?;
        Ok(OwnFile { path, text: Some(text), hash: Some(hash) })
    }

    /// Puts `text` in its place.
    ///
    /// # Errors
    /// `stale-hash` if it is another file by now, and those of writing.
    pub(crate) fn replace(&self, text: &str) -> Result<(), Failure> {
        write(&WriteFile {
            path: self.path.clone(),
            content: text.to_owned(),
            expect_hash: self.hash.clone(),
            if_absent: self.hash.is_none().then_some(true),
            exact: Some(true),
        })
    }
}

/// Makes a file, and the directories above it; replaces one that is there only if it may.
pub(crate) fn put(path: &Path, text: &str, may_replace: bool) -> Result<(), Failure> {
    let path = absolute(path)?;
    write(&WriteFile {
        path,
        content: text.to_owned(),
        if_absent: Some(!may_replace),
        exact: Some(true),
        ..WriteFile::default()
    })
}

fn write(write: &WriteFile) -> Result<(), Failure> {
    awaited(async |all| all.write(write.clone()).await)?.map(drop)
}

/// Whatever a person names may be anywhere.
fn awaited<T>(deed: impl AsyncFn(Workspace) -> Result<T, Failure>) -> Result<Result<T, Failure>, Failure> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new(FailureType::IoOther, error.to_string()))?;
    let all = Workspace::open(Policy::new("/"))?;
    Ok(runtime.block_on(deed(all)))
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let no = match error.kind() {
        ErrorKind::PermissionDenied => FailureType::PermissionDenied,
        _ => FailureType::IoOther,
    };
    Failure::new(no, format!("`{}` cannot be read: {error}.", path.display()))
}
