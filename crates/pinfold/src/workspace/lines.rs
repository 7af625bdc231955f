//! Lines that a shell runs: read and judged as a whole, and judged once more right before they start.

use std::{
    ffi::OsString,
    os::{
        fd::{AsRawFd, OwnedFd},
        unix::ffi::OsStringExt,
    },
    path::PathBuf,
    sync::Arc,
};

use pinfold_exec::LastLook;
use pinfold_shell::{Line, Step};
use rustix::{fs::readlink, io::fcntl_dupfd_cloexec};

use super::{House, Workspace};
use crate::{
    Failure,
    gate::Run,
    ground::Yard,
    tools::{Judged, RunShell},
};

impl House {
    /// What a line that starts in `start`, absolute and without links, may touch.
    pub(super) fn yard(&self, start: PathBuf) -> Yard<'_> {
        Yard { backend: &self.backend, gate: &self.gate, environment: &self.environment, start }
    }

    /// The straight line for a line of a shell, up to the point where it is ready to run.
    pub(super) fn judge_line(self: &Arc<House>, tool: RunShell) -> Result<Judged, Failure> {
        self.gate.admit::<Run>()?;
        let line = tool.read_line()?;
        let asked = tool.asks();
        let permit = self.gate.judge::<Run>(&asked, self.backend.resolve(&asked))?;
        let start = permit.place().to_owned();
        let rules = match start == self.gate.root() {
            true => self.gate.shell_rules().clone(),
            false => self.gate.shell_rules().clone().away_from_root(),
        };
        let (house, own_rules) = (Arc::clone(self), rules.clone());
        let own_line = tool.read_line()?;
        let look_again = move |cwd: &OwnedFd| {
            let cwd = fcntl_dupfd_cloexec(cwd, 0)?;
            // From where the held directory is by then, whatever has its name.
            Ok(LastLook::new(move || own_rules.look_again(&own_line, &house.yard(place(&cwd)))))
        };
        tool.judge_line(&line, permit, &rules, &self.environment, &self.yard(start), look_again)
    }
}

/// The path of an open directory. One that is gone lies nowhere, so that nothing in it is allowed.
fn place(dir: &OwnedFd) -> PathBuf {
    let path = readlink(format!("/proc/self/fd/{}", dir.as_raw_fd()), Vec::new());
    path.map_or_else(|_| PathBuf::from("/"), |path| OsString::from_vec(path.into_bytes()).into())
}

impl Workspace {
    /// The commands of a line as they were read; none of one that cannot be read.
    pub(crate) fn steps(&self, line: &str) -> Vec<Step> {
        let House { gate, backend, .. } = &*self.house;
        let Ok(line) = Line::parse(line) else { return Vec::new() };
        gate.shell_rules().explain(&line, &self.house.yard(backend.home().to_owned())).0
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "the test changes links behind the workspace's back")]

    use std::{fs, os::unix::fs::symlink, path::Path};

    use tempfile::TempDir;

    use super::*;
    use crate::{
        Context, Policy, Reason,
        policy::{Interpreter, ShellPolicy},
    };

    /// Judges `line` in `sub`, lets `change` have its way, and runs it.
    async fn raced(line: &str, change: impl FnOnce(&Path)) -> (Option<Reason>, TempDir) {
        let home = TempDir::new().unwrap();
        let root = home.path().join("w");
        fs::create_dir_all(root.join("sub/real")).unwrap();
        fs::create_dir(home.path().join("outside")).unwrap();
        symlink("real", root.join("sub/link")).unwrap();
        let shell = ShellPolicy { interpreter: Interpreter::Sh, ..ShellPolicy::default() };
        let workspace = Workspace::open(Policy { shell: Some(shell), ..Policy::new(&root) }).unwrap();
        let tool = RunShell { cwd: Some("sub".into()), ..RunShell::from(line) };
        let judged = workspace.house.judge_line(tool).unwrap();
        change(&root);
        let ran = judged.run(None, Context::default()).await;
        (ran.err().and_then(|no| no.details().reason), home)
    }

    #[tokio::test]
    async fn a_link_that_changed_after_the_verdict_is_seen() {
        let turn = |root: &Path| {
            fs::remove_file(root.join("sub/link")).unwrap();
            symlink("../../outside", root.join("sub/link")).unwrap();
        };
        for line in ["echo x > link/f", "cd link && echo x > f", "cd link; echo y"] {
            let (reason, home) = raced(line, turn).await;
            assert_eq!(reason, Some(Reason::PathEscape), "{line}");
            assert!(!home.path().join("outside/f").exists(), "{line}");
        }
        let (reason, home) = raced("echo x > link/f", |_| {}).await;
        assert_eq!(reason, None);
        assert!(home.path().join("w/sub/real/f").exists());
    }

    #[tokio::test]
    async fn a_directory_that_was_moved_out_is_not_where_it_was() {
        let away = |root: &Path| {
            fs::rename(root.join("sub"), root.join("../outside/sub")).unwrap();
            fs::create_dir(root.join("sub")).unwrap();
        };
        let (reason, home) = raced("echo x > f", away).await;
        assert_eq!(reason, Some(Reason::PathEscape));
        assert!(!home.path().join("outside/sub/f").exists());
    }
}
