//! Small questions to the kernel about an open descriptor.

use std::{
    os::{
        fd::{AsFd, AsRawFd, OwnedFd},
        unix::ffi::OsStringExt,
    },
    path::PathBuf,
};

use rustix::{
    fs::{CWD, FileType, Mode, OFlags, fstat, openat, readlinkat},
    io::{Errno, fcntl_dupfd_cloexec},
};

/// Which file it is, whatever its name. The kernel gives the number of an inode to another file only after the last
/// descriptor of this one is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity {
    device: u64,
    inode: u64,
}

/// Opens what `path` leads to, links followed, without reading from it: pipes and devices are not touched either.
pub(crate) fn hold(dir: impl AsFd, path: impl rustix::path::Arg, flags: OFlags) -> Result<OwnedFd, Errno> {
    openat(dir, path, OFlags::PATH | OFlags::CLOEXEC | flags, Mode::empty()).and_then(above_standard)
}

/// A name for the open file itself, valid in this process and in a child until its own program runs.
pub(crate) fn self_path(fd: &OwnedFd) -> String {
    format!("/proc/self/fd/{}", fd.as_raw_fd())
}

/// The absolute path of the file now, every link resolved.
pub(crate) fn real_path(fd: &OwnedFd) -> Result<PathBuf, Errno> {
    let link = readlinkat(CWD, self_path(fd), Vec::new())?;
    Ok(std::ffi::OsString::from_vec(link.into_bytes()).into())
}

/// Which file, and of what type.
pub(crate) fn identity(fd: &OwnedFd) -> Result<(Identity, FileType), Errno> {
    let stat = fstat(fd)?;
    Ok((Identity { device: stat.st_dev, inode: stat.st_ino }, FileType::from_raw_mode(stat.st_mode)))
}

/// Moves a descriptor away from 0, 1 and 2: those are replaced in the child before the path of the descriptor is used.
pub(crate) fn above_standard(fd: OwnedFd) -> Result<OwnedFd, Errno> {
    if fd.as_raw_fd() > 2 { Ok(fd) } else { fcntl_dupfd_cloexec(&fd, 3) }
}
