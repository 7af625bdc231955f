//! Files and functions that are too long to be read at one sitting.

use crate::{Complaint, Repo, TextFile, scan};

/// Most lines of a source file, without its test module.
pub const FILE_LINES: usize = 500;
/// Most lines of a file that only serves tests.
pub const TEST_FILE_LINES: usize = 800;
/// Most lines of a function, from its signature to its last brace.
pub const FUNCTION_LINES: usize = 60;

/// Checks every Rust file, and says so if one cannot be read as Rust.
pub fn check(repo: &Repo) -> Vec<Complaint> {
    repo.rust().flat_map(check_file).collect()
}

fn check_file(file: &TextFile) -> Vec<Complaint> {
    let scan = match scan::scan(&file.text) {
        Ok(scan) => scan,
        Err(error) => {
            return vec![Complaint::file(
                &file.path,
                format!("is not Rust: {error}"),
                "Mend it, or rename it.",
            )];
        }
    };
    let mut complaints: Vec<Complaint> = file_length(file, scan.test_lines).into_iter().collect();
    for function in scan.functions.iter().filter(|function| function.lines > FUNCTION_LINES) {
        let what = format!("`{}` has {} lines, over {FUNCTION_LINES}", function.name, function.lines);
        complaints.push(Complaint::line(&file.path, function.line, what, "Name its parts and split it."));
    }
    complaints
}

fn file_length(file: &TextFile, test_lines: usize) -> Option<Complaint> {
    let (lines, most) = match file.serves_tests() {
        true => (file.text.lines().count(), TEST_FILE_LINES),
        false => (file.text.lines().count() - test_lines, FILE_LINES),
    };
    let what = format!("has {lines} lines without its test module, over {most}");
    (lines > most)
        .then(|| Complaint::file(&file.path, what, "Find the second subject in it and give it a file."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(path: &str, text: &str) -> Vec<String> {
        check(&Repo::of(&[(path, text)])).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_file_may_be_just_so_long() {
        let line = "// x\n";
        assert!(complaints("crates/a/src/x.rs", &line.repeat(FILE_LINES)).is_empty());
        let said = complaints("crates/a/src/x.rs", &line.repeat(FILE_LINES + 1));
        assert!(said[0].starts_with("crates/a/src/x.rs: has 501 lines"), "{said:?}");
        assert!(complaints("crates/a/tests/x.rs", &line.repeat(TEST_FILE_LINES)).is_empty());
        assert_eq!(complaints("crates/a/tests/x.rs", &line.repeat(TEST_FILE_LINES + 1)).len(), 1);
    }

    #[test]
    fn the_test_module_is_not_counted() {
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "    // y\n".repeat(FILE_LINES));
        assert!(complaints("crates/a/src/x.rs", &format!("// x\n{tests}")).is_empty());
    }

    #[test]
    fn a_function_may_be_just_so_long() {
        let function = |lines: usize| format!("fn long() {{\n{}}}\n", "    // x\n".repeat(lines - 2));
        assert!(complaints("crates/a/src/x.rs", &function(FUNCTION_LINES)).is_empty());
        let said = complaints("crates/a/src/x.rs", &function(FUNCTION_LINES + 1));
        assert!(said[0].contains("x.rs:1: `long` has 61 lines"), "{said:?}");
    }

    #[test]
    fn what_does_not_parse_is_named() {
        assert!(complaints("crates/a/src/x.rs", "fn (").iter().any(|said| said.contains("is not Rust")));
    }
}
