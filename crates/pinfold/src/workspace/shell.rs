//! Commands: waited for, in the background, or first the one and then the other.

use std::time::Duration;

use pinfold_contract::{Failure, JobOutput, JobStarted, RunResult};

use super::{Context, Workspace};
use crate::{
    gate::Run,
    policy::BackgroundPolicy,
    tools::{RunShell, ShellKill, ShellResult, Waited},
    words,
};

impl Workspace {
    /// What the tool does: a command that takes too long goes on in the background, where it may.
    pub(super) async fn shell(&self, tool: RunShell, context: Context) -> Result<ShellResult, Failure> {
        if tool.background == Some(true) {
            return self.start(tool).await.map(ShellResult::Started);
        }
        let gate = &self.house.gate;
        match gate.foreground().zip(gate.background()) {
            Some((time, limits)) if !context.cancel.is_cancelled() => {
                self.for_some_time(tool, context, time, limits).await
            }
            _ => self.command(tool, context).await.map(ShellResult::Done),
        }
    }

    async fn for_some_time(
        &self,
        tool: RunShell,
        context: Context,
        time: Duration,
        limits: &BackgroundPolicy,
    ) -> Result<ShellResult, Failure> {
        let (house, line) = (&self.house, tool.command.clone());
        let limit = tool.timeout_ms.into_iter().chain(limits.timeout_ms).min();
        let limit = limit.map_or(Duration::MAX, Duration::from_millis);
        let judged = self.judged(RunShell { background: None, ..tool }, house.gate.interpreter()).await?;
        let run = async |context: Context| {
            let cancel = context.cancel.clone();
            let mut running = match judged.run_for(time, house.ward.clone(), context).await? {
                Waited::Over(result) => return Ok(ShellResult::Done(result)),
                Waited::Running(running) => running,
            };
            // Without a place for it, it is waited for as before.
            let Ok(place) = house.jobs.reserve(limits.max_jobs) else {
                running.wait(Duration::MAX, &cancel).await;
                let finished = running.finish().await.map_err(|error| words::run(&error, &line))?;
                return Ok(ShellResult::Done(finished.into_result()));
            };
            let started = place.fill(&running.into_job(limit), &line)?;
            let note = went_on(time, &started.id);
            Ok(ShellResult::Started(JobStarted { note: Some(note), ..started }))
        };
        self.unless_disposed(context, run).await
    }

    pub(super) async fn command(&self, tool: RunShell, context: Context) -> Result<RunResult, Failure> {
        let interpreter = self.house.gate.interpreter();
        let judged = self.judged(RunShell { background: None, ..tool }, interpreter).await?;
        let ward = self.house.ward.clone();
        self.unless_disposed(context, |context| judged.run(ward, context)).await
    }

    pub(super) async fn start(&self, tool: RunShell) -> Result<JobStarted, Failure> {
        let (house, command) = (&self.house, tool.command.clone());
        house.gate.admit::<Run>()?;
        let limits = house.gate.background().ok_or_else(|| words::no_background(&command))?;
        let judged = self.judged(tool, house.gate.interpreter()).await?;
        let place = house.jobs.reserve(limits.max_jobs)?;
        let job = judged.start(house.ward.clone()).await?;
        place.fill(&job, &command)
    }

    pub(super) async fn end(&self, tool: ShellKill) -> Result<JobOutput, Failure> {
        self.house.gate.admit::<Run>()?;
        tool.kill(&self.house.jobs).await
    }
}

fn went_on(time: Duration, id: &str) -> String {
    let seconds = time.as_secs_f64();
    format!(
        "It still ran after {seconds} s, and goes on as {id}: shell_output shows what it writes, also so far."
    )
}
