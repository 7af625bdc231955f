//! One piece of advice for each operator: a message that names it, and a hint.

use super::{
    super::{CD_HINT, scan::Scan},
    split,
};
use crate::shown::shown;

const QUOTE_IT: &str = "If the character is meant as text, put the word into single quotes.";

/// What a command does not hold that can be run as it is.
const OPERATORS: &[char] = &[';', '&', '|', '<', '>', '`', '$', '(', ')', '\n', '\r'];

/// Message and hint for the operator `c` at byte `at`.
pub(super) fn explain(line: &str, scan: &Scan, at: usize, c: char) -> (String, String) {
    let rest = &line[at..];
    if let Some(said) = leading_cd(line, scan, rest) {
        return said;
    }
    match c {
        '|' if !rest.starts_with("||") => pipe(line, scan, at),
        '>' => output(line, scan, at),
        '&' if rest.starts_with("&>") => output(line, scan, at),
        '&' if !rest.starts_with("&&") => background(line, scan),
        '<' => input(line, scan, at),
        '`' => substitution("`…`", rest),
        '$' if rest.starts_with("$(") => substitution("$(…)", rest),
        '$' => dollar(rest),
        '(' | ')' => group(line, c),
        '\n' | '\r' => line_break(line, scan, c),
        _ => sequence(line, scan, &rest[..length(line, at, c)]),
    }
}

/// Bytes that belong to the operator: two for `&&`, `||`, `>>`, `<<`, `$(`, …, else one.
pub(super) fn length(line: &str, at: usize, c: char) -> usize {
    let two = ["&&", "||", ";;", ">>", "<<", ">&", "<&", ">|", "<>", "<(", ">(", "&>", "|&", "$("];
    if two.iter().any(|two| line[at..].starts_with(two)) { 2 } else { c.len_utf8() }
}

fn leading_cd(line: &str, scan: &Scan, rest: &str) -> Option<(String, String)> {
    let starts = scan.words.first().is_some_and(|word| word == "cd");
    if !starts || !(rest.starts_with("&&") || rest.starts_with([';', '\n'])) {
        return None;
    }
    let mut pieces = split::commands(line, scan);
    let moves = pieces.commands.iter().take_while(|command| command.starts_with("cd ")).count();
    let folders: Vec<String> =
        pieces.commands.drain(..moves).map(|command| command[3..].trim().to_owned()).collect();
    let plain = folders.iter().all(|folder| !folder.contains([' ', '\'', '"', '\\']));
    let then = match pieces.commands.is_empty() {
        true => String::new(),
        false if plain => {
            format!(": run {} with `cwd` set to {}", pieces.listed(), shown(&folders.join("/")))
        }
        false => format!(": run {} by itself", pieces.listed()),
    };
    let message =
        format!("A leading `cd` is not supported in argv mode, since no shell keeps the directory{then}.");
    Some((message, CD_HINT.to_owned()))
}

/// Ends of commands that are escaped in a proposal, each by one more copy of the line.
const MOST_ENDS: usize = 8;

/// `find … -exec … ;` without the backslash that a shell would take away.
fn end_of_exec(line: &str, scan: &Scan) -> Option<(String, String)> {
    let is_find = scan.words.first().is_some_and(|word| crate::pattern::basename(word) == "find");
    let execs = scan.words.iter().any(|word| matches!(&**word, "-exec" | "-execdir" | "-ok" | "-okdir"));
    let ends = scan.operators.iter().all(|(at, c)| *c == ';' && line[..*at].ends_with(' '));
    if !(is_find && execs && ends) || scan.operators.len() > MOST_ENDS {
        return None;
    }
    let mut quoted = line.to_owned();
    scan.operators.iter().rev().for_each(|(at, _)| quoted.insert(*at, '\\'));
    let message = format!("`;` has to be escaped to reach `find`: run {}.", shown(&quoted));
    Some((message, QUOTE_IT.to_owned()))
}

fn sequence(line: &str, scan: &Scan, operator: &str) -> (String, String) {
    if let Some(said) = end_of_exec(line, scan) {
        return said;
    }
    let then = split::commands(line, scan).instead("without it");
    let message = format!("`{operator}` is not supported in argv mode{then}.");
    let hint = match operator {
        "||" => format!("Look at the exit code of the first to decide about the next. {QUOTE_IT}"),
        "&&" => format!("Go on only when the one before ended with exit code 0. {QUOTE_IT}"),
        _ => QUOTE_IT.to_owned(),
    };
    (message, hint)
}

fn pipe(line: &str, scan: &Scan, at: usize) -> (String, String) {
    let first =
        split::command_at(line, scan, at).map_or("the first program".to_owned(), |first| shown(&first));
    let message = format!(
        "A pipe (`|`) is not supported in argv mode, since no shell connects programs: run {first} by itself and read its output."
    );
    let hint = format!(
        "To filter, use the program's own options (`git log -n 20`), search files with grep, or give the next program a file by name. {QUOTE_IT}"
    );
    (message, hint)
}

