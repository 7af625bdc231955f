//! The recorded repository on disk, for as long as it is needed.

use std::{
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

use super::recording::{File, Recording};

/// A temporary folder with the recorded files. It is removed when this is dropped.
pub(crate) struct Folder {
    folder: TempDir,
    root: PathBuf,
}

impl Folder {
    /// Makes the folder and the files in it.
    pub(crate) fn lay_out(recording: &Recording) -> io::Result<Folder> {
        let folder = TempDir::with_prefix("pinfold-demo-")?;
        recording.files.iter().try_for_each(|file| write(folder.path(), file))?;
        let root = folder.path().join(&recording.root);
        Ok(Folder { folder, root })
    }

    /// The root of the workspace: a folder in the temporary one.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Leaves everything where it is.
    pub(crate) fn keep(self) -> PathBuf {
        let Folder { folder, root } = self;
        let _kept = folder.keep();
        root
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "this is the operator laying out the folder, before there is a workspace"
)]
fn write(folder: &Path, file: &File) -> io::Result<()> {
    let path = folder.join(&file.path);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(&path, &file.text)?;
    let mode = if file.executable { 0o755 } else { 0o644 };
    fs::set_permissions(&path, fs::Permissions::from_mode(mode))
}
