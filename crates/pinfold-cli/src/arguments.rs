//! What was typed, before anything is looked up.

mod direct;
mod install;
mod policy;

use std::{ffi::OsString, path::PathBuf, time::Duration};

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
pub(crate) use direct::{
    EditArguments, GlobArguments, GrepArguments, LsArguments, ReadArguments, RunArguments,
};
pub(crate) use install::{Client, InstallArguments, McpConfigArguments, ServerArguments};
use pinfold::Dialect;
pub(crate) use policy::{
    FileArguments, ImportArguments, InitArguments, LimitsArguments, Origin, PolicyArguments, PolicyCommand,
    ShowArguments,
};

/// A bounded place in which an AI agent reads, writes, searches and runs commands, under one policy.
#[derive(Debug, Parser)]
#[command(name = "pinfold", version, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve a folder to an MCP client, over standard input and output
    Mcp(McpArguments),
    /// Make one call and print its result as JSON
    Call(CallArguments),
    /// List a folder
    Ls(LsArguments),
    /// Show a file, or lines of it
    Read(ReadArguments),
    /// Search the content of files
    Grep(GrepArguments),
    /// Find files by name
    Glob(GlobArguments),
    /// Replace exact text in a file
    Edit(EditArguments),
    /// Run a command
    Run(RunArguments),
    /// Say whether a command line may run, and why not; nothing is run
    Check(CheckArguments),
    /// Say why: of a path, a line for a shell, or a call in a log
    Explain(ExplainArguments),
    /// Show the calls in a log
    Log(LogArguments),
    /// Write, look at and try policies
    Policy(PolicyArguments),
    /// Put a workspace into the settings of an MCP client
    Install(InstallArguments),
    /// Print what `install` would put there
    McpConfig(McpConfigArguments),
    /// List the tools and their arguments
    Tools(ToolsArguments),
    /// Try which protections hold on this machine
    Doctor(DoctorArguments),
    /// Print a script that completes the command in a shell
    Completions(CompletionsArguments),
    /// Print a man page
    Man(ManArguments),
    /// Play a recorded session of an agent in a temporary folder
    Demo(DemoArguments),
}

/// Which workspace, and what may be done in it.
#[derive(Debug, Args)]
pub(crate) struct Place {
    /// The root of the workspace [default: `cwd` of the policy, else the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// The policy, as TOML or JSON [default: pinfold/policy.toml in the user's configuration folder, else read and
    /// write in the root, but no secrets, and run nothing]
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Narrow the workspace to a folder of it
    #[arg(long, value_name = "SUBDIR")]
    pub(crate) scope: Option<PathBuf>,
    /// Programs that may run, by name
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "policy")]
    pub(crate) allow: Vec<String>,
    /// Change nothing, run nothing
    #[arg(long)]
    pub(crate) read_only: bool,
    /// Append a line of JSON for each call to this file, which lies outside the workspace; `pinfold log` shows it
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) spoken: Spoken,
}

#[derive(Debug, Default, Args)]
pub(crate) struct Spoken {
    /// The set of tools: `coding` for a coding agent, `env` for a small execution environment with virtual paths
    #[arg(long, value_name = "DIALECT", default_value_t)]
    pub(crate) dialect: Dialect,
}

/// Exit status: 0 when whatever a command starts is ended with it, 1 when not.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  pinfold doctor --json")]
pub(crate) struct DoctorArguments {
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  pinfold mcp ~/src/shop --allow git,cargo\n  \
    pinfold mcp . --policy ~/.config/pinfold/shop.toml\n\nA client starts this: see `pinfold install`.")]
pub(crate) struct McpArguments {
    /// The root of the workspace; another way to write --root
    #[arg(value_name = "DIR", conflicts_with = "root")]
    pub(crate) dir: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) place: Place,
    /// Return results as objects too, with the same full text inside [default: text only]
    #[arg(long)]
    pub(crate) structured: bool,
}

/// Exit status: 0 for a result (a command that fails is one), 1 for an error, which is printed as JSON too, 2 for wrong
/// usage, 128 + the signal when it was interrupted.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  pinfold call read_file '{\"path\": \"README.md\"}'\n  \
    pinfold call --allow git run_shell - < call.json\n\nExit status: 0 a result, 1 an error (as JSON too), 2 wrong usage, 130 interrupted.")]
pub(crate) struct CallArguments {
    #[command(flatten)]
    pub(crate) place: Place,
    /// A tool, or a direct method such as `exists`, `mkdir`, `remove`
    pub(crate) tool: String,
    /// The arguments as a JSON object, or `-` to read them from standard input
    #[arg(value_name = "JSON|-")]
    pub(crate) json: OsString,
}

/// Exit status: 0 allowed, 3 refused, 1 an error, 2 wrong usage.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  pinfold check --allow git -- git push --force\n  \
    pinfold check --mode sh 'git log | head'\n\nExit status: 0 allowed, 3 refused, 1 an error, 2 wrong usage. With --batch 0, whatever is \
    answered.\n\nA row of --batch: {\"id\", \"line\", \"mode\", \"policy\"}; only \"line\" is needed.")]
pub(crate) struct CheckArguments {
    /// How the line is read
    #[arg(long, value_enum)]
    pub(crate) mode: Option<CheckMode>,
    /// The root of the workspace; it need not exist [default: `cwd` of the policy, else the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// The policy, as TOML or JSON [default: pinfold/policy.toml in the user's configuration folder, else nothing
    /// runs but what --allow names]
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Programs that may run, by name
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "policy")]
    pub(crate) allow: Vec<String>,
    /// Print the verdict as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Read JSON Lines from standard input, one question each, and answer each with one line
    #[arg(long, conflicts_with_all = ["json", "line"])]
    pub(crate) batch: bool,
    /// The command line; several words are one line of just these words
    #[arg(value_name = "LINE", required_unless_present = "batch")]
    pub(crate) line: Vec<String>,
}