fn output(line: &str, scan: &Scan, at: usize) -> (String, String) {
    let after = line[at..].trim_start_matches(['>', '&', '|']).trim_start();
    let target = after.split([' ', '\t', '\n', ';', '|', '&']).next().unwrap_or_default();
    let command =
        split::command_at(line, scan, at).map_or("the command".to_owned(), |command| shown(&command));
    let descriptor = line[..at].ends_with("2") && (at == 1 || line[..at - 1].ends_with([' ', '\t']));
    if descriptor || target == "/dev/null" || target.chars().all(|c| c.is_ascii_digit()) && !target.is_empty()
    {
        let message = format!(
            "Redirecting output (`>`) is not supported in argv mode: run {command} without it, since standard output and \
             standard error are captured apart in any case."
        );
        return (message, QUOTE_IT.to_owned());
    }
    let into = if target.is_empty() { String::new() } else { format!(" to {}", shown(target)) };
    let message = format!(
        "Redirecting output (`>`) is not supported in argv mode: run {command} by itself, then save its output{into} with write_file."
    );
    (message, format!("Or use the program's own option for an output file. {QUOTE_IT}"))
}

fn input(line: &str, scan: &Scan, at: usize) -> (String, String) {
    let rest = &line[at..];
    let only = scan.operators.len() == 1;
    let message = if rest.starts_with("<<") {
        "A here-document (`<<`) is not supported in argv mode: write the text to a file with write_file, and name the file as an argument.".to_owned()
    } else if rest.starts_with("<(") {
        "Process substitution (`<(…)`) is not supported in argv mode: run the inner command by itself, and save its output with write_file.".to_owned()
    } else if only {
        let named = [line[..at].trim(), rest[1..].trim()].join(" ");
        format!(
            "Redirecting input (`<`) is not supported in argv mode: run {}, with the file as an argument.",
            shown(&named)
        )
    } else {
        "Redirecting input (`<`) is not supported in argv mode: name the file as an argument of the program."
            .to_owned()
    };
    (message, format!("Standard input of a command is empty. {QUOTE_IT}"))
}

fn substitution(form: &str, rest: &str) -> (String, String) {
    let (open, close) = if form.starts_with('$') { ("$(", ')') } else { ("`", '`') };
    let inner =
        rest.strip_prefix(open).and_then(|rest| rest.split_once(close)).map(|(inner, _)| inner.trim());
    let simple = inner.filter(|inner| !inner.is_empty() && !inner.contains(OPERATORS));
    let inner = simple.map_or("the inner command".to_owned(), shown);
    let message = format!(
        "Command substitution ({form}) is not supported in argv mode: run {inner} by itself first, then write its output into the line."
    );
    (message, QUOTE_IT.to_owned())
}

fn dollar(rest: &str) -> (String, String) {
    let name_ends = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    let name = match rest.strip_prefix("${") {
        Some(braced) => braced.find('}').map_or(rest, |end| &rest[..end + 3]),
        None => &rest[..rest[1..].find(name_ends).map_or(rest.len(), |end| end + 1)],
    };
    let message = format!(
        "{} is not expanded in argv mode, since no shell reads the line: write the value itself.",
        shown(name)
    );
    (message, "If the dollar sign is meant as text, put the word into single quotes.".to_owned())
}

fn group(line: &str, c: char) -> (String, String) {
    let inner = line.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).map(str::trim);
    let simple = inner.filter(|inner| !inner.is_empty() && !inner.contains(OPERATORS));
    let then = simple.map_or(String::new(), |inner| format!(": run {}", shown(inner)));
    let message = format!(
        "`{c}` outside quotes is not supported in argv mode, where there is no grouping and no subshell{then}."
    );
    (message, QUOTE_IT.to_owned())
}

fn background(line: &str, scan: &Scan) -> (String, String) {
    let pieces = split::commands(line, scan);
    let what = if pieces.commands.len() == 1 { "`&` (run in the background)" } else { "`&`" };
    let message = format!("{what} is not supported in argv mode{}.", pieces.instead("without it"));
    (message, format!("A command that must keep running needs a background job. {QUOTE_IT}"))
}

fn line_break(line: &str, scan: &Scan, c: char) -> (String, String) {
    let name = if c == '\n' { "A line break" } else { "A carriage return" };
    let then = split::commands(line, scan).instead("on one line");
    (
        format!("{name} outside quotes is not supported in argv mode{then}."),
        "One command is one line; a backslash does not continue it. A line break inside quotes is text."
            .to_owned(),
    )
}
