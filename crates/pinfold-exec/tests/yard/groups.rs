//! Nothing is left behind: the group, children that hold a pipe, a future that is dropped.

use std::{fs, time::Duration};

use pinfold_contract::RunEnd;
use pinfold_exec::{Held, run};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::{
    WARD,
    ground::{Ground, SOON, eventually, number_in, sh, state},
};

/// Ends a process that a test let get away.
fn end(pid: u32) {
    let pid = rustix::process::Pid::from_raw(pid.cast_signed()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}

#[tokio::test]
async fn a_child_in_the_background_that_holds_the_pipe_is_ended() {
    let ground = Ground::new();
    let finished = timeout(SOON, ground.sh("echo done; sleep 1000 & echo $! > child")).await.unwrap();
    assert_eq!((finished.end(), finished.leaked()), (RunEnd::Exited(0), 0));
    assert_eq!(finished.stdout().text(), "done\n");
    let child = number_in(&ground.path().join("child")).await;
    eventually("the child is gone", || matches!(state(child), None | Some('Z'))).await;
}

#[tokio::test]
async fn a_child_in_the_background_without_the_pipe_is_ended_too() {
    let ground = Ground::new();
    let finished = ground.sh("sleep 1000 >/dev/null 2>&1 & echo $! > child").await;
    assert_eq!(finished.leaked(), 0);
    let child = number_in(&ground.path().join("child")).await;
    eventually("the child is gone", || matches!(state(child), None | Some('Z'))).await;
}

#[tokio::test]
async fn what_a_child_still_writes_shortly_after_is_kept() {
    let ground = Ground::new();
    let finished = ground.sh("(echo late) & exit 0").await;
    assert_eq!(finished.stdout().text(), "late\n");
}

#[tokio::test]
async fn one_that_left_the_group_and_holds_the_pipe_is_ended_or_counted() {
    let ground = Ground::new();
    let line = "setsid sh -c 'echo $$ > child; exec sleep 1000' & until test -s child; do sleep 0.01; done; echo done";
    let finished = timeout(SOON, ground.sh(line)).await.unwrap();
    let child = number_in(&ground.path().join("child")).await;
    assert_eq!(finished.end(), RunEnd::Exited(0));
    if WARD {
        assert_eq!((finished.leaked(), finished.enforced().descendants()), (0, Held::Yes));
        let left = finished.left_behind().unwrap();
        assert_eq!((left.pid, left.name.as_str(), left.count), (child, "sleep", 1));
        assert_eq!(state(child), None);
    } else {
        assert_eq!((finished.leaked(), finished.enforced().descendants()), (1, Held::BestEffort));
        assert!(matches!(state(child), Some('S' | 'R')), "it is not ours to signal");
        end(child);
    }
}

#[tokio::test]
async fn a_dropped_run_kills_the_group_and_reaps_the_leader() {
    let ground = Ground::new();
    let line = sh("sleep 1000 & echo $! > child; echo $$ > leader; wait");
    let running = tokio::spawn(run(ground.check(&line), ground.terms(), CancellationToken::new()));
    let leader = number_in(&ground.path().join("leader")).await;
    let child = number_in(&ground.path().join("child")).await;
    running.abort();
    eventually("the leader is reaped", || state(leader).is_none()).await;
    eventually("the child is gone", || matches!(state(child), None | Some('Z'))).await;
}

#[tokio::test]
async fn dropped_at_any_moment_it_leaves_nothing() {
    let ground = Ground::new();
    for delay in [0, 1, 3, 10, 30, 100, 300] {
        let line = sh(&format!("echo $$ > leader{delay}; sleep 1000"));
        let running = run(ground.check(&line), ground.terms(), CancellationToken::new());
        assert!(timeout(Duration::from_millis(delay), running).await.is_err());
        if let Ok(text) = fs::read_to_string(ground.path().join(format!("leader{delay}"))) {
            let leader = text.trim().parse().unwrap_or(0);
            eventually("the leader is reaped", || state(leader).is_none()).await;
        }
    }
}

#[test]
fn a_runtime_that_goes_away_takes_the_command_with_it() {
    let ground = Ground::new();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let line = sh("echo $$ > leader; sleep 1000");
    runtime.spawn(run(ground.check(&line), ground.terms(), CancellationToken::new()));
    let leader = runtime.block_on(number_in(&ground.path().join("leader")));
    drop(runtime);
    let waits = tokio::runtime::Runtime::new().unwrap();
    waits.block_on(eventually("the leader is reaped", || state(leader).is_none()));
}

#[tokio::test]
async fn the_command_leads_a_group_of_its_own() {
    let ground = Ground::new();
    let text = ground.sh("echo $$; cut -d ' ' -f 5 /proc/$$/stat").await.stdout().text();
    let (pid, group) = text.trim().split_once('\n').unwrap();
    assert_eq!(pid, group);
}
