//! Pinfold's tools over the Model Context Protocol.
//!
//! | module | holds |
//! |---|---|
//! | [`serve`](mod@serve) | running a workspace as a server, over stdio or any pair of streams |
//! | [`instructions`](mod@instructions) | what a client's model is told about the workspace before its first call |
//! | `progress` | telling that a call is still going on |
//! | `server` | protocol requests ⇄ tool calls |
//! | `wire` | bytes ⇄ messages, one on each line |
//!
//! Spoken are the revisions 2025-06-18 and 2025-11-25 (they begin with `initialize`) and 2026-07-28 (stateless). The
//! only capability is tools. A tool's result is one text block with the JSON that every door of Pinfold shows; what went
//! wrong in a call is such a block too, marked `isError`, so that the model reads it. Only a request that is no call of
//! an offered tool is a protocol error.
//!
//! How a tool works is not known here.

pub mod instructions;
mod progress;
pub mod serve;
mod server;
mod wire;

pub use instructions::instructions;
pub use serve::{Options, ServeError, serve, serve_stdio};
