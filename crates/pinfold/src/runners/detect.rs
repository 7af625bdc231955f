//! Finds out how a project runs its tests, from the files in its root.

use serde_json::Value;

use super::Runner;

/// What may be seen of the root: under the same policy as everything else.
pub(crate) trait Files {
    /// Whether this file or directory is there.
    fn has(&self, name: &str) -> bool;
    /// A small text file.
    fn text(&self, name: &str) -> Option<String>;
    /// Whether a name in the root matches this glob.
    fn matches(&self, glob: &str) -> bool;
}

/// A way to run the tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) runner: Option<Runner>,
    pub(crate) line: String,
}

/// The files that are looked for, to be named when there is none.
pub(crate) const LOOKED_FOR: &str = "`Cargo.toml`, `go.mod`, `pyproject.toml` with pytest, `pytest.ini`, `package.json` \
    with tests, `pom.xml`, `build.gradle`, `CTestTestfile.cmake` (also in `build`), a `.sln` or `.csproj`, `.rspec`, \
    `phpunit.xml`, `mix.exs`";

/// Every way that is found, the likeliest first; of one runner several ways, if it may be installed in several places.
pub(crate) fn detect(files: &impl Files) -> Vec<Found> {
    let all: [fn(&dyn Files) -> Vec<Found>; 11] =
        [cargo, go, pytest, script, maven, gradle, ctest, dotnet, rspec, phpunit, mix];
    all.iter().flat_map(|find| find(files)).collect()
}

fn ways(is_there: bool, runner: Runner, lines: &[&str]) -> Vec<Found> {
    let found = lines.iter().map(|line| Found { runner: Some(runner), line: (*line).to_owned() });
    found.filter(|_| is_there).collect()
}

fn cargo(files: &dyn Files) -> Vec<Found> {
    let is_there = files.has("Cargo.toml");
    let nextest = is_there && files.has(".config/nextest.toml");
    let mut found = ways(nextest, Runner::Nextest, &["cargo nextest run --no-fail-fast"]);
    found.extend(ways(is_there && !nextest, Runner::Cargo, &["cargo test --no-fail-fast"]));
    found
}

fn go(files: &dyn Files) -> Vec<Found> {
    ways(files.has("go.mod"), Runner::Go, &["go test -json ./..."])
}

fn pytest(files: &dyn Files) -> Vec<Found> {
    let names_it = |name: &str, section: &str| files.text(name).is_some_and(|text| text.contains(section));
    let is_there = files.has("pytest.ini")
        || files.has("conftest.py")
        || names_it("pyproject.toml", "pytest")
        || names_it("setup.cfg", "[tool:pytest]")
        || names_it("tox.ini", "pytest");
    let own = is_there && files.has(".venv/bin/pytest");
    let mut found = ways(own, Runner::Pytest, &[".venv/bin/pytest -rfE --color=no"]);
    let lines =
        ["pytest -rfE --color=no", "python3 -m pytest -rfE --color=no", "python -m pytest -rfE --color=no"];
    found.extend(ways(is_there, Runner::Pytest, &lines));
    found
}

/// What `package.json` depends on, and its script.
fn script(files: &dyn Files) -> Vec<Found> {
    let package = files.text("package.json").and_then(|text| serde_json::from_str::<Value>(&text).ok());
    let Some(package) = package else { return Vec::new() };
    let depends =
        |on: &str| ["dependencies", "devDependencies"].iter().any(|kind| package[kind].get(on).is_some());
    let own = |name: &str| files.has(&format!("node_modules/.bin/{name}"));
    let script = package["scripts"]["test"].as_str().filter(|script| !script.contains("no test specified"));
    let known = |name: &str, runner: Runner, options: &str| {
        let mut found = Vec::new();
        if own(name) {
            found.push(format!("node_modules/.bin/{name} {options}"));
        }
        found.push(format!("npx {name} {options}"));
        let mut found: Vec<Found> =
            found.into_iter().map(|line| Found { runner: Some(runner), line }).collect();
        // Which tells no more than the text for people.
        found.extend(script.map(|_| Found { runner: Some(runner), line: "npm test".to_owned() }));
        found
    };
    if depends("vitest") {
        return known("vitest", Runner::Vitest, "run --reporter=default --reporter=json");
    }
    if depends("jest") {
        return known("jest", Runner::Jest, "--json");
    }
    let Some(script) = script else { return Vec::new() };
    let plain = script.trim() == "node --test";
    let mut found = ways(plain, Runner::Node, &["node --test --test-reporter=tap"]);
    found.push(Found { runner: plain.then_some(Runner::Node), line: "npm test".to_owned() });
    found
}

