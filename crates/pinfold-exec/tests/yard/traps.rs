//! The traps: commands that hang, hide, flood or multiply. Each returns within a second of its deadline, and leaves nothing.

use std::{
    io::{Read, Write},
    net::TcpListener,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use pinfold_contract::RunEnd;
use pinfold_exec::{Finished, Held};

use super::ground::{Ground, pair, sh};

/// The deadline of each; a busy machine may be late, so the bound below is wider than a second.
const DEADLINE: Duration = Duration::from_secs(2);
const LATE: Duration = Duration::from_secs(if cfg!(debug_assertions) { 4 } else { 1 });

/// Runs `line` and looks that it came back in time and that nothing of it is left.
async fn trap(ground: &Ground, line: &str) -> Finished {
    trap_with(ground, line, &[]).await
}

async fn trap_with(ground: &Ground, line: &str, env: &[(&str, &str)]) -> Finished {
    let began = Instant::now();
    let finished = ground
        .run_on(line, |terms| {
            terms.timeout = DEADLINE;
            terms.env.extend(env.iter().map(|(name, value)| pair(name, value)));
        })
        .await;
    assert!(began.elapsed() < DEADLINE + LATE, "{line}: {:?}", began.elapsed());
    assert_eq!(ground.survivors(), [""; 0], "{line}");
    assert_eq!((finished.leaked(), finished.enforced().descendants()), (0, Held::Yes), "{line}");
    finished
}

fn found(program: &str) -> bool {
    let found = ["/usr/bin", "/bin"].iter().any(|dir| Path::new(dir).join(program).exists());
    testkit::need(program, found.then_some(())).is_some()
}

#[tokio::test]
async fn one_that_reads_standard_input_finds_its_end() {
    assert_eq!(trap(&Ground::new(), "cat").await.end(), RunEnd::Exited(0));
    assert_eq!(trap(&Ground::new(), &sh("read line")).await.end(), RunEnd::Exited(1));
}

#[tokio::test]
async fn one_that_opens_the_terminal_finds_none() {
    let finished = trap(&Ground::new(), &sh("cat </dev/tty")).await;
    assert!(matches!(finished.end(), RunEnd::Exited(1 | 2)), "{:?}", finished.end());
}

#[tokio::test]
async fn a_pager_shows_all_and_ends() {
    for pager in ["more", "less"] {
        if found(pager) {
            let finished =
                trap_with(&Ground::new(), &format!("{pager} /etc/passwd"), &[("TERM", "dumb")]).await;
            assert!(finished.stdout().total() > 0, "{pager}");
        }
    }
}

#[tokio::test]
async fn an_editor_ends_at_once() {
    let ground = Ground::new();
    if !found("git") {
        return;
    }
    assert_eq!(ground.run("git init -q .").await.end(), RunEnd::Exited(0));
    let names =
        [("HOME", "/nonexistent"), ("TERM", "dumb"), ("GIT_AUTHOR_NAME", "a"), ("GIT_COMMITTER_NAME", "a")];
    let mail = [("GIT_AUTHOR_EMAIL", "a@b"), ("GIT_COMMITTER_EMAIL", "a@b")];
    let finished = trap_with(&ground, "git commit --allow-empty", &[&names[..], &mail].concat()).await;
    assert!(
        matches!(finished.end(), RunEnd::Exited(1..)),
        "{:?} {}",
        finished.end(),
        finished.stderr().text()
    );
}

/// A server that wants a password, for as long as the test runs.
fn wants_a_password() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            let mut request = [0; 4096];
            let _request = client.read(&mut request).unwrap_or_default();
            let answer = "HTTP/1.1 401 no\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            client.write_all(answer.as_bytes()).ok();
        }
    });
    port
}

#[tokio::test]
async fn git_that_asks_for_a_password_gets_none() {
    if !found("git") {
        return;
    }
    let url = format!("http://somebody@127.0.0.1:{}/x.git", wants_a_password());
    for env in [&[][..], &[("GIT_TERMINAL_PROMPT", "0")]] {
        let finished = trap_with(&Ground::new(), &format!("git clone {url}"), env).await;
        assert!(matches!(finished.end(), RunEnd::Exited(1..)), "{:?}", finished.end());
    }
}

#[tokio::test]
async fn one_that_follows_a_file_runs_to_its_deadline() {
    let finished = trap(&Ground::new(), &sh("echo a > log; exec tail -f log")).await;
    assert_eq!((finished.end(), finished.stdout().text().as_str()), (RunEnd::TimedOut, "a\n"));
}

