//! Words that must not be in the tree: ignored tests, unfinished code, names of one machine.

use crate::{Complaint, Repo, TextFile, scan};

/// Written in two parts, so that this file does not hold them.
const NOTES: [&str; 2] = [concat!("FIX", "ME"), concat!("XX", "X")];
const MACHINE: [&str; 3] = [concat!("/wo", "rk/"), concat!(".libr", "ary"), concat!("/fa", "rm/")];

/// Checks all text files for names of one machine, and Rust files for what is ignored or unfinished.
pub fn check(repo: &Repo) -> Vec<Complaint> {
    let machine = repo
        .files()
        .flat_map(|file| lines_with(file, machine_name, "Say it without a path of your machine."));
    let notes =
        repo.rust().flat_map(|file| lines_with(file, note, "Do it now, or file it where work is tracked."));
    let fences = repo
        .rust()
        .flat_map(|file| lines_with(file, ignored_example, "Use `no_run`, `text` or `compile_fail`."));
    let running = repo.rust().filter(|file| !never_compiles(repo, file));
    machine.chain(notes).chain(fences).chain(running.flat_map(unfinished)).collect()
}

/// A case that must not compile, with the compiler's message beside it: what it calls is never run.
fn never_compiles(repo: &Repo, file: &TextFile) -> bool {
    repo.get(&file.path.replace(".rs", ".stderr")).is_some()
}

fn lines_with(
    file: &TextFile,
    find: fn(&str) -> Option<&'static str>,
    advice: &'static str,
) -> Vec<Complaint> {
    let numbered = file.text.lines().enumerate();
    numbered
        .filter_map(|(at, line)| find(line).map(|word| (at + 1, word)))
        .map(|(line, word)| Complaint::line(&file.path, line, format!("holds `{word}`"), advice))
        .collect()
}

fn machine_name(line: &str) -> Option<&'static str> {
    MACHINE.into_iter().find(|word| line.contains(word))
}

fn note(line: &str) -> Option<&'static str> {
    let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.find_map(|word| NOTES.into_iter().find(|note| *note == word))
}

fn ignored_example(line: &str) -> Option<&'static str> {
    let doc = line.trim_start().strip_prefix("///").or_else(|| line.trim_start().strip_prefix("//!"))?;
    doc.trim_start().starts_with("```ignore").then_some("```ignore")
}

fn unfinished(file: &TextFile) -> Vec<Complaint> {
    let advice = "An ignored test or a hole is not there: finish it, or take it out. \
                  A test that lacks a tool says so with `testkit::need`.";
    let marks = scan::scan(&file.text).map(|scan| scan.unfinished).unwrap_or_default();
    marks
        .iter()
        .map(|mark| Complaint::line(&file.path, mark.line, format!("holds `{}`", mark.name), advice))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(path: &str, text: &str) -> usize {
        check(&Repo::of(&[(path, text)])).len()
    }

    #[test]
    fn each_bad_word_is_found() {
        for text in ["#[ignore]\nfn a() {}", "fn a() { todo!() }", "/// ```ignore\nfn a() {}"] {
            assert_eq!(said("crates/a/src/x.rs", text), 1, "{text}");
        }
        for note in NOTES {
            assert_eq!(said("crates/a/src/x.rs", &format!("// {note}: later")), 1);
        }
        for word in MACHINE {
            assert_eq!(said("docs/x.md", &format!("see {word}x")), 1);
        }
    }

    #[test]
    fn a_case_that_never_compiles_may_leave_holes() {
        let case = ("crates/a/tests/forge/permit.rs", "fn main() { let _ = Permit { rule: todo!() }; }");
        assert_eq!(check(&Repo::of(&[case])).len(), 1);
        assert!(check(&Repo::of(&[case, ("crates/a/tests/forge/permit.stderr", "error")])).is_empty());
    }

    #[test]
    fn likenesses_are_not() {
        assert_eq!(said("crates/a/src/x.rs", "// name it aXXXXXX; ignore the rest\nfn network_path() {}"), 0);
        assert_eq!(said("docs/x.md", "`todo!()` is refused, as is `workspace/x`"), 0);
    }
}