fn maven(files: &dyn Files) -> Vec<Found> {
    let is_there = files.has("pom.xml");
    let mut found = ways(is_there && files.has("mvnw"), Runner::Maven, &["./mvnw -B test"]);
    found.extend(ways(is_there, Runner::Maven, &["mvn -B test"]));
    found
}

fn gradle(files: &dyn Files) -> Vec<Found> {
    let is_there = files.has("build.gradle") || files.has("build.gradle.kts");
    let mut found = ways(is_there && files.has("gradlew"), Runner::Gradle, &["./gradlew test"]);
    found.extend(ways(is_there, Runner::Gradle, &["gradle test"]));
    found
}

fn ctest(files: &dyn Files) -> Vec<Found> {
    let mut found = ways(files.has("CTestTestfile.cmake"), Runner::Ctest, &["ctest --output-on-failure"]);
    let built = files.has("build/CTestTestfile.cmake");
    found.extend(ways(built, Runner::Ctest, &["ctest --test-dir build --output-on-failure"]));
    found
}

fn dotnet(files: &dyn Files) -> Vec<Found> {
    let is_there = files.matches("*.sln") || files.matches("*.csproj") || files.matches("*.fsproj");
    ways(is_there, Runner::Dotnet, &["dotnet test"])
}

fn rspec(files: &dyn Files) -> Vec<Found> {
    let is_there = files.has(".rspec") || files.has("spec/spec_helper.rb");
    let options = "--format progress --format json";
    let lines = [format!("bundle exec rspec {options}"), format!("rspec {options}")];
    let bundled = usize::from(!files.has("Gemfile"));
    ways(is_there, Runner::Rspec, &lines.iter().skip(bundled).map(String::as_str).collect::<Vec<_>>())
}

fn phpunit(files: &dyn Files) -> Vec<Found> {
    let is_there = files.has("phpunit.xml") || files.has("phpunit.xml.dist");
    let own = is_there && files.has("vendor/bin/phpunit");
    let mut found = ways(own, Runner::Phpunit, &["vendor/bin/phpunit"]);
    found.extend(ways(is_there, Runner::Phpunit, &["phpunit"]));
    found
}

fn mix(files: &dyn Files) -> Vec<Found> {
    ways(files.has("mix.exs"), Runner::Mix, &["mix test"])
}

impl Runner {
    /// Whose runner a line starts, if its words tell.
    pub(crate) fn of(words: &[&str]) -> Option<Runner> {
        let (first, rest) = words.split_first()?;
        let name = first.rsplit_once('/').map_or(*first, |(_, name)| name);
        let next = rest.iter().find(|word| !word.starts_with(['-', '+'])).copied().unwrap_or_default();
        Some(match (name, next) {
            ("cargo", "nextest") => Runner::Nextest,
            ("cargo", "test" | "t") => Runner::Cargo,
            ("go", "test") => Runner::Go,
            ("pytest" | "py.test", _) => Runner::Pytest,
            (python, "pytest") if python.starts_with("python") => Runner::Pytest,
            ("vitest", _) | ("npx", "vitest") => Runner::Vitest,
            ("jest", _) | ("npx", "jest") => Runner::Jest,
            ("node", _) if rest.contains(&"--test") => Runner::Node,
            ("mvn" | "mvnw", _) => Runner::Maven,
            ("gradle" | "gradlew", _) => Runner::Gradle,
            ("ctest", _) => Runner::Ctest,
            ("dotnet", "test") => Runner::Dotnet,
            ("rspec", _) => Runner::Rspec,
            ("bundle", "exec") if rest.contains(&"rspec") => Runner::Rspec,
            ("phpunit", _) => Runner::Phpunit,
            ("mix", "test") => Runner::Mix,
            _ => return None,
        })
    }

    /// The lines by which any runner is started, to see whether the policy allows one.
    pub(crate) fn lines() -> impl Iterator<Item = &'static str> {
        const LINES: [&str; 15] = [
            "cargo test",
            "go test",
            "pytest",
            "python3 -m pytest",
            "vitest run",
            "jest",
            "npm test",
            "node --test",
            "mvn test",
            "gradle test",
            "ctest",
            "dotnet test",
            "rspec",
            "phpunit",
            "mix test",
        ];
        LINES.into_iter()
    }
}