#[tokio::test]
async fn a_child_that_holds_the_pipe_is_named_and_ended() {
    let ground = Ground::new();
    let began = Instant::now();
    let finished = trap(&ground, &sh("echo done; nohup setsid sleep 1000 & exit 0")).await;
    assert!(began.elapsed() >= Duration::from_millis(250));
    assert_eq!((finished.end(), finished.stdout().text().as_str()), (RunEnd::Exited(0), "done\n"));
    assert_eq!(finished.left_behind().unwrap().name, "sleep");
}

#[tokio::test]
async fn a_daemon_goes_with_the_rest() {
    let daemon =
        "(setsid sh -c '(exec >&- 2>&- <&-; cd /; sleep 1000; sleep 1000) & exit' &) ; echo up; sleep 0.3";
    for rest in ["", "; sleep 1000"] {
        let finished = trap(&Ground::new(), &sh(&format!("{daemon}{rest}"))).await;
        assert_eq!(finished.stdout().text(), "up\n");
    }
}

#[tokio::test]
async fn one_that_multiplies_is_overtaken() {
    let sleepers = "i=0; while [ $i -lt 500 ]; do setsid sleep 1000 & i=$((i+1)); done; echo all; wait";
    let chain = "f() { if [ $1 -gt 0 ]; then f $(($1-1)) & wait; else sleep 1000; fi; }; f 100";
    let runner = "cat > hop <<'END'\n#!/bin/sh\nsetsid ./hop & \nEND\nchmod +x hop; exec ./hop";
    for line in [sleepers, chain] {
        assert_eq!(trap(&Ground::new(), &sh(line)).await.end(), RunEnd::TimedOut, "{line}");
    }
    // Each lives only for a moment and starts the next: it is only there while nobody looks.
    let ground = Ground::new();
    let finished = trap(&ground, &sh(runner)).await;
    assert!(matches!(finished.end(), RunEnd::Exited(0) | RunEnd::TimedOut), "{:?}", finished.end());
}

#[tokio::test]
async fn one_that_will_not_hear_or_stops_itself_is_killed() {
    let deaf = "trap '' TERM INT HUP; while :; do sleep 1; done";
    for line in [deaf, "kill -STOP $$; sleep 1000", "sleep 1000 & kill -STOP $! $$; sleep 1000"] {
        assert_eq!(trap(&Ground::new(), &sh(line)).await.end(), RunEnd::TimedOut, "{line}");
    }
}

#[tokio::test]
async fn a_flood_of_zombies_drains() {
    let own = "i=0; while [ $i -lt 400 ]; do true & i=$((i+1)); done; exec sleep 1000";
    let orphans = "i=0; while [ $i -lt 400 ]; do (true & ) ; i=$((i+1)); done; exec sleep 1000";
    for line in [own, orphans] {
        assert_eq!(trap(&Ground::new(), &sh(line)).await.end(), RunEnd::TimedOut, "{line}");
    }
}

#[tokio::test]
async fn a_flood_of_output_is_counted_and_ends_in_time() {
    let finished = trap(&Ground::new(), "yes").await;
    assert_eq!(finished.end(), RunEnd::TimedOut);
    assert!(finished.stdout().total() > 10_000_000, "{}", finished.stdout().total());
    assert!(finished.into_result().stdout.len() < 1_100_000);
}

/// Ten gigabytes with `PINFOLD_LONG=1`, else one.
#[tokio::test]
async fn a_flood_that_ends_is_counted_to_the_last_byte() {
    let bytes: u64 = if std::env::var_os("PINFOLD_LONG").is_some() { 10_000_000_000 } else { 1_000_000_000 };
    let ground = Ground::new();
    let finished = ground.run_on(&format!("head -c {bytes} /dev/zero"), |terms| terms.timeout *= 4).await;
    assert_eq!((finished.end(), finished.stdout().total()), (RunEnd::Exited(0), bytes));
    assert_eq!(finished.stdout().head().len() + finished.stdout().tail().len(), 1_048_576);
}

#[tokio::test]
async fn bytes_that_are_no_text_are_shown() {
    let finished = trap(&Ground::new(), "printf 'a\\000b\\377c\\303'").await;
    assert_eq!(finished.stdout().text(), "a\0b\u{fffd}c\u{fffd}");
}

#[tokio::test]
async fn one_that_closes_its_outputs_runs_on() {
    let finished = trap(&Ground::new(), &sh("exec >&- 2>&-; sleep 0.5; exit 7")).await;
    assert_eq!(finished.end(), RunEnd::Exited(7));
    assert_eq!(trap(&Ground::new(), &sh("exec >&- 2>&-; sleep 1000")).await.end(), RunEnd::TimedOut);
}
