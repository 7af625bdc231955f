//! The tools by hand: `ls`, `read`, `grep`, `glob`, `edit`, `run`. Each is one call, as a model would make it, shown for
//! people.

mod show;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use pinfold::{Failure, Kind};
use serde_json::{Map, Value, json};

use super::{
    Outcome,
    call::{Call, End},
};
use crate::{
    arguments::{
        EditArguments, GlobArguments, GrepArguments, LsArguments, Place, ReadArguments, RunArguments,
    },
    line::line,
    output,
};

/// The policy refused it.
const REFUSED: u8 = 3;
/// As of `timeout(1)`.
const TIMED_OUT: u8 = 124;

/// How a result is shown to people: what belongs to it on standard output, what is about it on standard error.
type Show = fn(&mut dyn Write, &mut dyn Write, &Value) -> io::Result<()>;

pub(super) fn ls(typed: &LsArguments) -> Outcome {
    let arguments = json!({"path": typed.path, "depth": typed.depth});
    make(&typed.place, "list_dir", arguments, typed.json, show::entries, done)
}

pub(super) fn read(typed: &ReadArguments) -> Outcome {
    let arguments = json!({"path": typed.path, "offset": typed.offset, "limit": typed.limit});
    make(&typed.place, "read_file", arguments, typed.json, show::content, done)
}

pub(super) fn grep(typed: &GrepArguments) -> Outcome {
    let arguments = json!({"pattern": typed.pattern, "path": typed.path, "glob": typed.glob});
    make(&typed.place, "grep", arguments, typed.json, show::matches, done)
}

pub(super) fn glob(typed: &GlobArguments) -> Outcome {
    let arguments = json!({"pattern": typed.pattern, "path": typed.path});
    make(&typed.place, "glob", arguments, typed.json, show::paths, done)
}

pub(super) fn edit(typed: &EditArguments) -> Outcome {
    let all = typed.all.then_some(true);
    let arguments =
        json!({"path": typed.path, "oldString": typed.old, "newString": typed.new, "replaceAll": all});
    make(&typed.place, "edit_file", arguments, typed.json, show::diff, done)
}

pub(super) fn run(typed: &RunArguments) -> Outcome {
    let arguments = json!({"command": line(&typed.line), "timeoutMs": typed.timeout_ms});
    let status = if typed.passthrough { own_status } else { ran };
    make(&typed.place, "run_shell", arguments, typed.json, show::output, status)
}

fn make(
    place: &Place,
    tool: &str,
    arguments: Value,
    as_json: bool,
    show: Show,
    status: fn(&Value) -> u8,
) -> Outcome {
    let given: Map<String, Value> = match arguments {
        Value::Object(all) => all.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        _ => Map::new(),
    };
    let call = place.open().map(|opened| Call {
        workspace: opened.workspace,
        tool: tool.to_owned(),
        arguments: Value::Object(given),
    });
    let (answer, interrupted) = match call.map(Call::end) {
        Err(failure) => (Some(Err(failure)), None),
        Ok(end) => match end? {
            End::Answered(answer) => (Some(answer), None),
            End::Interrupted(signal, answer) => (answer, Some(128 + signal)),
        },
    };
    let own = match answer {
        None => 1,
        Some(Ok(result)) => {
            if as_json {
                output::json(&result)?;
            } else {
                let mut stderr = anstream::stderr().lock();
                output::coloured(|out| show(out, &mut stderr, &result))?;
            }
            status(&result)
        }
        Some(Err(failure)) => fail(&failure, as_json)?,
    };
    Ok(ExitCode::from(interrupted.unwrap_or(own)))
}

fn fail(failure: &Failure, as_json: bool) -> io::Result<u8> {
    if as_json {
        output::json(failure)?;
    } else {
        output::complain_with_hint(failure);
    }
    Ok(if failure.kind() == Kind::Policy { REFUSED } else { 1 })
}

fn done(_result: &Value) -> u8 {
    0
}

fn ran(result: &Value) -> u8 {
    match (result["timedOut"].as_bool(), result["exitCode"].as_u64()) {
        (Some(true), _) => TIMED_OUT,
        (_, Some(0)) => 0,
        _ => 1,
    }
}

/// That of the command, as a shell would tell it.
fn own_status(result: &Value) -> u8 {
    let code = result["exitCode"].as_u64().and_then(|code| u8::try_from(code).ok());
    match (result["timedOut"].as_bool(), code) {
        (Some(true), _) => TIMED_OUT,
        (_, Some(code)) => code,
        _ => 1,
    }
}
