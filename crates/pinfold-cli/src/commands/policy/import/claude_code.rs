//! `permissions` of a settings.json of Claude Code.
//!
//! Rules are `Tool` or `Tool(specifier)`, in `allow`, `ask` and `deny`; `deny` wins over `ask` over `allow`. Paths are
//! those of .gitignore: `//x` from the root of the file system, `~/x` from the home, anything else from the project.

use std::collections::BTreeSet;

use jsonc_parser::ParseOptions;
use pinfold::{Failure, FailureType, Policy};
use serde_json::Value;

use super::{
    draft::Draft,
    uses::{End, Use},
};

/// Settings beside the permissions that say what may be done.
const OTHER_SETTINGS: &[(&str, &str)] = &[
    ("hooks", "programs that are asked about calls have no counterpart"),
    ("sandbox", "confinement by the operating system is not set by a policy"),
    ("env", "set what commands need under `[shell.env]`; the values may be secrets, so they are not copied"),
    ("apiKeyHelper", "no counterpart"),
];

pub(super) fn read(text: &str, mut draft: Draft) -> Result<Draft, Failure> {
    let settings: Value =
        jsonc_parser::parse_to_serde_value(text, &ParseOptions::default()).map_err(|error| {
            Failure::new(FailureType::BadArguments, format!("This is no settings.json: {error}."))
                .hint("Give the file that has `permissions` in it, such as .claude/settings.json.")
        })?;
    let permissions = &settings["permissions"];
    // Nothing is written without being asked, unless a rule or the mode says so; here nobody is asked.
    draft.writable = Some(BTreeSet::new());
    mode(permissions["defaultMode"].as_str(), &mut draft);
    for list in ["allow", "ask", "deny"] {
        for rule in permissions[list].as_array().into_iter().flatten() {
            match rule.as_str() {
                Some(rule) => read_rule(list, rule.trim(), &mut draft),
                None => draft.lose(rule.to_string(), "it is no text"),
            }
        }
    }
    for directory in
        permissions["additionalDirectories"].as_array().into_iter().flatten().filter_map(Value::as_str)
    {
        additional(directory, &mut draft);
    }
    for (name, why) in OTHER_SETTINGS {
        if !settings[name].is_null() {
            draft.lose(*name, *why);
        }
    }
    if draft.writable.as_ref().is_some_and(BTreeSet::is_empty) && !draft.read_only {
        draft.lose(
            "edits are asked for",
            "nobody is asked here, so nothing may be written: take `\"**\"` out of `deny_write_paths` to let files be written",
        );
    }
    Ok(draft)
}

fn mode(mode: Option<&str>, draft: &mut Draft) {
    match mode {
        None | Some("default" | "dontAsk" | "manual") => {}
        Some("acceptEdits") => {
            draft.writable = None;
            draft.carry();
        }
        Some("plan") => {
            draft.read_only = true;
            draft.carry();
        }
        Some(other) => draft.lose(
            format!("defaultMode: {other}"),
            "a policy names what may be done; nothing is allowed by leaving questions out",
        ),
    }
}

fn additional(directory: &str, draft: &mut Draft) {
    match absolute(directory, draft) {
        Some(path) => {
            draft.allow_paths.push(path);
            draft.carry();
            draft.lose(format!("additionalDirectories: {directory}"), "it may be read, but not written");
        }
        None => draft.lose(format!("additionalDirectories: {directory}"), "the home directory is not known"),
    }
}

