//! Running the `pinfold` command, and texts that are checked in.

#![allow(dead_code, reason = "each test takes what it needs")]

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

/// The command, with nothing of the policy and the settings of whoever runs the tests.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pinfold"));
    command.args(arguments).env("XDG_CONFIG_HOME", "/nonexistent").env("HOME", "/nonexistent");
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

pub(crate) fn pinfold(arguments: &[&str]) -> Output {
    command(arguments).output().expect("pinfold starts")
}

pub(crate) fn in_folder(folder: &Path, arguments: &[&str]) -> Output {
    command(arguments).current_dir(folder).output().expect("pinfold starts")
}

pub(crate) fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Compares with a text that is checked in. `PINFOLD_BLESS=1` writes it instead: look at the difference.
pub(crate) fn settled(file: &Path, found: &str) {
    if std::env::var_os("PINFOLD_BLESS").is_some() {
        fs::write(file, found).expect("it can be written");
    }
    let expected = fs::read_to_string(file).unwrap_or_default();
    assert_eq!(found, expected, "{} is another; PINFOLD_BLESS=1 writes it", file.display());
}
