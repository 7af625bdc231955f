//! What is started, exactly: formed from a checked command in one place, and started in one other.

use std::{
    ffi::OsString,
    io,
    os::{
        fd::{AsFd, OwnedFd},
        unix::{ffi::OsStrExt, process::CommandExt},
    },
    process::{Child, Command, Stdio},
};

use pinfold_shell::CheckedCommand;

use crate::{
    descriptor::{above_standard, self_path},
    program::{Changed, Executable, Opened},
};

/// A program, its words, its environment and its directory: no name in it is looked up again.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) program: Opened,
    /// The first is what the program sees as its own name.
    pub(crate) words: Vec<OsString>,
    pub(crate) env: Vec<(OsString, OsString)>,
    pub(crate) cwd: OwnedFd,
}

/// Why it did not start.
#[derive(Debug)]
pub(crate) enum NotStarted {
    Changed,
    Os(io::Error),
}

impl From<io::Error> for NotStarted {
    fn from(error: io::Error) -> NotStarted {
        NotStarted::Os(error)
    }
}

impl From<Changed> for NotStarted {
    fn from(_: Changed) -> NotStarted {
        NotStarted::Changed
    }
}

impl Plan {
    /// The one place where what will be executed is formed.
    pub(crate) fn new(
        command: CheckedCommand<Executable>,
        env: Vec<(OsString, OsString)>,
        cwd: OwnedFd,
    ) -> io::Result<Plan> {
        let (words, program) = command.into_parts();
        let words = words.into_iter().map(OsString::from).collect();
        let plan = Plan { program: program.into_opened(), words, env, cwd: above_standard(cwd)? };
        plan.refuse_bad_texts().map(|()| plan)
    }

    /// execve(2) takes `A=B=c` for the variable `A`: such a name would set another variable than the one that was
    /// judged. And nothing that it takes can hold a NUL.
    fn refuse_bad_texts(&self) -> io::Result<()> {
        let has = |text: &OsString, byte: u8| text.as_bytes().contains(&byte);
        let bad_name = |name: &OsString| name.is_empty() || has(name, b'=') || has(name, 0);
        if self.env.iter().any(|(name, value)| bad_name(name) || has(value, 0)) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a variable of an environment"));
        }
        if self.words.iter().any(|word| has(word, 0)) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "an argument holds a NUL byte"));
        }
        Ok(())
    }

    /// Starts it as the leader of a process group of its own, with `/dev/null` as standard input.
    ///
    /// Nothing runs between fork and exec (no `pre_exec`), so that the standard library uses posix_spawn(3), whose cost
    /// does not grow with our memory. All our descriptors are CLOEXEC; those that the paths name are open until then.
    pub(crate) fn spawn(&self, stdout: impl AsFd, stderr: impl AsFd) -> Result<Child, NotStarted> {
        let path = self.program.path_to_execute(&self.cwd)?;
        let child = Command::new(path)
            .arg0(self.words.first().map(OsString::as_os_str).unwrap_or_default())
            .args(self.words.get(1..).unwrap_or_default())
            .env_clear()
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .current_dir(self_path(&self.cwd))
            .stdin(Stdio::null())
            .stdout(stdout.as_fd().try_clone_to_owned()?)
            .stderr(stderr.as_fd().try_clone_to_owned()?)
            .process_group(0)
            .spawn()?;
        Ok(child)
    }
}
