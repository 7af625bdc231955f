//! Commands in the background: looks, waits, ends.

use std::time::{Duration, Instant};

use pinfold_contract::JobStatus;
use pinfold_exec::{Job, RunTerms};

use super::ground::{Ground, SOON, eventually, sh};

async fn start(ground: &Ground, text: &str, change: impl FnOnce(&mut RunTerms)) -> Job {
    let mut terms = ground.terms();
    terms.timeout = Duration::MAX;
    change(&mut terms);
    Job::start(ground.check(&sh(text)), terms).await.unwrap()
}

#[tokio::test]
async fn each_look_shows_what_is_new_until_the_end() {
    let ground = Ground::new();
    let job =
        start(&ground, "echo one; until test -e go; do sleep 0.02; done; echo two >&2; exit 5", |_| {}).await;
    job.wait_for_text("one\n", 0, SOON).await;
    let first = job.look(0);
    assert_eq!(
        (first.status, first.exit_code, first.since.stdout.as_str()),
        (JobStatus::Running, None, "one\n")
    );
    std::fs::write(ground.path().join("go"), "").unwrap();
    job.wait_for_text("two", first.since.cursor, SOON).await;
    job.wait_for_text("never", 0, SOON).await;
    let second = job.look(first.since.cursor);
    assert_eq!((second.status, second.exit_code), (JobStatus::Exited, Some(5)));
    assert_eq!((second.since.stdout.as_str(), second.since.stderr.as_str()), ("", "two\n"));
    assert_eq!((second.since.cursor, second.since.dropped), (8, 0));
    job.kill().await;
    assert_eq!(job.look(0).status, JobStatus::Exited, "what has ended stays as it is");
}

#[tokio::test]
async fn a_wait_ends_with_news_the_end_or_the_time() {
    let ground = Ground::new();
    let job = start(&ground, "sleep 0.3; echo late; exec sleep 1000", |_| {}).await;
    let began = Instant::now();
    job.wait_for_news(0, Duration::from_millis(50)).await;
    assert!(began.elapsed() >= Duration::from_millis(50));
    job.wait_for_news(0, SOON).await;
    assert_eq!(job.look(0).since.stdout, "late\n");
    job.wait_for_news(0, SOON).await;
    assert!(began.elapsed() < SOON, "what is there already needs no wait");
    job.kill().await;
}

#[tokio::test]
async fn a_killed_job_leaves_nothing() {
    let ground = Ground::new();
    let job = start(&ground, "setsid sleep 1000 & sleep 1000 & echo up; wait", |_| {}).await;
    job.wait_for_text("up", 0, SOON).await;
    job.kill().await;
    let look = job.look(0);
    assert_eq!((look.status, look.exit_code, look.signal), (JobStatus::Killed, Some(137), None));
    if super::WARD {
        assert_eq!(ground.survivors(), [""; 0]);
    }
    assert!(!job.is_running());
}

#[tokio::test]
async fn a_job_has_its_time() {
    let ground = Ground::new();
    let job = start(&ground, "echo up; sleep 1000", |terms| terms.timeout = Duration::from_millis(200)).await;
    job.wait_for_text("never", 0, SOON).await;
    let look = job.look(0);
    assert_eq!((look.status, look.exit_code), (JobStatus::TimedOut, Some(124)));
    assert_eq!(look.since.stdout, "up\n");
}

#[tokio::test]
async fn the_newest_output_is_kept() {
    let ground = Ground::new();
    let job = start(&ground, "seq 100000", |terms| terms.max_output_bytes = 1_000).await;
    job.wait_for_text("never", 0, SOON).await;
    let look = job.look(0);
    assert!(look.since.stdout.ends_with("99999\n100000\n") && look.since.stdout.len() <= 1_000);
    assert_eq!((look.since.cursor, look.since.dropped), (588_895, 588_895 - look.since.stdout.len() as u64));
}

#[tokio::test]
async fn no_look_ends_within_a_character() {
    let ground = Ground::new();
    let job = start(&ground, "printf 'a\\342\\202'; sleep 0.3; printf '\\254'; printf '\\342'", |_| {}).await;
    job.wait_for_text("a", 0, SOON).await;
    let first = job.look(0);
    assert_eq!(first.since.stdout, "a");
    job.wait_for_text("never", 0, SOON).await;
    assert_eq!(job.look(first.since.cursor).since.stdout, "€\u{fffd}");
}

#[tokio::test]
async fn the_last_clone_takes_it_along() {
    let ground = Ground::new();
    let job = start(&ground, "sleep 1000", |_| {}).await;
    assert!(job.pid().is_some() && !ground.survivors().is_empty());
    let clone = job.clone();
    drop(job);
    assert!(clone.is_running());
    drop(clone);
    eventually("nothing is left", || ground.survivors().is_empty()).await;
}
