//! A program that was found, and is held open.

use std::{
    os::fd::{AsFd, OwnedFd},
    path::{Path, PathBuf},
};

use pinfold_shell::Program;
use rustix::{
    fs::{Access, CWD, FileType, Mode, OFlags, access, openat},
    io::{Errno, read},
};

use crate::descriptor::{hold, identity, real_path, self_path};

/// A program that was found: its descriptor, and where it was found. Made only by [`SearchPath`](crate::SearchPath).
///
/// What was judged is what runs. A binary is executed through its descriptor, so that another file under the same name
/// cannot take its place. A script cannot be run so (its interpreter opens it again by name, and `$0` would be the
/// descriptor): it is run by the path it was found at, after a look whether that is still the same file. Between this
/// look and the interpreter's opening of the file lies a window of well under a millisecond in which a swap goes unseen.
/// In both cases it is the identity of the file that is held, not its bytes: whoever may write to the file itself can
/// change what it does.
#[derive(Debug)]
pub struct Executable {
    opened: Opened,
    real: PathBuf,
}

/// An open program, as it is handed to whoever starts it.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) file: OwnedFd,
    pub(crate) found_at: PathBuf,
    pub(crate) form: Form,
}

/// A script's path no longer leads to the file that is held open.
#[derive(Debug)]
pub(crate) struct Changed;

/// How the kernel starts it (execve(2)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// It runs itself: ELF, or a file that may be executed but not read, which only a binary can be.
    Binary,
    /// Something else reads it: `#!`, or a format registered with the kernel.
    Script,
}

/// Why a file is no program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// No such file, or it cannot be reached: the caller may look elsewhere.
    Missing(Errno),
    /// A directory, pipe, device or socket.
    NotAFile,
    /// A file that this process may not execute.
    NotPermitted,
}

impl From<Errno> for Unfit {
    fn from(errno: Errno) -> Unfit {
        Unfit::Missing(errno)
    }
}

impl Executable {
    /// Opens the program at `path`, relative to `dir`, and remembers that it was found at `found_at`.
    pub(crate) fn open(dir: impl AsFd, path: &Path, found_at: PathBuf) -> Result<Executable, Unfit> {
        let file = hold(dir, path, OFlags::empty())?;
        let (_, file_type) = identity(&file)?;
        if file_type != FileType::RegularFile {
            return Err(Unfit::NotAFile);
        }
        // For root access(2) asks for one x bit at least, as execve(2) does.
        match access(self_path(&file), Access::EXEC_OK) {
            Err(Errno::ACCESS) => return Err(Unfit::NotPermitted),
            other => other?,
        }
        let real = real_path(&file)?;
        let form = form(&file);
        Ok(Executable { opened: Opened { file, found_at, form }, real })
    }

    /// The path it was found at: the entry of `PATH` and the name, or the name with a slash as it was written.
    pub fn found_at(&self) -> &Path {
        &self.opened.found_at
    }

    /// The absolute path of the file when it was found, every link resolved.
    pub fn real_path(&self) -> &Path {
        &self.real
    }

    pub(crate) fn into_opened(self) -> Opened {
        self.opened
    }
}

impl Opened {
    /// The path to give to execve(2) for a command that starts in `cwd`.
    pub(crate) fn path_to_execute(&self, cwd: &OwnedFd) -> Result<PathBuf, Changed> {
        if self.form == Form::Binary {
            return Ok(self_path(&self.file).into());
        }
        let held = identity(&self.file).map_err(|_| Changed)?;
        let now = hold(cwd, &self.found_at, OFlags::empty()).and_then(|file| identity(&file));
        match now {
            Ok(now) if now == held => Ok(self.found_at.clone()),
            _ => Err(Changed),
        }
    }
}

impl Program for Executable {
    fn resolved_name(&self) -> Option<&str> {
        self.real.file_name()?.to_str()
    }

    fn real_path(&self) -> Option<&Path> {
        Some(&self.real)
    }
}

fn form(file: &OwnedFd) -> Form {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let mut start = [0_u8; 4];
    match openat(CWD, self_path(file), flags, Mode::empty()).and_then(|file| read(&file, &mut start)) {
        Ok(4) if start == *b"\x7fELF" => Form::Binary,
        Err(Errno::ACCESS) => Form::Binary,
        _ => Form::Script,
    }
}
