//! Which of our crates may depend on which.

use toml::{Table, Value};

use crate::{Complaint, Repo, TextFile};

/// The arrows of ARCHITECTURE.md: each crate, and all it may depend on among ours.
const ALLOWED: [(&str, &[&str]); 12] = [
    ("pinfold-contract", &[]),
    ("pinfold-jail", &["pinfold-contract"]),
    ("pinfold-shell", &[]),
    ("pinfold-exec", &["pinfold-contract", "pinfold-jail", "pinfold-shell"]),
    ("pinfold", &["pinfold-contract", "pinfold-exec", "pinfold-jail", "pinfold-shell"]),
    ("pinfold-mcp", &["pinfold", "pinfold-contract"]),
    ("pinfold-cli", &["pinfold", "pinfold-contract", "pinfold-mcp"]),
    ("pinfold-bench", &[]),
    ("pinfold-testkit", &[]),
    ("tidy", &[]),
    ("second-opinion", &["pinfold-shell"]),
    ("xtask", &["pinfold-shell", "pinfold-testkit"]),
];

/// For tests only: any crate may have it among its dev-dependencies.
const TEST_CRATE: &str = "pinfold-testkit";

/// Checks the manifest of every member.
pub fn check(repo: &Repo) -> Vec<Complaint> {
    let ours: Vec<&TextFile> = repo.files().filter(|file| is_member_manifest(file)).collect();
    ours.iter().flat_map(|file| check_manifest(file, &ours)).collect()
}

fn check_manifest(file: &TextFile, ours: &[&TextFile]) -> Vec<Complaint> {
    let manifest = match file.text.parse::<Table>() {
        Ok(manifest) => manifest,
        Err(error) => return vec![Complaint::file(&file.path, format!("is not TOML: {error}"), "Mend it.")],
    };
    let name = package_name(&manifest);
    let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
        let advice = "Give it a line in ARCHITECTURE.md and one in the table of crates/tidy/src/arrows.rs.";
        return vec![Complaint::file(&file.path, format!("`{name}` is not a crate that tidy knows"), advice)];
    };
    let mut complaints = Vec::new();
    for (section, table) in dependency_tables(&manifest) {
        for dependency in table.iter().map(|(key, value)| package(key, value)) {
            let fine =
                allowed.contains(&dependency) || (section == "dev-dependencies" && dependency == TEST_CRATE);
            if ours.iter().any(|file| names_package(file, dependency)) && !fine {
                let what = format!("`{name}` may not depend on `{dependency}` ({section})");
                let advice = "The arrows are part of the design: turn the call around, or change ARCHITECTURE.md first.";
                complaints.push(Complaint::file(&file.path, what, advice));
            }
        }
    }
    complaints
}

fn is_member_manifest(file: &TextFile) -> bool {
    file.name() == "Cargo.toml" && matches!(file.folders()[..], ["crates", _])
}

/// Whether this is the manifest of our crate of that name.
pub(crate) fn names_package(file: &TextFile, name: &str) -> bool {
    is_member_manifest(file)
        && file.text.parse::<Table>().is_ok_and(|manifest| package_name(&manifest) == name)
}

/// Whether the crate stays at home.
pub(crate) fn is_unpublished(manifest: &Table) -> bool {
    let publish = manifest.get("package").and_then(|package| package.get("publish"));
    publish.and_then(Value::as_bool) == Some(false)
}

fn package_name(manifest: &Table) -> &str {
    manifest.get("package").and_then(|package| package.get("name")).and_then(Value::as_str).unwrap_or("?")
}

/// The package that a dependency stands for: its key, unless it is renamed.
pub(crate) fn package<'a>(key: &'a str, value: &'a Value) -> &'a str {
    value.get("package").and_then(Value::as_str).unwrap_or(key)
}

/// Every table of dependencies, those for one platform too, with the name of its kind.
pub(crate) fn dependency_tables(manifest: &Table) -> Vec<(&'static str, &Table)> {
    let platforms = manifest.get("target").and_then(Value::as_table);
    let holders: Vec<&Table> = std::iter::once(manifest)
        .chain(platforms.into_iter().flat_map(Table::values).filter_map(Value::as_table))
        .collect();
    let sections = ["dependencies", "dev-dependencies", "build-dependencies"];
    let found = |section: &'static str| {
        holders
            .iter()
            .filter_map(move |holder| Some((section, holder.get(section)?.as_table()?)))
            .collect::<Vec<_>>()
    };
    sections.into_iter().flat_map(found).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(name: &str, dependencies: &str) -> Vec<String> {
        let manifest = format!("[package]\nname = \"{name}\"\n{dependencies}");
        let jail = ("crates/pinfold-jail/Cargo.toml", "[package]\nname = \"pinfold-jail\"\n");
        let kit = ("crates/testkit/Cargo.toml", "[package]\nname = \"pinfold-testkit\"\n");
        check(&Repo::of(&[jail, kit, ("crates/x/Cargo.toml", &manifest)]))
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn allowed_arrows_pass() {
        assert!(
            said("pinfold-exec", "[dependencies]\npinfold-jail.workspace = true\nserde = \"1\"\n").is_empty()
        );
        assert!(said("pinfold-shell", "[dev-dependencies]\npinfold-testkit.workspace = true\n").is_empty());
    }

    #[test]
    fn other_arrows_do_not() {
        let bad = [
            "[dependencies]\npinfold-jail.workspace = true\n",
            "[dependencies]\njail = { package = \"pinfold-jail\", path = \"../pinfold-jail\" }\n",
            "[target.'cfg(unix)'.dependencies]\npinfold-jail = \"0.1\"\n",
            "[build-dependencies]\npinfold-jail = \"0.1\"\n",
            "[dependencies]\npinfold-testkit.workspace = true\n",
        ];
        for dependencies in bad {
            let said = said("pinfold-shell", dependencies);
            assert!(said.len() == 1 && said[0].contains("may not depend"), "{dependencies}: {said:?}");
        }
    }

    #[test]
    fn a_new_crate_must_be_entered() {
        assert!(said("pinfold-cellar", "")[0].contains("not a crate that tidy knows"));
    }
}
