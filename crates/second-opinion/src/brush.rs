//! Asking `brush-parser`.

use std::{io::Cursor, sync::mpsc, thread, time::Duration};

use brush_parser::{
    Parser, ParserOptions,
    ast::{AndOr, Command, CompoundCommand, CompoundList, Pipeline, Program},
};

/// How long it may think about one line.
const LIMIT: Duration = Duration::from_secs(5);

/// The names of the commands that it sees in the line, outside substitutions (it keeps those as text), without what is
/// quoted or expanded. `None` where it refuses the line or does not come to an end.
pub fn names(line: &str) -> Option<Vec<String>> {
    let (answer, answered) = mpsc::channel();
    let text = line.to_owned();
    // A thread that never ends stays behind until the process is over: nothing here can stop it.
    thread::spawn(move || answer.send(read(&text).map(|program| seen(&program))));
    answered.recv_timeout(LIMIT).ok().flatten()
}

/// The line as a program of `sh` in POSIX mode.
pub fn read(line: &str) -> Option<Program> {
    let options = ParserOptions { sh_mode: true, posix_mode: true, ..ParserOptions::default() };
    Parser::new(Cursor::new(line), &options).parse_program().ok()
}

fn seen(program: &Program) -> Vec<String> {
    let mut out = Vec::new();
    program.complete_commands.iter().for_each(|list| in_list(list, &mut out));
    out
}

fn in_list(list: &CompoundList, out: &mut Vec<String>) {
    for item in &list.0 {
        in_pipeline(&item.0.first, out);
        for next in &item.0.additional {
            let (AndOr::And(pipeline) | AndOr::Or(pipeline)) = next;
            in_pipeline(pipeline, out);
        }
    }
}

fn in_pipeline(pipeline: &Pipeline, out: &mut Vec<String>) {
    for command in &pipeline.seq {
        match command {
            Command::Simple(simple) => {
                out.extend(
                    simple
                        .word_or_name
                        .iter()
                        .filter(|word| is_plain(&word.value))
                        .map(|word| word.value.clone()),
                );
            }
            Command::Compound(CompoundCommand::Subshell(shell), _) => in_list(&shell.list, out),
            Command::Compound(CompoundCommand::BraceGroup(group), _) => in_list(&group.list, out),
            Command::Compound(..) | Command::Function(_) | Command::ExtendedTest(..) => {}
        }
    }
}

fn is_plain(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_alphanumeric() || "_-./+".contains(c))
}
