//! This program under another name, inside a cell: it writes down how it was started.

use std::{
    env, fs,
    io::Write,
    os::unix::process::CommandExt,
    path::Path,
    process::{Command, ExitCode},
};

use rustix::fs::{FileType, fstat};

use super::{
    cell::{NOTES, REAL},
    fixture::PASSED,
    record::Note,
};
use crate::Result;

/// Writes the note, and then does what the name stands for, as far as others are started by it.
pub(crate) fn stand_in() -> Result<ExitCode> {
    let words: Vec<String> = env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    note(&words)?;
    let name = words.first().and_then(|word| word.rsplit('/').next()).unwrap_or_default().to_owned();
    if PASSED.contains(&name.as_str()) {
        return Err(Command::new(Path::new(REAL).join(&name)).args(&words[1..]).exec().into());
    }
    if name == "time" {
        let mut inner = words[1..].iter().skip_while(|word| word.starts_with('-'));
        if let Some(program) = inner.next() {
            return Err(Command::new(program).args(inner).exec().into());
        }
    }
    Ok(if ["false", "diff"].contains(&name.as_str()) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// One write, so that notes of programs in a pipeline do not mix.
fn note(words: &[String]) -> Result<()> {
    let cwd = env::current_dir().map_or_else(|_| "?".to_owned(), |dir| dir.to_string_lossy().into_owned());
    let note = Note { argv: words.to_vec(), cwd, inodes: inodes() };
    let text = format!("{}\n", serde_json::to_string(&note)?);
    fs::OpenOptions::new().append(true).open(NOTES)?.write_all(text.as_bytes())?;
    Ok(())
}

/// Files behind the first ten descriptors.
fn inodes() -> Vec<u64> {
    let mut found = Vec::new();
    for stat in
        [fstat(std::io::stdin()), fstat(std::io::stdout()), fstat(std::io::stderr())].into_iter().flatten()
    {
        if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile && stat.st_nlink > 0 {
            found.push(stat.st_ino);
        }
    }
    for descriptor in 3..10 {
        use std::os::unix::fs::MetadataExt;
        // Through /proc: such a descriptor has no type of its own. Where there is no /proc, three are looked at.
        let Ok(file) = fs::metadata(format!("/proc/self/fd/{descriptor}")) else { continue };
        if file.is_file() && file.nlink() > 0 {
            found.push(file.ino());
        }
    }
    found
}
