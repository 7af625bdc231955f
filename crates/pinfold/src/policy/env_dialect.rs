//! Limits of the tools of the *env* dialect.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Limits of the tools of [`crate::Dialect::Env`]. What else the policy says holds for them too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct EnvPolicy {
    /// Bytes of text that a read returns, and of the largest file that a write or an edit leaves. Default: 262,144.
    #[serde(alias = "max_file_bytes")]
    pub max_file_bytes: u64,
    /// Characters of the longest command, in units of UTF-16. Default: 2,000.
    #[serde(alias = "max_command_chars")]
    pub max_command_chars: usize,
    /// Milliseconds until a command is killed, if the call does not say; never more than `shell.timeoutMs`. Default:
    /// 30,000.
    #[serde(alias = "exec_timeout_ms")]
    pub exec_timeout_ms: u64,
    /// Bytes of each output stream that are kept, from its beginning; never more than `shell.maxOutputBytes`. Default:
    /// 16,384.
    #[serde(alias = "max_output_bytes")]
    pub max_output_bytes: usize,
    /// Matches of a search, if the call does not say. Default: 100.
    #[serde(alias = "max_matches")]
    pub max_matches: usize,
    /// Bytes of each text in a match, if the call does not say. Default: 4,096.
    #[serde(alias = "max_bytes_per_match")]
    pub max_bytes_per_match: usize,
}

impl Default for EnvPolicy {
    fn default() -> Self {
        EnvPolicy {
            max_file_bytes: 262_144,
            max_command_chars: 2_000,
            exec_timeout_ms: 30_000,
            max_output_bytes: 16_384,
            max_matches: 100,
            max_bytes_per_match: 4_096,
        }
    }
}
