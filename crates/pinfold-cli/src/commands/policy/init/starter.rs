//! The text of a starter policy.

use std::{fmt::Write, path::Path};

use pinfold::{
    Policy,
    policy::{agent::SECRET_PATHS, own_file},
};

use super::project::Project;

/// Tests and builds take longer than other commands.
const TIMEOUT_MS: &str = "600_000";

pub(super) fn text(root: &Path, project: &Project) -> String {
    let policy = Policy::for_agent(root).allow([""]);
    let mut text = String::new();
    head(&mut text, root, project);
    list(&mut text, "deny_paths", SECRET_PATHS.iter().copied());
    text += "\n# What may be read, but not written: whoever writes into `.git`, or into the settings of agents and editors, makes\n# them run anything.\n";
    list(&mut text, "deny_write_paths", policy.deny_write_paths.iter().map(String::as_str));
    shell(&mut text, project, &policy);
    tests(&mut text, project);
    text += "\n[search]\n# `grep`, `glob` and `list_dir` pass over what `.gitignore` files name, and say how much; reading it is not forbidden.\n";
    line(&mut text, "gitignore", "true");
    one_line(&mut text, "ignore", policy.search.ignore.iter().map(String::as_str));
    text += "\n[read]\n# Bytes of one reading: a model pays for every line that it is shown.\n";
    line(&mut text, "max_bytes", "51_200");
    if !project.ignored.is_empty() {
        text += "\n[list]\n# Left out of listings; reading it is not forbidden.\n";
        let ignored = ["node_modules", ".git"].into_iter().chain(project.ignored.iter().copied());
        one_line(&mut text, "ignore", ignored);
    }
    text
}

fn head(text: &mut String, root: &Path, project: &Project) {
    let kind = project.told();
    *text += &format!(
        "# What an agent may do in this project ({kind}). Every field: `pinfold policy schema`.\n\
         # After a change: `pinfold policy check FILE`; what holds in the end: `pinfold policy show --policy FILE`.\n\n\
         # The root: the agent's tools read and write here, and nowhere else.\n"
    );
    line(text, "cwd", &quoted(root.display().to_string()));
    *text += &format!(
        "\n# More places that may be read, never written.\n# allow_paths = [\"/usr/share/doc\"]\n\n\
         # What no tool reads, writes, lists or finds. A name counts at any depth, a folder with all that is in it;\n\
         # `!` makes an exception. A `{}` in the root may add to this, and take nothing away.\n",
        own_file::FILE_NAME
    );
}

fn shell(text: &mut String, project: &Project, policy: &Policy) {
    *text += "\n[shell]\n# Programs that may run, by name; nothing else does. No shell reads their command lines.\n";
    one_line(text, "allow", ["git"].into_iter().chain(project.programs.iter().copied()));
    *text += "\n# Uses of them that may not be: words that a command begins with, or a regular expression.\n\
              deny_patterns = [\n  \
              # what leaves this machine, or throws work away\n  \
              { regex = '^git( -.*)? (push|clean)\\b', matches = [\"git push origin main\"], misses = [\"git status\"] },\n  \
              { regex = '^git( -.*)? reset .*--hard', matches = [\"git reset --hard HEAD\"] },\n";
    for (pattern, why) in &project.denied {
        *text += &format!("  # {why}\n  {pattern},\n");
    }
    *text += "]\n\n# Variables that commands get from the environment of `pinfold`. Leave secrets out.\n";
    let Some(shell) = &policy.shell else { return };
    one_line(text, "inherit_env", shell.inherit_env.iter().map(String::as_str));
    *text += "\n# Milliseconds; what takes longer is killed with all that it started.\n";
    line(text, "timeout_ms", TIMEOUT_MS);
    *text += "# Bytes that are kept of each output stream: the beginning and the end.\n";
    line(text, "max_output_bytes", &shell.max_output_bytes.to_string());
    *text += "# Commands that go on in the background, such as a server to be tried.\n# background = { max_jobs = 2 }\n";
    *text += "\n[shell.env]\n# Nobody sits before these programs: no pager, no question.\n";
    for (name, value) in &shell.env {
        line(text, name, &quoted(value));
    }
}

fn tests(text: &mut String, project: &Project) {
    *text += "\n[tests]\n# What `run_tests` runs; a pattern of the agent's becomes its last argument.\n";
    match &project.tests {
        Some(command) => line(text, "command", &quoted(command)),
        None => *text += "# command = \"make test\"\n",
    }
}

fn line(text: &mut String, name: &str, value: &str) {
    // Writing to a string never fails.
    writeln!(text, "{name} = {value}").ok();
}

fn one_line<'a>(text: &mut String, name: &str, entries: impl Iterator<Item = &'a str>) {
    let entries: Vec<String> = entries.map(quoted).collect();
    line(text, name, &format!("[{}]", entries.join(", ")));
}

/// As many entries as fit on each line.
fn list<'a>(text: &mut String, name: &str, entries: impl Iterator<Item = &'a str>) {
    *text += &format!("{name} = [\n");
    let mut row = String::from(" ");
    for entry in entries.map(quoted) {
        if row.len() + entry.len() > 96 {
            *text += &format!("{row}\n");
            row = String::from(" ");
        }
        row += &format!(" {entry},");
    }
    *text += &format!("{row}\n]\n");
}

fn quoted(text: impl AsRef<str>) -> String {
    toml_edit::Value::from(text.as_ref()).to_string()
}
