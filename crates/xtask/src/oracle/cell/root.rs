//! Making the root of a cell, and leaving the host's.

use std::{
    env, fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use rustix::{
    mount::{MountFlags, UnmountFlags, mount, mount_bind, unmount},
    process::{Resource, Rlimit, pivot_root, setrlimit},
};

use super::{
    super::fixture::{PASSED, PROGRAMS},
    REAL,
    shells::{SHELLS, find},
};
use crate::Result;

/// Mounts an empty file system at `root`, fills it with shells and stand-ins, and makes it the only one.
pub(super) fn enter(root: &Path) -> Result<()> {
    mount("oracle", root, "tmpfs", MountFlags::NOSUID, Some(c"size=256m,mode=0755"))?;
    for folder in ["real", "usr/bin", "log", "dev", "proc", "host"] {
        fs::create_dir_all(root.join(folder))?;
    }
    symlink("usr/bin", root.join("bin"))?;
    stand_ins(root)?;
    let shells = SHELLS.iter().map(|shell| shell.program);
    for name in shells.chain(PASSED.iter().copied()) {
        if let Some(file) = find(name) {
            bring(root, &file, &root.join(&REAL[1..]).join(name))?;
        }
    }
    devices(root)?;
    pivot_root(root, root.join("host"))?;
    env::set_current_dir("/")?;
    unmount("/host", UnmountFlags::DETACH)?;
    // Only for /dev/stdout and what programs have open; some containers do not let it be mounted.
    let _without_proc = mount("proc", "/proc", "proc", MountFlags::NOSUID | MountFlags::NODEV, None);
    let (files, files_bytes) = (Some(256), Some(16 << 20));
    setrlimit(Resource::Nofile, Rlimit { current: files, maximum: files })?;
    setrlimit(Resource::Fsize, Rlimit { current: files_bytes, maximum: files_bytes })?;
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    Ok(())
}

/// This program, under the names of all others.
fn stand_ins(root: &Path) -> Result<()> {
    let stub = root.join("real/xtask");
    bring(root, &env::current_exe()?, &stub)?;
    for name in PROGRAMS.iter().chain(PASSED) {
        let place = root.join("usr/bin").join(name);
        if !place.exists() {
            fs::hard_link(&stub, place)?;
        }
    }
    Ok(())
}

fn devices(root: &Path) -> Result<()> {
    for name in ["null", "zero"] {
        let place = root.join("dev").join(name);
        fs::write(&place, "")?;
        mount_bind(Path::new("/dev").join(name), place)?;
    }
    for (name, target) in [("stdin", "0"), ("stdout", "1"), ("stderr", "2")] {
        symlink(format!("/proc/self/fd/{target}"), root.join("dev").join(name))?;
    }
    Ok(symlink("/proc/self/fd", root.join("dev/fd"))?)
}

/// Copies a program and the libraries that it needs.
fn bring(root: &Path, file: &Path, place: &Path) -> Result<()> {
    copy(file, place)?;
    for library in libraries(file)? {
        let inside = root.join(library.strip_prefix("/")?);
        if !inside.exists() {
            fs::create_dir_all(inside.parent().unwrap_or(root))?;
            copy(&library, &inside)?;
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to)?;
    Ok(fs::set_permissions(to, fs::Permissions::from_mode(0o755))?)
}

/// What ldd(1) says: `name => /path (0x…)` or `/path (0x…)`.
fn libraries(file: &Path) -> Result<Vec<PathBuf>> {
    let said = Command::new("ldd").arg(file).stderr(Stdio::null()).output()?.stdout;
    let said = String::from_utf8_lossy(&said).into_owned();
    let path = |line: &str| line.split_whitespace().find(|word| word.starts_with('/')).map(PathBuf::from);
    Ok(said.lines().filter(|line| line.contains("(0x")).filter_map(path).collect())
}
