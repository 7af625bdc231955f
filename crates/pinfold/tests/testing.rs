//! `run_tests` with the real runners, each on a small project of `tests/runners`: what it finds, counts, and runs again.
//!
//! `PINFOLD_BLESS=1` writes the logs anew that the readers are tested on without any runner.

#![allow(clippy::disallowed_methods, reason = "the test makes projects and writes logs")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use pinfold::{
    Context, FailureType, Policy, TestsResult, Workspace,
    policy::{AllowEntry, ShellPolicy},
    tools::RunTests,
};
use serde::Deserialize;
use tempfile::TempDir;

#[derive(Deserialize)]
struct Expected {
    runner: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    project: Option<String>,
    needs: String,
    allow: Vec<String>,
    #[serde(default)]
    files: Vec<String>,
    command: Option<String>,
    line: String,
    exit: i32,
    by: String,
    counts: [u64; 3],
    failures: Vec<(String, String, u64, String)>,
    again: Option<[u64; 3]>,
}

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runners")
}

/// Where programs are: what can be put beside the projects, and `PATH`.
fn path() -> OsString {
    let own = here().join(".venv/bin");
    let all = env::var_os("PATH").unwrap_or_default();
    env::join_paths([own].into_iter().chain(env::split_paths(&all))).unwrap()
}

fn found(program: &str) -> Option<PathBuf> {
    let own = here().join("node_modules/.bin").join(program);
    let all = env::split_paths(&path()).map(|dir| dir.join(program)).collect::<Vec<_>>();
    all.into_iter().chain([own]).find(|path| path.exists())
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        let (from, to) = (entry.path(), to.join(name.strip_suffix(".txt").unwrap_or(&name)));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).unwrap();
        }
    }
}

fn project(case: &Case) -> TempDir {
    let dir = TempDir::new().unwrap();
    copy(&here().join("projects").join(case.project.as_ref().unwrap_or(&case.name)), dir.path());
    for name in &case.files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    let modules = here().join("node_modules");
    if modules.exists() && dir.path().join("package.json").exists() {
        let own = dir.path().join("node_modules");
        fs::create_dir_all(own.join(".bin")).unwrap();
        for name in [".bin/jest", ".bin/vitest"] {
            fs::write(own.join(name), format!("#!/bin/sh\nexec {:?} \"$@\"\n", modules.join(name))).unwrap();
            fs::set_permissions(own.join(name), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        }
        for entry in fs::read_dir(&modules).unwrap().map(Result::unwrap).filter(|it| it.file_name() != ".bin")
        {
            symlink(entry.path(), own.join(entry.file_name())).unwrap();
        }
    }
    dir
}

fn workspace(dir: &Path, case: &Case) -> Workspace {
    let shell = ShellPolicy {
        allow: Some(case.allow.iter().map(|name| AllowEntry::from(name.as_str())).collect()),
        inherit_env: ["HOME", "CARGO_HOME", "RUSTUP_HOME"].map(String::from).into(),
        env: BTreeMap::from([
            ("PATH".into(), path().into_string().unwrap()),
            ("LANG".into(), "C.UTF-8".into()),
            ("RUST_BACKTRACE".into(), "0".into()),
        ]),
        ..ShellPolicy::default()
    };
    let mut policy = Policy { shell: Some(shell), ..Policy::new(dir) };
    policy.tests.command.clone_from(&case.command);
    Workspace::open(policy).unwrap()
}

async fn run(workspace: &Workspace, tests: RunTests) -> TestsResult {
    workspace.run_tests(tests, Context::default()).await.unwrap()
}

fn counts(result: &TestsResult) -> [u64; 3] {
    [result.passed, result.failed, result.skipped].map(Option::unwrap)
}

fn bless(case: &Case, dir: &Path, result: &TestsResult) {
    for (stream, text) in [("stdout", &result.run.stdout), ("stderr", &result.run.stderr)] {
        let modules = here().join("node_modules").display().to_string();
        let text =
            text.replace(&dir.display().to_string(), "/srv/shop").replace(&modules, "/srv/shop/node_modules");
        fs::write(here().join("logs").join(format!("{}.{stream}", case.name)), text).unwrap();
    }
}

#[tokio::test]
async fn every_runner_is_found_and_counted_as_it_counts_itself() {
    let text = fs::read_to_string(here().join("expected.toml")).unwrap();
    let only = env::var("PINFOLD_RUNNER").ok();
    for case in toml::from_str::<Expected>(&text).unwrap().runner {
        if only.as_ref().is_some_and(|only| *only != case.name)
            || testkit::need(&case.needs, found(&case.needs)).is_none()
        {
            continue;
        }
        let dir = project(&case);
        let root = dir.path().canonicalize().unwrap();
        let workspace = workspace(&root, &case);
        assert!(workspace.tools().all().iter().any(|tool| tool.tool == "run_tests"));
        let result = run(&workspace, RunTests::default()).await;
        if env::var_os("PINFOLD_BLESS").is_some() {
            bless(&case, &root, &result);
        }
        let name = &case.name;
        assert_eq!((&*result.command, result.run.exit_code), (&*case.line, case.exit), "{name}: {result:#?}");
        assert_eq!(
            (result.parsed_by.as_deref(), counts(&result)),
            (Some(&*case.by), case.counts),
            "{name}: {result:#?}"
        );
        for (failure, file, ..) in &case.failures {
            let known = result.failures.iter().find(|it| it.name == *failure);
            let known = known.unwrap_or_else(|| panic!("{name}: {failure} is not in {:#?}", result.failures));
            assert_eq!(known.file.as_deref().unwrap_or_default(), file, "{name}: relative to the root");
        }
        if let Some(expected) = case.again {
            let again = run(&workspace, RunTests { rerun_failed: Some(true), ..RunTests::default() }).await;
            assert_eq!(counts(&again), expected, "{name}, again: {again:#?}");
        }
    }
}

#[tokio::test]
async fn nothing_is_run_again_that_did_not_fail() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("Cargo.toml"), "").unwrap();
    let text = fs::read_to_string(here().join("expected.toml")).unwrap();
    let case = &toml::from_str::<Expected>(&text).unwrap().runner[0];
    let workspace = workspace(dir.path(), case);
    let again = RunTests { rerun_failed: Some(true), ..RunTests::default() };
    let failure = workspace.run_tests(again.clone(), Context::default()).await.unwrap_err();
    assert_eq!(failure.failure_type(), FailureType::BadArguments, "{failure}");
    let both = RunTests { pattern: Some("x".into()), ..again };
    let failure = workspace.run_tests(both, Context::default()).await.unwrap_err();
    assert!(failure.message().contains("only one of them"), "{failure}");
}
