//! A bounded place in which an AI agent reads, writes, searches and runs commands, under one policy.
//!
//! ```no_run
//! # async fn example() -> Result<(), pinfold::Failure> {
//! use pinfold::{Context, Policy, Workspace};
//!
//! let workspace = Workspace::open(Policy::new("/srv/app"))?;
//! let readme = workspace.read_file("README.md").await?;
//! let answer = workspace.call("grep", serde_json::json!({"pattern": "TODO"}), Context::default()).await?;
//! # Ok(()) }
//! ```
//!
//! Every call walks the same line once: **parse → resolve → judge → perform → report**.
//!
//! | module | holds |
//! |---|---|
//! | [`policy`] | what a workspace may do, as its operator writes it |
//! | [`workspace`] | the straight line, and the direct methods |
//! | [`tools`] | the closed list of calls, one file each |
//! | `arguments` | from a model's JSON to typed arguments |
//! | `backend` | the seam below: local disk or memory; names → keys → nodes |
//! | [`gate`] | the one who decides: permits |
//! | [`json`] | JSON texts as they come in |
//! | `text` | text in files: finding, replacing, and why it was not found |
//! | `ground` | the paths of a line of sh mode |
//! | `jobs` | the background jobs that all projections share |
//! | `runners` | test runners: how they are found, and what they counted |
//! | `todos` | the todo list that all projections share |
//! | `walk`, `pattern`, `crew`, `queue`, `environment`, `words` | going down trees, search globs, threads, turns, a command's environment, what failures say |

mod arguments;
mod backend;
pub mod call_log;
mod crew;
mod environment;
pub mod gate;
mod ground;
mod ignores;
mod jobs;
pub mod json;
mod pattern;
pub mod policy;
mod queue;
mod runners;
mod spill;
mod text;
mod todos;
pub mod tools;
mod walk;
mod words;
pub mod workspace;

pub use backend::memory::Memory;
pub use call_log::CallLog;
pub use gate::Permit;
pub use pinfold_contract::{
    Details, EditFilesResult, EditResult, Entry, Failure, FailureType, FileEdited, FileKind, GlobResult,
    GrepCount, GrepMatch, GrepResult, GrepStop, Image, JobList, JobOutput, JobStarted, JobStatus, JobSummary,
    Kind, ListResult, MultiEditResult, ReadResult, Reason, RunEnd, RunResult, Skipped, TestFailure,
    TestsResult, Todo, TodoCounts, TodoList, TodoStatus, WriteResult,
};
pub use pinfold_exec::{Means, Progress, run_if_ward};
pub use pinfold_jail::Resolver;
pub use pinfold_shell::{JudgedCommand, JudgedPath, Step, Verdict, Words};
pub use policy::Policy;
pub use tools::{Call, Dialect, Rendering, ToolDefinition, env};
pub use workspace::{Context, DeedVerdict, Env, PathVerdict, Tools, Workspace};
