//! A workspace's own `pinfold.toml`: it may narrow the operator's policy, and can never widen it.
//!
//! Whoever can write into a workspace can write this file, an agent among them. So it has only fields that take
//! something away, and each is combined with the operator's in the way that keeps the stricter of both.

use std::{collections::BTreeSet, path::PathBuf};

use pinfold_jail::{Access, Ask, ErrorKind, Jail, JailError, Last, Resolver, Root};
use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny},
};

use super::{
    AllowCommand, AllowEntry, Answer, BackendKind, BackgroundPolicy, DenyPattern, EnvPolicy, Interpreter,
    NestedQuantifiers, Policy, Resolve, ShellPolicy,
    entries::{self, DenyGlob, Entry},
    file::Format,
    record,
};
use crate::{Failure, FailureType};

/// Where it is looked for, in the root.
pub const FILE_NAME: &str = "pinfold.toml";

/// Bytes of the largest that is read.
pub(super) const MAX_BYTES: u64 = 1 << 20;

/// What a workspace's own file says. Every field is optional; absent, it changes nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct OwnFile {
    /// Of the operator's `allowPaths` only these.
    #[serde(alias = "allow_paths", deserialize_with = "entries::given_list::<_, entries::AbsolutePath, _>")]
    allow_paths: Option<Vec<PathBuf>>,
    /// More of `denyPaths`.
    #[serde(alias = "deny_paths", deserialize_with = "entries::list::<_, Narrowing, _>")]
    deny_paths: Vec<String>,
    /// More of `denyWritePaths`.
    #[serde(alias = "deny_write_paths", deserialize_with = "entries::list::<_, Narrowing, _>")]
    deny_write_paths: Vec<String>,
    #[serde(alias = "read_only")]
    read_only: bool,
    #[serde(deserialize_with = "entries::section")]
    shell: OwnShell,
    #[serde(deserialize_with = "entries::section")]
    read: OwnRead,
    #[serde(deserialize_with = "entries::section")]
    list: OwnList,
    #[serde(deserialize_with = "entries::section")]
    search: OwnSearch,
    #[serde(alias = "env_dialect", deserialize_with = "entries::section")]
    env_dialect: OwnEnvDialect,
    #[serde(deserialize_with = "operators")]
    cwd: (),
    #[serde(deserialize_with = "operators")]
    backend: (),
    #[serde(deserialize_with = "operators")]
    tests: (),
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct OwnShell {
    allow: Option<Vec<AllowEntry>>,
    #[serde(deserialize_with = "entries::list::<_, entries::DeniedProgram, _>")]
    deny: Vec<String>,
    #[serde(alias = "deny_patterns")]
    deny_patterns: Vec<DenyPattern>,
    resolve: Option<Resolve>,
    interpreter: Option<Interpreter>,
    #[serde(alias = "argument_table")]
    argument_table: bool,
    #[serde(alias = "inherit_env", deserialize_with = "entries::given_list::<_, entries::VariableName, _>")]
    inherit_env: Option<Vec<String>>,
    #[serde(alias = "timeout_ms")]
    timeout_ms: Option<u64>,
    #[serde(alias = "max_output_bytes")]
    max_output_bytes: Option<usize>,
    #[serde(alias = "kill_grace_ms")]
    kill_grace_ms: Option<u64>,
    /// Absent, it changes nothing; `false` takes background commands away.
    #[serde(deserialize_with = "background")]
    background: Option<Option<BackgroundPolicy>>,
    #[serde(deserialize_with = "operators")]
    env: (),
    #[serde(deserialize_with = "operators")]
    spill: (),
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct OwnRead {
    #[serde(alias = "default_lines")]
    default_lines: Option<u64>,
    #[serde(alias = "max_bytes")]
    max_bytes: Option<u64>,
    #[serde(alias = "max_file_bytes")]
    max_file_bytes: Option<u64>,
    #[serde(alias = "max_image_bytes")]
    max_image_bytes: Option<u64>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct OwnList {
    #[serde(deserialize_with = "entries::list::<_, Narrowing, _>")]
    ignore: Vec<String>,
    #[serde(alias = "max_depth")]
    max_depth: Option<u32>,
    #[serde(alias = "max_entries")]
    max_entries: Option<usize>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct OwnSearch {
    #[serde(alias = "max_pattern_chars")]
    max_pattern_chars: Option<usize>,
    #[serde(alias = "nested_quantifiers")]
    nested_quantifiers: Option<NestedQuantifiers>,
    gitignore: Option<bool>,
    #[serde(deserialize_with = "entries::list::<_, Narrowing, _>")]
    ignore: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct OwnEnvDialect {
    #[serde(alias = "max_file_bytes")]
    max_file_bytes: Option<u64>,
    #[serde(alias = "max_command_chars")]
    max_command_chars: Option<usize>,
    #[serde(alias = "exec_timeout_ms")]
    exec_timeout_ms: Option<u64>,
    #[serde(alias = "max_output_bytes")]
    max_output_bytes: Option<usize>,
    #[serde(alias = "max_matches")]
    max_matches: Option<usize>,
    #[serde(alias = "max_bytes_per_match")]
    max_bytes_per_match: Option<usize>,
}

impl Policy {
    /// This policy, narrowed by the workspace's own `pinfold.toml`, if its root has one. It is read through the jail:
    /// one that is a link out of the workspace is refused.
    ///
    /// # Errors
    /// `bad-policy` when the file cannot be read, or asks for something that only the operator may decide.
    pub fn narrowed_by_workspace(self) -> Result<Policy, Failure> {
        if self.backend != BackendKind::Local {
            return Ok(self);
        }
        match self.own_file_text() {
            Ok(None) => Ok(self),
            Ok(Some(text)) => OwnFile::from_toml(&text).map(|own| self.narrowed(own)),
            Err(error) => Err(Failure::new(
                FailureType::BadPolicy,
                format!("The workspace's own policy cannot be read: {error}."),
            )
            .hint(format!("Make `{FILE_NAME}` a plain text file inside the workspace, or remove it."))),
        }
        .map_err(|failure| failure.at(FILE_NAME))
    }

    fn own_file_text(&self) -> Result<Option<String>, JailError> {
        let found = Root::open(&self.cwd, Access::ReadOnly).and_then(|root| {
            let jail = Jail::new(root, Resolver::Best);
            let asked = Ask { name: FILE_NAME.as_ref(), last: Last::Follow, lossy: false };
            jail.resolve(asked).map_err(|no| no.error)?.snapshot(MAX_BYTES)
        });
        match found {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            // Bytes that are no text cannot be a policy either; the parser says so, and where.
            found => Ok(found?.content().map(|bytes| String::from_utf8_lossy(bytes).into_owned())),
        }
    }

    /// The stricter of both, field by field: lists of what is allowed are intersected, lists of what is denied united,
    /// of numbers the smaller holds.
    fn narrowed(mut self, own: OwnFile) -> Policy {
        if let Some(paths) = own.allow_paths {
            self.allow_paths.retain(|path| paths.contains(path));
        }
        self.deny_paths.extend(own.deny_paths);
        self.deny_write_paths.extend(own.deny_write_paths);
        self.read_only |= own.read_only;
        self.shell = self.shell.map(|shell| shell.narrowed(own.shell));
        let OwnRead { default_lines, max_bytes, max_file_bytes, max_image_bytes } = own.read;
        lower(&mut self.read.default_lines, default_lines);
        lower(&mut self.read.max_file_bytes, max_file_bytes);
        lower(&mut self.read.max_image_bytes, max_image_bytes);
        self.read.max_bytes = self.read.max_bytes.into_iter().chain(max_bytes).min();
        self.list.ignore.extend(own.list.ignore);
        lower(&mut self.list.max_depth, own.list.max_depth);
        lower(&mut self.list.max_entries, own.list.max_entries);
        lower(&mut self.search.max_pattern_chars, own.search.max_pattern_chars);
        if own.search.nested_quantifiers == Some(NestedQuantifiers::Refuse) {
            self.search.nested_quantifiers = NestedQuantifiers::Refuse;
        }
        self.search.gitignore |= own.search.gitignore == Some(true);
        self.search.ignore.extend(own.search.ignore);
        self.env_dialect.narrow(&own.env_dialect);
        self
    }
}

impl EnvPolicy {
    fn narrow(&mut self, own: &OwnEnvDialect) {
        lower(&mut self.max_file_bytes, own.max_file_bytes);
        lower(&mut self.max_command_chars, own.max_command_chars);
        lower(&mut self.exec_timeout_ms, own.exec_timeout_ms);
        lower(&mut self.max_output_bytes, own.max_output_bytes);
        lower(&mut self.max_matches, own.max_matches);
        lower(&mut self.max_bytes_per_match, own.max_bytes_per_match);
    }
}

impl ShellPolicy {
    fn narrowed(mut self, own: OwnShell) -> ShellPolicy {
        match (&self.allow, own.allow) {
            (_, None) => {}
            (Some(mine), Some(own)) => self.allow = Some(both_allow(mine, own, self.resolve)),
            (None, Some(own)) => self.allow_command = Some(only(own, self.allow_command.take())),
        }
        if let Some(names) = own.inherit_env {
            self.inherit_env.retain(|name| names.contains(name));
        }
        self.deny.extend(own.deny);
        self.deny_patterns.extend(own.deny_patterns);
        self.argument_table |= own.argument_table;
        if own.resolve == Some(Resolve::Strict) {
            self.resolve = Resolve::Strict;
        }
        if own.interpreter == Some(Interpreter::None) {
            self.interpreter = Interpreter::None;
        }
        lower(&mut self.timeout_ms, own.timeout_ms);
        lower(&mut self.max_output_bytes, own.max_output_bytes);
        lower(&mut self.kill_grace_ms, own.kill_grace_ms);
        if let Some(own) = own.background {
            self.background = self.background.zip(own).map(|(mine, own)| mine.narrowed(&own));
        }
        self
    }
}

impl BackgroundPolicy {
    fn narrowed(mut self, own: &BackgroundPolicy) -> BackgroundPolicy {
        lower(&mut self.max_jobs, Some(own.max_jobs));
        self.timeout_ms = self.timeout_ms.into_iter().chain(own.timeout_ms).min();
        self
    }
}

/// What is there was asked for, `false` too.
fn background<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<BackgroundPolicy>>, D::Error> {
    record::background(from).map(Some)
}

/// What both lists allow. A name allows every path that ends in it, so of a name and such a path the path is left.
fn both_allow(mine: &[AllowEntry], own: Vec<AllowEntry>, resolve: Resolve) -> Vec<AllowEntry> {
    let names =
        |entries: &[AllowEntry]| entries.iter().map(|entry| entry.name.clone()).collect::<BTreeSet<_>>();
    let (my_names, own_names) = (names(mine), names(&own));
    let mut both: Vec<AllowEntry> =
        mine.iter().filter(|entry| named(&own_names, &entry.name)).cloned().collect();
    let listed = names(&both);
    // To strict rules a path in the list is more than its name: it opens a file that the agent may have written.
    let opens = |name: &str| resolve == Resolve::Strict && name.contains('/');
    both.extend(
        own.into_iter().filter(|AllowEntry { name, .. }| {
            !listed.contains(name) && named(&my_names, name) && !opens(name)
        }),
    );
    both
}

/// Where the operator has no list, what a list would change beside the names must not change: shells, for one, may run
/// once they are on a list. So the workspace's names are asked as a host is, who can only refuse.
fn only(own: Vec<AllowEntry>, hosts: Option<AllowCommand>) -> AllowCommand {
    let names: BTreeSet<String> = own.into_iter().map(|entry| entry.name).collect();
    let told = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let ask = AllowCommand::new(move |argv, _context| match argv.first() {
        Some(name) if named(&names, name) => Answer::Allow,
        _ => Answer::Refuse(format!("The workspace's own `{FILE_NAME}` allows only: {told}.")),
    });
    match hosts {
        Some(hosts) => hosts.and(ask),
        None => ask,
    }
}

/// Whether `names` has this name, or the last component of this path.
fn named(names: &BTreeSet<String>, name: &str) -> bool {
    let last = name.rsplit_once('/').map_or(name, |(_, last)| last);
    names.contains(name) || names.contains(last)
}

fn lower<T: Ord>(mine: &mut T, own: Option<T>) {
    if let Some(own) = own.filter(|own| own < mine) {
        *mine = own;
    }
}

impl OwnFile {
    /// Reads the text of a workspace's own file.
    ///
    /// # Errors
    /// `bad-policy`, with the place in the text.
    pub fn from_toml(text: &str) -> Result<OwnFile, Failure> {
        super::file::parse(text, Format::Toml)
    }
}

/// A field that is the operator's alone.
fn operators<'de, D: Deserializer<'de>>(from: D) -> Result<(), D::Error> {
    IgnoredAny::deserialize(from)?;
    Err(D::Error::custom(
        "only the operator's policy decides this; a workspace's own file can only narrow it",
    ))
}

/// A glob that opens nothing again that the operator closed.
enum Narrowing {}

impl Entry for Narrowing {
    const EXPECTED: &'static str = DenyGlob::EXPECTED;

    fn check(text: &str) -> Result<(), String> {
        if text.starts_with('!') {
            return Err(format!(
                "`{text}` is an exception, and a workspace's own file can only deny more: leave it out"
            ));
        }
        DenyGlob::check(text)
    }
}

#[cfg(test)]
mod tests;
