//! What a workspace may do: the policy as its operator writes it.
//!
//! Fields carry the names of the policy file: camelCase, or snake_case. An unknown field is an error, and so is a field
//! that this version cannot enforce yet: a rule that is read but not kept would be worse than none.

pub mod agent;
mod entries;
mod env_dialect;
pub mod file;
pub mod limits;
pub mod lint;
mod mistake;
pub(crate) mod nearest;
pub mod own_file;
mod record;
mod rules;
pub mod schema;

use std::{collections::BTreeMap, path::PathBuf};

pub use env_dialect::EnvPolicy;
pub use pinfold_shell::{AllowCommand, AllowEntry, Answer, CommandContext, DenyPattern};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The whole policy. [`Policy::new`] allows reading and writing below one directory, and no command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Policy {
    /// The root of the workspace: an absolute path to a directory, which may be reached through links. A file may leave
    /// it out when its reader knows the root; an empty one opens nothing.
    #[serde(default, deserialize_with = "entries::one::<_, entries::Root, _>")]
    pub cwd: PathBuf,
    /// More directories that may be read, never written. Absolute paths. Default: none.
    #[serde(
        default,
        alias = "allow_paths",
        deserialize_with = "entries::list::<_, entries::AbsolutePath, _>"
    )]
    pub allow_paths: Vec<PathBuf>,
    /// Globs (`*`, `**`, `?`, a leading `!` for an exception) that nothing may reach, in `cwd` and in every one of
    /// `allow_paths`. Default: none.
    #[serde(default, alias = "deny_paths", deserialize_with = "entries::list::<_, entries::DenyGlob, _>")]
    pub deny_paths: Vec<String>,
    /// Globs that may be read but not written. Default: none.
    #[serde(
        default,
        alias = "deny_write_paths",
        deserialize_with = "entries::list::<_, entries::DenyGlob, _>"
    )]
    pub deny_write_paths: Vec<String>,
    /// Which commands may run. Absent: none.
    #[serde(default, deserialize_with = "entries::optional_section")]
    pub shell: Option<ShellPolicy>,
    /// How `run_tests` runs the tests.
    #[serde(default, deserialize_with = "entries::section")]
    pub tests: TestsPolicy,
    /// Bounds of `read_file`.
    #[serde(default, deserialize_with = "entries::section")]
    pub read: ReadPolicy,
    /// Bounds of `list_dir`.
    #[serde(default, deserialize_with = "entries::section")]
    pub list: ListPolicy,
    /// Bounds of `grep` and `glob`.
    #[serde(default, deserialize_with = "entries::section")]
    pub search: SearchPolicy,
    /// Limits of the tools of the *env* dialect.
    #[serde(default, alias = "env_dialect", deserialize_with = "entries::section")]
    pub env_dialect: EnvPolicy,
    /// Where the files are. Default: the local disk.
    #[serde(default)]
    pub backend: BackendKind,
    /// Nothing may be changed and no command run. Default: false.
    #[serde(default, alias = "read_only")]
    pub read_only: bool,
}

/// Where a workspace's files are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BackendKind {
    /// The local disk, through the jail.
    #[default]
    Local,
    /// A map in memory: no disk, no process. `mock` is another word for it.
    #[serde(alias = "mock")]
    Memory,
}

/// Which commands may run, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "record::ShellRecord", rename_all = "camelCase")]
#[schemars(!from, default, deny_unknown_fields)]
pub struct ShellPolicy {
    /// Executables by basename, exactly, or by path from the root (`./gradlew`); with a list, nothing else runs. An entry
    /// of a file may also be a table `{name, matches, misses}` with examples. Absent: whatever `deny` does not name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<schema::AllowEntrySchema>")]
    pub allow: Option<Vec<AllowEntry>>,
    /// Executables by basename, in any letter case. Wins over `allow`. Default: none.
    pub deny: Vec<String>,
    /// Uses of programs that are denied, wherever in a line they stand: the words that a command begins with, or
    /// `{regex = "…"}`, tried on the words joined by single spaces; with examples as above. Default: none.
    #[schemars(with = "Vec<schema::DenyPatternSchema>")]
    pub deny_patterns: Vec<DenyPattern>,
    /// A function of the host, asked about every command that the other rules allow. Not in files. Default: none.
    #[serde(skip)]
    pub allow_command: Option<AllowCommand>,
    /// What reads a command line: nothing but our own splitting into words, or `/bin/sh`. Default: none.
    pub interpreter: Interpreter,
    /// What a name with a slash in it means to the rules. Default: basename.
    pub resolve: Resolve,
    /// Options that hold a command (`sort --compress-program`, `git -c core.pager=…`, the `e` of sed, …) are judged like
    /// one, while there is an allow list or anything is denied. Default: true.
    pub argument_table: bool,
    /// Names of environment variables that a command inherits. Of `PATH` it inherits the absolute directories outside
    /// the workspace, whether it comes from here or from `env`: a program that an agent wrote must not stand in for
    /// another one. Default: none.
    pub inherit_env: Vec<String>,
    /// Environment variables that every command gets, over inherited ones. Default: none.
    pub env: BTreeMap<String, String>,
    /// How long a command may run, in milliseconds; a call can only ask for less. Default: 120,000.
    pub timeout_ms: u64,
    /// Bytes kept of each output stream. Default: 1,048,576.
    pub max_output_bytes: usize,
    /// Which of them, when there are more. Default: both ends.
    pub keep_output: KeepOutput,
    /// Where all of a stream is kept that is longer than `max_output_bytes`, to be read back with `read_file` and `grep`.
    /// Absent: nowhere, and what does not fit is counted and dropped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spill: Option<SpillPolicy>,
    /// Output is shown without escape sequences, and of a line that a progress bar has drawn over only the last state. What
    /// is kept elsewhere stays as it was written. Default: false.
    pub plain_output: bool,
    /// Whether commands may be left running in the background: `true`, or a table with its limits. Of such a command the
    /// newest `max_output_bytes` are kept, both streams together. Absent: none may.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "schema::BackgroundSchema")]
    pub background: Option<BackgroundPolicy>,
    /// Milliseconds after which `run_shell` lets a command go on in the background by itself, where `background` allows that:
    /// many clients give up a call after 60 s. 0: never. Default: 45,000.
    pub foreground_ms: u64,
    /// Milliseconds between SIGTERM and SIGKILL when a command's time is up; 0 sends SIGKILL at once. Default: 0.
    pub kill_grace_ms: u64,
}

