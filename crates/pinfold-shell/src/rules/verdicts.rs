//! The sentences of the refusals that come from the rules.

use crate::{
    argv::CD_HINT,
    pattern::basename,
    refusal::{Reason, Refusal},
    shown::shown,
};

/// Names of an allow list that a message repeats; the rest is counted.
const MOST_NAMED: usize = 12;

pub(super) fn nothing_runs() -> Refusal {
    Refusal::new(Reason::NotAllowed, "The policy of this workspace lets no command run.").with_hint(
        "Read, edit and search with the file tools; whoever set the policy can allow programs by name.",
    )
}

pub(super) fn denied(written: &str, entry: &str) -> Refusal {
    Refusal::new(Reason::DeniedExecutable, format!("{} is denied by the policy.", shown(written)))
        .with_hint(
            "No other way of calling it will be accepted; use another tool, or ask the person in charge.",
        )
        .about(entry)
}

pub(super) fn denied_resolved(written: &str, resolved: &str, entry: &str) -> Refusal {
    let message =
        format!("{} is a link to {}, which is denied by the policy.", shown(written), shown(resolved));
    Refusal::new(Reason::DeniedExecutable, message)
        .with_hint(
            "No other way of calling it will be accepted; use another tool, or ask the person in charge.",
        )
        .about(entry)
}

pub(super) fn not_allowed(written: &str, name: &str, allow: &[String]) -> Refusal {
    let hint = if allow.is_empty() {
        "The allow list is empty, so no program may run.".to_owned()
    } else {
        let mut listed =
            allow.iter().take(MOST_NAMED).map(|entry| shown(entry)).collect::<Vec<_>>().join(", ");
        if allow.len() > MOST_NAMED {
            listed.push_str(&format!(" and {} more", allow.len() - MOST_NAMED));
        }
        format!("Allowed are: {listed}.")
    };
    Refusal::new(Reason::NotAllowed, format!("{} is not on the allow list.", shown(written)))
        .with_hint(hint)
        .about(name)
        .by("allow")
}

pub(super) fn no_name(written: &str) -> Refusal {
    Refusal::new(Reason::NotAllowed, format!("{} does not name a program.", shown(written)))
        .with_hint("Write the name or the path of a program.")
}

pub(super) fn assignment(written: &str, instead: Option<String>) -> Refusal {
    let message = format!(
        "{} is not a program: in argv mode a variable cannot be set in front of a command.",
        shown(written)
    );
    let hint = match instead {
        Some(line) if line.starts_with("env ") => format!("Run {}.", shown(&line)),
        Some(line) => {
            format!("Run {}; whoever sets the policy can set variables, or allow `env`.", shown(&line))
        }
        None => "Whoever sets the policy can set variables, or allow `env NAME=value command`.".to_owned(),
    };
    Refusal::new(Reason::NotAllowed, message).with_hint(hint)
}

/// `if`, `for`, `!`: words that only a shell knows.
pub(super) fn shell_word(written: &str, instead: Option<String>) -> Refusal {
    let message =
        format!("{} is a word of the shell, and in argv mode no shell reads the line.", shown(written));
    let hint = match instead {
        Some(line) => format!("Run {}, and decide by its exit code.", shown(&line)),
        None => "Run the commands inside it one by one, and decide by their exit codes.".to_owned(),
    };
    Refusal::new(Reason::NotAllowed, message).with_hint(hint).about(written).by("allow")
}

pub(super) fn cd() -> Refusal {
    Refusal::new(
        Reason::NotAllowed,
        "`cd` has no effect in argv mode: no shell keeps the directory for the next command.",
    )
    .with_hint(CD_HINT)
    .about("cd")
}

/// A relative path that another program starts in a directory of its own choice.
pub(super) fn elsewhere(name: &str) -> Refusal {
    let message = format!(
        "{} is started in another directory, so the policy cannot see what it is, while it denies some programs.",
        shown(name)
    );
    Refusal::new(Reason::NestedCommand, message)
        .with_hint("Give its whole path, or run it by itself with `cwd`.")
        .about(name)
}

