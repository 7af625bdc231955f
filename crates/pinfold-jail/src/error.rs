//! What can go wrong on the way to a file.

use std::fmt;

use rustix::io::Errno;

/// What went wrong, for branching.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The name leads out of every root.
    Escape,
    /// Nothing is there.
    NotFound,
    /// A directory was needed.
    NotDirectory,
    /// A file was needed, this is a directory.
    IsDirectory,
    /// Longer than the file system takes (255 bytes a name, 4,096 a path on Linux).
    NameTooLong,
    /// A pipe, socket or device.
    SpecialFile,
    /// More than 40 links on the way, as in `path_resolution(7)`.
    TooManyLinks,
    /// A NUL byte in a name.
    BadName,
    /// It became something else between resolving and doing.
    Changed,
    /// The file is not the one that was seen.
    Stale,
    /// Larger than the caller's limit.
    TooLarge,
    /// A root can be neither removed nor replaced, nor can a directory that holds one.
    RootItself,
    /// The root that it lies in may only be read ([`crate::Access::ReadOnly`]).
    ReadOnlyRoot,
    /// The caller's deny test refused something inside the tree.
    Denied,
    /// A directory that something is in.
    NotEmpty,
    /// More levels of directories than are walked.
    TooDeep,
    /// An access list or another extended attribute of the old file that its new content cannot be given.
    AttributesLost,
    /// What was written is not what is read back: the disk or the file system is at fault.
    NotReadBack,
    /// No space or quota left.
    NoSpace,
    /// The operating system does not permit it.
    PermissionDenied,
    /// The file system is mounted read-only.
    ReadOnlyFs,
    /// Anything else; see [`JailError::errno`].
    Other,
}

/// An error of the jail: its kind, and the operating system's code if there was one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JailError {
    kind: ErrorKind,
    errno: Option<Errno>,
}

impl JailError {
    /// What went wrong.
    pub fn kind(self) -> ErrorKind {
        self.kind
    }

    /// The operating system's code, if it was the one that said no.
    pub fn errno(self) -> Option<i32> {
        self.errno.map(Errno::raw_os_error)
    }
}

impl JailError {
    /// A kind that the code alone would not tell.
    pub(crate) fn told(kind: ErrorKind, errno: Errno) -> JailError {
        JailError { kind, errno: Some(errno) }
    }
}

impl From<ErrorKind> for JailError {
    fn from(kind: ErrorKind) -> Self {
        JailError { kind, errno: None }
    }
}

impl From<Errno> for JailError {
    fn from(errno: Errno) -> Self {
        let kind = match errno {
            Errno::NOENT => ErrorKind::NotFound,
            Errno::NOTDIR => ErrorKind::NotDirectory,
            Errno::ISDIR => ErrorKind::IsDirectory,
            Errno::NAMETOOLONG => ErrorKind::NameTooLong,
            Errno::LOOP => ErrorKind::Changed,
            Errno::NOSPC | Errno::DQUOT => ErrorKind::NoSpace,
            Errno::ACCESS | Errno::PERM => ErrorKind::PermissionDenied,
            Errno::ROFS => ErrorKind::ReadOnlyFs,
            Errno::NXIO | Errno::NODEV => ErrorKind::SpecialFile,
            _ => ErrorKind::Other,
        };
        JailError { kind, errno: Some(errno) }
    }
}

impl From<std::io::Error> for JailError {
    fn from(error: std::io::Error) -> Self {
        match error.raw_os_error() {
            Some(code) => Errno::from_raw_os_error(code).into(),
            None => ErrorKind::Other.into(),
        }
    }
}

impl fmt::Display for JailError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.kind {
            ErrorKind::Escape => "it leads out of the workspace",
            ErrorKind::NotFound => "no such file or directory",
            ErrorKind::NotDirectory => "not a directory",
            ErrorKind::IsDirectory => "a directory",
            ErrorKind::NameTooLong => "a name longer than the file system takes",
            ErrorKind::SpecialFile => "a pipe, socket or device",
            ErrorKind::TooManyLinks => "too many levels of symbolic links",
            ErrorKind::BadName => "a name with a NUL byte",
            ErrorKind::Changed => "it was replaced by something else in the meantime",
            ErrorKind::Stale => "it was changed since it was read",
            ErrorKind::TooLarge => "larger than the limit",
            ErrorKind::RootItself => "a root, or a directory that holds one",
            ErrorKind::ReadOnlyRoot => "it lies in a root that may only be read",
            ErrorKind::Denied => "it holds something that the policy denies",
            ErrorKind::NotEmpty => "a directory that is not empty",
            ErrorKind::TooDeep => "more levels of directories than are walked",
            ErrorKind::AttributesLost => {
                "it has an access list or attribute that new content cannot be given"
            }
            ErrorKind::NotReadBack => "what was written is not what is read back",
            ErrorKind::NoSpace => "no space left",
            ErrorKind::PermissionDenied => "permission denied by the operating system",
            ErrorKind::ReadOnlyFs => "the file system is mounted read-only",
            ErrorKind::Other => return other(self.errno, f),
        };
        f.write_str(text)
    }
}

fn other(errno: Option<Errno>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match errno {
        Some(errno) => write!(f, "{}", std::io::Error::from(errno)),
        None => f.write_str("an input/output error"),
    }
}

impl std::error::Error for JailError {}
