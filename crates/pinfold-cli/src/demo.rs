//! A recorded session of an agent: the model's part is data, everything else happens.
//!
//! | module | holds |
//! |---|---|
//! | `recording` | the data: a small repository, and what the agent did in it |
//! | `folder` | the repository on disk, for as long as it is needed |
//! | `player` | makes a recorded call and compares what happens with what was recorded |
//! | `show` | prints it for people |

pub(crate) mod folder;
pub(crate) mod player;
pub(crate) mod recording;
pub(crate) mod show;

#[cfg(test)]
mod tests;
