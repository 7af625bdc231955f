//! `mod.rs`, and modules named after nothing in particular.

use crate::{Complaint, Repo, TextFile, scan};

const VAGUE: [&str; 6] = ["util", "utils", "helper", "helpers", "common", "misc"];
const MOD_RS: &str = "Move it beside its folder: `foo.rs` and `foo/`.";
const RENAME: &str =
    "Name it after the thing it holds; if there is no such thing, its parts belong elsewhere.";

/// Checks the names of files, folders and inline modules.
pub fn check(repo: &Repo) -> Vec<Complaint> {
    repo.rust().flat_map(check_file).collect()
}

fn check_file(file: &TextFile) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    if file.name() == "mod.rs" {
        complaints.push(Complaint::file(&file.path, "is a `mod.rs`", MOD_RS));
    }
    for name in file.folders().into_iter().chain([file.stem()]).filter(|name| VAGUE.contains(name)) {
        complaints.push(Complaint::file(&file.path, format!("is named `{name}`"), RENAME));
    }
    let modules = scan::scan(&file.text).map(|scan| scan.modules).unwrap_or_default();
    for module in modules.iter().filter(|module| VAGUE.contains(&module.name.as_str())) {
        complaints.push(Complaint::line(
            &file.path,
            module.line,
            format!("names a module `{}`", module.name),
            RENAME,
        ));
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bad_name_is_found() {
        let bad = [
            ("crates/a/src/x/mod.rs", ""),
            ("crates/a/src/utils.rs", ""),
            ("crates/a/tests/common/server.rs", ""),
            ("crates/a/src/x.rs", "mod helpers {}"),
            ("crates/a/src/x.rs", "mod misc;"),
        ];
        for (path, text) in bad {
            assert_eq!(check(&Repo::of(&[(path, text)])).len(), 1, "{path} {text}");
        }
        assert!(check(&Repo::of(&[("crates/a/src/utility_pole.rs", "mod model {}")])).is_empty());
    }
}
