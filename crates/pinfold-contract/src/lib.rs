//! The words that every wall and door of Pinfold shares.
//!
//! | module | holds |
//! |---|---|
//! | [`env`](mod@env) | the results of the *env* dialect |
//! | [`failure`] | the one error that leaves the house, and the closed list of its types |
//! | [`files`] | what a file is, and the results of the calls on files |
//! | [`jobs`] | background jobs, and what is said of them |
//! | [`run`] | how a command ended, and the result of a run |
//! | [`tests`] | what a test runner counted |
//! | [`todos`] | a todo list |
//!
//! All of it is plain data: it serializes to the camelCase JSON that every door shows, and depends on nothing else of
//! Pinfold, so that a stranger's program can read a report or make one.

pub mod env;
pub mod failure;
pub mod files;
pub mod jobs;
pub mod run;
pub mod tests;
pub mod todos;

pub use failure::{Details, Failure, FailureType, Kind, Reason};
pub use files::{
    EditFilesResult, EditResult, Entry, FileEdited, FileKind, GlobResult, GrepCount, GrepMatch, GrepResult,
    GrepStop, Image, ListResult, MultiEditResult, ReadResult, Skipped, WriteResult,
};
pub use jobs::{JobList, JobOutput, JobStarted, JobStatus, JobSummary};
pub use run::{RunEnd, RunResult};
pub use tests::{TestFailure, TestsResult};
pub use todos::{Todo, TodoCounts, TodoList, TodoStatus};