pub(super) fn runner(name: &str, instead: Option<String>) -> Refusal {
    let message = format!("{} runs commands that the policy cannot see, while it denies some.", shown(name));
    let hint = match instead {
        Some(line) => format!("Run {} by itself.", shown(&line)),
        None => "Run the inner command by itself, or have the allow list name this program.".to_owned(),
    };
    Refusal::new(Reason::NestedCommand, message).with_hint(hint).about(name)
}

pub(super) fn hidden_runner(written: &str, resolved: &str) -> Refusal {
    let message =
        format!("{} is a link to {}, which runs commands of its own.", shown(written), shown(resolved));
    Refusal::new(Reason::NestedCommand, message).with_hint("Run the inner command by itself.").about(resolved)
}

pub(super) fn unreadable(name: &str, word: Option<&str>) -> Refusal {
    let message = match word {
        Some(word) => format!("The policy cannot tell what `{name}` will run, because of {}.", shown(word)),
        None => format!("The policy cannot tell what `{name}` will run: something is missing at its end."),
    };
    Refusal::new(Reason::NestedCommand, message).with_hint("Run the inner command by itself.").about(name)
}

pub(super) fn runs_what_it_finds(written: &str) -> Refusal {
    Refusal::new(
        Reason::NestedCommand,
        format!("`find` would run the files that it finds, as {}.", shown(written)),
    )
    .with_hint("Name the program, and let `{}` be its argument.")
}

pub(super) fn steering(word: &str) -> Refusal {
    Refusal::new(Reason::UnsupportedSyntax, format!("{} decides which program or code runs.", shown(word)))
        .with_hint("Leave the assignment out; such variables are set by whoever sets the policy.")
}

pub(super) fn changes_reading(name: &str) -> Refusal {
    let message = format!("{} may change how a shell reads the rest of the line.", shown(name));
    Refusal::new(Reason::UnsupportedSyntax, message)
        .with_hint("Use `C`, `POSIX` or a locale of UTF-8, such as `C.UTF-8`.")
}

pub(super) fn too_deep(written: &str) -> Refusal {
    let message = format!("Too many commands inside commands, at {}.", shown(written));
    Refusal::new(Reason::NestedCommand, message).with_hint("Run the innermost command by itself.")
}

pub(super) fn denied_pattern(words: &[String], pattern: &str) -> Refusal {
    let name = words.first().map_or("", |word| basename(word));
    let message =
        format!("{} is denied by the policy: it matches the pattern {}.", command(words), shown(pattern));
    Refusal::new(Reason::DeniedPattern, message)
        .with_hint("Other spellings of the same command are meant too; do it another way, or ask the person in charge.")
        .about(name)
}

pub(super) fn refused_by_host(words: &[String], text: &str) -> Refusal {
    let name = words.first().map_or("", |word| basename(word));
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let message = match text.trim() {
        "" => format!("{} is refused by whoever runs this workspace.", command(words)),
        text => format!("{} is refused: {text}", command(words)),
    };
    Refusal::new(Reason::NotAllowed, message).with_hint("Do it another way, or leave it out.").about(name)
}

pub(super) fn hidden_in_argument(name: &str, word: &str) -> Refusal {
    let message = format!(
        "{} would run another program because of {}, and the policy cannot tell which.",
        shown(name),
        shown(word)
    );
    Refusal::new(Reason::NestedCommand, message)
        .with_hint("Leave that option out, or run the other program by itself.")
        .about(name)
        .by("argumentTable")
}

pub(super) fn in_writable_place(written: &str) -> Refusal {
    let message = format!(
        "{} is a program inside the workspace, where anybody who writes files could have made it.",
        shown(written)
    );
    Refusal::new(Reason::NotAllowed, message)
        .with_hint("Call a program by its bare name, or have the allow list name this very path.")
        .about(basename(written))
        .by("resolve")
}

fn command(words: &[String]) -> String {
    shown(&words.join(" "))
}
