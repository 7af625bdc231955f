//! The ground that the tests stand on: a directory, a `PATH`, and a short way to run a line.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File, Permissions},
    os::{fd::OwnedFd, unix::fs::PermissionsExt},
    path::{Path, PathBuf},
    time::Duration,
};

use pinfold_exec::{Executable, Finished, RunTerms, SearchPath, Ward, run};
use pinfold_shell::{Argv, CheckedCommand, Denied, NotLocated, Rules};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

pub(crate) const PATH: &str = "/usr/bin:/bin";

/// A variable that every process of a ground has.
const MARK: &str = "PINFOLD_TEST_MARK";

/// Long enough for anything that is not stuck, on a busy machine.
pub(crate) const SOON: Duration = Duration::from_secs(30);

/// A program that is nothing but a ward. Another user may run a copy of it.
pub(crate) fn ward_program() -> PathBuf {
    std::env::var_os("PINFOLD_TEST_WARD")
        .map_or_else(|| env!("CARGO_BIN_EXE_pinfold-ward").into(), PathBuf::from)
}

pub(crate) struct Ground {
    dir: TempDir,
    pub(crate) ward: Option<Ward>,
}

impl Ground {
    pub(crate) fn new() -> Ground {
        let dir = TempDir::new().unwrap();
        Ground { dir, ward: super::WARD.then(|| Ward::at(ward_program())) }
    }

    pub(crate) fn path(&self) -> PathBuf {
        fs::canonicalize(self.dir.path()).unwrap()
    }

    pub(crate) fn cwd(&self) -> OwnedFd {
        File::open(self.dir.path()).unwrap().into()
    }

    /// Writes an executable file.
    pub(crate) fn program(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        path
    }

    pub(crate) fn locate(
        &self,
        path: &str,
        skip: &[&Path],
        line: &str,
    ) -> Result<CheckedCommand<Executable>, NotLocated> {
        let skip = skip.iter().map(|root| (*root).to_owned()).collect();
        let search = SearchPath::new(Some(OsStr::new(path)), skip, self.cwd());
        let rules = Rules::new(None, Vec::new()).unwrap();
        match rules.check(Argv::parse(line).unwrap(), &search) {
            Ok(checked) => Ok(checked),
            Err(Denied::NotFound(missing)) => Err(missing),
            Err(Denied::Refused(refusal)) => panic!("{refusal}"),
        }
    }

    pub(crate) fn check(&self, line: &str) -> CheckedCommand<Executable> {
        self.locate(PATH, &[], line).unwrap()
    }

    pub(crate) fn terms(&self) -> RunTerms {
        let env = vec![pair("PATH", PATH), pair(MARK, &self.mark())];
        RunTerms { env, timeout: SOON, ward: self.ward.clone(), ..RunTerms::new(self.cwd()) }
    }

    /// What tells this ground's processes from all others, whatever they do.
    pub(crate) fn mark(&self) -> String {
        self.path().display().to_string()
    }

    /// The processes that were started here and are not reaped.
    pub(crate) fn survivors(&self) -> Vec<String> {
        marked(&format!("{MARK}={}\0", self.mark()))
    }

    /// Runs `line` on terms that `change` has changed.
    pub(crate) async fn run_on(&self, line: &str, change: impl FnOnce(&mut RunTerms)) -> Finished {
        let mut terms = self.terms();
        change(&mut terms);
        run(self.check(line), terms, CancellationToken::new()).await.unwrap()
    }

    pub(crate) async fn run(&self, line: &str) -> Finished {
        self.run_on(line, |_| {}).await
    }

    /// Runs `text` by `sh -c`, in quotes that keep it whole.
    pub(crate) async fn sh(&self, text: &str) -> Finished {
        self.run(&sh(text)).await
    }
}

pub(crate) fn sh(text: &str) -> String {
    format!("sh -c '{}'", text.replace('\'', "'\\''"))
}

pub(crate) fn pair(name: &str, value: &str) -> (OsString, OsString) {
    (name.into(), value.into())
}

/// The state letter of a process (proc_pid_stat(5)); `None` when it is gone.
pub(crate) fn state(pid: u32) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

/// Waits until `holds`.
pub(crate) async fn eventually(what: &str, holds: impl Fn() -> bool) {
    let tries = 3_000;
    for _ in 0..tries {
        if holds() {
            return;
        }
        tokio::time::sleep(SOON / tries).await;
    }
    panic!("never: {what}");
}

/// The number that a command wrote into `file`, once it is there.
pub(crate) async fn number_in(file: &Path) -> u32 {
    let read = || fs::read_to_string(file).ok().filter(|text| text.ends_with('\n'));
    eventually("the file is written", || read().is_some()).await;
    read().unwrap().trim().parse().unwrap()
}

/// Number and name of every process that has `mark` in its environment.
pub(crate) fn marked(mark: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let numbers =
        entries.filter(|entry| entry.file_name().to_str().is_some_and(|name| name.parse::<u32>().is_ok()));
    let has_it = |dir: &PathBuf| {
        let environment = fs::read(dir.join("environ")).unwrap_or_default();
        environment.windows(mark.len()).any(|window| window == mark.as_bytes())
    };
    numbers
        .map(|entry| entry.path())
        .filter(has_it)
        .map(|dir| format!("{} {}", dir.display(), fs::read_to_string(dir.join("comm")).unwrap_or_default()))
        .collect()
}
