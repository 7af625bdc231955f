//! A cell: new user, mount, pid, network and IPC namespaces around a root of its own, in which nothing of the host is.
//!
//! util-linux `unshare` makes the namespaces and starts this program again inside; that makes the root in a tmpfs, leaves
//! the host's tree for good, and then runs lines until its input ends. Nothing runs a line anywhere else.

mod root;
mod serve;
mod shells;
mod snapshot;

use std::{
    env,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use tempfile::TempDir;

use super::record::{Question, Run};
use crate::Result;

pub(crate) use serve::serve;
pub(crate) use shells::missing;

/// Inside: where programs write down that they were started.
pub(super) const NOTES: &str = "/log/notes";

/// Inside: the real programs.
pub(super) const REAL: &str = "/real";

/// The outside of a cell.
pub(crate) struct Cell {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    /// Where the root is mounted, in the inside's namespace only.
    _folder: TempDir,
}

impl Cell {
    /// Makes the namespaces and the root.
    ///
    /// # Errors
    /// Where namespaces cannot be had: then nothing can be run at all.
    pub(crate) fn new() -> Result<Cell> {
        let folder = TempDir::with_prefix("pinfold-oracle-")?;
        let mut child = Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount", "--pid", "--net", "--ipc", "--uts"])
            .args(["--fork", "--kill-child=KILL", "--"])
            .arg(env::current_exe()?)
            .arg("cell")
            .arg(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (questions, answers) = (child.stdin.take(), child.stdout.take().ok_or("no answers")?);
        let mut cell = Cell { child, questions, answers: BufReader::new(answers), _folder: folder };
        match cell.answer()?.trim() {
            "ready" => Ok(cell),
            other => Err(format!("the cell did not get ready: {other}").into()),
        }
    }

    /// Runs `line` in every shell but those in `without`.
    pub(crate) fn run(&mut self, line: &str, without: &[&str]) -> Result<Vec<Run>> {
        let without = without.iter().map(|&name| name.to_owned()).collect();
        let question = Question { line: line.to_owned(), without };
        let text = format!("{}\n", serde_json::to_string(&question)?);
        self.questions.as_mut().ok_or("the cell is closed")?.write_all(text.as_bytes())?;
        Ok(serde_json::from_str(&self.answer()?)?)
    }

    fn answer(&mut self) -> Result<String> {
        let mut text = String::new();
        match self.answers.read_line(&mut text)? {
            0 => Err(format!("the cell ended: {:?}", self.child.wait()?).into()),
            _ => Ok(text),
        }
    }
}

impl Drop for Cell {
    /// The inside ends with its input, and the namespaces with it.
    fn drop(&mut self) {
        drop(self.questions.take());
        let _ended = self.child.wait();
    }
}
