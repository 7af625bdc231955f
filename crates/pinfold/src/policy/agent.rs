//! The policy that an agent gets when its operator wrote none.

use std::path::PathBuf;

use super::{AllowEntry, Policy, ReadPolicy, SearchPolicy, ShellPolicy, own_file};

/// Names that hold secrets in most projects and homes: nothing may read, write, find or list them. A name without a
/// slash counts at any depth, and a directory with all that is in it. `!` makes an exception.
pub const SECRET_PATHS: &[&str] = &[
    // Settings of one machine, which is where passwords are put. What is checked in as an example is not secret.
    ".env*",
    "!.env.example",
    "!.env.sample",
    "!.env.template",
    "!.env.dist",
    // Private keys and stores of keys.
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ecdsa_sk",
    "id_ed25519",
    "id_ed25519_sk",
    "*.pem",
    "*.key",
    "*.ppk",
    "*.p8",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    ".ssh",
    ".gnupg",
    // Accounts: clouds, registries, hosts, databases.
    ".aws",
    ".azure",
    ".kube",
    "**/gcloud/credentials.db",
    "application_default_credentials.json",
    "**/.docker/config.json",
    ".dockercfg",
    ".netrc",
    "_netrc",
    ".git-credentials",
    ".npmrc",
    ".pypirc",
    "**/.cargo/credentials",
    "**/.cargo/credentials.toml",
    "**/.gem/credentials",
    "credentials.tfrc.json",
    ".vault-token",
    ".pgpass",
    ".my.cnf",
    ".htpasswd",
];

/// Where a write becomes a command that git runs later: hooks, filters, the pager of a repository and of those in it.
const GIT_PATHS: &[&str] = &["**/.git/**", ".git/**"];

/// Where a write becomes a command that the agent's own client, or an editor, runs at its next start: the servers and
/// tasks that it is to start, and the hooks and permissions of its agent.
pub const CLIENT_PATHS: &[&str] = &[
    ".mcp.json",
    "**/.claude/settings*.json",
    "**/.codex/**",
    "**/.cursor/mcp.json",
    "**/.vscode/mcp.json",
    "**/.vscode/tasks.json",
    "**/.vscode/settings.json",
    "**/.zed/settings.json",
    "**/.zed/tasks.json",
    "**/.gemini/settings.json",
    "opencode.json",
    "opencode.jsonc",
];

/// What programs need from the environment to find themselves, and nothing that holds a secret.
const INHERITED_NAMES: &[&str] =
    &["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "USER", "CARGO_HOME", "RUSTUP_HOME"];

/// Programs must not page, ask or draw: nobody sits before them.
const SET_NAMES: &[(&str, &str)] =
    &[("PAGER", "cat"), ("GIT_PAGER", "cat"), ("GIT_TERMINAL_PROMPT", "0"), ("TERM", "dumb")];

/// A model pays for every line that it is shown.
const MAX_READ_BYTES: u64 = 50 * 1024;
const MAX_OUTPUT_BYTES: usize = 30_000;

impl Policy {
    /// The policy for an agent that works in `dir`, an absolute path: it reads and writes there, but writes nothing
    /// into a git folder nor into the root's own `pinfold.toml` nor into [`CLIENT_PATHS`], reaches none of
    /// [`SECRET_PATHS`], and runs nothing.
    pub fn for_agent(dir: impl Into<PathBuf>) -> Policy {
        Policy {
            deny_paths: owned(SECRET_PATHS),
            deny_write_paths: [owned(GIT_PATHS), vec![own_file::FILE_NAME.to_owned()], owned(CLIENT_PATHS)]
                .concat(),
            read: ReadPolicy { max_bytes: Some(MAX_READ_BYTES), ..ReadPolicy::default() },
            search: SearchPolicy { gitignore: true, ignore: owned(&[".git"]), ..SearchPolicy::default() },
            ..Policy::new(dir)
        }
    }

    /// The same, and the programs of these names may run: with few environment variables, none of which holds a secret
    /// by its purpose, and 30,000 bytes of each output stream.
    #[must_use]
    pub fn allow<S: Into<String>>(mut self, programs: impl IntoIterator<Item = S>) -> Policy {
        self.shell = Some(ShellPolicy {
            allow: Some(programs.into_iter().map(|name| AllowEntry::from(name.into())).collect()),
            inherit_env: owned(INHERITED_NAMES),
            env: SET_NAMES.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            max_output_bytes: MAX_OUTPUT_BYTES,
            ..ShellPolicy::default()
        });
        self
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_names_nothing_runs() {
        let policy = Policy::for_agent("/srv/app");
        assert_eq!(policy.shell, None);
        assert_eq!(policy.read.max_bytes, Some(51_200));
        assert!(policy.deny_write_paths.iter().any(|glob| glob == ".git/**"));
    }

    #[test]
    fn with_names_nothing_else_runs() {
        let shell = Policy::for_agent("/srv/app").allow(["git", "cargo"]).shell.unwrap();
        assert_eq!(shell.allow, Some(vec!["git".into(), "cargo".into()]));
        assert_eq!(shell.env["GIT_PAGER"], "cat");
        assert_eq!(shell.max_output_bytes, 30_000);
    }

    #[test]
    fn an_exception_comes_after_what_it_is_an_exception_from() {
        let first = SECRET_PATHS.iter().position(|glob| glob.starts_with('!')).unwrap();
        assert_eq!(SECRET_PATHS[..first], [".env*"]);
    }

    #[test]
    fn survives_a_policy_file() {
        let policy = Policy::for_agent("/srv/app").allow(["git"]);
        assert_eq!(Policy::from_json(&serde_json::to_string(&policy).unwrap()).unwrap(), policy);
        assert_eq!(Policy::from_toml(&toml::to_string(&policy).unwrap()).unwrap(), policy);
    }
}
