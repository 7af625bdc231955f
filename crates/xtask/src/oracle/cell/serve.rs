//! The inside of a cell: the first process of its namespace, which runs line after line.

use std::{
    fs::{self, File},
    io::{self, BufRead, Write},
    os::unix::{fs::MetadataExt, process::CommandExt},
    path::Path,
    process::{self, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread,
    time::Duration,
};

use nix::{
    sys::{
        signal::{Signal, kill},
        wait::{WaitPidFlag, WaitStatus, waitpid},
    },
    unistd::Pid,
};

use super::{
    super::{
        fixture::{ENVIRONMENT, JAIL},
        record::{Note, Question, Run, Start},
    },
    NOTES, REAL, root,
    shells::{SHELLS, Shell},
    snapshot::{self, Snapshot},
};
use crate::Result;

/// How long a line may take.
const LIMIT: Duration = Duration::from_secs(3);

const OUTPUT: [&str; 2] = ["/log/out", "/log/err"];

/// Runs what standard input asks for, until it ends.
pub(crate) fn serve(folder: &Path) -> Result<()> {
    if process::id() != 1 {
        return Err("a cell is only made by `oracle`".into());
    }
    root::enter(folder)?;
    snapshot::make()?;
    let mut inside = Inside { before: Snapshot::take()?, watch: Watch::new() };
    println!("ready");
    for question in io::stdin().lock().lines() {
        let question: Question = serde_json::from_str(&question?)?;
        let asked = |shell: &&Shell| {
            Path::new(REAL).join(shell.program).exists()
                && !question.without.iter().any(|name| name == shell.name)
        };
        let mut runs = Vec::new();
        for shell in SHELLS.iter().filter(asked) {
            runs.push(inside.run(shell, &question.line)?);
        }
        let mut out = io::stdout().lock();
        writeln!(out, "{}", serde_json::to_string(&runs)?)?;
        out.flush()?;
    }
    Ok(())
}

struct Inside {
    before: Snapshot,
    watch: Watch,
}

impl Inside {
    fn run(&mut self, shell: &Shell, line: &str) -> Result<Run> {
        File::create(NOTES)?;
        let [out, err] = [File::create(OUTPUT[0])?, File::create(OUTPUT[1])?];
        let logs = [out.metadata()?.ino(), err.metadata()?.ino()];
        let mut run = Run { shell: shell.name.to_owned(), ..Run::default() };
        self.watch.begin()?;
        let mut child = Command::new(Path::new(REAL).join(shell.program))
            .arg0(shell.called)
            .args(shell.words)
            .arg(line)
            .env_clear()
            .envs(ENVIRONMENT.iter().copied())
            .current_dir(JAIL)
            .stdin(Stdio::null())
            .stdout(out)
            .stderr(err)
            .spawn()?;
        child.wait()?;
        end_all()?;
        run.timed_out = self.watch.end()?;
        run.stderr = String::from_utf8_lossy(&fs::read(OUTPUT[1])?).chars().take(2_000).collect();
        let after = Snapshot::take()?;
        self.before.compare(&after, &mut run);
        run.starts = starts(&after, &logs)?;
        if after != self.before {
            snapshot::make()?;
            self.before = Snapshot::take()?;
        }
        Ok(run)
    }
}

/// What the stand-ins wrote.
fn starts(files: &Snapshot, logs: &[u64]) -> Result<Vec<Start>> {
    let mut starts = Vec::new();
    for text in fs::read_to_string(NOTES)?.lines() {
        let Note { argv, cwd, inodes } = serde_json::from_str(text)?;
        let known = inodes.iter().filter(|inode| !logs.contains(inode));
        let opens = known.map(|inode| files.path(*inode).unwrap_or("?").to_owned()).collect();
        starts.push(Start { argv, cwd, opens });
    }
    Ok(starts)
}

/// Kills whatever a line left, and waits for it. All that there is belongs to this namespace, of which this is the first
/// process.
fn end_all() -> Result<()> {
    if process::id() != 1 {
        return Err("not in a namespace of its own".into());
    }
    let _nobody_left = kill(Pid::from_raw(-1), Signal::SIGKILL);
    while waitpid(None, Some(WaitPidFlag::empty())).is_ok_and(|status| status != WaitStatus::StillAlive) {}
    Ok(())
}

/// Ends a line that takes too long.
struct Watch {
    begin: Sender<()>,
    end: Sender<()>,
    late: Receiver<bool>,
}

impl Watch {
    fn new() -> Watch {
        let ((begin, begins), (end, ends)) = (mpsc::channel::<()>(), mpsc::channel::<()>());
        let (say, late) = mpsc::channel();
        thread::spawn(move || {
            while begins.recv().is_ok() {
                let too_late = ends.recv_timeout(LIMIT) == Err(RecvTimeoutError::Timeout);
                if too_late {
                    let _nobody_left = kill(Pid::from_raw(-1), Signal::SIGKILL);
                    let _ended = ends.recv();
                }
                if say.send(too_late).is_err() {
                    return;
                }
            }
        });
        Watch { begin, end, late }
    }

    fn begin(&self) -> Result<()> {
        Ok(self.begin.send(())?)
    }

    /// Whether it was too late.
    fn end(&self) -> Result<bool> {
        self.end.send(())?;
        Ok(self.late.recv()?)
    }
}
