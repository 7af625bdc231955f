//! `pinfold policy limits`: every bound there is.

use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use pinfold::policy::limits::{Class, Limit, limits};

use super::Outcome;
use crate::{arguments::LimitsArguments, output};

const NAME: Style = AnsiColor::Cyan.on_default().bold();
const QUIET: Style = Style::new().dimmed();

pub(super) fn run(arguments: &LimitsArguments) -> Outcome {
    let limits = limits();
    if arguments.json {
        output::json(&limits)?;
    } else {
        output::coloured(|out| {
            limits.iter().try_for_each(|limit| {
                let Limit { id, beyond, .. } = limit;
                let value = value(limit);
                writeln!(out, "{NAME}{id:<18}{NAME:#} {value:<34} {QUIET}{}{QUIET:#}", moved_by(limit))?;
                writeln!(out, "{QUIET}{:18} then: {beyond}{QUIET:#}", "")
            })
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// `1,048,576 bytes`.
fn value(limit: &Limit) -> String {
    let Some(number) = limit.value.as_u64() else { return "no limit".to_owned() };
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{grouped} {}", limit.unit)
}

fn moved_by(limit: &Limit) -> String {
    let by = limit.moved_by.unwrap_or_default();
    match limit.class {
        Class::Policy => format!("policy: {by}"),
        Class::Call => format!("the call: {by}"),
        Class::Fixed => "fixed".to_owned(),
    }
}
