//! `pinfold check`: the verdict on a command line, without running it.

mod batch;
pub(super) mod rule;
pub(super) mod show;

use std::process::ExitCode;

use pinfold::{
    Failure, Policy, Verdict,
    policy::{Interpreter, ShellPolicy},
};

use super::Outcome;
use crate::{
    arguments::{CheckArguments, CheckMode, Place, Spoken},
    line::line,
    output,
};

/// The line was refused.
pub(super) const REFUSED: u8 = 3;

pub(super) fn run(arguments: &CheckArguments) -> Outcome {
    if arguments.batch {
        return match place(arguments).policy() {
            Ok(policy) => batch::run(&policy, arguments.mode),
            Err(failure) => fail(arguments, &failure),
        };
    }
    let line = line(&arguments.line);
    match judge(arguments, &line) {
        Err(failure) => fail(arguments, &failure),
        Ok((policy, verdict)) => {
            if arguments.json {
                output::json(&verdict)?;
            } else {
                let file = place(arguments).policy_file().ok().flatten();
                let rule = rule::Rule::of(&verdict, &policy, file.as_ref());
                output::coloured(|out| show::verdict(out, &line, &verdict, rule.as_ref()))?;
            }
            Ok(if verdict.allowed { ExitCode::SUCCESS } else { ExitCode::from(REFUSED) })
        }
    }
}

fn judge(arguments: &CheckArguments, line: &str) -> Result<(Policy, Verdict), Failure> {
    let policy = place(arguments).policy()?;
    let verdict = verdict(&policy, arguments.mode, line)?;
    Ok((policy, verdict))
}

fn place(arguments: &CheckArguments) -> Place {
    Place {
        root: arguments.root.clone(),
        policy: arguments.policy.clone(),
        scope: None,
        allow: arguments.allow.clone(),
        read_only: false,
        log: None,
        spoken: Spoken::default(),
    }
}

/// What the policy says about the line, read in this way.
fn verdict(policy: &Policy, mode: Option<CheckMode>, line: &str) -> Result<Verdict, Failure> {
    match mode {
        None => policy.check_shell_command(line),
        Some(CheckMode::Sh) => policy.check_shell_line(line),
        Some(CheckMode::Argv) => {
            let bare = |shell| ShellPolicy { interpreter: Interpreter::None, ..shell };
            Policy { shell: policy.shell.clone().map(bare), ..policy.clone() }.check_shell_command(line)
        }
    }
}

fn fail(arguments: &CheckArguments, failure: &Failure) -> Outcome {
    if arguments.json {
        output::json(failure)?;
    } else {
        output::complain_of(failure);
    }
    Ok(ExitCode::FAILURE)
}
