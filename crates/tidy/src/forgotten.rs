//! Test files and data that nothing runs.
//!
//! Cargo makes a target of every `crates/*/tests/*.rs`. What lies deeper, and every case that is data, runs only if some
//! test names it: the file itself, its folder, or a glob. A test that does not run is worse than none.

use crate::{Complaint, Repo, TextFile};

const DATA: [&str; 5] = ["json", "jsonl", "toml", "txt", "stderr"];
const SCRIPTS: [&str; 5] = ["rs", "py", "mjs", "sh", "run"];
const NAME_IT: &str = "Name it (or its folder, or a glob over it) in a test that runs it, or delete it.";

/// Checks modules nobody includes, cases nobody names, and targets that are switched off.
pub fn check(repo: &Repo) -> Vec<Complaint> {
    let modules = repo.rust().filter(|file| is_module(file) && !is_included(repo, file));
    let cases = repo.files().filter(|file| is_case(file) && !is_named(repo, file));
    let modules = modules.map(|file| {
        let advice = "Declare it with `mod` in the file above it, or delete it.";
        Complaint::file(&file.path, "is included by nobody", advice)
    });
    modules
        .chain(cases.map(|file| Complaint::file(&file.path, "is named by no test", NAME_IT)))
        .chain(switched_off(repo))
        .collect()
}

/// A source file that cargo does not find by itself.
fn is_module(file: &TextFile) -> bool {
    let found_by_cargo = ["lib.rs", "main.rs"].contains(&file.name());
    matches!(file.folders()[..], ["crates", _, "src", ..])
        && !found_by_cargo
        && !file.folders().contains(&"bin")
}

/// A file below a folder of tests that cargo does not find by itself.
fn is_case(file: &TextFile) -> bool {
    let deeper = matches!(file.folders()[..], ["crates", _, "tests", _, ..]);
    let below_tests = deeper || matches!(file.folders()[..], ["crates", _, "tests"] | ["tests", ..]);
    below_tests && (DATA.iter().any(|data| file.has_extension(data)) || (deeper && file.has_extension("rs")))
}

fn is_included(repo: &Repo, file: &TextFile) -> bool {
    let declared = format!("mod {}", file.stem());
    let by_path = format!("{}\"", file.name());
    let others = repo.rust().filter(|other| other.home() == file.home() && other.path != file.path);
    others.map(|other| other.text.as_str()).any(|text| {
        let ends = |rest: &str| rest.starts_with(';') || rest.starts_with(" {");
        text.match_indices(&declared).any(|(at, found)| ends(&text[at + found.len()..]))
            || text.contains(&by_path)
    })
}

fn is_named(repo: &Repo, file: &TextFile) -> bool {
    let beside = format!("{}.rs", file.path.trim_end_matches(".stderr"));
    let judged = if file.has_extension("stderr") { repo.get(&beside).unwrap_or(file) } else { file };
    let by_module = judged.has_extension("rs") && is_included(repo, judged);
    by_module
        || repo
            .files()
            .filter(|other| is_script(other) && other.path != judged.path)
            .any(|other| names(&other.text, judged))
}

/// What may run a case: sources and tests of our crates, and the scripts beside them.
fn is_script(file: &TextFile) -> bool {
    let place = ["crates", "tests", ".ci"].iter().any(|place| file.path.starts_with(&format!("{place}/")));
    place && (file.path == ".ci/run" || SCRIPTS.iter().any(|script| file.has_extension(script)))
}

/// Whether a text names the file: by its name, by one of its folders, or by a glob below one of them.
fn names(text: &str, file: &TextFile) -> bool {
    occurrences(text, file.name()).any(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        || folders_below_tests(file)
            .any(|(folder, below)| occurrences(text, folder).any(|rest| reaches(rest, below)))
}

/// What follows each place where `name` stands as a whole component.
fn occurrences<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let whole = |at: usize| !text[..at].ends_with(|c: char| c.is_alphanumeric() || "_-.".contains(c));
    text.match_indices(name).filter(move |(at, _)| whole(*at)).map(|(at, found)| &text[at + found.len()..])
}

/// Each folder between `tests` and the file, with the way from there to the file.
fn folders_below_tests(file: &TextFile) -> impl Iterator<Item = (&str, &str)> {
    let below = file.path.split_once("tests/").map_or("", |(_, below)| below);
    below.match_indices('/').map(move |(at, _)| {
        let folder = below[..at].rsplit('/').next().unwrap_or_default();
        (folder, &below[at + 1..])
    })
}

