//! Every bound there is, in one table: what it is, its value, and which field of the policy moves it.
//!
//! Values are taken from where they hold, so that the table cannot be wrong.

use serde::Serialize;
use serde_json::Value;

use super::{BackgroundPolicy, EnvPolicy, ListPolicy, ReadPolicy, SearchPolicy, ShellPolicy};
use crate::{ignores, jobs, text, todos, tools::bounds};

/// What may move a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// A field of the policy.
    Policy,
    /// An argument of the call, within the table's value.
    Call,
    /// Nothing: it is part of how the thing is built.
    Fixed,
}

/// One bound.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Limit {
    /// Its name: `read.lines`. Stable.
    pub id: &'static str,
    /// What may move it.
    pub class: Class,
    /// The value when nothing moves it; `null` for no bound.
    pub value: Value,
    /// What the value counts: `bytes`, `ms`, `lines`, …
    pub unit: &'static str,
    /// The field of the policy, or the argument, that moves it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_by: Option<&'static str>,
    /// What happens at the bound.
    pub beyond: &'static str,
}

/// The whole table.
pub fn limits() -> Vec<Limit> {
    let mut all = files();
    all.extend(commands());
    all.extend(env_dialect());
    all.extend(fixed());
    all
}

fn files() -> Vec<Limit> {
    let (read, list, search) = (ReadPolicy::default(), ListPolicy::default(), SearchPolicy::default());
    vec![
        policy(
            "read.lines",
            read.default_lines,
            "lines",
            "read.defaultLines",
            "the window ends; the next one is named",
        ),
        policy(
            "read.content",
            read.max_bytes,
            "bytes",
            "read.maxBytes",
            "the window ends; `bytesCapped` is true",
        ),
        policy("read.file", read.max_file_bytes, "bytes", "read.maxFileBytes", "too-large"),
        policy("read.image", read.max_image_bytes, "bytes", "read.maxImageBytes", "too-large"),
        policy("list.depth", list.max_depth, "levels", "list.maxDepth", "a deeper call counts as this"),
        policy(
            "list.entries",
            list.max_entries,
            "entries",
            "list.maxEntries",
            "the rest is left out; `truncated` is true",
        ),
        policy(
            "search.pattern",
            search.max_pattern_chars,
            "characters",
            "search.maxPatternChars",
            "unsafe-pattern",
        ),
        call(
            "grep.matches",
            bounds::GREP_MATCHES,
            "matches",
            "maxMatches",
            "the rest is left out; `truncated` is true",
        ),
        call(
            "glob.paths",
            bounds::GLOB_PATHS,
            "paths",
            "maxMatches",
            "the rest is left out; `truncated` is true",
        ),
        fixed_at(
            "grep.line",
            bounds::LONGEST_LINE,
            "characters",
            "the line is skipped, and counted in `skipped`",
        ),
    ]
}

fn commands() -> Vec<Limit> {
    let (shell, background) = (ShellPolicy::default(), BackgroundPolicy::default());
    vec![
        policy(
            "shell.time",
            shell.timeout_ms,
            "ms",
            "shell.timeoutMs",
            "everything that the command started is killed",
        ),
        policy("shell.grace", shell.kill_grace_ms, "ms", "shell.killGraceMs", "SIGKILL after SIGTERM"),
        policy(
            "shell.output",
            shell.max_output_bytes,
            "bytes of each stream",
            "shell.maxOutputBytes",
            "both ends are kept, and what is left out is said",
        ),
        policy(
            "background.jobs",
            background.max_jobs,
            "jobs at once",
            "shell.background.maxJobs",
            "too-many",
        ),
        policy(
            "background.time",
            background.timeout_ms,
            "ms",
            "shell.background.timeoutMs",
            "the job is killed",
        ),
        fixed_at("background.ended", jobs::ENDED, "jobs", "the oldest ended job is forgotten"),
        call(
            "shell_output.wait",
            bounds::LONGEST_WAIT_MS,
            "ms",
            "waitMs",
            "the call answers with what there is",
        ),
        fixed_at("shell.line", pinfold_shell::argv::MAX_LINE_BYTES, "bytes", "denied-command"),
        fixed_at("shell.nesting", pinfold_shell::line::MAX_DEPTH, "levels", "denied-command"),
        fixed_at("shell.commands", pinfold_shell::line::MAX_COMMANDS, "commands in a line", "denied-command"),
    ]
}

