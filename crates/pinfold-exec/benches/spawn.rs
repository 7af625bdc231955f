//! What a command costs: `/bin/true` beside a bare posix_spawn(3) and wait, with a small host and a large one, one at a
//! time and 32; and a gigabyte of output beside `wc -c`.
//!
//! `cargo bench -p pinfold-exec --bench spawn`

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a program for people"
)]

use std::{
    ffi::OsStr,
    fs::{self, File},
    hint::black_box,
    os::fd::OwnedFd,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use pinfold_exec::{Executable, RunTerms, SearchPath, Ward, run};
use pinfold_shell::{Argv, CheckedCommand, Rules};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

const ROUNDS: u32 = 1_000;
const AT_ONCE: usize = 32;
const PATH: &str = "/usr/bin:/bin";

fn cwd() -> OwnedFd {
    File::open("/").unwrap().into()
}

fn check(line: &str) -> CheckedCommand<Executable> {
    let search = SearchPath::new(Some(OsStr::new(PATH)), Vec::new(), cwd());
    Rules::new(None, Vec::new()).unwrap().check(Argv::parse(line).unwrap(), &search).unwrap()
}

async fn ours(line: &str, ward: Option<&Ward>) -> u64 {
    let terms =
        RunTerms { ward: ward.cloned(), env: vec![("PATH".into(), PATH.into())], ..RunTerms::new(cwd()) };
    let finished = run(check(line), terms, CancellationToken::new()).await.unwrap();
    assert_eq!(finished.end().exit_code(), 0);
    finished.stdout().total()
}

fn bare() {
    // No pre_exec and no user: the standard library takes posix_spawn(3).
    let mut command = Command::new("/bin/true");
    assert!(command.stdin(Stdio::null()).stdout(Stdio::null()).status().unwrap().success());
}

fn each(total: Duration, rounds: u32) -> f64 {
    total.as_secs_f64() * 1e6 / f64::from(rounds)
}

async fn one_at_a_time(ward: Option<&Ward>) -> f64 {
    let began = Instant::now();
    for _ in 0..ROUNDS {
        ours("/bin/true", ward).await;
    }
    each(began.elapsed(), ROUNDS)
}

async fn many_at_a_time(ward: &Ward) -> f64 {
    let (mut running, began) = (JoinSet::new(), Instant::now());
    for _ in 0..ROUNDS * 4 {
        if running.len() == AT_ONCE {
            running.join_next().await.unwrap().unwrap();
        }
        let ward = ward.clone();
        running.spawn(async move { ours("/bin/true", Some(&ward)).await });
    }
    running.join_all().await;
    each(began.elapsed(), ROUNDS * 4)
}

fn bare_ones() -> f64 {
    let began = Instant::now();
    (0..ROUNDS).for_each(|_| bare());
    each(began.elapsed(), ROUNDS)
}

fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

async fn output(ward: &Ward) {
    let line = "head -c 1000000000 /dev/zero";
    for round in 1..=3 {
        let piped = Instant::now();
        let status =
            Command::new("/bin/sh").args(["-c", &format!("{line} | wc -c >/dev/null")]).status().unwrap();
        let piped = piped.elapsed();
        assert!(status.success());
        let (before, read) = (resident(), Instant::now());
        assert_eq!(ours(line, Some(ward)).await, 1_000_000_000);
        let (grown, read) = (resident() - before, read.elapsed());
        println!(
            "1 GB, round {round}: wc -c {piped:.0?}, ours {read:.0?}, ×{:.2}, peak memory +{grown} kB",
            read.as_secs_f64() / piped.as_secs_f64()
        );
    }
}

#[tokio::main(worker_threads = 2)]
async fn main() {
    let program =
        std::env::var_os("PINFOLD_WARD").unwrap_or_else(|| env!("CARGO_BIN_EXE_pinfold-ward").into());
    let ward = Ward::at(&program);
    ours("/bin/true", Some(&ward)).await;
    output(&ward).await;
    for round in 1..=3 {
        let (bare, small, alone) = (bare_ones(), one_at_a_time(Some(&ward)).await, one_at_a_time(None).await);
        println!(
            "/bin/true, round {round}: bare {bare:.0} µs, ward {small:.0} µs (×{:.2}), without a ward {alone:.0} µs",
            small / bare
        );
        let many = many_at_a_time(&ward).await;
        println!("  32 at a time {many:.0} µs each, ×{:.2} the throughput of one at a time", small / many);
        let much = black_box(vec![1_u8; 1 << 30]);
        let (bare, large) = (bare_ones(), one_at_a_time(Some(&ward)).await);
        println!(
            "  with 1 GB of memory: bare {bare:.0} µs, ward {large:.0} µs (×{:.2} of the small host)",
            large / small
        );
        drop(black_box(much));
    }
}
