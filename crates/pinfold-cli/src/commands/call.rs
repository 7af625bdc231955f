//! `pinfold call`: one call, its result as JSON.

use std::{
    io::{self, Read},
    process::ExitCode,
    time::Duration,
};

use pinfold::{Context, Failure, FailureType, Progress, json};
use serde_json::Value;
use tokio::runtime;

use super::Outcome;
use crate::{arguments::CallArguments, output, signals, waiting};

/// How long a cancelled call may take to stop what it started.
const PATIENCE: Duration = Duration::from_secs(10);

/// How a call came to its end.
pub(super) enum End {
    Answered(Result<Value, Failure>),
    /// By this signal; with the answer, if one came in time.
    Interrupted(u8, Option<Result<Value, Failure>>),
}

pub(super) fn run(arguments: &CallArguments) -> Outcome {
    match prepare(arguments)? {
        Err(failure) => show(&Err(failure)),
        Ok(call) => call.make(),
    }
}

/// A call that is ready to be made.
pub(super) struct Call {
    pub(super) workspace: pinfold::Workspace,
    pub(super) tool: String,
    pub(super) arguments: Value,
}

fn prepare(typed: &CallArguments) -> io::Result<Result<Call, Failure>> {
    let bytes = if typed.json == "-" { read_input()? } else { typed.json.as_encoded_bytes().to_vec() };
    let prepared = parse(&bytes).and_then(|arguments| {
        let workspace = typed.place.open_once()?;
        Ok(Call { workspace, tool: typed.tool.clone(), arguments })
    });
    Ok(prepared)
}

impl Call {
    /// Makes it, and waits for its end.
    pub(super) fn end(self) -> io::Result<End> {
        let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
        let end = runtime.block_on(self.finish());
        runtime.shutdown_background();
        end
    }

    fn make(self) -> Outcome {
        match self.end()? {
            End::Answered(answer) => show(&answer),
            End::Interrupted(signal, answer) => {
                answer.map(|answer| show(&answer)).transpose()?;
                Ok(ExitCode::from(128 + signal))
            }
        }
    }

    async fn finish(self) -> io::Result<End> {
        let progress = Progress::default();
        let context = Context { progress: Some(progress.clone()), ..Context::default() };
        let cancel = context.cancel.clone();
        let answer = self.workspace.call(&self.tool, self.arguments, context);
        tokio::pin!(answer);
        tokio::select! {
            answer = &mut answer => Ok(End::Answered(answer)),
            never = waiting::show(progress) => match never {},
            signal = signals::asked_to_end() => {
                let signal = signal?;
                cancel.cancel();
                Ok(End::Interrupted(signal, tokio::time::timeout(PATIENCE, answer).await.ok()))
            }
        }
    }
}

fn read_input() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn parse(bytes: &[u8]) -> Result<Value, Failure> {
    json::unambiguous(bytes).map_err(|error| {
        Failure::new(FailureType::BadArguments, format!("The arguments are not JSON: {error}."))
            .hint("Give one JSON object with each argument once, in UTF-8 and without half surrogate pairs, as in '{\"path\": \"README.md\"}'.")
    })
}

fn show(answer: &Result<Value, Failure>) -> Outcome {
    match answer {
        Ok(result) => output::json(result).map(|()| ExitCode::SUCCESS),
        Err(failure) => output::json(failure).map(|()| ExitCode::FAILURE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_json_text_is_a_bad_argument() {
        for bytes in [
            &b""[..],
            b"{",
            b"{\"path\": \"\xff\"}",
            br#"{"path": "\ud800"}"#,
            b"{} {}",
            br#"{"path": "a", "path": "b"}"#,
        ] {
            assert_eq!(parse(bytes).unwrap_err().failure_type(), FailureType::BadArguments);
        }
        assert_eq!(parse(br#"{"path": "\ud83d\ude00"}"#).unwrap()["path"], "😀");
    }
}
