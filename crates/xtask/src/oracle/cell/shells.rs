//! The shells that are asked.

use std::{env, path::PathBuf};

/// One way to start a shell.
#[derive(Debug)]
pub(crate) struct Shell {
    pub(crate) name: &'static str,
    /// The file.
    pub(crate) program: &'static str,
    /// What it is called by, and its words before the line.
    pub(crate) called: &'static str,
    pub(crate) words: &'static [&'static str],
}

/// All of them.
pub(crate) const SHELLS: &[Shell] = &[
    Shell { name: "dash", program: "dash", called: "sh", words: &["-c"] },
    Shell { name: "bash", program: "bash", called: "bash", words: &["-c"] },
    Shell { name: "bash --posix", program: "bash", called: "bash", words: &["--posix", "-c"] },
    Shell { name: "busybox ash", program: "busybox", called: "sh", words: &["-c"] },
];

/// The host's file of a program.
pub(super) fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into());
    let mut folders = env::split_paths(&path).chain(["/usr/bin".into(), "/bin".into()]);
    folders.find_map(|folder| folder.join(program).canonicalize().ok().filter(|file| file.is_file()))
}

/// Programs of shells that this machine does not have.
pub(crate) fn missing() -> Vec<&'static str> {
    let mut programs: Vec<&str> = SHELLS.iter().map(|shell| shell.program).collect();
    programs.dedup();
    programs.into_iter().filter(|program| find(program).is_none()).collect()
}
