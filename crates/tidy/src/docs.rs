//! Files without a `//!`: every module begins by saying what it is for.

use crate::{Complaint, Repo, TextFile};

/// Checks every module and every test target. Cases, which lie deeper below `tests`, are left alone.
pub fn check(repo: &Repo) -> Vec<Complaint> {
    let missing = repo.rust().filter(|file| !is_case(file) && !begins_with_doc(&file.text));
    missing
        .map(|file| {
            let advice = "Begin it with one or two `//!` lines that say what it is for, not how.";
            Complaint::file(&file.path, "does not begin with a `//!` doc", advice)
        })
        .collect()
}

fn is_case(file: &TextFile) -> bool {
    matches!(file.folders()[..], ["crates", _, "tests", _, ..])
}

fn begins_with_doc(text: &str) -> bool {
    text.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| line.starts_with("//! "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_thing_must_be_a_doc() {
        let bad = ["", "use std::fs;\n//! Late.\n", "// not a doc\n", "/// of an item\n", "//!\n"];
        for text in bad {
            assert_eq!(check(&Repo::of(&[("crates/a/src/x.rs", text)])).len(), 1, "{text:?}");
        }
        assert!(check(&Repo::of(&[("crates/a/src/x.rs", "//! Fine.\n")])).is_empty());
    }

    #[test]
    fn cases_need_none() {
        assert!(check(&Repo::of(&[("crates/a/tests/forge/permit.rs", "fn main() {}\n")])).is_empty());
        assert_eq!(check(&Repo::of(&[("crates/a/tests/forge.rs", "fn main() {}\n")])).len(), 1);
    }
}
