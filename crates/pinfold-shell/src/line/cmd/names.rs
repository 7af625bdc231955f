//! Names of programs and of files, as Windows takes them.

use super::super::{
    refuse::unsupported,
    tree::{Piece, Word},
};
use crate::{
    refusal::{Reason, Refusal},
    shown::shown,
};

/// Commands of `cmd.exe` that run another one, change how the line is read, or move in ways that are not followed.
const NOT_READ: &[&str] = &[
    "call",
    "chdir",
    "cmd",
    "endlocal",
    "exit",
    "for",
    "forfiles",
    "goto",
    "if",
    "popd",
    "prompt",
    "pushd",
    "rem",
    "set",
    "setlocal",
    "shift",
    "start",
    "path",
    "assoc",
    "ftype",
    "mklink",
    "subst",
    "powershell",
    "pwsh",
    "wsl",
    "bash",
    "runas",
    "mshta",
    "rundll32",
    "cscript",
    "wscript",
    "schtasks",
    "msiexec",
];

/// What Windows adds to a name to find the file.
const SUFFIXES: [&str; 4] = [".exe", ".com", ".bat", ".cmd"];

/// Names of devices, in every directory and with any suffix.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// The words of a command with its name as the rules know it; `cd` with a directory that can be judged.
pub(super) fn command(mut words: Vec<Word>, line: &str) -> Result<Vec<Word>, Refusal> {
    let Some(first) = words.first() else { return Ok(words) };
    let span = first.span.clone();
    let name = program(&text(first));
    let Some(name) = name.filter(|name| !NOT_READ.contains(&name.as_str())) else {
        let hint = "Name one program by its plain name, without a path: letters, digits, `_`, `-` and `+`.";
        return Err(unsupported("a command that is not read", line, span.range(), hint));
    };
    words[0] = Word { pieces: vec![Piece::Quoted(name.clone())], span };
    if name == "cd" { moved(words, line) } else { Ok(words) }
}

/// `cd`, perhaps with `/d`, and one directory.
fn moved(mut words: Vec<Word>, line: &str) -> Result<Vec<Word>, Refusal> {
    if words.get(1).is_some_and(|word| text(word).eq_ignore_ascii_case("/d")) {
        words.remove(1);
    }
    match words.len() {
        2 => {
            let dir = words.remove(1);
            Ok(vec![words.remove(0), file(dir, line)?])
        }
        _ => {
            let span = words[0].span.range();
            Err(unsupported(
                "`cd` without one directory",
                line,
                span,
                "Write `cd DIR`, with quotes around blanks.",
            ))
        }
    }
}

/// The name in lower case, without its suffix.
fn program(written: &str) -> Option<String> {
    let lower = written.to_lowercase();
    let stem = SUFFIXES.iter().find_map(|suffix| lower.strip_suffix(suffix)).unwrap_or(&lower);
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '+');
    (!stem.is_empty() && stem.chars().all(plain)).then(|| stem.to_owned())
}

/// A file or directory with `/` between its parts, counted from where the line is.
pub(super) fn file(word: Word, line: &str) -> Result<Word, Refusal> {
    let path = text(&word).replace('\\', "/");
    if path.eq_ignore_ascii_case("nul") {
        return Ok(Word { pieces: vec![Piece::Quoted("/dev/null".to_owned())], span: word.span });
    }
    let why = refused(&path);
    if why.is_none() {
        return Ok(Word { pieces: vec![Piece::Quoted(path)], span: word.span });
    }
    let written = &line[word.span.range()];
    let message = format!("{} is not followed: {}.", shown(written), why.unwrap_or_default());
    Err(Refusal::new(Reason::PathEscape, message)
        .with_hint("Write the path from where the command runs, such as `target\\log.txt`; `NUL` takes what is not needed.")
        .about_path(text(&word))
        .at(word.span.range()))
}

/// Why a path is not followed.
fn refused(path: &str) -> Option<&'static str> {
    if path.contains(':') {
        return Some("`:` names a drive or a stream of a file");
    }
    if path.starts_with('/') {
        return Some("it counts from the top of a drive");
    }
    if path.contains(['*', '?']) {
        return Some("it names many files");
    }
    path.split('/').find_map(part)
}

fn part(part: &str) -> Option<&'static str> {
    let stem = part.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let port = ["com", "lpt"].iter().any(|port| {
        stem.strip_prefix(port)
            .is_some_and(|rest| rest.chars().count() == 1 && rest.chars().all(char::is_numeric))
    });
    if port || DEVICES.contains(&stem.as_str()) {
        return Some("it is the name of a device");
    }
    if !matches!(part, "." | "..") && (part.ends_with('.') || part.ends_with(' ') || part.starts_with(' ')) {
        return Some("Windows leaves a dot or blank at the end of a name away");
    }
    // A short name such as PROGRA~1 is a second name of the same file.
    let short = part.split('~').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    short.then_some("`~` and a digit is a second name of another file")
}

fn text(word: &Word) -> String {
    let parts = word.pieces.iter().filter_map(|piece| match piece {
        Piece::Plain(part) | Piece::Quoted(part) => Some(part.as_str()),
        Piece::Parameter { .. } | Piece::Command { .. } => None,
    });
    parts.collect()
}
