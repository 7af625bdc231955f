//! A server on a pair of streams, spoken to in lines, before a workspace on the disk.
#![allow(clippy::disallowed_methods, reason = "tests lay out their own files")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test panics when it fails")]

#[path = "server/client.rs"]
mod client;
#[path = "server/conversation.rs"]
mod conversation;
#[path = "server/ending.rs"]
mod ending;
#[path = "server/fidelity.rs"]
mod fidelity;
