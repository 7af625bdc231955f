//! `docs/attacks.md`: each attack names what shows it failing, and that exists.

use crate::{Complaint, Repo};

const PAGE: &str = "docs/attacks.md";

/// The heading of the column that names tests.
const COLUMN: &str = "shown failing by";

const NAME_IT: &str =
    "Name a case of tests/corpora by its id, or a test function; or move the row to what is not answered.";

/// Checks every row of the tables with such a column.
pub fn check(repo: &Repo) -> Vec<Complaint> {
    let Some(page) = repo.get(PAGE) else {
        return vec![Complaint::file(PAGE, "is missing", NAME_IT)];
    };
    let mut complaints = Vec::new();
    let mut names_tests = false;
    for (at, line) in page.text.lines().enumerate() {
        let Some(cell) = last_cell(line) else {
            names_tests = false;
            continue;
        };
        if cell == COLUMN {
            names_tests = true;
        } else if names_tests && !cell.starts_with("---") {
            let names: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
            let missing = names.iter().find(|name| !exists(repo, name));
            let what = match missing {
                Some(name) => format!("names `{name}`, which is no case and no test"),
                None if names.is_empty() => "names no test".to_owned(),
                None => continue,
            };
            complaints.push(Complaint::line(PAGE, at + 1, what, NAME_IT));
        }
    }
    complaints
}

/// The last cell of a table's line.
fn last_cell(line: &str) -> Option<&str> {
    line.strip_prefix('|')?.strip_suffix('|')?.rsplit('|').next().map(str::trim)
}

/// Whether `name` is the id of a case, or a function with `#[test]` or its kin above it.
fn exists(repo: &Repo, name: &str) -> bool {
    let id = format!("\"id\": \"{name}\"");
    let function = format!("fn {name}(");
    let is_test = |text: &str| {
        text.match_indices(&function).any(|(at, _)| {
            // What stands on the function's own line, then its attributes and docs.
            let start = text[..at].rfind('\n').unwrap_or(0);
            let above = text[..start].lines().rev().map(str::trim);
            above.take_while(|line| line.starts_with(['#', '/'])).any(|line| line.ends_with("test]"))
        })
    };
    repo.files().any(|file| {
        (file.path.starts_with("tests/corpora/") && file.text.contains(&id))
            || (file.has_extension("rs") && is_test(&file.text))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(row: &str) -> Vec<String> {
        let page = format!(
            "| attack | shown failing by |\n|---|---|\n{row}\n\n| attack | why |\n|---|---|\n| x | y |\n"
        );
        let case = ("tests/corpora/x.jsonl", "{\"id\": \"case-1\", \"line\": \"x\"}\n");
        let test = ("crates/a/tests/t.rs", "#[test]\nfn holds() {}\nfn no_test() {}\n");
        let repo = Repo::of(&[(PAGE, &page), case, test]);
        check(&repo).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_attack_names_what_shows_it_failing() {
        assert!(said("| x | `case-1`, `holds` |").is_empty());
        for row in ["| x | `case-2` |", "| x | nothing |", "| x | `case-1`, `gone` |", "| x | `no_test` |"] {
            assert_eq!(said(row).len(), 1, "{row}");
        }
        assert_eq!(check(&Repo::of(&[])).len(), 1);
    }
}
