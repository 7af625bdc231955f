//! What failures say: one sentence of what happened, one of what to try next.

use std::{borrow::Cow, ffi::OsStr, os::unix::ffi::OsStrExt, str};

use pinfold_exec::RunError;
use pinfold_jail::{ErrorKind, JailError};
use pinfold_shell::{Denied, Refusal};

use crate::{
    Failure, FailureType as T, Reason,
    backend::{Asked, Gap},
    gate::Terms,
    policy::nearest::nearest,
};

/// Bytes of a caller's own text that a failure repeats.
const REPEATED: usize = 300;

/// The beginning of a text that may be of any length.
pub(crate) fn clipped(text: &str) -> Cow<'_, str> {
    if text.len() <= REPEATED {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{}…", &text[..text.floor_char_boundary(REPEATED)]))
}

pub(crate) fn read_only() -> Failure {
    Failure::new(T::ReadOnly, "This workspace is read-only: nothing can be changed and no command run.")
        .hint("Say what you would change, and let the person or agent with write access do it.")
}

pub(crate) fn denied(asked: &Asked, rule: &str) -> Failure {
    let name = asked.name.to_string_lossy();
    let name = clipped(&name);
    Failure::new(T::PathEscape, format!("`{name}` is denied by the policy: it matches `{rule}`."))
        .hint("Work without it, or ask the person who runs this workspace.")
        .at(name)
}

pub(crate) fn only_read(asked: &Asked) -> Failure {
    let name = asked.name.to_string_lossy();
    let name = clipped(&name);
    Failure::new(T::PathEscape, format!("`{name}` lies in an extra root, which may only be read."))
        .hint("Write below the workspace's own root instead.")
        .at(name)
}

pub(crate) fn root_itself(asked: &Asked) -> Failure {
    let name = asked.name.to_string_lossy();
    let name = clipped(&name);
    Failure::new(T::PathEscape, format!("`{name}` is the root of the workspace, which is never removed."))
        .hint("Remove what is in it, one by one.")
        .at(name)
}

