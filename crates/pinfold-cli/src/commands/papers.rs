//! `pinfold completions` and `pinfold man`: what shells and `man` know about the command, made from the command itself.

use std::{io, process::ExitCode};

use clap::CommandFactory;

use super::Outcome;
use crate::{
    arguments::{Arguments, CompletionsArguments, ManArguments},
    output,
};

pub(super) fn completions(typed: &CompletionsArguments) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(typed.shell, &mut Arguments::command(), "pinfold", &mut script);
    output::text(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn man(typed: &ManArguments) -> Outcome {
    let mut command = Arguments::command();
    command.build();
    let mut name = String::from("pinfold");
    for part in &typed.command {
        let Some(below) = command.find_subcommand(part) else {
            let known: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
            return Err(io::Error::other(format!(
                "`{name}` has no command `{part}`; it has {}",
                known.join(", ")
            )));
        };
        name = format!("{name}-{part}");
        command = below.clone();
    }
    let mut page = Vec::new();
    // The page is for a version, not for the day on which it was printed.
    clap_mangen::Man::new(command).title(name.to_uppercase()).date("").render(&mut page)?;
    output::text(&String::from_utf8_lossy(&page))?;
    Ok(ExitCode::SUCCESS)
}
