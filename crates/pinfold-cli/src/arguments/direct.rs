//! What can be typed to use the tools by hand, under the same policy as an agent.

use std::path::PathBuf;

use clap::Args;

use super::Place;

macro_rules! after_help {
    ($examples:literal) => {
        concat!(
            "Examples:\n",
            $examples,
            "\n\nExit status: 0 done, 1 an error, 2 wrong usage, 3 refused by the policy, 124 timed out, 130 interrupted."
        )
    };
}

#[derive(Debug, Args)]
#[command(after_help = after_help!("  pinfold ls\n  pinfold ls src --depth 3"))]
pub(crate) struct LsArguments {
    /// A folder
    #[arg(default_value = ".")]
    pub(crate) path: PathBuf,
    /// Levels
    #[arg(long, short, default_value_t = 1)]
    pub(crate) depth: u32,
    #[command(flatten)]
    pub(crate) place: Place,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = after_help!("  pinfold read README.md\n  pinfold read src/main.rs --offset 200 --limit 50"))]
pub(crate) struct ReadArguments {
    /// A file
    pub(crate) path: PathBuf,
    /// The first line, counted from 1
    #[arg(long, value_name = "LINE")]
    pub(crate) offset: Option<u64>,
    /// Lines
    #[arg(long, value_name = "LINES")]
    pub(crate) limit: Option<u64>,
    #[command(flatten)]
    pub(crate) place: Place,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = after_help!("  pinfold grep 'fn main'\n  pinfold grep TODO src --glob '*.rs'"))]
pub(crate) struct GrepArguments {
    /// A regular expression
    pub(crate) pattern: String,
    /// Where to look
    pub(crate) path: Option<PathBuf>,
    /// Only files of these names
    #[arg(long, value_name = "GLOB")]
    pub(crate) glob: Option<String>,
    #[command(flatten)]
    pub(crate) place: Place,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = after_help!("  pinfold glob '**/*.rs'"))]
pub(crate) struct GlobArguments {
    /// A glob: `*`, `**`, `?`, `{a,b}`, `[a-z]`
    pub(crate) pattern: String,
    /// Where to look
    pub(crate) path: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) place: Place,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = after_help!("  pinfold edit src/main.rs --old 'a - b' --new 'a + b'\n  \
    pinfold edit notes.md --old TODO --new DONE --all"))]
pub(crate) struct EditArguments {
    /// A file
    pub(crate) path: PathBuf,
    /// The exact text to replace
    #[arg(long, value_name = "TEXT")]
    pub(crate) old: String,
    /// The text to put in its place
    #[arg(long, value_name = "TEXT")]
    pub(crate) new: String,
    /// Everywhere it stands
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) place: Place,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = after_help!("  pinfold run --allow git -- git log -n 3\n  \
    pinfold run --policy shop.toml 'cargo test'\n\nA command that fails ends with 1, or with its own status under \
    --passthrough."))]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) place: Place,
    /// Milliseconds; the policy may allow less
    #[arg(long, value_name = "MS")]
    pub(crate) timeout_ms: Option<u64>,
    /// End with the status of the command
    #[arg(long)]
    pub(crate) passthrough: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// The command line; several words are one line of just these words
    #[arg(value_name = "LINE", required = true)]
    pub(crate) line: Vec<String>,
}