/// `Tool(specifier)`.
fn read_rule(list: &str, rule: &str, draft: &mut Draft) {
    let (tool, specifier) = match rule.split_once('(').zip(rule.strip_suffix(')')) {
        Some(((tool, _), _)) => (tool, Some(rule[tool.len() + 1..rule.len() - 1].trim())),
        None => (rule, None),
    };
    let told = format!("{list}: {rule}");
    match tool {
        "Bash" | "PowerShell" => command(list, specifier.unwrap_or("*"), told, draft),
        "Read" | "Grep" | "Glob" | "LS" | "NotebookRead" => reading(list, specifier, told, draft),
        "Edit" | "Write" | "MultiEdit" | "NotebookEdit" => writing(list, specifier, told, draft),
        "WebFetch" | "WebSearch" => draft.lose(told, "Pinfold has no tool for the web"),
        "Task" | "Agent" | "Skill" | "SlashCommand" => {
            draft.lose(told, "Pinfold has no such tool; the client decides");
        }
        "TodoWrite" | "TodoRead" | "ExitPlanMode" => draft.carry(),
        mcp if mcp.starts_with("mcp__") => {
            draft.lose(told, "it is about another MCP server; the client decides");
        }
        _ => draft.lose(told, "no counterpart"),
    }
}

fn command(list: &str, specifier: &str, told: String, draft: &mut Draft) {
    if matches!(specifier, "*" | ":*" | "") {
        match list {
            "allow" => draft.any_program = true,
            "deny" => draft.no_program = true,
            _ => {
                draft.no_program = true;
                return draft.lose(told, "nobody is asked here, so no command runs");
            }
        }
        return draft.carry();
    }
    let (text, end) =
        match (specifier.strip_suffix(":*"), specifier.strip_suffix(" *"), specifier.strip_suffix('*')) {
            (Some(text), ..) | (_, Some(text), _) => (text, End::Words),
            (.., Some(text)) => (text, End::Anything),
            _ => (specifier, End::Exact),
        };
    if text.contains('*') {
        if list == "allow" {
            return draft.lose(told, "a `*` inside of an allowed command cannot be said; it is not allowed");
        }
        draft.deny_glob(&specifier.replace(":*", "*"));
        return asked(list, told, draft);
    }
    let one = match plain(text) {
        Ok(words) => Use { words, end },
        Err(why) => return draft.lose(told, why),
    };
    match list {
        "allow" if matches!(one.program(), "cd" | "export" | "source" | "alias" | "pushd" | "popd") => {
            draft.lose(
                told,
                "it is a builtin of shells, and no shell runs: give commands their directory with `cwd`",
            );
        }
        "allow" => {
            draft.allow(one);
            draft.carry();
        }
        _ => {
            draft.deny(&one, Vec::new(), Vec::new(), None);
            asked(list, told, draft);
        }
    }
}

/// The words of a plain command line.
fn plain(text: &str) -> Result<Vec<String>, String> {
    let verdict = Policy::new("/nowhere").check_shell_command(text).map_err(|no| no.to_string())?;
    match verdict.argv.map(|words| words.iter().flatten().cloned().collect::<Vec<_>>()) {
        Some(words) if words.first().is_some_and(|first| first.contains('=')) => {
            Err("it sets a variable before the command; set it under `[shell.env]`".to_owned())
        }
        Some(words) => Ok(words),
        None => Err(format!("it needs a shell, and none runs: {}", verdict.message.unwrap_or_default())),
    }
}

/// Nobody is asked here: what would be asked for is denied.
fn asked(list: &str, told: String, draft: &mut Draft) {
    match list {
        "ask" => draft.lose(told, "nobody is asked here, so it is denied"),
        _ => draft.carry(),
    }
}

fn reading(list: &str, specifier: Option<&str>, told: String, draft: &mut Draft) {
    let Some(path) = specifier else {
        return match list {
            "allow" => draft.carry(),
            _ => {
                draft.deny_paths.push("**".to_owned());
                asked(list, told, draft);
            }
        };
    };
    match (list, place(path, draft)) {
        (_, Place::Unknown(why)) => draft.lose(told, why),
        // Everything in the root may be read.
        ("allow", Place::Inside(_)) => draft.carry(),
        ("allow", Place::Outside(path)) => match folder(&path) {
            Some(folder) => {
                draft.allow_paths.push(folder);
                draft.carry();
            }
            None => draft.lose(told, "outside of the root only whole directories can be made readable"),
        },
        (_, Place::Inside(glob)) => {
            draft.deny_paths.push(glob);
            asked(list, told, draft);
        }
        (_, Place::Outside(_)) => outside(told, draft),
    }
}

