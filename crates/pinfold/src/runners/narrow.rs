//! Fewer tests than all: those that a pattern names, or those that failed last.

use super::Runner;

/// Words to put behind a runner's line.
pub(crate) type Words = Vec<String>;

impl Runner {
    /// Runs the tests whose names hold `pattern`, in the runner's own sense.
    pub(crate) fn only(self, pattern: &str) -> Words {
        let word = pattern.to_owned();
        let option = |name: &str| vec![name.to_owned(), pattern.to_owned()];
        match self {
            Runner::Nextest | Runner::Cargo | Runner::Mix => vec![word],
            Runner::Go => option("-run"),
            // The id of a test, or a file.
            Runner::Pytest if pattern.contains("::") || pattern.contains('/') || pattern.ends_with(".py") => {
                vec![word]
            }
            Runner::Pytest => option("-k"),
            Runner::Vitest | Runner::Jest => option("-t"),
            Runner::Node => vec![format!("--test-name-pattern={pattern}")],
            Runner::Maven => vec![format!("-Dtest={pattern}")],
            Runner::Gradle => option("--tests"),
            Runner::Ctest => option("-R"),
            Runner::Dotnet | Runner::Phpunit => option("--filter"),
            Runner::Rspec => option("-e"),
        }
    }

    /// Runs these tests, which failed. `has_dashes`: the line has a `--` already. `None`: they cannot be named to it.
    pub(crate) fn again(self, failed: &[String], has_dashes: bool) -> Option<Words> {
        let any = || failed.iter().map(|name| regex_syntax::escape(name)).collect::<Vec<_>>().join("|");
        Some(match self {
            Runner::Cargo => {
                let dashes = (!has_dashes).then(|| "--".to_owned());
                dashes.into_iter().chain(["--exact".to_owned()]).chain(failed.iter().cloned()).collect()
            }
            Runner::Nextest => {
                // The program and the name of each.
                let one = |name: &String| {
                    let (program, test) = name.split_once(' ')?;
                    Some(format!("(binary_id(={program}) & test(={test}))"))
                };
                let all: Vec<String> = failed.iter().map(one).collect::<Option<_>>()?;
                vec!["-E".to_owned(), all.join(" | ")]
            }
            Runner::Pytest | Runner::Rspec => failed.to_vec(),
            Runner::Go => {
                // Its patterns are split at slashes before anything else, so inner tests go with their outer ones.
                let mut outer: Vec<&str> = failed.iter().filter_map(|name| name.split('/').next()).collect();
                outer.dedup();
                vec!["-run".to_owned(), format!("^({})$", outer.join("|"))]
            }
            Runner::Vitest | Runner::Jest => vec!["-t".to_owned(), format!("^({})$", any())],
            Runner::Node => failed
                .iter()
                .map(|name| format!("--test-name-pattern={}", regex_syntax::escape(name)))
                .collect(),
            Runner::Phpunit => vec!["--filter".to_owned(), any()],
            Runner::Ctest => vec!["--rerun-failed".to_owned()],
            Runner::Mix => vec!["--failed".to_owned()],
            Runner::Maven | Runner::Gradle | Runner::Dotnet => return None,
        })
    }
}
