//! What can be typed after `pinfold policy`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Place;

/// Write, look at and try policies.
#[derive(Debug, Args)]
pub(crate) struct PolicyArguments {
    #[command(subcommand)]
    pub(crate) command: PolicyCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PolicyCommand {
    /// Write a starter policy for the project in a folder
    Init(InitArguments),
    /// Show the policy that holds, and where each value comes from
    Show(ShowArguments),
    /// Say what is wrong or questionable in a policy file
    Check(FileArguments),
    /// Try the examples of a policy file
    Test(FileArguments),
    /// List every bound, its value and what moves it
    Limits(LimitsArguments),
    /// Print the JSON Schema of policy files, for editors
    Schema,
    /// Turn the permission rules of another program into a policy
    Import(ImportArguments),
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  pinfold policy init                     # for the project here\n  \
    pinfold policy init ~/src/shop --output - | less\n\nFound are Cargo, npm, pnpm, yarn, Python, Go and make.")]
pub(crate) struct InitArguments {
    /// The folder of the project [default: the current directory]
    #[arg(value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// Where to write, `-` for standard output [default: pinfold/NAME.toml in the user's configuration folder, with the
    /// name of the project's folder]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace a file that is there
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  pinfold policy show --root ~/src/shop --policy shop.toml")]
pub(crate) struct ShowArguments {
    #[command(flatten)]
    pub(crate) place: Place,
    /// Print as JSON: field, value and origin of each
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  pinfold policy check shop.toml\n  pinfold policy test shop.toml\n\nExit status: 0 nothing to complain of (notes count as nothing), 1 something, 2 wrong usage."
)]
pub(crate) struct FileArguments {
    /// The policy, as TOML or JSON [default: pinfold/policy.toml in the user's configuration folder]
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// The root of the workspace [default: `cwd` of the policy]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  pinfold policy limits --json | jq '.[] | select(.class == \"policy\")'")]
pub(crate) struct LimitsArguments {
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  pinfold policy import --from claude-code .claude/settings.json --output shop.toml\n  \
    pinfold policy import --from codex ~/.codex/rules/default.rules\n\nWhat could not be carried over is listed on \
    standard error, and as comments in the policy."
)]
pub(crate) struct ImportArguments {
    /// Whose rules they are
    #[arg(long, value_enum)]
    pub(crate) from: Origin,
    /// The file: a `settings.json`, or a `.rules` file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The root of the workspace, which becomes `cwd` [default: the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Where to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace a file that is there
    #[arg(long)]
    pub(crate) force: bool,
    /// Print what was carried over and what was lost as JSON, and no policy
    #[arg(long, conflicts_with = "output")]
    pub(crate) json: bool,
}

/// Whose rules are imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Origin {
    /// `permissions` of a settings.json of Claude Code
    ClaudeCode,
    /// Prefix rules of a .rules file of Codex
    Codex,
}
