//! Thousands of commands: nothing is left of them. Alone in its process, so that what is counted is theirs.

#![allow(clippy::disallowed_methods, reason = "tests build their own ground on the disk")]

#[cfg(test)]
mod yard {
    /// Whether commands run under a ward.
    pub(crate) const WARD: bool = true;

    #[allow(dead_code, reason = "it serves more tests elsewhere")]
    pub(crate) mod ground;
    pub(crate) mod many;
}
