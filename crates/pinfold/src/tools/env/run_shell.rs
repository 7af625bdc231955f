//! `run_shell`: a command, under the rules for all commands, and its result with a few bytes of each stream.

use pinfold_contract::{RunResult, env::EnvRun};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{At, Located, at_least_one};
use crate::{Failure, FailureType, policy::Policy, tools};

/// The arguments of `run_shell`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunShell {
    /// The program and its arguments, such as `git commit -m "first"`.
    pub command: String,
    /// Where to run, from the root. Default: the root.
    pub cwd: Option<String>,
    /// Milliseconds until it is killed; at most the policy's. Default: 30,000.
    #[schemars(range(min = 1))]
    pub timeout_ms: Option<u64>,
    /// Secrets for its environment, by name. No backend here knows any: only an empty list is accepted.
    pub env_refs: Option<Vec<EnvRef>>,
    /// Other things by name. No backend here knows any: only an empty list is accepted.
    pub material_refs: Option<Vec<String>>,
}

/// A variable that shall hold a secret.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EnvRef {
    /// The variable.
    pub name: String,
    /// What the secret is called.
    pub r#ref: String,
}

impl Located for RunShell {
    const LABEL: &str = "cwd";
    const MAY_BE_ROOT: bool = true;

    fn text(&self) -> Option<&str> {
        self.cwd.as_deref()
    }
}

/// What the result will say beside what the run itself tells.
pub(crate) struct Told {
    command: String,
    cwd: String,
    max_bytes: usize,
    timeout_ms: u64,
}

impl At<RunShell> {
    /// The command as it will be judged and run, and what to tell of it.
    pub(crate) fn command(self, policy: &Policy) -> Result<(tools::RunShell, Told), Failure> {
        let At { path, wish } = self;
        let limits = &policy.env_dialect;
        at_least_one("timeoutMs", wish.timeout_ms)?;
        let named = |refs: usize, what: &str| if refs > 0 { Err(unsupported(what)) } else { Ok(()) };
        named(wish.env_refs.map_or(0, |refs| refs.len()), "envRefs")?;
        named(wish.material_refs.map_or(0, |refs| refs.len()), "materialRefs")?;
        let command = wish.command.trim().to_owned();
        let chars = command.encode_utf16().count();
        if chars > limits.max_command_chars {
            return Err(too_long(chars, limits.max_command_chars));
        }
        let (timeout_ms, max_bytes) = policy
            .shell
            .as_ref()
            .map_or((u64::MAX, usize::MAX), |shell| (shell.timeout_ms, shell.max_output_bytes));
        let told = Told {
            command: command.clone(),
            cwd: path.to_string(),
            max_bytes: limits.max_output_bytes.min(max_bytes),
            timeout_ms: wish.timeout_ms.unwrap_or(limits.exec_timeout_ms).min(timeout_ms),
        };
        let cwd = Some(path.name().into());
        let timeout_ms = Some(told.timeout_ms);
        Ok((tools::RunShell { command, cwd, timeout_ms, background: None }, told))
    }
}

fn unsupported(what: &str) -> Failure {
    let message = format!("`{what}`: this workspace knows no secrets by name; nothing was run.");
    Failure::new(FailureType::Unsupported, message)
        .hint("Leave it out, or ask the person who runs this workspace to set what is needed in `shell.env`.")
}

fn too_long(chars: usize, most: usize) -> Failure {
    let message = format!("The command has {chars} characters; at most {most} are run.");
    Failure::new(FailureType::BadArguments, message).hint("Write a script with write_file, and run that.")
}

impl Told {
    /// The result, with the beginning of each stream.
    pub(crate) fn of(self, run: RunResult) -> EnvRun {
        let (stdout, stdout_truncated) = beginning(run.stdout, run.stdout_bytes, self.max_bytes);
        let (mut stderr, stderr_truncated) = beginning(run.stderr, run.stderr_bytes, self.max_bytes);
        if run.timed_out {
            let line_break = if stderr.is_empty() || stderr.ends_with('\n') { "" } else { "\n" };
            let ms = self.timeout_ms;
            stderr += &format!("{line_break}The command timed out after {ms} ms and was killed.\n");
        }
        EnvRun {
            command: self.command,
            cwd: self.cwd,
            exit_code: run.exit_code,
            signal: run.signal,
            stdout,
            stderr,
            stdout_bytes: run.stdout_bytes,
            stderr_bytes: run.stderr_bytes,
            stdout_truncated,
            stderr_truncated,
            duration_ms: run.duration_ms,
            timed_out: run.timed_out,
            cancelled: run.cancelled,
            note: run.note,
        }
    }
}

/// The beginning of a stream of which `written` bytes were written, and whether there is more.
fn beginning(mut text: String, written: u64, max_bytes: usize) -> (String, bool) {
    let truncated = written > max_bytes as u64 || text.len() > max_bytes;
    text.truncate(text.floor_char_boundary(max_bytes));
    (text, truncated)
}