/// An error of the jail, told about the name that was asked for.
pub(crate) fn jail(error: JailError, asked: &Asked, terms: &Terms) -> Failure {
    let name = asked.name.to_string_lossy();
    let name = clipped(&name);
    let (failure_type, message) = told(error, &name);
    let failure = Failure::new(failure_type, message).at(&*name);
    match advice(error.kind(), terms) {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// An error that is about none of several files, but about the journal of their change.
pub(crate) fn journal(error: JailError) -> Failure {
    let (failure_type, message) = told(error, ".");
    Failure::new(failure_type, message).hint(
        "Nothing was changed. A change of several files writes a journal in the root; change them one by one instead.",
    )
}

/// Two names in one call that are one file.
pub(crate) fn same_file(asked: &Asked, other: &Asked) -> Failure {
    let [name, other] = [asked, other].map(|one| clipped(&one.name.to_string_lossy()).into_owned());
    let message = format!("`{name}` and `{other}` are the same file.");
    Failure::new(T::BadArguments, message).hint("Give each file once, with all its edits in order.").at(name)
}

fn told(error: JailError, name: &str) -> (T, String) {
    match error.kind() {
        ErrorKind::Escape => (T::PathEscape, format!("`{name}` lies outside the workspace.")),
        ErrorKind::Denied => {
            (T::PathEscape, format!("`{name}` holds something that the policy protects, so all of it stays."))
        }
        ErrorKind::RootItself => {
            (T::PathEscape, format!("`{name}` is a root of the workspace, which is never removed."))
        }
        ErrorKind::ReadOnlyRoot => {
            (T::PathEscape, format!("`{name}` lies in an extra root, which may only be read."))
        }
        ErrorKind::NotFound => (T::NotFound, format!("There is no file or directory `{name}`.")),
        ErrorKind::IsDirectory => (T::IsDirectory, format!("`{name}` is a directory, not a file.")),
        ErrorKind::NotDirectory => {
            (T::NotDirectory, format!("`{name}` is not a directory, or lies below something that is none."))
        }
        ErrorKind::NameTooLong => {
            (T::NameTooLong, "The path, or a name in it, is longer than the file system takes.".into())
        }
        ErrorKind::SpecialFile => {
            (T::SpecialFile, format!("`{name}` is a pipe, socket or device; those are never opened."))
        }
        ErrorKind::BadName => (T::BadArguments, "A path cannot hold a NUL character.".into()),
        ErrorKind::Stale => (
            T::StaleHash,
            format!("`{name}` was changed by somebody else in the meantime; nothing was written."),
        ),
        ErrorKind::Changed => (
            T::IoOther,
            format!("`{name}` was replaced by something else in the meantime; nothing was done."),
        ),
        ErrorKind::TooLarge => (T::TooLarge, format!("`{name}` is larger than this workspace reads.")),
        ErrorKind::AttributesLost => (
            T::PermissionDenied,
            format!(
                "`{name}` has an access list or another extended attribute that the system does not let us give to new \
                 content; nothing was written."
            ),
        ),
        ErrorKind::NotReadBack => (
            T::IoOther,
            format!("What was written for `{name}` is not what is read back; the old content is intact."),
        ),
        ErrorKind::NoSpace => {
            (T::NoSpace, format!("No space is left to write `{name}`; the old content is intact."))
        }
        ErrorKind::PermissionDenied => {
            (T::PermissionDenied, format!("The operating system does not permit this on `{name}`."))
        }
        ErrorKind::ReadOnlyFs => {
            (T::ReadOnlyFs, format!("`{name}` lies on a file system that is mounted read-only."))
        }
        _ => (T::IoOther, format!("`{name}`: {error}.")),
    }
}

fn advice(kind: ErrorKind, terms: &Terms) -> Option<String> {
    let dialect = terms.dialect;
    let (list, glob, grep) = (dialect.list(), dialect.glob(), dialect.grep());
    let text = match kind {
        ErrorKind::Escape => {
            let home = terms.home.display();
            return Some(format!("The root is `{home}`: use a path relative to it, such as `src/main.rs`."));
        }
        ErrorKind::NotFound => {
            return Some(format!("Paths are relative to the root; {list} and {glob} show what is there."));
        }
        ErrorKind::IsDirectory => return Some(format!("Use {list} to see what is in it.")),
        ErrorKind::NotDirectory => {
            return Some(format!("Use {list} on the directory above it to see what is there."));
        }
        ErrorKind::Stale => "Read it again, then repeat the edit on what it is now.",
        ErrorKind::Changed => "Try again.",
        ErrorKind::NoSpace => "Free some space, or write less; trying again alone will not help.",
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFs => {
            "Trying again will not help: work elsewhere, or ask the person who runs this workspace."
        }
        ErrorKind::AttributesLost => {
            "Ask the person who runs this workspace: `getfacl` and `getfattr -d -m -` show what it has."
        }
        ErrorKind::NotReadBack => {
            "Tell the person who runs this workspace: the disk or file system is at fault."
        }
        ErrorKind::TooLarge => return Some(format!("Use {grep} to find the part that matters.")),
        ErrorKind::Denied => "Remove single files below it instead.",
        _ => return None,
    };
    Some(text.to_owned())
}

/// A command line that the shell policy refused, or whose program is not there.
pub(crate) fn command(denied: &Denied, line: &str) -> Failure {
    match denied {
        Denied::Refused(refusal) => refused(refusal, line),
        Denied::NotFound(missing) => {
            let failure =
                Failure::new(T::NotFound, missing.message()).with(|it| it.command = Some(line.into()));
            missing.hint().map_or(failure.clone(), |hint| failure.hint(hint))
        }
    }
}

/// The path that was probably meant, where a name is missing in a directory.
pub(crate) fn meant(gap: &Gap, terms: &Terms) -> Option<String> {
    // Of names so short every other one is near.
    let missing = str::from_utf8(&gap.missing).ok().filter(|missing| missing.len() > 2)?;
    let seen = |name: &&Vec<u8>| !terms.hides(&gap.place.join(OsStr::from_bytes(name)));
    let mut names: Vec<&str> =
        gap.names.iter().filter(seen).filter_map(|name| str::from_utf8(name).ok()).collect();
    // Directories have no order of their own.
    names.sort_unstable();
    let near = nearest(missing, names)?;
    let shown = terms.shown(&gap.place.join(near));
    Some(match gap.last {
        true => format!("Did you mean `{shown}`?"),
        false => {
            format!("Did you mean a path below `{shown}`? {} shows what is there.", terms.dialect.list())
        }
    })
}

/// A command in the background, where there may be none.
pub(crate) fn no_background(line: &str) -> Failure {
    Failure::new(T::DeniedCommand, "This workspace runs no commands in the background.")
        .hint(
            "Run it without `background`, or ask the person who runs this workspace for `shell.background`.",
        )
        .with(|it| {
            it.reason = Some(Reason::NotAllowed);
            it.command = Some(line.into());
        })
}

/// A command that could not be started.
pub(crate) fn run(error: &RunError, line: &str) -> Failure {
    if let RunError::Refused(refusal) = error {
        return refused(refusal, line);
    }
    let failure = Failure::new(T::IoOther, format!("{error}."));
    match error.hint() {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// What was passed over.
pub(crate) fn ignored(count: u64) -> Option<String> {
    match count {
        0 => None,
        1 => Some("1 more is ignored by .gitignore or the policy.".to_owned()),
        count => Some(format!("{count} more are ignored by .gitignore or the policy.")),
    }
}

/// A command line that the shell policy refused.
pub(crate) fn refused(refusal: &Refusal, line: &str) -> Failure {
    let failure = Failure::new(T::DeniedCommand, refusal.message()).with(|it| {
        it.reason = Some(reason(refusal.reason()));
        it.command = Some(line.into());
        it.executable = refusal.executable().map(str::to_owned);
        it.path = refusal.path().map(str::to_owned);
        it.rule = refusal.rule().map(|rule| format!("shell.{rule}"));
    });
    match refusal.hint() {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

fn reason(reason: pinfold_shell::Reason) -> Reason {
    use pinfold_shell::Reason as R;
    match reason {
        R::Metacharacter => Reason::Metacharacter,
        R::UnbalancedQuotes => Reason::UnbalancedQuotes,
        R::DeniedExecutable => Reason::DeniedExecutable,
        R::NotAllowed => Reason::NotAllowed,
        R::DeniedPattern => Reason::DeniedPattern,
        R::NestedCommand => Reason::NestedCommand,
        R::UnsupportedSyntax => Reason::UnsupportedSyntax,
        R::PathEscape => Reason::PathEscape,
    }
}