/// Exit status: 0 allowed, 3 refused, 1 an error, 2 wrong usage.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("what").required(true).args(["path", "line", "log"]),
    after_help = "Examples:\n  pinfold explain src/secrets.toml\n  \
    pinfold explain --allow git -- 'cd src && git log > ../log.txt'\n  \
    pinfold explain --log calls.jsonl --call 12\n\n\
    Exit status: 0 allowed, 3 refused, 1 an error, 2 wrong usage. A path is allowed if it may be read."
)]
pub(crate) struct ExplainArguments {
    /// A path: which root it lies in, where it leads, what may be done with it, and which rule says so
    pub(crate) path: Option<PathBuf>,
    /// A log: why the last call in it that was refused was, and what the policy says now
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// Which call of the log, by its line
    #[arg(long, value_name = "N", requires = "log")]
    pub(crate) call: Option<usize>,
    /// The root of the workspace; for a line it need not exist [default: `cwd` of the policy, else the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// The policy, as TOML or JSON [default: as for `check`]
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Programs that may run, by name
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "policy")]
    pub(crate) allow: Vec<String>,
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// A line for a shell, as one word or several: how it is read, and where each command starts
    #[arg(value_name = "LINE", last = true)]
    pub(crate) line: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  pinfold log calls.jsonl --verdict refused --since 1h\n  \
    pinfold log calls.jsonl --follow\n\nThe number before a call is what `pinfold explain --log FILE --call N` takes.")]
pub(crate) struct LogArguments {
    /// What `--log` of another command wrote
    pub(crate) file: PathBuf,
    /// Go on as calls are made, until it is interrupted
    #[arg(short, long)]
    pub(crate) follow: bool,
    /// Only calls of this tool
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,
    /// Only calls that ended so
    #[arg(long, value_enum)]
    pub(crate) verdict: Option<Ended>,
    /// Only calls that began this long ago or later, such as 90s, 15m, 2h, 1day
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub(crate) since: Option<Duration>,
    /// Print the lines as they are
    #[arg(long)]
    pub(crate) json: bool,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Ended {
    /// With a result
    Done,
    /// By a no of the policy
    Refused,
    /// By another error
    Failed,
    /// Before there was an answer
    GivenUp,
}

/// How a command line is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckMode {
    /// One program with its arguments, no shell
    Argv,
    /// By a shell: lists, pipelines, redirections, `cd`
    Sh,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  pinfold tools --json | jq '.[].name'")]
pub(crate) struct ToolsArguments {
    #[command(flatten)]
    pub(crate) spoken: Spoken,
    /// Print them as JSON, with the schema of their arguments
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  pinfold completions bash > ~/.local/share/bash-completion/completions/pinfold\n  \
    pinfold completions fish > ~/.config/fish/completions/pinfold.fish"
)]
pub(crate) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  pinfold man > pinfold.1\n  pinfold man policy check | man -l -")]
pub(crate) struct ManArguments {
    /// A subcommand [default: the command itself]
    pub(crate) command: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  pinfold demo --keep")]
pub(crate) struct DemoArguments {
    /// Keep the temporary folder, to look at what was done
    #[arg(long)]
    pub(crate) keep: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Command, clap::error::ErrorKind> {
        let words = ["pinfold"].into_iter().chain(line.split(' '));
        Arguments::try_parse_from(words).map(|arguments| arguments.command).map_err(|error| error.kind())
    }

    #[test]
    fn the_whole_of_it_is_sound() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn names_are_divided_by_commas() {
        let Ok(Command::Mcp(mcp)) = parse("mcp /srv/app --allow git,cargo --read-only --scope src") else {
            panic!("not understood");
        };
        assert_eq!(mcp.place.allow, ["git", "cargo"]);
        assert_eq!((mcp.dir, mcp.place.read_only), (Some("/srv/app".into()), true));
    }

    #[test]
    fn a_dialect_is_one_of_two() {
        let Ok(Command::Mcp(mcp)) = parse("mcp /srv/app --dialect env") else { panic!("not understood") };
        assert_eq!(mcp.place.spoken.dialect, Dialect::Env);
        let Ok(Command::Tools(tools)) = parse("tools --json") else { panic!("not understood") };
        assert_eq!(tools.spoken.dialect, Dialect::Coding);
        for line in ["mcp --dialect ENV", "tools --dialect x", "call --dialect= read_file -"] {
            assert_eq!(parse(line).unwrap_err(), clap::error::ErrorKind::ValueValidation, "{line}");
        }
    }

    #[test]
    fn a_dash_is_an_argument() {
        let Ok(Command::Call(call)) = parse("call --root /srv/app read_file -") else {
            panic!("not understood");
        };
        assert_eq!((call.tool.as_str(), call.json.to_str()), ("read_file", Some("-")));
    }

    #[test]
    fn what_contradicts_itself_is_wrong_usage() {
        use clap::error::ErrorKind;
        for line in [
            "mcp --policy p.toml --allow git",
            "mcp a --root b",
            "call --policy p --allow x read_file -",
            "check --batch x",
        ] {
            assert_eq!(parse(line).unwrap_err(), ErrorKind::ArgumentConflict, "{line}");
        }
        for line in ["call read_file", "check", "check --json"] {
            assert_eq!(parse(line).unwrap_err(), ErrorKind::MissingRequiredArgument, "{line}");
        }
    }
}
