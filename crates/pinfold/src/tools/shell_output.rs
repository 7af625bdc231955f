//! `shell_output` and `shell_kill`: looking at a background job, and ending one.

use std::time::Duration;

use pinfold_contract::{JobList, JobOutput};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Failure, FailureType, jobs::Jobs};

/// The longest wait, and the one of a call that only says what it waits for.
pub(crate) const LONGEST_WAIT_MS: u64 = 30_000;
const WAIT_FOR_MS: u64 = 10_000;

/// The arguments of `shell_output`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShellOutput {
    /// Such as `job-1`. Default: a list of all.
    pub id: Option<String>,
    /// A cursor. Default: the last look.
    pub since: Option<u64>,
    /// For new output or the end.
    #[schemars(range(max = 30_000))]
    pub wait_ms: Option<u64>,
    /// Wait for this text, up to waitMs. Default: 10,000.
    pub wait_for: Option<String>,
    /// Only the last lines, so many.
    pub tail: Option<u64>,
}

/// The arguments of `shell_kill`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShellKill {
    /// The job, such as `job-1`.
    pub id: String,
}

/// What `shell_output` shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ShellOutputResult {
    /// One job.
    Job(JobOutput),
    /// All jobs, when none was named.
    List(JobList),
}

impl ShellOutput {
    pub(crate) async fn show(self, jobs: &Jobs) -> Result<ShellOutputResult, Failure> {
        let wait = self.wait_ms.or(self.wait_for.as_ref().map(|_| WAIT_FOR_MS)).unwrap_or_default();
        if wait > LONGEST_WAIT_MS {
            let message =
                format!("Arguments of shell_output: `waitMs` is {wait}, and at most {LONGEST_WAIT_MS}.");
            return Err(Failure::new(FailureType::BadArguments, message)
                .hint("Call again as often as needed; nothing is lost between two looks."));
        }
        let Some(id) = &self.id else { return Ok(ShellOutputResult::List(jobs.list())) };
        let found = jobs.find(id)?;
        let (cursor, wait) = (self.since.unwrap_or(found.read), Duration::from_millis(wait));
        match &self.wait_for {
            Some(text) => found.job.wait_for_text(text, cursor, wait).await,
            None => found.job.wait_for_news(cursor, wait).await,
        }
        let mut output = jobs.look(&found, cursor);
        if let Some(lines) = self.tail {
            let lines = usize::try_from(lines).unwrap_or(usize::MAX);
            let cut = [&mut output.stdout, &mut output.stderr].map(|text| keep_last(text, lines));
            output.truncated |= cut.contains(&true);
        }
        Ok(ShellOutputResult::Job(output))
    }
}

impl ShellKill {
    pub(crate) async fn kill(self, jobs: &Jobs) -> Result<JobOutput, Failure> {
        let found = jobs.find(&self.id)?;
        found.job.kill().await;
        Ok(jobs.look(&found, found.read))
    }
}

/// Keeps the last `lines` lines. True: there were more.
fn keep_last(text: &mut String, lines: usize) -> bool {
    let ends = text.trim_end_matches('\n').rmatch_indices('\n').map(|(at, _)| at + 1);
    let cut = match lines {
        0 => text.len(),
        _ => ends.into_iter().nth(lines - 1).unwrap_or(0),
    };
    text.drain(..cut);
    cut > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept() {
        for (text, lines, kept) in [
            ("a\nb\nc\n", 2, "b\nc\n"),
            ("a\nb\nc", 1, "c"),
            ("a\nb\n", 5, "a\nb\n"),
            ("a\nb\n", 0, ""),
            ("", 3, ""),
            ("\n\n", 1, "\n\n"),
        ] {
            let mut text = text.to_owned();
            keep_last(&mut text, lines);
            assert_eq!(text, kept);
        }
    }
}
