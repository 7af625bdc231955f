//! What a policy file may hold that [`ShellPolicy`] does not: rules that this version cannot keep.
//!
//! They are known by name, so that the file's author learns the truth about them and is not told that they do not
//! exist. A value that asks for nothing is accepted.

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, MapAccess, Visitor, value::MapAccessDeserializer},
};

use super::{
    AllowEntry, BackgroundPolicy, DenyPattern, Interpreter, KeepOutput, Resolve, ShellPolicy, SpillPolicy,
    entries,
};

/// The `shell` section as it is written.
#[derive(Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ShellRecord {
    #[serde(deserialize_with = "given")]
    allow: Option<Vec<AllowEntry>>,
    #[serde(deserialize_with = "entries::list::<_, entries::DeniedProgram, _>")]
    deny: Vec<String>,
    #[serde(alias = "deny_patterns")]
    deny_patterns: Vec<DenyPattern>,
    resolve: Resolve,
    #[serde(alias = "argument_table")]
    argument_table: bool,
    #[serde(alias = "inherit_env", deserialize_with = "entries::list::<_, entries::VariableName, _>")]
    inherit_env: Vec<String>,
    #[serde(deserialize_with = "entries::variables")]
    env: BTreeMap<String, String>,
    #[serde(alias = "timeout_ms")]
    timeout_ms: u64,
    #[serde(alias = "max_output_bytes")]
    max_output_bytes: usize,
    #[serde(alias = "keep_output")]
    keep_output: KeepOutput,
    spill: Option<SpillPolicy>,
    #[serde(alias = "plain_output")]
    plain_output: bool,
    #[serde(alias = "foreground_ms")]
    foreground_ms: u64,
    #[serde(alias = "kill_grace_ms")]
    kill_grace_ms: u64,
    #[serde(alias = "allow_command", deserialize_with = "allow_command")]
    allow_command: (),
    interpreter: Interpreter,
    #[serde(deserialize_with = "background")]
    background: Option<BackgroundPolicy>,
}

impl Default for ShellRecord {
    fn default() -> Self {
        let shell = ShellPolicy::default();
        ShellRecord {
            allow: shell.allow,
            deny: shell.deny,
            deny_patterns: shell.deny_patterns,
            resolve: shell.resolve,
            argument_table: shell.argument_table,
            inherit_env: shell.inherit_env,
            env: shell.env,
            timeout_ms: shell.timeout_ms,
            max_output_bytes: shell.max_output_bytes,
            keep_output: shell.keep_output,
            spill: shell.spill,
            plain_output: shell.plain_output,
            foreground_ms: shell.foreground_ms,
            kill_grace_ms: shell.kill_grace_ms,
            allow_command: (),
            interpreter: shell.interpreter,
            background: shell.background,
        }
    }
}

impl From<ShellRecord> for ShellPolicy {
    fn from(record: ShellRecord) -> Self {
        ShellPolicy {
            allow: record.allow,
            deny: record.deny,
            deny_patterns: record.deny_patterns,
            allow_command: None,
            interpreter: record.interpreter,
            resolve: record.resolve,
            argument_table: record.argument_table,
            inherit_env: record.inherit_env,
            env: record.env,
            timeout_ms: record.timeout_ms,
            max_output_bytes: record.max_output_bytes,
            keep_output: record.keep_output,
            spill: record.spill,
            plain_output: record.plain_output,
            background: record.background,
            foreground_ms: record.foreground_ms,
            kill_grace_ms: record.kill_grace_ms,
        }
    }
}

/// A list that is there is a list: null must not take a limit away.
fn given<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<AllowEntry>>, D::Error> {
    Vec::deserialize(from).map(Some)
}

/// A function cannot be written in a file. Null asks for none.
fn allow_command<'de, D: Deserializer<'de>>(from: D) -> Result<(), D::Error> {
    match Option::<IgnoredAny>::deserialize(from)? {
        None => Ok(()),
        Some(_) => Err(D::Error::custom(
            "this version cannot enforce `shell.allowCommand`, and refuses it rather than ignoring it",
        )),
    }
}

/// `true` for the default limits, `false` for none, or the limits.
pub(super) fn background<'de, D: Deserializer<'de>>(from: D) -> Result<Option<BackgroundPolicy>, D::Error> {
    struct Limits;

    impl<'de> Visitor<'de> for Limits {
        type Value = Option<BackgroundPolicy>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("true, false, or a table with `maxJobs` and `timeoutMs`")
        }

        fn visit_bool<E>(self, on: bool) -> Result<Self::Value, E> {
            Ok(on.then(BackgroundPolicy::default))
        }

        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
            BackgroundPolicy::deserialize(MapAccessDeserializer::new(map)).map(Some)
        }
    }

    from.deserialize_any(Limits)
}
