//! How a run ends: exit codes, signals, time, cancel.

use std::time::Duration;

use pinfold_contract::RunEnd;
use pinfold_exec::{Held, run};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::ground::{Ground, SOON, eventually, number_in, sh, state};

#[tokio::test]
async fn exit_codes_are_results() {
    let ground = Ground::new();
    assert_eq!(ground.run("true").await.end(), RunEnd::Exited(0));
    assert_eq!(ground.run("false").await.end(), RunEnd::Exited(1));
    let finished = ground.sh("echo out; echo err >&2; exit 37").await;
    assert_eq!(finished.enforced().process_group(), Held::Yes);
    assert_eq!(finished.enforced().file_system(), Held::No);
    let result = finished.into_result();
    assert_eq!((result.exit_code, result.signal, result.leaked), (37, None, 0));
    assert_eq!((result.stdout.as_str(), result.stderr.as_str()), ("out\n", "err\n"));
    assert!(!result.timed_out && !result.cancelled && !result.truncated);
}

#[tokio::test]
async fn death_by_a_signal_of_somebody_else() {
    let ground = Ground::new();
    let result = ground.sh("kill -SEGV $$").await.into_result();
    assert_eq!((result.exit_code, result.signal), (139, Some(11)));
}

#[tokio::test]
async fn time_out_keeps_what_was_written() {
    let ground = Ground::new();
    let finished =
        ground.run_on(&sh("echo partial; sleep 1000"), |terms| terms.timeout = Duration::from_secs(1)).await;
    assert_eq!(finished.end(), RunEnd::TimedOut);
    let result = finished.into_result();
    assert_eq!((result.exit_code, result.timed_out, result.cancelled), (124, true, false));
    assert_eq!((result.stdout.as_str(), result.leaked), ("partial\n", 0));
}

#[tokio::test]
async fn a_time_of_zero_and_one_without_end_are_both_fine() {
    let ground = Ground::new();
    let finished = ground.run_on("sleep 1000", |terms| terms.timeout = Duration::ZERO).await;
    assert_eq!(finished.end(), RunEnd::TimedOut);
    let finished = ground.run_on("true", |terms| terms.timeout = Duration::MAX).await;
    assert_eq!(finished.end(), RunEnd::Exited(0));
}

#[tokio::test]
async fn time_out_kills_those_who_ignore_the_polite_signal() {
    let ground = Ground::new();
    let line = sh("trap '' TERM; echo $$; while :; do sleep 1; done");
    let finished = ground
        .run_on(&line, |terms| {
            terms.timeout = Duration::from_secs(1);
            terms.kill_grace = Duration::from_millis(200);
        })
        .await;
    assert_eq!(finished.end(), RunEnd::TimedOut);
    let leader = finished.stdout().text().trim().parse().unwrap();
    assert_eq!(state(leader), None, "reaped");
}

#[tokio::test]
async fn grace_lets_it_say_good_bye() {
    let ground = Ground::new();
    let line = sh("trap 'echo bye; exit 3' TERM; while :; do sleep 0.05; done");
    let finished = ground
        .run_on(&line, |terms| {
            terms.timeout = Duration::from_millis(500);
            terms.kill_grace = SOON;
        })
        .await;
    assert_eq!((finished.end(), finished.stdout().text().as_str()), (RunEnd::TimedOut, "bye\n"));
}

#[tokio::test]
async fn cancelled_before_nothing_is_started() {
    let ground = Ground::new();
    let cancel = CancellationToken::new();
    cancel.cancel();
    let finished = run(ground.check("touch made"), ground.terms(), cancel).await.unwrap();
    assert_eq!(finished.end(), RunEnd::NotStarted);
    assert_eq!(finished.enforced().to_string(), "Nothing was started, so nothing had to be confined.");
    let result = finished.into_result();
    assert_eq!((result.exit_code, result.cancelled, result.timed_out), (130, true, false));
    assert!(!ground.path().join("made").exists());
}

#[tokio::test]
async fn cancelled_while_it_runs_the_group_dies() {
    let ground = Ground::new();
    let cancel = CancellationToken::new();
    let line = sh("echo begun; sleep 1000 & echo $! > child; wait");
    let running = tokio::spawn(run(ground.check(&line), ground.terms(), cancel.clone()));
    let child = number_in(&ground.path().join("child")).await;
    cancel.cancel();
    let finished = timeout(SOON, running).await.unwrap().unwrap().unwrap();
    assert_eq!(finished.end(), RunEnd::Cancelled);
    // A signal that was sent takes effect when its process is next on a processor.
    eventually("the child was killed as well", || matches!(state(child), None | Some('Z' | 'X'))).await;
    eventually("nothing is left", || ground.survivors().is_empty()).await;
    let result = finished.into_result();
    assert_eq!((result.exit_code, result.cancelled, result.timed_out), (130, true, false));
    assert_eq!(result.stdout, "begun\n");
}

#[tokio::test]
async fn thirty_two_at_once() {
    let ground = Ground::new();
    let runs: Vec<_> = (0..32)
        .map(|number| {
            let line = sh(&format!("echo {number}; exit {number}"));
            tokio::spawn(run(ground.check(&line), ground.terms(), CancellationToken::new()))
        })
        .collect();
    for (number, running) in (0_i32..).zip(runs) {
        let finished = running.await.unwrap().unwrap();
        assert_eq!(
            (finished.end(), finished.stdout().text()),
            (RunEnd::Exited(number), format!("{number}\n"))
        );
    }
}
