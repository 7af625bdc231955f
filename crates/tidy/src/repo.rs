//! The files of the repository, as text.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// What is made by tools and belongs to nobody: directories, but for `.git`, which is a file in a second work tree.
const MADE: [&str; 7] = [".git", "target", "node_modules", ".venv", "__pycache__", "corpus", "artifacts"];

/// Every text file of the repository, sorted by path.
#[derive(Debug)]
pub struct Repo {
    files: Vec<TextFile>,
}

/// One file.
#[derive(Debug)]
pub struct TextFile {
    /// From the root of the repository, with `/`.
    pub path: String,
    /// All of it.
    pub text: String,
}

impl Repo {
    /// Reads the tree below `root`. Files that are not text, and links, are left out.
    pub fn read(root: &Path) -> io::Result<Repo> {
        let mut files = Vec::new();
        let mut waiting = vec![PathBuf::new()];
        while let Some(folder) = waiting.pop() {
            for entry in fs::read_dir(root.join(&folder))? {
                let entry = entry?;
                let (name, kind) = (entry.file_name(), entry.file_type()?);
                if MADE.iter().any(|made| name == *made) {
                    continue;
                }
                if kind.is_dir() {
                    waiting.push(folder.join(name));
                } else if kind.is_file() {
                    files.extend(text_file(root, &folder.join(name))?);
                }
            }
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Repo { files })
    }

    /// A repository made of `(path, text)`, for samples.
    pub fn of(files: &[(&str, &str)]) -> Repo {
        let file = |(path, text): &(&str, &str)| TextFile { path: (*path).into(), text: (*text).into() };
        Repo { files: files.iter().map(file).collect() }
    }

    /// All files.
    pub fn files(&self) -> impl Iterator<Item = &TextFile> {
        self.files.iter()
    }

    /// The files whose name ends in `.rs`.
    pub fn rust(&self) -> impl Iterator<Item = &TextFile> {
        self.files.iter().filter(|file| file.has_extension("rs"))
    }

    /// The file at exactly this path.
    pub fn get(&self, path: &str) -> Option<&TextFile> {
        self.files.iter().find(|file| file.path == path)
    }
}

impl TextFile {
    /// The file's name, without its folders.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// The name without its last extension.
    pub fn stem(&self) -> &str {
        self.name().rsplit_once('.').map_or(self.name(), |(stem, _)| stem)
    }

    /// Whether the name ends in `.` and this.
    pub fn has_extension(&self, extension: &str) -> bool {
        self.name().rsplit_once('.').is_some_and(|(_, found)| found == extension)
    }

    /// The folders on the way to the file, outermost first.
    pub fn folders(&self) -> Vec<&str> {
        let mut parts: Vec<&str> = self.path.split('/').collect();
        parts.pop();
        parts
    }

    /// `crates/NAME`, for a file of one of our crates.
    pub fn home(&self) -> Option<String> {
        match self.folders()[..] {
            ["crates", name, ..] => Some(format!("crates/{name}")),
            _ => None,
        }
    }

    /// Whether the file only serves tests: below `tests`, `benches` or `fuzz`, or a `tests.rs` beside its module.
    pub fn serves_tests(&self) -> bool {
        self.name() == "tests.rs"
            || self.folders().iter().any(|folder| ["tests", "benches", "fuzz"].contains(folder))
    }
}

fn text_file(root: &Path, path: &Path) -> io::Result<Option<TextFile>> {
    let (Some(name), Ok(text)) = (path.to_str(), String::from_utf8(fs::read(root.join(path))?)) else {
        return Ok(None);
    };
    Ok((!text.contains('\0')).then(|| TextFile { path: name.to_owned(), text }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_this_crate_and_skips_what_tools_made() {
        let repo = Repo::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        assert!(repo.get("src/repo.rs").is_some_and(|file| file.text.contains("reads_this_crate")));
        assert!(repo.files().all(|file| !file.path.contains("target/")));
    }

    #[test]
    fn knows_tests_from_sources() {
        let repo = Repo::of(&[
            ("crates/a/src/x.rs", ""),
            ("crates/a/src/x/tests.rs", ""),
            ("crates/a/tests/y.rs", ""),
        ]);
        let serving: Vec<bool> = repo.files().map(TextFile::serves_tests).collect();
        assert_eq!(serving, [false, true, true]);
        assert_eq!(repo.get("crates/a/src/x.rs").and_then(TextFile::home).as_deref(), Some("crates/a"));
    }
}
