//! `pinfold doctor`: which protections hold on this machine, tried and not assumed.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anstyle::{AnsiColor, Style};
use pinfold::{Means, Policy, Workspace};
use serde_json::json;
use tokio::runtime;

use super::Outcome;
use crate::{arguments::DoctorArguments, output};

const YES: Style = AnsiColor::Green.on_default().bold();
const NO: Style = AnsiColor::Red.on_default().bold();

/// One thing that was looked at.
struct Finding {
    name: &'static str,
    holds: bool,
    means: String,
}

pub(super) fn run(arguments: &DoctorArguments) -> Outcome {
    let workspace = match Workspace::open(Policy::new("/")) {
        Ok(workspace) => workspace,
        Err(failure) => return output::json(&failure).map(|()| ExitCode::FAILURE),
    };
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let findings = findings(&runtime.block_on(workspace.means()));
    if arguments.json {
        let json = |it: &Finding| json!({"name": it.name, "holds": it.holds, "means": it.means});
        output::json(&findings.iter().map(json).collect::<Vec<_>>())?;
    } else {
        output::coloured(|out| findings.iter().try_for_each(|finding| write_finding(out, finding)))?;
    }
    // The others only cost time.
    let ward = findings.iter().any(|finding| finding.name == "ward" && finding.holds);
    Ok(if ward { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn findings(means: &Means) -> Vec<Finding> {
    let ward = match &means.ward {
        Ok(()) => {
            "the ward runs: whatever a command starts is ended with it, setsid and nohup included".into()
        }
        Err(error) => {
            format!("no ward ({error}): only a command's process group is ended, what leaves it is not")
        }
    };
    let pidfd = match means.pidfd {
        true => "the end of a process is seen at once",
        false => "the kernel or a sandbox has no pidfd_open: the end of a process is seen up to 10 ms late",
    };
    let children = match means.children {
        true => "the kernel lists the children of a process",
        false => {
            "the kernel has no list of children (CONFIG_PROC_CHILDREN): every process is looked at instead"
        }
    };
    vec![
        Finding { name: "ward", holds: means.ward.is_ok(), means: ward },
        Finding { name: "pidfd", holds: means.pidfd, means: pidfd.into() },
        Finding { name: "children", holds: means.children, means: children.into() },
    ]
}

fn write_finding(out: &mut dyn Write, Finding { name, holds, means }: &Finding) -> io::Result<()> {
    let (style, word) = if *holds { (YES, "yes") } else { (NO, "no ") };
    writeln!(out, "{style}{word}{style:#}  {name:<9} {means}")
}
