//! What a command is given: environment, directory, descriptors, standard input.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    os::fd::AsRawFd,
};

use pinfold_exec::{RunError, run};
use tokio_util::sync::CancellationToken;

use super::ground::{Ground, pair};

#[tokio::test]
async fn the_environment_is_exactly_what_was_given() {
    let ground = Ground::new();
    let finished = ground
        .run_on("env", |terms| terms.env = vec![pair("B", "2 3"), pair("A", "=x\ny"), pair("B", "4")])
        .await;
    let text = finished.stdout().text();
    let mut lines: Vec<_> = text.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["A==x", "B=4", "y"]);
    assert_eq!(ground.run_on("env", |terms| terms.env.clear()).await.stdout().text(), "");
}

#[tokio::test]
async fn a_name_that_would_set_another_variable_is_refused() {
    let ground = Ground::new();
    for name in ["", "A=B", "A\0"] {
        let mut terms = ground.terms();
        terms.env.push(pair(name, "x"));
        let error = run(ground.check("env"), terms, CancellationToken::new()).await.unwrap_err();
        assert!(matches!(error, RunError::Start { .. }), "{error}");
        assert!(error.hint().is_some());
    }
}

#[tokio::test]
async fn standard_input_is_empty() {
    let ground = Ground::new();
    assert_eq!(ground.run("cat").await.stdout().total(), 0);
    assert_eq!(ground.run("readlink /proc/self/fd/0").await.stdout().text(), "/dev/null\n");
}

#[tokio::test]
async fn the_directory_is_the_open_one_whatever_its_name_is_now() {
    let ground = Ground::new();
    fs::create_dir(ground.path().join("old")).unwrap();
    fs::write(ground.path().join("old/mark"), "right").unwrap();
    let mut terms = ground.terms();
    terms.cwd = File::open(ground.path().join("old")).unwrap().into();
    fs::rename(ground.path().join("old"), ground.path().join("new")).unwrap();
    fs::create_dir(ground.path().join("old")).unwrap();
    fs::write(ground.path().join("old/mark"), "wrong").unwrap();
    let finished = run(ground.check("cat mark"), terms, CancellationToken::new()).await.unwrap();
    assert_eq!(finished.stdout().text(), "right");
}

/// Descriptors of this test process that a child inherits, because whoever started it left them so.
fn inherited() -> BTreeSet<i32> {
    let entries = fs::read_dir("/proc/self/fdinfo").unwrap();
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok());
    numbers.filter(|number| stays_open(*number)).collect()
}

fn stays_open(number: i32) -> bool {
    let Ok(info) = fs::read_to_string(format!("/proc/self/fdinfo/{number}")) else { return false };
    let flags = info.lines().find_map(|line| line.strip_prefix("flags:")).unwrap().trim();
    u32::from_str_radix(flags, 8).unwrap() & 0o2_000_000 == 0
}

#[tokio::test]
async fn none_of_our_descriptors_reach_it() {
    let ground = Ground::new();
    let ours = File::open(ground.path()).unwrap();
    let finished = ground.run("ls /proc/self/fd").await;
    let mut seen: BTreeSet<i32> =
        finished.stdout().text().lines().map(|line| line.parse().unwrap()).collect();
    assert!(!seen.contains(&ours.as_raw_fd()) || seen.len() == 4, "{seen:?}");
    let expected: BTreeSet<i32> = inherited().into_iter().chain([0, 1, 2]).collect();
    seen.retain(|number| !expected.contains(number));
    assert!(seen.len() <= 1, "one more is the directory that ls itself reads: {seen:?}");
}
