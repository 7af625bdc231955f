//! What kind of project lies in a folder, and what it needs.

use std::path::Path;

/// What was found in a folder.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Project {
    /// Rust, Node, …
    pub(super) kinds: Vec<&'static str>,
    /// Programs that it needs.
    pub(super) programs: Vec<&'static str>,
    /// How its tests are run.
    pub(super) tests: Option<String>,
    /// Patterns to deny, as they stand in a policy file, and why.
    pub(super) denied: Vec<(&'static str, &'static str)>,
    /// Folders that listings leave out.
    pub(super) ignored: Vec<&'static str>,
}

impl Project {
    /// Looks at the few files that tell.
    pub(super) fn find(root: &Path) -> Project {
        let mut project = Project::default();
        for look in [Project::rust, Project::node, Project::python, Project::go, Project::make] {
            look(&mut project, root);
        }
        project
    }

    /// In a few words.
    pub(super) fn told(&self) -> String {
        if self.kinds.is_empty() { "no known kind of project".to_owned() } else { self.kinds.join(", ") }
    }

    fn needs(&mut self, kind: &'static str, programs: &[&'static str], tests: Option<String>) {
        self.kinds.push(kind);
        self.programs.extend(programs);
        if self.tests.is_none() {
            self.tests = tests;
        }
    }

    fn rust(&mut self, root: &Path) {
        if text(root, "Cargo.toml").is_none() {
            return;
        }
        self.needs("Rust", &["cargo", "rustc", "rustfmt"], Some("cargo test".into()));
        self.denied.push(("\"cargo publish\"", "publishing is for people"));
        self.denied.push(("\"cargo install\"", "fetches and builds anything"));
        self.ignored.push("target");
    }

    fn node(&mut self, root: &Path) {
        let Some(package) = text(root, "package.json") else { return };
        let managers =
            [("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"), ("bun.lock", "bun"), ("bun.lockb", "bun")];
        let manager = managers.iter().find(|(lock, _)| is_there(root, lock)).map_or("npm", |(_, name)| name);
        let package: serde_json::Value = serde_json::from_str(&package).unwrap_or_default();
        let tests = package["scripts"]["test"].is_string().then(|| match manager {
            "npm" => "npm test --".to_owned(),
            other => format!("{other} test"),
        });
        self.needs("Node", &[manager], tests);
        self.denied.push(match manager {
            "pnpm" => (
                "{ regex = '^pnpm (publish|login|dlx|exec|env)\\b' }",
                "publishing, and running packages that are not there yet",
            ),
            "yarn" => (
                "{ regex = '^yarn (publish|npm|login|dlx|exec)\\b' }",
                "publishing, and running packages that are not there yet",
            ),
            "bun" => (
                "{ regex = '^bun (publish|x|-e|--eval|-p|--print)\\b' }",
                "publishing, and running text or packages",
            ),
            _ => (
                "{ regex = '^npm (publish|login|adduser|token|exec|x)\\b' }",
                "publishing, and running packages that are not there yet",
            ),
        });
        self.ignored.push("dist");
    }

    fn python(&mut self, root: &Path) {
        let files = [
            "pyproject.toml",
            "setup.py",
            "setup.cfg",
            "requirements.txt",
            "requirements-dev.txt",
            "tox.ini",
        ];
        let texts: Vec<String> = files.iter().filter_map(|name| text(root, name)).collect();
        if texts.is_empty() {
            return;
        }
        let pytest = texts.iter().any(|text| text.contains("pytest"))
            || is_there(root, "pytest.ini")
            || is_there(root, "conftest.py");
        let unittest = "python3 -m unittest";
        match (pytest, is_there(root, "uv.lock"), is_there(root, "poetry.lock")) {
            (true, true, _) => self.needs("Python", &["uv"], Some("uv run pytest".into())),
            (true, _, true) => self.needs("Python", &["poetry"], Some("poetry run pytest".into())),
            (true, ..) if is_there(root, ".venv/bin/pytest") => {
                self.needs("Python", &["pytest"], Some(".venv/bin/pytest".into()));
            }
            (true, ..) => self.needs("Python", &["pytest"], Some("pytest".into())),
            (false, ..) => {
                self.needs("Python", &["python3"], Some(unittest.into()));
                self.denied.push((
                    "{ regex = '^python3($| ([^-]|-[^m]|-m ([^u]|u[^n])))', matches = [\"python3 -c 'x'\", \"python3 a.py\"], \
                     misses = [\"python3 -m unittest\"] }",
                    "of Python only `python3 -m unittest`",
                ));
            }
        }
        self.ignored.extend([".venv", "__pycache__"]);
    }

    fn go(&mut self, root: &Path) {
        if text(root, "go.mod").is_some() {
            self.needs("Go", &["go", "gofmt"], Some("go test ./...".into()));
            self.denied.push((
                "{ regex = '^go (install|get|generate|run)\\b' }",
                "fetching, and running what is not a test",
            ));
        }
    }

    fn make(&mut self, root: &Path) {
        let Some(makefile) = text(root, "Makefile").or_else(|| text(root, "makefile")) else { return };
        let tests = makefile.lines().any(|line| line.starts_with("test:")).then(|| "make test".to_owned());
        self.needs("make", &["make"], tests);
        self.denied.push((
            "{ regex = '^make .*(SHELL|MAKEFLAGS|--eval|-f)' }",
            "another makefile, or text in its place",
        ));
    }
}

fn text(root: &Path, name: &str) -> Option<String> {
    Some(String::from_utf8_lossy(&std::fs::read(root.join(name)).ok()?).into_owned())
}

fn is_there(root: &Path, name: &str) -> bool {
    std::fs::read(root.join(name)).is_ok()
}