impl Default for ShellPolicy {
    fn default() -> Self {
        ShellPolicy {
            allow: None,
            deny: Vec::new(),
            deny_patterns: Vec::new(),
            allow_command: None,
            interpreter: Interpreter::default(),
            resolve: Resolve::default(),
            argument_table: true,
            inherit_env: Vec::new(),
            env: BTreeMap::new(),
            timeout_ms: 120_000,
            max_output_bytes: 1_048_576,
            keep_output: KeepOutput::default(),
            spill: None,
            plain_output: false,
            background: None,
            foreground_ms: 45_000,
            kill_grace_ms: 0,
        }
    }
}

/// Where output that is too long is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SpillPolicy {
    /// A directory outside the workspace's root, as an absolute path; it is made, for this user alone, if it is not there. It
    /// becomes a root that may be read and never written, under the same deny rules as the others.
    #[serde(deserialize_with = "entries::one::<_, entries::AbsolutePath, _>")]
    pub dir: PathBuf,
    /// Bytes of all files together; beyond that the oldest go. Default: 268,435,456.
    #[serde(alias = "max_bytes", default = "SpillPolicy::default_bytes")]
    pub max_bytes: u64,
    /// Bytes of one file; what comes later is left out. Default: 67,108,864.
    #[serde(alias = "max_file_bytes", default = "SpillPolicy::default_file_bytes")]
    pub max_file_bytes: u64,
    /// Milliseconds that a file stays. Default: 10,800,000, which is three hours.
    #[serde(alias = "max_age_ms", default = "SpillPolicy::default_age_ms")]
    pub max_age_ms: u64,
}

impl SpillPolicy {
    /// This directory, with the default bounds.
    pub fn at(dir: impl Into<PathBuf>) -> SpillPolicy {
        SpillPolicy {
            dir: dir.into(),
            max_bytes: SpillPolicy::default_bytes(),
            max_file_bytes: SpillPolicy::default_file_bytes(),
            max_age_ms: SpillPolicy::default_age_ms(),
        }
    }

    fn default_bytes() -> u64 {
        268_435_456
    }

    fn default_file_bytes() -> u64 {
        67_108_864
    }

    fn default_age_ms() -> u64 {
        10_800_000
    }
}

/// Commands in the background.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct BackgroundPolicy {
    /// How many may run at once. Default: 4.
    #[serde(alias = "max_jobs")]
    pub max_jobs: usize,
    /// Milliseconds after which one is killed; a call can only ask for less. Default: no limit.
    #[serde(alias = "timeout_ms", skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

impl Default for BackgroundPolicy {
    fn default() -> Self {
        BackgroundPolicy { max_jobs: 4, timeout_ms: None }
    }
}

/// Which part of an output stream is kept when it is longer than `maxOutputBytes`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum KeepOutput {
    /// A fifth from the beginning and four fifths from the end, with a line between that says how much is left out; of
    /// a limit below 1,024 bytes only the beginning.
    #[default]
    Ends,
    /// The beginning.
    Head,
}

impl From<KeepOutput> for pinfold_exec::Keep {
    fn from(keep: KeepOutput) -> Self {
        match keep {
            KeepOutput::Ends => pinfold_exec::Keep::Ends,
            KeepOutput::Head => pinfold_exec::Keep::Head,
        }
    }
}

