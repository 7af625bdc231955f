//! Tests with real processes, on a temporary directory, under a ward. One file each for a theme.

#![allow(clippy::disallowed_methods, reason = "tests build their own ground on the disk")]

#[cfg(test)]
mod yard {
    /// Whether commands run under a ward.
    pub(crate) const WARD: bool = true;

    pub(crate) mod ends;
    pub(crate) mod ground;
    pub(crate) mod groups;
    pub(crate) mod jobs;
    pub(crate) mod output;
    pub(crate) mod programs;
    pub(crate) mod somebody;
    pub(crate) mod surroundings;
    pub(crate) mod traps;
    pub(crate) mod wards;
}
