//! What may be done with a path, and which rule says so.

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use anstyle::{AnsiColor, Style};
use pinfold::{DeedVerdict, Failure, PathVerdict};

use super::{
    super::check::{REFUSED, show::plain},
    Outcome, fail, place,
};
use crate::{arguments::ExplainArguments, output, place::PolicyFile};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const QUIET: Style = Style::new().dimmed();

pub(super) fn run(arguments: &ExplainArguments, path: &Path) -> Outcome {
    let (verdict, file) = match explained(arguments, path) {
        Ok(explained) => explained,
        Err(failure) => return fail(&failure),
    };
    if arguments.json {
        output::json(&verdict)?;
    } else {
        output::coloured(|out| show(out, &verdict, file.as_ref()))?;
    }
    Ok(if verdict.read.allowed { ExitCode::SUCCESS } else { ExitCode::from(REFUSED) })
}

pub(super) fn explained(
    arguments: &ExplainArguments,
    path: &Path,
) -> Result<(PathVerdict, Option<PolicyFile>), Failure> {
    let place = place(arguments);
    Ok((place.policy()?.explain_path(path)?, place.policy_file()?))
}

pub(super) fn show(out: &mut dyn Write, verdict: &PathVerdict, file: Option<&PolicyFile>) -> io::Result<()> {
    let text = |path: &Path| plain(&path.to_string_lossy());
    writeln!(out, "{}", plain(&verdict.path))?;
    if let Some(root) = &verdict.root {
        let access = if verdict.writable { "read and write" } else { "read only" };
        writeln!(out, "{QUIET}root:{QUIET:#}     {} ({access})", text(root))?;
    }
    for through in &verdict.through {
        writeln!(out, "{QUIET}through:{QUIET:#}  {}", text(through))?;
    }
    if let Some(resolved) = &verdict.resolved {
        writeln!(out, "{QUIET}leads to:{QUIET:#} {}", text(resolved))?;
    }
    for (name, deed) in [("read", &verdict.read), ("write", &verdict.write)] {
        deed_row(out, name, deed, file)?;
    }
    Ok(())
}

fn deed_row(
    out: &mut dyn Write,
    name: &str,
    deed: &DeedVerdict,
    file: Option<&PolicyFile>,
) -> io::Result<()> {
    if deed.allowed {
        return writeln!(out, "{QUIET}{name}:{QUIET:#}{:1$}{GOOD}allowed{GOOD:#}", "", 9 - name.len());
    }
    let kind = deed.failure.as_deref().unwrap_or_default();
    writeln!(out, "{QUIET}{name}:{QUIET:#}{:1$}{BAD}refused{BAD:#}: {kind}", "", 9 - name.len())?;
    for line in deed.message.iter().flat_map(|message| message.lines()) {
        writeln!(out, "          {}", plain(line))?;
    }
    let Some(rule) = &deed.rule else { return Ok(()) };
    let line = file.and_then(|file| Some(format!(", {}:{}", file.path.display(), file.place(rule)?.line)));
    writeln!(out, "          {QUIET}rule: {rule}{}{QUIET:#}", line.unwrap_or_default())
}
