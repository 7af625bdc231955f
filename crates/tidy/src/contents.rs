//! `lib.rs` is a table of contents: docs, modules, re-exports, no code.

use crate::{Complaint, Repo, scan};

/// Checks that no `lib.rs` holds a function with a body, tests aside.
pub fn check(repo: &Repo) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for file in repo.rust().filter(|file| file.path.ends_with("src/lib.rs")) {
        let functions = scan::scan(&file.text).map(|scan| scan.functions).unwrap_or_default();
        for function in functions.iter().filter(|function| !function.in_tests) {
            let advice = "Move it into a module; `lib.rs` holds docs, modules and re-exports.";
            let what = format!("has the body of `{}`", function.name);
            complaints.push(Complaint::line(&file.path, function.line, what, advice));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bodies_in_lib_rs_count() {
        let text =
            "//! Doc.\npub mod x;\nimpl X {\n    fn y() {}\n}\n#[cfg(test)]\nmod tests { fn z() {} }\n";
        let said = check(&Repo::of(&[("crates/a/src/lib.rs", text), ("crates/a/src/x.rs", text)]));
        assert_eq!(
            said.iter().map(|said| (said.path.as_str(), said.line)).collect::<Vec<_>>(),
            [("crates/a/src/lib.rs", 4)]
        );
    }
}
