//! The papers of the house: README, CHANGELOG, and a line per dependency in ARCHITECTURE.

use std::collections::BTreeSet;

use toml::Table;

use crate::{Complaint, Repo, TextFile, arrows};

/// Most lines of a README.
pub const README_LINES: usize = 120;

/// Checks the three papers.
pub fn check(repo: &Repo) -> Vec<Complaint> {
    let readmes = repo.files().filter(|file| file.name() == "README.md").filter_map(readme);
    readmes.chain(changelog(repo)).chain(dependencies(repo)).collect()
}

fn readme(file: &TextFile) -> Option<Complaint> {
    let lines = file.text.lines().count();
    let advice = "Move what only few readers need to docs/, and link it.";
    (lines > README_LINES)
        .then(|| Complaint::file(&file.path, format!("has {lines} lines, over {README_LINES}"), advice))
}

fn changelog(repo: &Repo) -> Option<Complaint> {
    let advice =
        "Keep a `## Unreleased` (or `## 1.2.3`) heading in it, and write what users will notice below.";
    let Some(file) = repo.get("CHANGELOG.md") else {
        return Some(Complaint::file("CHANGELOG.md", "is missing", advice));
    };
    let headed = file.text.lines().any(is_release_heading);
    (!headed).then(|| Complaint::file("CHANGELOG.md", "has no heading of a release", advice))
}

fn is_release_heading(line: &str) -> bool {
    let Some(title) = line.strip_prefix("## ") else { return false };
    let title = title.trim_start_matches('[');
    title.to_lowercase().starts_with("unreleased") || title.starts_with(|c: char| c.is_ascii_digit())
}

/// Every third-party dependency is explained, be it declared for the workspace or by a crate that is published.
fn dependencies(repo: &Repo) -> Vec<Complaint> {
    let text = repo.get("ARCHITECTURE.md").map_or("", |file| file.text.as_str());
    let known: Vec<&str> = text.lines().filter_map(first_cell).collect();
    let explained = |name: &String| known.iter().any(|cell| cell.contains(&format!("`{name}`")));
    let advice = "Add a table line to it that begins with \"| `name` |\" and says why we depend on it.";
    third_parties(repo)
        .iter()
        .filter(|name| !explained(name))
        .map(|name| {
            Complaint::file("ARCHITECTURE.md", format!("does not say why `{name}` is a dependency"), advice)
        })
        .collect()
}

/// The first cell of a table's line, which may name several that belong together.
fn first_cell(line: &str) -> Option<&str> {
    line.strip_prefix("| `").map(|_| line.split('|').nth(1).unwrap_or_default())
}

fn third_parties(repo: &Repo) -> BTreeSet<String> {
    let manifests = repo.files().filter(|file| file.name() == "Cargo.toml" && is_ours(file));
    let tables = manifests.filter_map(|file| file.text.parse::<Table>().ok());
    let mut names: BTreeSet<String> =
        tables.filter(|table| !arrows::is_unpublished(table)).flat_map(|t| declared(&t)).collect();
    names.retain(|name| !repo.files().any(|file| arrows::names_package(file, name)));
    names
}

/// The root's manifest and those of the members; not those of cases.
fn is_ours(file: &TextFile) -> bool {
    file.path == "Cargo.toml" || matches!(file.folders()[..], ["crates", _])
}

fn declared(manifest: &Table) -> BTreeSet<String> {
    let workspace = manifest.get("workspace").and_then(|value| value.as_table());
    let of_workspace = workspace.map(arrows::dependency_tables).unwrap_or_default();
    let tables = of_workspace.into_iter().chain(arrows::dependency_tables(manifest));
    tables
        .flat_map(|(_, table)| table.iter().map(|(key, value)| arrows::package(key, value).to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(files: &[(&str, &str)]) -> Vec<String> {
        check(&Repo::of(files)).iter().map(ToString::to_string).collect()
    }

    const LOG: (&str, &str) = ("CHANGELOG.md", "# Changes\n\n## [Unreleased]\n");

    #[test]
    fn a_readme_stays_short() {
        assert!(said(&[LOG, ("README.md", &"x\n".repeat(README_LINES))]).is_empty());
        assert!(said(&[LOG, ("README.md", &"x\n".repeat(README_LINES + 1))])[0].contains("121 lines"));
    }

    #[test]
    fn a_changelog_has_a_release() {
        assert!(said(&[])[0].contains("is missing"));
        assert!(said(&[("CHANGELOG.md", "# Changes\n## Notes\n")])[0].contains("no heading"));
        assert!(said(&[("CHANGELOG.md", "## 0.1.0\n")]).is_empty());
    }

    #[test]
    fn a_dependency_has_its_line() {
        let root =
            ("Cargo.toml", "[workspace.dependencies]\nserde = \"1\"\nours = { path = \"crates/ours\" }\n");
        let ours = (
            "crates/ours/Cargo.toml",
            "[package]\nname = \"ours\"\n[dependencies]\nserde.workspace = true\nlibc = \"0.2\"\n",
        );
        let tool = (
            "crates/tool/Cargo.toml",
            "[package]\nname = \"tool\"\npublish = false\n[dependencies]\nsyn = \"3\"\n",
        );
        let found =
            said(&[LOG, root, ours, tool, ("ARCHITECTURE.md", "| `serde`, `x` | not `libc` |\n`libc`\n")]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("`libc`"), "{found:?}");
    }
}