/// `rest` is what follows the folder's name: the end of a string names all below it, a pattern what it matches.
fn reaches(rest: &str, below: &str) -> bool {
    let end =
        rest.find(|c: char| c == '"' || c == '\'' || c == '`' || c.is_whitespace()).unwrap_or(rest.len());
    let quoted = rest[end..].starts_with(['"', '\'']);
    match rest[..end].trim_start_matches('/') {
        "" => quoted,
        pattern => quoted && pattern.contains('*') && matches_glob(pattern, below),
    }
}

/// `*` stands for anything, folders too: a glob that is too wide for us is still somebody's.
fn matches_glob(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, tail)) => name.strip_prefix(head).is_some_and(|rest| {
            let starts = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
            starts.into_iter().any(|at| matches_glob(tail, &rest[at..]))
        }),
    }
}

/// Manifests that take targets out of `cargo test`.
fn switched_off(repo: &Repo) -> Vec<Complaint> {
    let manifests = repo.files().filter(|file| file.name() == "Cargo.toml" && file.home().is_some());
    let off = |line: &str| {
        let line: String = line.split_whitespace().collect();
        ["autotests=false", "test=false", "doctest=false"].contains(&line.as_str())
    };
    manifests
        .flat_map(|file| {
            file.text
                .lines()
                .enumerate()
                .filter(move |(_, line)| off(line))
                .map(move |(at, line)| (file, at, line))
        })
        .map(|(file, at, line)| {
            Complaint::line(&file.path, at + 1, format!("has `{}`", line.trim()), "Let cargo run all tests.")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forgotten(files: &[(&str, &str)]) -> Vec<String> {
        check(&Repo::of(files)).into_iter().map(|said| said.path).collect()
    }

    #[test]
    fn a_module_must_be_declared() {
        let module = ("crates/a/src/x/deep.rs", "");
        assert_eq!(
            forgotten(&[module, ("crates/a/src/x.rs", "mod deeper;\n"), ("crates/a/src/lib.rs", "mod x;")]),
            [module.0]
        );
        assert!(forgotten(&[module, ("crates/a/src/lib.rs", "mod x {\n pub mod deep;\n}\n")]).is_empty());
        assert_eq!(forgotten(&[module, ("crates/b/src/lib.rs", "mod deep;")]), [module.0]);
    }

    #[test]
    fn a_case_must_be_named() {
        let case = ("crates/a/tests/cases/one.json", "{}");
        let naming = |text: &'static str| forgotten(&[case, ("crates/a/tests/run.rs", text)]);
        for text in [
            "read(\"cases/one.json\")",
            "glob(\"tests/cases/*.json\")",
            "walk(\"tests/cases\")",
            "walk('cases/')",
        ] {
            assert!(naming(text).is_empty(), "{text}");
        }
        for text in [
            "",
            "read(\"cases/someone.json\")",
            "glob(\"cases/*.toml\")",
            "read(\"cases/two.json\")",
            "read(\"showcases\")",
        ] {
            assert_eq!(naming(text), [case.0], "{text}");
        }
    }

    #[test]
    fn a_forgery_brings_its_message() {
        let files = [
            ("crates/a/tests/forge/permit.rs", "fn main() {}"),
            ("crates/a/tests/forge/permit.stderr", "error"),
        ];
        let runner = ("crates/a/tests/forge.rs", "t.compile_fail(\"tests/forge/*.rs\");");
        assert!(forgotten(&[files[0], files[1], runner]).is_empty());
        assert_eq!(forgotten(&files), [files[0].0, files[1].0]);
        assert_eq!(forgotten(&[files[1], runner]), [files[1].0]);
    }

    #[test]
    fn a_shared_module_of_tests_must_be_declared() {
        let module = ("crates/a/tests/client/lines.rs", "");
        assert_eq!(forgotten(&[module, ("crates/a/tests/run.rs", "use lines;")]), [module.0]);
        assert!(
            forgotten(&[module, ("crates/a/tests/run.rs", "#[path = \"client/lines.rs\"]\nmod lines;")])
                .is_empty()
        );
    }

    #[test]
    fn targets_stay_switched_on() {
        assert_eq!(forgotten(&[("crates/a/Cargo.toml", "[lib]\ntest = false\n")]), ["crates/a/Cargo.toml"]);
    }
}
