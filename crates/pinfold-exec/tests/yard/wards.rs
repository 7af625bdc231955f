//! The ward itself: its parts are killed or stopped, its host goes away, its keepers are used again.

use std::{collections::BTreeSet, fs, time::Duration};

use pinfold_contract::RunEnd;
use pinfold_exec::{RunError, Ward, run};
use tokio_util::sync::CancellationToken;

use super::ground::{Ground, SOON, eventually, marked, number_in, sh};

/// The parent of a command, as it saw it.
async fn keeper(ground: &Ground) -> u32 {
    ground.sh("echo $PPID").await.stdout().text().trim().parse().unwrap()
}

/// Where a process has its parent (proc_pid_stat(5)).
fn parent(pid: u32) -> u32 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    stat.rsplit_once(") ").unwrap().1.split(' ').nth(1).unwrap().parse().unwrap()
}

fn process(pid: u32) -> rustix::process::Pid {
    rustix::process::Pid::from_raw(pid.cast_signed()).unwrap()
}

#[tokio::test]
async fn one_keeper_serves_one_command_after_the_other() {
    let ground = Ground::new();
    let first = keeper(&ground).await;
    for _ in 0..20 {
        assert_eq!(keeper(&ground).await, first);
    }
    // One that had to kill is as good as before.
    assert_eq!(
        ground.run_on("sleep 1000", |terms| terms.timeout = Duration::ZERO).await.end(),
        RunEnd::TimedOut
    );
    ground.sh("setsid sleep 1000 & exit").await;
    assert_eq!(keeper(&ground).await, first);
}

#[tokio::test]
async fn a_keeper_that_is_killed_takes_its_command_along() {
    let ground = Ground::new();
    let error = run(
        ground.check(&sh("setsid sleep 1000 & kill -9 $PPID; sleep 1000")),
        ground.terms(),
        CancellationToken::new(),
    )
    .await
    .unwrap_err();
    // Start: it was faster than the keeper's word that it runs.
    assert!(matches!(error, RunError::Lost { .. } | RunError::Start { .. }), "{error}");
    eventually("all is gone", || ground.survivors().is_empty()).await;
    assert_eq!(ground.run("true").await.end(), RunEnd::Exited(0), "another keeper serves the next");
}

#[tokio::test]
async fn a_keeper_that_is_stopped_is_given_up_and_its_command_killed() {
    for first in ["setsid sleep 1000 &", "sleep 0.1;"] {
        let ground = Ground::new();
        let mut terms = ground.terms();
        terms.timeout = Duration::from_millis(300);
        let line = sh(&format!("{first} kill -STOP $PPID; sleep 1000"));
        match run(ground.check(&line), terms, CancellationToken::new()).await {
            Ok(finished) => assert_eq!(finished.end(), RunEnd::TimedOut),
            // It was faster than the keeper's word that it runs.
            Err(error) => assert!(matches!(error, RunError::Start { .. }), "{error}"),
        }
        eventually("all is gone", || ground.survivors().is_empty()).await;
        assert_eq!(ground.run("true").await.end(), RunEnd::Exited(0));
    }
}

#[tokio::test]
async fn a_run_that_is_dropped_does_not_leave_a_stopped_keeper() {
    let ground = Ground::new();
    let line = sh("sleep 0.1; kill -STOP $PPID; echo $$ > there; sleep 1000");
    let running = tokio::spawn(run(ground.check(&line), ground.terms(), CancellationToken::new()));
    number_in(&ground.path().join("there")).await;
    running.abort();
    eventually("all is gone", || ground.survivors().is_empty()).await;
}

#[tokio::test]
async fn a_head_that_is_killed_is_replaced() {
    let ground = Ground::new();
    let head = parent(keeper(&ground).await);
    rustix::process::kill_process(process(head), rustix::process::Signal::KILL).unwrap();
    let running =
        tokio::spawn(run(ground.check(&sh("sleep 0.2; exit 3")), ground.terms(), CancellationToken::new()));
    let other = ground.run("true").await;
    assert_eq!((other.end(), running.await.unwrap().unwrap().end()), (RunEnd::Exited(0), RunEnd::Exited(3)));
}

#[tokio::test]
async fn when_the_last_clone_is_dropped_the_ward_ends() {
    let mut ground = Ground::new();
    let own = keeper(&ground).await;
    let head = parent(own);
    let line = sh("setsid sleep 1000 & echo $! > child; wait");
    let running = tokio::spawn(run(ground.check(&line), ground.terms(), CancellationToken::new()));
    number_in(&ground.path().join("child")).await;
    running.abort();
    ground.ward = None;
    let gone = |pid: u32| !fs::exists(format!("/proc/{pid}")).unwrap();
    eventually("the ward is gone", || gone(own) && gone(head) && ground.survivors().is_empty()).await;
}

#[tokio::test]
async fn a_ward_that_is_none_is_an_error() {
    let ground = Ground::new();
    for program in ["/bin/true", "/no/such/program"] {
        let mut terms = ground.terms();
        terms.ward = Some(Ward::at(program));
        let error = tokio::time::timeout(SOON, run(ground.check("true"), terms, CancellationToken::new()));
        let error = error.await.unwrap().unwrap_err();
        assert!(matches!(error, RunError::Start { .. }), "{error}");
    }
}

#[tokio::test]
async fn no_descriptor_of_the_ward_reaches_a_command() {
    let ground = Ground::new();
    let listed = ground.sh("ls -l /proc/self/fd").await.stdout().text();
    let sockets: BTreeSet<&str> = listed.lines().filter(|line| line.contains("socket:")).collect();
    assert!(sockets.is_empty(), "{listed}");
}

/// Set in the process that is killed by the test below.
const HOST: &str = "PINFOLD_TEST_HOST";

/// A host with twenty commands; does nothing unless it is one.
#[tokio::test]
async fn host_of_twenty() {
    let Some(dir) = std::env::var_os(HOST) else { return };
    let dir = std::path::PathBuf::from(dir);
    let ground = Ground::new();
    let lines = [
        "sleep 1000",
        "setsid sleep 1000 & (setsid sh -c 'sleep 1000 & sleep 1000' &); nohup sleep 1000 & sleep 1000",
        "trap '' TERM HUP INT; while :; do sleep 1; done",
        "kill -STOP $PPID; setsid sleep 1000 & sleep 1000",
    ];
    let runs: Vec<_> = (0..20)
        .map(|number| {
            let line = sh(&format!("echo $$ > {}/{number}; {}", dir.display(), lines[number % lines.len()]));
            let mut terms = ground.terms();
            terms.env.push(super::ground::pair(HOST, &dir.to_string_lossy()));
            tokio::spawn(run(ground.check(&line), terms, CancellationToken::new()))
        })
        .collect();
    for running in runs {
        running.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn when_the_host_is_killed_nothing_is_left_after_two_seconds() {
    let ground = Ground::new();
    let mut host = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "yard::wards::host_of_twenty"])
        .env(HOST, ground.path())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    for number in 0..20 {
        number_in(&ground.path().join(number.to_string())).await;
    }
    // Until those that get away have done so.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let mark = format!("{HOST}={}\0", ground.path().display());
    assert!(marked(&mark).len() > 40, "{:?}", marked(&mark));
    host.kill().unwrap();
    host.wait().unwrap();
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(marked(&mark), [""; 0]);
}
