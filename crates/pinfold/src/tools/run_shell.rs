//! `run_shell`: one program with its arguments, without a shell; or, where the policy says so, a line of `/bin/sh`.

use std::{ffi::OsStr, io, os::fd::OwnedFd, path::PathBuf, sync::Arc, time::Duration};

use pinfold_contract::{JobStarted, RunEnd, RunResult};
use pinfold_exec::{Executable, Foreground, Job, Keep, LastLook, RunTerms, SearchPath, SpillTerms, Ward};
use pinfold_shell::{Argv, CheckedCommand, Line, Rules};
use rustix::io::fcntl_dupfd_cloexec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Context, Failure, FailureType,
    backend::{Asked, Backend, memory::Script},
    environment::Environment,
    gate::{Ground, Permit, Run, Site},
    ground::Yard,
    policy::ShellPolicy,
    runners::Output,
    tools::Dialect,
    words,
};

/// Bytes of each stream that are read for what a test runner counted.
const READ_OF_TESTS: usize = 4 << 20;

/// The arguments of `run_shell`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunShell {
    /// The program and its arguments, such as `git commit -m "first"`.
    pub command: String,
    /// Default: the root.
    pub cwd: Option<PathBuf>,
    /// At most the policy's.
    #[schemars(range(min = 1))]
    pub timeout_ms: Option<u64>,
    /// Start it and return at once: shell_output reads it, shell_kill ends it.
    pub background: Option<bool>,
}

/// A command that was judged, and all it needs: what [`Judged::run`] does is exactly this.
#[derive(Debug)]
pub(crate) enum Judged {
    /// Starts this program.
    Process(CheckedCommand<Executable>, RunTerms),
    /// The answer that a backend without processes was given for this line.
    Scripted(Script),
}

/// A command that was waited for.
#[derive(Debug)]
pub(crate) enum Waited {
    Over(RunResult),
    Running(Box<Foreground>),
}

/// What `run_shell` answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ShellResult {
    /// The command is over.
    Done(RunResult),
    /// It runs in the background.
    Started(JobStarted),
}

impl RunShell {
    pub(crate) fn asks(&self) -> Asked {
        let name = self.cwd.clone().unwrap_or_default().into_os_string();
        Asked { name, link_itself: false, lossy: true }
    }

    /// Reads the whole line, or refuses it.
    pub(crate) fn read(&self) -> Result<Argv, Failure> {
        Argv::parse(&self.command).map_err(|refusal| words::refused(&refusal, &self.command))
    }

    /// Reads the whole line as a shell would, or refuses it.
    pub(crate) fn read_line(&self) -> Result<Line, Failure> {
        Line::parse(&self.command).map_err(|refusal| words::refused(&refusal, &self.command))
    }

    /// Judges the line, finds its program, and ties both to the directory of the permit.
    pub(crate) fn judge(
        self,
        argv: Argv,
        permit: Permit<Run>,
        rules: &Rules,
        environment: &Environment,
        backend: &Backend,
    ) -> Result<Judged, Failure> {
        let Site { node, ground } = permit.open();
        let Some(cwd) = node.working_dir().map_err(|error| ground.fails(error))? else {
            rules.judge(&argv).map_err(|refusal| words::refused(&refusal, &self.command))?;
            return scripted(backend, &self.command);
        };
        let locate = search(&ground, &cwd, environment)?;
        let checked = if ground.is_at_root() {
            rules.check(argv, &locate)
        } else {
            rules.clone().away_from_root().check(argv, &locate)
        }
        .map_err(|denied| words::command(&denied, &self.command))?;
        let env = environment.with_path(locate.path_for_command());
        let terms = RunTerms { env, ..self.terms(&ground, cwd, backend) };
        Ok(Judged::Process(checked, terms))
    }

    /// The same for a line that a shell will run. `look_again` is asked once more right before the start.
    pub(crate) fn judge_line(
        self,
        line: &Line,
        permit: Permit<Run>,
        rules: &Rules,
        environment: &Environment,
        yard: &Yard<'_>,
        look_again: impl FnOnce(&OwnedFd) -> io::Result<LastLook>,
    ) -> Result<Judged, Failure> {
        let Site { node, ground } = permit.open();
        let Some(cwd) = node.working_dir().map_err(|error| ground.fails(error))? else {
            rules.look_again(line, yard).map_err(|refusal| words::refused(&refusal, &self.command))?;
            return scripted(yard.backend, &self.command);
        };
        let locate = search(&ground, &cwd, environment)?;
        let checked =
            rules.check_line(line, yard, &locate).map_err(|denied| words::command(&denied, &self.command))?;
        let mut env = environment.with_path(locate.path_for_command());
        env.push(("PWD".into(), ground.place.clone().into_os_string()));
        let last_look = Some(look_again(&cwd).map_err(|error| ground.fails(error.into()))?);
        let terms = RunTerms { env, last_look, ..self.terms(&ground, cwd, yard.backend) };
        Ok(Judged::Process(checked, terms))
    }

