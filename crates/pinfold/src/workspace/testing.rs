//! Running tests: the root is looked at for a runner, the line goes the way of any command, and its output is counted.

use std::sync::Arc;

use pinfold_contract::TestsResult;
use tokio_util::sync::CancellationToken;

use super::{Context, House, Workspace};
use crate::{
    Failure,
    gate::Run,
    policy::Interpreter,
    runners::{self, Files},
    tools::{self, Exists, Glob, Planned, ReadFile, RunTests},
};

impl Workspace {
    pub(super) async fn tests(&self, tool: RunTests, context: Context) -> Result<TestsResult, Failure> {
        self.house.gate.admit::<Run>()?;
        let house = Arc::clone(&self.house);
        let Planned { runner, command } = self.house.crew.run(move || house.plan_tests(tool)).await?;
        let line = command.command.clone();
        let judged = self.judged(command, Interpreter::None).await?;
        let ward = self.house.ward.clone();
        let (run, output, cut) =
            self.unless_disposed(context, |context| judged.run_tests(ward, context)).await?;
        let house = Arc::clone(&self.house);
        self.house
            .crew
            .run(move || {
                let tally = runners::read(runner, &output);
                house.last_failed.set(tally.as_ref().map(|tally| tally.rerun.clone()).unwrap_or_default());
                Ok(tools::report(run, line, tally, cut, house.backend.home()))
            })
            .await
    }
}

impl House {
    fn plan_tests(&self, tool: RunTests) -> Result<Planned, Failure> {
        let allowed = |line: &str| self.gate.shell_rules().verdict(line).allowed;
        tool.plan(self.gate.tests_command(), &Root(self), allowed, &self.last_failed)
    }
}

/// The root as the file tools see it: what they must not see is not there.
struct Root<'a>(&'a House);

impl Files for Root<'_> {
    fn has(&self, name: &str) -> bool {
        self.0.walk(Exists { path: name.into() }, &CancellationToken::new()).is_ok_and(|found| found.exists)
    }

    fn text(&self, name: &str) -> Option<String> {
        let read = self.0.walk(ReadFile::from(name), &CancellationToken::new()).ok()?;
        let unnumbered =
            read.content.lines().map(|line| line.split_once('\t').map_or(line, |(_, text)| text));
        Some(unnumbered.collect::<Vec<_>>().join("\n"))
    }

    fn matches(&self, glob: &str) -> bool {
        self.0.walk(Glob::from(glob), &CancellationToken::new()).is_ok_and(|found| !found.paths.is_empty())
    }
}
