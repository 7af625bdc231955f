//! What can be typed to connect a client.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// A program that speaks MCP with servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Client {
    ClaudeCode,
    ClaudeDesktop,
    Codex,
    Cursor,
    #[value(name = "vscode")]
    VsCode,
    Zed,
    Gemini,
    Opencode,
}

/// How the client starts the server.
#[derive(Debug, Args)]
pub(crate) struct ServerArguments {
    /// The root of the workspace [default: the current directory]
    #[arg(value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// The policy [default: pinfold/NAME.toml in your configuration folder, with the name of the root's folder, if it
    /// is there]
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Programs that may run, by name, without a policy
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "policy")]
    pub(crate) allow: Vec<String>,
    /// Change nothing, run nothing
    #[arg(long)]
    pub(crate) read_only: bool,
    /// What the client calls the server
    #[arg(long, value_name = "NAME", default_value = "pinfold", value_parser = name)]
    pub(crate) name: String,
    /// In your own settings, for all projects, instead of those of the project
    #[arg(long)]
    pub(crate) user: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  pinfold install --client claude-code --dry-run\n  \
    pinfold install --client codex --policy ~/.config/pinfold/shop.toml ~/src/shop\n\nWhat is there stays as it is, \
    comments too; a copy of the file is kept beside it. A second time nothing changes.")]
pub(crate) struct InstallArguments {
    /// The client
    #[arg(long, value_enum)]
    pub(crate) client: Client,
    #[command(flatten)]
    pub(crate) server: ServerArguments,
    /// Its settings [default: where the client looks for them]
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Show the change and make none
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print what was done as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  pinfold mcp-config zed ~/src/shop --allow git,cargo")]
pub(crate) struct McpConfigArguments {
    /// The client
    #[arg(value_enum, value_name = "CLIENT")]
    pub(crate) client: Client,
    #[command(flatten)]
    pub(crate) server: ServerArguments,
}

fn name(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if text.is_empty() || text.len() > 32 || !text.chars().all(plain) {
        return Err("1 to 32 of the letters a-z, A-Z, 0-9, `-` and `_`".to_owned());
    }
    Ok(text.to_owned())
}
