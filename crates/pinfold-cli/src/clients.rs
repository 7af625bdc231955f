//! The clients that can be connected: where their settings are, and what one of their servers looks like in them.

mod merge;

use std::path::{Path, PathBuf};

use pinfold::{Failure, FailureType};
use serde_json::{Value, json};

pub(crate) use crate::arguments::Client;
use crate::{
    arguments::ServerArguments,
    place::{absolute, users_folder},
};
pub(crate) use merge::merge;

/// How settings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    /// JSON, with comments where the client takes them.
    Json,
    Toml,
}

/// How a client starts its working directory's server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Root {
    /// The client starts servers in the folder of the project.
    Here,
    /// The client puts the folder in the place of this.
    Variable,
    /// Nobody knows where it starts servers.
    Absolute,
}

/// One server in the settings of a client.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    /// The object that holds the servers: `mcpServers`.
    pub(crate) section: &'static str,
    pub(crate) name: String,
    /// What the server's object has to hold; other fields of it are left alone.
    pub(crate) fields: Vec<(&'static str, Value)>,
}

impl Client {
    /// As people call it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Client::ClaudeCode => "Claude Code",
            Client::ClaudeDesktop => "Claude Desktop",
            Client::Codex => "Codex",
            Client::Cursor => "Cursor",
            Client::VsCode => "VS Code",
            Client::Zed => "Zed",
            Client::Gemini => "Gemini CLI",
            Client::Opencode => "opencode",
        }
    }

    pub(crate) fn language(self) -> Language {
        if self == Client::Codex { Language::Toml } else { Language::Json }
    }

    /// The file of the project at `root`, or of the user.
    ///
    /// # Errors
    /// `bad-arguments` when the home directory is not known.
    pub(crate) fn file(self, root: &Path, user: bool) -> Result<PathBuf, Failure> {
        let projects = match self {
            Client::ClaudeCode => Some(".mcp.json"),
            Client::Cursor => Some(".cursor/mcp.json"),
            Client::VsCode => Some(".vscode/mcp.json"),
            Client::Gemini => Some(".gemini/settings.json"),
            Client::Opencode => Some("opencode.json"),
            Client::ClaudeDesktop | Client::Codex | Client::Zed => None,
        };
        match projects.filter(|_| !user) {
            Some(file) => Ok(root.join(file)),
            None => self.users_file(),
        }
    }

    fn users_file(self) -> Result<PathBuf, Failure> {
        let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = || {
            folder("HOME").ok_or_else(|| {
                Failure::new(FailureType::BadArguments, "The home directory is not known: HOME is not set.")
                    .hint("Name the settings with `--file`.")
            })
        };
        let config = || users_folder().and_then(|own| own.parent().map(Path::to_owned)).map_or_else(home, Ok);
        Ok(match self {
            Client::ClaudeCode => home()?.join(".claude.json"),
            Client::ClaudeDesktop => config()?.join("Claude/claude_desktop_config.json"),
            Client::Codex => folder("CODEX_HOME")
                .map_or_else(|| Ok(home()?.join(".codex")), Ok::<_, Failure>)?
                .join("config.toml"),
            Client::Cursor => home()?.join(".cursor/mcp.json"),
            Client::VsCode => config()?.join("Code/User/mcp.json"),
            Client::Zed => config()?.join("zed/settings.json"),
            Client::Gemini => home()?.join(".gemini/settings.json"),
            Client::Opencode => config()?.join("opencode/opencode.json"),
        })
    }

    fn root(self) -> Root {
        match self {
            Client::ClaudeCode | Client::Codex | Client::Gemini | Client::Opencode => Root::Here,
            Client::Cursor | Client::VsCode => Root::Variable,
            Client::ClaudeDesktop | Client::Zed => Root::Absolute,
        }
    }

    /// Whether its settings are those of one project, when `user` was not asked for.
    fn is_of_project(self) -> bool {
        !matches!(self, Client::ClaudeDesktop | Client::Codex | Client::Zed)
    }

    /// The server, as this client's settings hold it.
    ///
    /// # Errors
    /// `bad-arguments` when a path cannot be found.
    pub(crate) fn entry(self, server: &ServerArguments) -> Result<Entry, Failure> {
        let shared = self.is_of_project() && !server.user;
        // Settings of a project are for all of its people, those of a user for windows without the terminal's PATH.
        let own = std::env::current_exe().ok().filter(|_| !shared);
        let command = own.map_or("pinfold".to_owned(), |path| path.display().to_string());
        let arguments = self.server_arguments(server, shared)?;
        let fields = match self {
            Client::Opencode => vec![
                ("type", json!("local")),
                ("command", json!([&[command], &arguments[..]].concat())),
                ("enabled", json!(true)),
            ],
            Client::VsCode => {
                vec![("type", json!("stdio")), ("command", json!(command)), ("args", json!(arguments))]
            }
            _ => vec![("command", json!(command)), ("args", json!(arguments))],
        };
        let section = match self {
            Client::Codex => "mcp_servers",
            Client::VsCode => "servers",
            Client::Zed => "context_servers",
            Client::Opencode => "mcp",
            _ => "mcpServers",
        };
        Ok(Entry { section, name: server.name.clone(), fields })
    }

    fn server_arguments(self, server: &ServerArguments, shared: bool) -> Result<Vec<String>, Failure> {
        let whole = absolute(server.dir.as_deref().unwrap_or(Path::new(".")))?;
        let root = match self.root() {
            Root::Variable if shared => "${workspaceFolder}".to_owned(),
            // In a user's settings a folder that was named is that folder, whatever the project.
            Root::Here if shared || server.dir.is_none() => ".".to_owned(),
            _ => whole.display().to_string(),
        };
        let mut arguments = vec!["mcp".to_owned(), root];
        if let Some(policy) = server.policy_file()? {
            arguments.extend(["--policy".to_owned(), policy.display().to_string()]);
        }
        if !server.allow.is_empty() {
            arguments.extend(["--allow".to_owned(), server.allow.join(",")]);
        }
        if server.read_only {
            arguments.push("--read-only".to_owned());
        }
        Ok(arguments)
    }
}

impl ServerArguments {
    /// The policy that was named, else the one that `pinfold policy init` made for this project.
    pub(crate) fn policy_file(&self) -> Result<Option<PathBuf>, Failure> {
        if let Some(named) = &self.policy {
            return absolute(named).map(Some);
        }
        let root = absolute(self.dir.as_deref().unwrap_or(Path::new(".")))?;
        let made = root
            .file_name()
            .zip(users_folder())
            .map(|(name, folder)| folder.join(format!("{}.toml", name.display())));
        Ok(made.filter(|file| self.allow.is_empty() && std::fs::read(file).is_ok()))
    }
}

/// The entry alone, as a whole file.
pub(crate) fn snippet(client: Client, entry: &Entry) -> Result<String, Failure> {
    merge(client.language(), "", entry).map(|merged| merged.text)
}
