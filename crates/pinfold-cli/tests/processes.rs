//! The `pinfold` command and the processes of its commands: it is its own ward.

#![allow(clippy::disallowed_methods, reason = "a test starts programs")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test panics when it fails")]

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use serde_json::Value;
use tempfile::TempDir;

fn pinfold() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pinfold"));
    // The policy of whoever runs the tests is not for them.
    command.env("XDG_CONFIG_HOME", "/nonexistent").stdin(Stdio::null());
    command
}

fn call(dir: &Path, line: &str) -> Command {
    let mut command = pinfold();
    let arguments = serde_json::json!({"command": line}).to_string();
    command.args(["call", "--allow", "sh", "--root"]).arg(dir).args(["run_shell", &arguments]);
    command
}

fn until(what: &str, limit: Duration, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < limit, "never: {what}");
        sleep(Duration::from_millis(10));
    }
}

#[test]
fn doctor_finds_that_it_is_its_own_ward() {
    let output = pinfold().args(["doctor", "--json"]).output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&found[0]["name"], &found[0]["holds"]), (&"ward".into(), &true.into()), "{found}");
    assert!(output.status.success());
    let output = pinfold().arg("doctor").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("yes  ward"), "{output:?}");
}

#[test]
fn what_a_command_leaves_is_named_and_gone() {
    let dir = TempDir::new().unwrap();
    let output = call(dir.path(), "sh -c 'setsid sleep 1000 & echo $! > pid; exit 4'").output().unwrap();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&result["exitCode"], &result["leaked"]), (&4.into(), &0.into()));
    let pid = fs::read_to_string(dir.path().join("pid")).unwrap();
    assert!(result["note"].as_str().unwrap().contains(pid.trim()), "{result}");
    assert!(!fs::exists(format!("/proc/{}", pid.trim())).unwrap());
}

#[test]
fn kill_9_takes_everything_along_within_two_seconds() {
    let dir = TempDir::new().unwrap();
    let line = "sh -c 'setsid sh -c \"echo \\$\\$ > pid; exec sleep 1000\" & wait'";
    let mut running = call(dir.path(), line).stdout(Stdio::null()).spawn().unwrap();
    let file = dir.path().join("pid");
    let pid = || fs::read_to_string(&file).unwrap_or_default();
    until("it runs", Duration::from_secs(30), || pid().ends_with('\n'));
    running.kill().unwrap();
    running.wait().unwrap();
    let alive = format!("/proc/{}", pid().trim());
    until("all is gone", Duration::from_secs(2), || !fs::exists(&alive).unwrap());
}