fn writing(list: &str, specifier: Option<&str>, told: String, draft: &mut Draft) {
    let Some(path) = specifier else {
        match list {
            "allow" => draft.writable = None,
            _ => draft.deny_write_paths.push("**".to_owned()),
        }
        return asked(list, told, draft);
    };
    match (list, place(path, draft)) {
        (_, Place::Unknown(why)) => draft.lose(told, why),
        ("allow", Place::Inside(glob)) if glob == "**" => {
            draft.writable = None;
            draft.carry();
        }
        ("allow", Place::Inside(glob)) => match folder(&glob) {
            Some(folder) => {
                if let Some(writable) = &mut draft.writable {
                    writable.insert(folder.trim_start_matches('/').to_owned());
                }
                draft.carry();
            }
            None => draft.lose(told, "only whole directories can be made writable; it is not written"),
        },
        ("allow", Place::Outside(_)) => draft.lose(told, "nothing outside of the root can be written"),
        (_, Place::Inside(glob)) => {
            draft.deny_write_paths.push(glob);
            asked(list, told, draft);
        }
        (_, Place::Outside(_)) => outside(told, draft),
    }
}

/// What lies outside of the root is out of reach for the file tools, unless it is below an `allow_paths` of the import.
fn outside(told: String, draft: &mut Draft) {
    if draft.allow_paths.is_empty() {
        return draft.carry();
    }
    draft.lose(
        told,
        "it lies outside of the root: leave its directory out of `allow_paths` if it is below one",
    );
}

enum Place {
    /// A glob from the root.
    Inside(String),
    /// A glob from `/`.
    Outside(String),
    Unknown(String),
}

fn place(path: &str, draft: &Draft) -> Place {
    if path.contains(['[', '{']) {
        return Place::Unknown("brackets and braces are ordinary letters in a policy's globs".to_owned());
    }
    if path.starts_with('!') {
        return Place::Unknown("an exception; write it into the list by hand".to_owned());
    }
    let whole = match (path.strip_prefix("//"), path.starts_with("~/")) {
        (Some(rest), _) => Some(format!("/{rest}")),
        (None, true) => match absolute(path, draft) {
            Some(path) => Some(path),
            None => return Place::Unknown("the home directory is not known".to_owned()),
        },
        _ => None,
    };
    let root = format!("{}/", draft.root().display());
    match whole {
        Some(whole) => match whole.strip_prefix(&root) {
            Some(inside) => Place::Inside(format!("/{inside}")),
            None => Place::Outside(whole),
        },
        None if path.split('/').any(|part| part == "..") => match absolute(path, draft) {
            Some(path) => Place::Outside(path),
            None => Place::Unknown("it leaves the root".to_owned()),
        },
        // Written from the project: with a leading slash, so that a single name does not count at any depth.
        None => match path.strip_prefix("./") {
            Some(rest) if rest.contains('/') => Place::Inside(rest.to_owned()),
            Some(rest) => Place::Inside(format!("/{rest}")),
            None => Place::Inside(path.to_owned()),
        },
    }
}

/// The directory that `dir/**` is about.
fn folder(glob: &str) -> Option<String> {
    let folder = glob.strip_suffix("/**").or(glob.strip_suffix('/'))?.trim_end_matches('/');
    (!folder.is_empty() && !folder.contains(['*', '?'])).then(|| folder.to_owned())
}

/// The path from `/`, with `~` and `..` taken out.
fn absolute(path: &str, draft: &Draft) -> Option<String> {
    let whole = match path.strip_prefix("~/") {
        Some(rest) => std::path::PathBuf::from(std::env::var_os("HOME")?).join(rest),
        None => draft.root().join(path),
    };
    let mut plain = std::path::PathBuf::new();
    for part in whole.components() {
        match part {
            std::path::Component::ParentDir => drop(plain.pop()),
            std::path::Component::CurDir => {}
            other => plain.push(other),
        }
    }
    Some(plain.display().to_string())
}