/// What reads the command lines of `run_shell`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Interpreter {
    /// No shell: a line is one program with its arguments.
    #[default]
    None,
    /// `/bin/sh`: pipes, `&&`, redirections and `cd` work, as far as every part of the line is judged before the shell
    /// sees it. What shells read differently is refused. `run_tests` goes on without a shell.
    Sh,
}

/// What a program's name with a slash in it means to the rules.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Resolve {
    /// It counts by its last component: `./gradlew`, `venv/bin/python3`, `/usr/bin/git` are `gradlew`, `python3`, `git`.
    #[default]
    Basename,
    /// The same, but a program inside the workspace, which the agent may have written, runs only if the allow list has
    /// that very path.
    Strict,
}

/// How `run_tests` runs the tests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct TestsPolicy {
    /// The command, such as `make test`; what is in `shell` judges it like any other, together with the pattern that
    /// a call appends. Absent: the runner that the files in the root point to, if `shell` allows it. Default: none.
    #[serde(deserialize_with = "entries::optional::<_, entries::CommandLine>")]
    pub command: Option<String>,
}

/// Bounds of `read_file`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadPolicy {
    /// Lines of a window when the call does not say. Default: 2,000.
    #[serde(alias = "default_lines")]
    pub default_lines: u64,
    /// Bytes of the returned content, line numbers included. Default: no cap.
    #[serde(alias = "max_bytes")]
    pub max_bytes: Option<u64>,
    /// Bytes of the largest file that is read or edited. An edit holds the file twice. Default: 1 GiB.
    #[serde(alias = "max_file_bytes")]
    pub max_file_bytes: u64,
    /// Bytes of the largest image that is shown; 0 shows none. Default: 3,932,160, which is 5 MiB in base64.
    #[serde(alias = "max_image_bytes")]
    pub max_image_bytes: u64,
}

impl Default for ReadPolicy {
    fn default() -> Self {
        ReadPolicy {
            default_lines: 2_000,
            max_bytes: None,
            max_file_bytes: 1 << 30,
            max_image_bytes: 3_932_160,
        }
    }
}

/// Bounds of `list_dir`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct ListPolicy {
    /// Globs of what a listing leaves out. They hide, they do not block. Default: `node_modules`, `.git`.
    #[serde(deserialize_with = "entries::list::<_, entries::PlainGlob, _>")]
    pub ignore: Vec<String>,
    /// The deepest level of a listing. Default: 5.
    #[serde(alias = "max_depth")]
    pub max_depth: u32,
    /// The most entries of a listing. Default: 500.
    #[serde(alias = "max_entries")]
    pub max_entries: usize,
}

impl Default for ListPolicy {
    fn default() -> Self {
        ListPolicy { ignore: vec!["node_modules".into(), ".git".into()], max_depth: 5, max_entries: 500 }
    }
}

/// Bounds of `grep` and `glob`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchPolicy {
    /// Characters of the longest pattern. Default: 200.
    #[serde(alias = "max_pattern_chars")]
    pub max_pattern_chars: usize,
    /// Whether a pattern may repeat a repetition, as in `(a+)+`. Ours is linear either way. Default: refuse.
    #[serde(alias = "nested_quantifiers")]
    pub nested_quantifiers: NestedQuantifiers,
    /// `grep`, `glob` and `list_dir` pass over what `.gitignore` and `.ignore` files of the workspace name, and count it.
    /// It hides, it does not block. Not in the *env* dialect. Default: false; `pinfold mcp` without a policy file: true.
    pub gitignore: bool,
    /// More lines of that kind, which count from the root. Default: none; `pinfold mcp` without a policy file: `.git`.
    #[serde(deserialize_with = "entries::list::<_, entries::IgnoreLine, _>")]
    pub ignore: Vec<String>,
}

impl Default for SearchPolicy {
    fn default() -> Self {
        let (gitignore, ignore) = Default::default();
        SearchPolicy {
            max_pattern_chars: 200,
            nested_quantifiers: NestedQuantifiers::Refuse,
            gitignore,
            ignore,
        }
    }
}

/// What to do with a pattern that repeats a repetition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NestedQuantifiers {
    /// Refuse it as `unsafe-pattern`, as engines that backtrack have to.
    #[default]
    Refuse,
    /// Search with it: this engine takes linear time on every pattern.
    Allow,
}

impl Policy {
    /// A policy that allows reading and writing below `cwd`, and runs nothing.
    pub fn new(cwd: impl Into<PathBuf>) -> Policy {
        Policy {
            cwd: cwd.into(),
            allow_paths: Vec::new(),
            deny_paths: Vec::new(),
            deny_write_paths: Vec::new(),
            shell: None,
            tests: TestsPolicy::default(),
            read: ReadPolicy::default(),
            list: ListPolicy::default(),
            search: SearchPolicy::default(),
            env_dialect: EnvPolicy::default(),
            backend: BackendKind::default(),
            read_only: false,
        }
    }
}
