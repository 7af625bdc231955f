//! Settings of git that name programs, as `-c NAME=VALUE` sets them (git-config(1)).

use super::Held;

/// Whole names whose value is a command.
const COMMANDS: &[&str] = &[
    "core.askpass",
    "core.alternaterefscommand",
    "core.editor",
    "core.fsmonitor",
    "core.pager",
    "core.sshcommand",
    "diff.external",
    "gpg.program",
    "gpg.ssh.defaultkeycommand",
    "interactive.difffilter",
    "sendemail.cccmd",
    "sendemail.headercmd",
    "sendemail.sendmailcmd",
    "sendemail.tocmd",
    "sequence.editor",
    "uploadpack.packobjectshook",
];

/// First and last part of names with something between, whose value is a command.
const COMMANDS_BETWEEN: &[(&str, &str)] = &[
    ("browser", "cmd"),
    ("browser", "path"),
    ("diff", "command"),
    ("diff", "textconv"),
    ("difftool", "cmd"),
    ("difftool", "path"),
    ("filter", "clean"),
    ("filter", "process"),
    ("filter", "smudge"),
    ("gpg", "program"),
    ("guitool", "cmd"),
    ("hook", "command"),
    ("man", "cmd"),
    ("man", "path"),
    ("merge", "driver"),
    ("mergetool", "cmd"),
    ("mergetool", "path"),
    ("remote", "receivepack"),
    ("remote", "uploadpack"),
    ("tar", "command"),
    ("trailer", "cmd"),
    ("trailer", "command"),
];

/// Beginnings of names whose value decides what runs without showing it: commands of their own grammar, files of more
/// settings, directories of hooks, protocols that run commands.
const HIDDEN: &[&str] = &[
    "alias.",
    "core.gitproxy",
    "core.hookspath",
    "credential.",
    "help.browser",
    "include.",
    "includeif.",
    "init.templatedir",
    "instaweb.",
    "protocol.",
    "sendemail.smtpserver",
    "web.browser",
];

/// What `NAME=VALUE` runs, if anything. A name alone sets it to true.
pub(super) fn setting(text: &str) -> Option<Held> {
    let (name, value) = text.split_once('=').unwrap_or((text, "true"));
    let name = name.to_ascii_lowercase();
    let held = kind(&name)?;
    if held == Held::Hidden { hidden(&name, value) } else { command(&name, value) }
}

/// What `NAME=VARIABLE` runs, whose value is in the environment.
pub(super) fn setting_from_environment(text: &str) -> Option<Held> {
    let name = text.rsplit_once('=').map_or(text, |(name, _)| name).to_ascii_lowercase();
    kind(&name).map(|_| Held::Hidden)
}

fn kind(name: &str) -> Option<Held> {
    let (first, rest) = name.split_once('.')?;
    let last = rest.rsplit_once('.').map(|(_, last)| last);
    let between = COMMANDS_BETWEEN.iter().any(|(begins, ends)| first == *begins && last == Some(*ends));
    let update = first == "submodule" && last == Some("update");
    let helper = first == "remote" && last == Some("vcs");
    if first == "pager" || between || COMMANDS.contains(&name) {
        Some(Held::Text(String::new()))
    } else if update || helper || HIDDEN.iter().any(|begins| name.starts_with(begins)) {
        Some(Held::Hidden)
    } else {
        None
    }
}

/// Values that git itself takes for "none" run nothing, and neither do `true` and `:` in place of an editor.
fn command(name: &str, value: &str) -> Option<Held> {
    let switch = matches!(
        value.to_ascii_lowercase().as_str(),
        "true" | "false" | "yes" | "no" | "on" | "off" | "1" | "0"
    );
    let nothing = match name {
        _ if value.trim().is_empty() => true,
        "core.fsmonitor" => switch,
        "core.editor" | "sequence.editor" => matches!(value, "true" | ":"),
        "core.pager" => value == "cat",
        _ if name.starts_with("pager.") => switch || value == "cat",
        _ => false,
    };
    (!nothing).then(|| Held::Text(value.to_owned()))
}

fn hidden(name: &str, value: &str) -> Option<Held> {
    let nothing = match name {
        "core.hookspath" => matches!(value, "" | "/dev/null"),
        _ if name.starts_with("protocol.") => value == "never" || name == "protocol.version",
        _ if name.starts_with("credential.") => value.is_empty() || !name.ends_with(".helper"),
        _ if name.starts_with("submodule.") => !value.trim_start().starts_with('!'),
        _ => false,
    };
    (!nothing).then_some(Held::Hidden)
}
