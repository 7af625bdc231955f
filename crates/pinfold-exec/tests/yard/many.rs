//! Mixed commands, 32 at a time.

use std::{fs, time::Duration};

use pinfold_contract::RunEnd;
use pinfold_exec::run;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::ground::{Ground, sh};

/// At a time.
const AT_ONCE: usize = 32;

/// More memory than this after all of them than after a tenth is a leak.
const GROWTH: u64 = 4 << 20;

fn kinds() -> Vec<String> {
    let lines = [
        "exit 3",
        "echo out; echo err >&2",
        "head -c 300000 /dev/zero",
        "kill -SEGV $$",
        "setsid sleep 1000 & exit",
        "(setsid sleep 1000 >/dev/null 2>&1 &) ; exit 0",
        "sleep 1000 & sleep 1000",
        "cat",
    ];
    ["true".to_owned(), "./plain".to_owned()].into_iter().chain(lines.map(sh)).collect()
}

async fn one(ground: &Ground, line: &str, number: usize) {
    let cancel = CancellationToken::new();
    let mut terms = ground.terms();
    terms.timeout = Duration::from_millis(if line.contains("sleep 1000 & sleep") { 30 } else { 30_000 });
    terms.max_output_bytes = 30_000;
    match number % 7 {
        0 => cancel.cancel(),
        1 => {
            let later = cancel.clone();
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(2)).await;
                later.cancel();
            });
        }
        _ => {}
    }
    match run(ground.check(line), terms, cancel).await {
        Ok(finished) => assert!(finished.leaked() == 0 && finished.end() != RunEnd::Exited(126), "{line}"),
        Err(error) => assert!(line == "./plain", "{line}: {error}"),
    }
}

fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_commands_nothing_is_left() {
    let long = std::env::var_os("PINFOLD_LONG").is_some();
    let total = if long { 10_000 } else { 400 };
    let ground = std::sync::Arc::new(Ground::new());
    ground.program("plain", "no first line that names an interpreter\n");
    let (kinds, mut running) = (kinds(), JoinSet::new());
    let mut after_a_tenth = (0, 0);
    for number in 0..total {
        if running.len() == AT_ONCE {
            running.join_next().await.unwrap().unwrap();
        }
        let (ground, line) = (std::sync::Arc::clone(&ground), kinds[number % kinds.len()].clone());
        running.spawn(async move { one(&ground, &line, number).await });
        if number == total / 10 {
            while running.join_next().await.is_some_and(|done| done.map(|()| true).unwrap()) {}
            after_a_tenth = (resident(), descriptors());
        }
    }
    while running.join_next().await.is_some_and(|done| done.map(|()| true).unwrap()) {}
    let after_all = (resident(), descriptors());
    println!("{total} commands: {after_a_tenth:?} then {after_all:?} (bytes, descriptors)");
    assert_eq!(ground.survivors(), [""; 0]);
    assert!(after_all.0 < after_a_tenth.0 + GROWTH, "{after_a_tenth:?} {after_all:?}");
    assert!(after_all.1 <= after_a_tenth.1 + AT_ONCE, "{after_a_tenth:?} {after_all:?}");
    assert_eq!(fs::read_dir(ground.path()).unwrap().count(), 1, "no file but our own");
}