fn env_dialect() -> Vec<Limit> {
    let env = EnvPolicy::default();
    vec![
        policy(
            "env.file",
            env.max_file_bytes,
            "bytes",
            "envDialect.maxFileBytes",
            "a read is cut, and `truncated` is true; a write or an edit is too-large",
        ),
        policy(
            "env.command",
            env.max_command_chars,
            "characters",
            "envDialect.maxCommandChars",
            "bad-arguments",
        ),
        policy(
            "env.time",
            env.exec_timeout_ms,
            "ms, if the call does not say",
            "envDialect.execTimeoutMs",
            "everything that the command started is killed",
        ),
        policy(
            "env.output",
            env.max_output_bytes,
            "bytes of each stream",
            "envDialect.maxOutputBytes",
            "the beginning is kept; `stdoutTruncated` or `stderrTruncated` is true",
        ),
        policy(
            "env.matches",
            env.max_matches,
            "matches, if the call does not say",
            "envDialect.maxMatches",
            "the rest is left out; `truncated` is true",
        ),
        policy(
            "env.preview",
            env.max_bytes_per_match,
            "bytes of each text in a match, if the call does not say",
            "envDialect.maxBytesPerMatch",
            "the text is cut; `lineTextTruncated` or `matchTextTruncated` is true",
        ),
    ]
}

fn fixed() -> Vec<Limit> {
    vec![
        fixed_at(
            "search.ignoreFiles",
            ignores::MOST_BYTES_IN_ALL,
            "bytes of .gitignore and .ignore files in a search",
            "the rest hides nothing",
        ),
        fixed_at("edit.edits", bounds::MOST_EDITS, "edits in a call", "bad-arguments"),
        fixed_at("edit.places", text::search::MOST, "places replaced", "too-large"),
        fixed_at(
            "edit.diff",
            text::diff::MOST_LINES,
            "lines of a file's diff",
            "the rest is left out, and said so",
        ),
        fixed_at(
            "edit.files",
            pinfold_jail::snapshot::bundle::MOST_PARTS,
            "files changed together",
            "bad-arguments",
        ),
        fixed_at("todo.items", todos::MOST_TODOS, "items", "bad-arguments"),
        fixed_at("path.bytes", pinfold_jail::PATH_MAX, "bytes", "name-too-long"),
        fixed_at("path.links", pinfold_jail::MAX_LINKS, "links followed", "other"),
        fixed_at(
            "tree.depth",
            pinfold_jail::tree::MAX_DEPTH,
            "levels",
            "what lies deeper is reported as unreadable",
        ),
        fixed_at("policy.own-file", super::own_file::MAX_BYTES, "bytes", "bad-policy"),
    ]
}

fn policy(
    id: &'static str,
    value: impl Serialize,
    unit: &'static str,
    field: &'static str,
    beyond: &'static str,
) -> Limit {
    Limit { id, class: Class::Policy, value: shown(value), unit, moved_by: Some(field), beyond }
}

fn call(
    id: &'static str,
    value: impl Serialize,
    unit: &'static str,
    argument: &'static str,
    beyond: &'static str,
) -> Limit {
    Limit { id, class: Class::Call, value: shown(value), unit, moved_by: Some(argument), beyond }
}

fn fixed_at(id: &'static str, value: impl Serialize, unit: &'static str, beyond: &'static str) -> Limit {
    Limit { id, class: Class::Fixed, value: shown(value), unit, moved_by: None, beyond }
}

fn shown(value: impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_the_table_are_fields_of_the_policy() {
        let schema = crate::policy::schema::plain_schema();
        for limit in limits().iter().filter(|limit| limit.class == Class::Policy) {
            let field = limit.moved_by.unwrap();
            let found = field.split('.').try_fold(schema.clone(), |here, name| {
                let fields = crate::policy::schema::properties(&here);
                fields.into_iter().find(|(own, _)| own == name).map(|(_, value)| value)
            });
            assert!(found.is_some(), "{field}");
        }
    }

    #[test]
    fn names_are_there_once() {
        let mut ids: Vec<&str> = limits().iter().map(|limit| limit.id).collect();
        ids.sort_unstable();
        let count = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }
}