    /// The policy's limits, and those of the call.
    fn terms(&self, ground: &Ground, cwd: OwnedFd, backend: &Backend) -> RunTerms {
        let default = ShellPolicy::default();
        let policy = ground.terms.policy.shell.as_ref().unwrap_or(&default);
        let limit = match &policy.background {
            Some(background) if self.background == Some(true) => background.timeout_ms,
            _ => Some(policy.timeout_ms),
        };
        let timeout_ms = self.timeout_ms.into_iter().chain(limit).min();
        let (max_output_bytes, keep) = ground.terms.kept_output(policy);
        RunTerms {
            timeout: timeout_ms.map_or(Duration::MAX, Duration::from_millis),
            max_output_bytes,
            keep: keep.into(),
            plain: policy.plain_output,
            spill: backend
                .spill()
                // It lies outside the root, which no virtual path names.
                .filter(|_| ground.terms.dialect == Dialect::Coding)
                .map(|shelf| SpillTerms { over: max_output_bytes, to: Arc::new(shelf.clone()) }),
            kill_grace: Duration::from_millis(policy.kill_grace_ms),
            ..RunTerms::new(cwd)
        }
    }
}

/// Where programs are looked up for a command that starts in `cwd`.
fn search(ground: &Ground, cwd: &OwnedFd, environment: &Environment) -> Result<SearchPath, Failure> {
    let held = fcntl_dupfd_cloexec(cwd, 0).map_err(|error| ground.fails(error.into()))?;
    let path = environment.get(OsStr::new("PATH"));
    Ok(SearchPath::new(path, ground.terms.writable_roots(), held))
}

fn scripted(backend: &Backend, line: &str) -> Result<Judged, Failure> {
    let known = match backend {
        Backend::Memory(memory) => memory.scripted(line),
        Backend::Local(_) => None,
    };
    known.map(Judged::Scripted).ok_or_else(|| {
        Failure::new(
            FailureType::Unsupported,
            "This workspace has no processes, and no answer scripted for this line.",
        )
        .hint("Add the exact line with Memory::command.")
        .with(|it| it.command = Some(line.to_owned()))
    })
}

/// What an error says was to be run: the last word of what the shell is given is the line itself.
fn shown_line(checked: &CheckedCommand<Executable>) -> String {
    checked.argv().last().cloned().unwrap_or_default()
}

impl Judged {
    /// Runs it to its end, its time-out or cancellation.
    pub(crate) async fn run(
        self,
        ward: Option<Ward>,
        Context { cancel, progress }: Context,
    ) -> Result<RunResult, Failure> {
        match self {
            Judged::Scripted(script) => Ok(script.result),
            Judged::Process(checked, terms) => {
                let line = shown_line(&checked);
                let finished = pinfold_exec::run(checked, RunTerms { ward, progress, ..terms }, cancel).await;
                finished.map(pinfold_exec::Finished::into_result).map_err(|error| words::run(&error, &line))
            }
        }
    }

    /// The same, but it is waited for only so long.
    pub(crate) async fn run_for(
        self,
        time: Duration,
        ward: Option<Ward>,
        Context { cancel, progress }: Context,
    ) -> Result<Waited, Failure> {
        match self {
            Judged::Scripted(script) => Ok(Waited::Over(script.result)),
            Judged::Process(checked, terms) => {
                let line = shown_line(&checked);
                let failed = |error| words::run(&error, &line);
                let terms = RunTerms { ward, progress, ..terms };
                let mut foreground = Foreground::start(checked, terms).await.map_err(failed)?;
                match foreground.wait(time, &cancel).await {
                    true => {
                        foreground.finish().await.map(|it| Waited::Over(it.into_result())).map_err(failed)
                    }
                    false => Ok(Waited::Running(Box::new(foreground))),
                }
            }
        }
    }

    /// The same, and what it wrote as a test runner: much more than is shown. True: not even that is all.
    pub(crate) async fn run_tests(
        self,
        ward: Option<Ward>,
        Context { cancel, progress }: Context,
    ) -> Result<(RunResult, Output, bool), Failure> {
        let (checked, terms) = match self {
            Judged::Scripted(Script { result, .. }) => {
                let output = Output::new(&result.stdout, &result.stderr);
                return Ok((result, output, false));
            }
            Judged::Process(checked, terms) => (checked, terms),
        };
        let line = shown_line(&checked);
        let (shown, keep) = (terms.max_output_bytes, terms.keep);
        let max_output_bytes = shown.max(READ_OF_TESTS);
        let terms = RunTerms { ward, progress, max_output_bytes, keep: Keep::Ends, ..terms };
        let finished =
            pinfold_exec::run(checked, terms, cancel).await.map_err(|error| words::run(&error, &line))?;
        let [stdout, stderr] = [finished.stdout(), finished.stderr()];
        let cut = stdout.is_cut() || stderr.is_cut();
        let output = Output::new(&stdout.text(), &stderr.text());
        Ok((finished.within(shown, keep).into_result(), output, cut))
    }

    /// Starts it in the background.
    pub(crate) async fn start(self, ward: Option<Ward>) -> Result<Job, Failure> {
        match self {
            Judged::Scripted(Script { result, running }) => {
                let end = (!running).then_some(RunEnd::Exited(result.exit_code));
                Ok(Job::scripted(&result.stdout, &result.stderr, end))
            }
            Judged::Process(checked, terms) => {
                let line = shown_line(&checked);
                let job = Job::start(checked, RunTerms { ward, ..terms }).await;
                job.map_err(|error| words::run(&error, &line))
            }
        }
    }
}
