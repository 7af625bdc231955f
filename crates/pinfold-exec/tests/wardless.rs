//! The same tests without a ward: what then still holds.

#![allow(clippy::disallowed_methods, reason = "tests build their own ground on the disk")]

#[cfg(test)]
mod yard {
    /// Whether commands run under a ward.
    pub(crate) const WARD: bool = false;

    pub(crate) mod ends;
    pub(crate) mod ground;
    pub(crate) mod groups;
    pub(crate) mod jobs;
    pub(crate) mod output;
    pub(crate) mod programs;
    pub(crate) mod surroundings;
}
