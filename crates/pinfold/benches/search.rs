//! Searching in process, beside ripgrep as a process: the same tree, two threads each, no ignore rules.
//!
//! `cargo bench -p pinfold --bench search` makes trees of 20,000 and 200,000 files in the temporary folder (about 1 GB with
//! their blocks) and needs `rg`. It also shows how time grows with the tree, how soon a cancelled search returns, and the
//! worst patterns on 16 to 64 MiB.

#![allow(clippy::disallowed_methods, reason = "it lays out files and starts the peer")]
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used, reason = "a program for people")]

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use pinfold::{Context, Policy, Workspace};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

const ROUNDS: usize = 7;

fn main() {
    let home = TempDir::new().unwrap();
    let runtime = Runtime::new().unwrap();
    let trees: Vec<_> = [20_000, 200_000].map(|files| (files, home.path().join(files.to_string()))).into();
    for (files, root) in &trees {
        lay_out(root, *files);
    }
    let mut alone = Vec::new();
    for (files, root) in &trees {
        let workspace = Workspace::open(Policy::new(root)).unwrap();
        println!("\n{files} files, medians of {ROUNDS} interleaved rounds:");
        for row in rows() {
            alone.push((row.name, *files, compare(&runtime, &workspace, root, &row)));
        }
    }
    println!("\ntime for 200,000 files beside 20,000:");
    for row in rows() {
        let time = |files| alone.iter().find(|(name, of, _)| *name == row.name && *of == files).unwrap().2;
        println!("{:22} {:6.1} ×", row.name, time(200_000) / time(20_000));
    }
    cancelled(&runtime, &trees[1].1);
    worst(&runtime, home.path());
}

/// What is searched for, by us and by ripgrep.
struct Row {
    name: &'static str,
    tool: &'static str,
    arguments: Value,
    theirs: &'static str,
}

fn rows() -> Vec<Row> {
    let row = |name, tool, arguments, theirs| Row { name, tool, arguments, theirs };
    vec![
        row(
            "grep, rare literal",
            "grep",
            json!({"pattern": "zq_rare_needle", "literal": true}),
            "rg -uu -j2 -n -F zq_rare_needle . | cat",
        ),
        row(
            "grep, regex",
            "grep",
            json!({"pattern": "export\\s+async\\s+function\\s+\\w+Handler\\("}),
            "rg -uu -j2 -n 'export\\s+async\\s+function\\s+\\w+Handler\\(' . | head -n 250",
        ),
        row(
            "grep, common, capped",
            "grep",
            json!({"pattern": "return", "literal": true, "maxMatches": 100}),
            "rg -uu --sort path -n -F return . | head -n 100",
        ),
        row(
            "glob **/*.ts",
            "glob",
            json!({"pattern": "**/*.ts", "maxMatches": 100_000}),
            "rg -uu -j2 --files -g '**/*.ts' . | cat",
        ),
    ]
}

/// Medians in seconds; ours is returned.
fn compare(runtime: &Runtime, workspace: &Workspace, root: &Path, row: &Row) -> f64 {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..=ROUNDS {
        ours.push(timed(|| {
            let call = workspace.call(row.tool, row.arguments.clone(), Context::default());
            runtime.block_on(call).unwrap();
        }));
        theirs.push(timed(|| {
            let mut peer = Command::new("sh");
            peer.args(["-c", row.theirs]).current_dir(root).stdout(Stdio::null());
            peer.status().unwrap();
        }));
    }
    // The first round warms the caches.
    let (ours, theirs) = (median(ours.split_off(1)), median(theirs.split_off(1)));
    println!("{:22} {:9.1} ms, rg {:9.1} ms ({:.2} ×)", row.name, ours * 1e3, theirs * 1e3, ours / theirs);
    ours
}

fn cancelled(runtime: &Runtime, root: &Path) {
    let workspace = Workspace::open(Policy::new(root)).unwrap();
    let late: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let context = Context::default();
            let cancel = context.cancel.clone();
            let cancelled = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(100));
                cancel.cancel();
                Instant::now()
            });
            let call = workspace.call("grep", json!({"pattern": "zq_rare_needle"}), context);
            // Either it is cancelled, or it has what it found until then.
            drop(runtime.block_on(call));
            let ended = Instant::now();
            ended.saturating_duration_since(cancelled.join().unwrap()).as_secs_f64()
        })
        .collect();
    println!("\ncancelled after 100 ms, it returns after {:.1} ms more (median)", median(late) * 1e3);
}

/// Patterns that take other engines quadratic time, on text that nearly matches.
fn worst(runtime: &Runtime, home: &Path) {
    let root = home.join("worst");
    fs::create_dir(&root).unwrap();
    println!("\nthe worst patterns:");
    let shapes = [
        ("(?:.{0,200}q){3}!", format!("{}\n", "aq".repeat(900))),
        ("\\pL{50,200}\\d", format!("{}\n", "aé".repeat(600))),
        ("(?:a|aa)+$x", format!("{}\n", "a".repeat(1_900))),
        ("[ab]*a[ab]{60}c", format!("{}\n", "ab".repeat(900))),
    ];
    for (pattern, line) in shapes {
        let times: Vec<String> = [16_usize, 32, 64]
            .map(|mib| {
                fs::write(root.join("text"), line.repeat((mib << 20) / line.len())).unwrap();
                let workspace = Workspace::open(Policy::new(&root)).unwrap();
                let mut refused = None;
                let seconds = timed(|| {
                    let call = workspace.call("grep", json!({"pattern": pattern}), Context::default());
                    refused = runtime.block_on(call).err();
                });
                match refused {
                    Some(no) => no.failure_type().as_str().to_owned(),
                    None => format!("{:.0} ms", seconds * 1e3),
                }
            })
            .into();
        println!("{pattern:22} 16, 32, 64 MiB: {}", times.join(", "));
    }
}

fn timed(deed: impl FnOnce()) -> f64 {
    let began = Instant::now();
    deed();
    began.elapsed().as_secs_f64()
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

/// Source-like files of about 2 KiB, 100 in a directory, a third of them `.ts`.
fn lay_out(root: &Path, files: usize) {
    let line =
        |number: usize| format!("  const value{number} = compute(value{}, {number}); // note\n", number / 2);
    let body: String = (0..40).map(line).collect();
    for number in 0..files {
        let dir = root.join(format!("packages/p{:03}/src/d{:02}", number / 2_000, number / 100 % 20));
        if number % 100 == 0 {
            fs::create_dir_all(&dir).unwrap();
        }
        let kind = ["ts", "rs", "md"][number % 3];
        let rare = if number % 7_919 == 7_918 { "zq_rare_needle\n" } else { "" };
        let handler = if number % 500 == 0 { "export async function fooHandler(a) {\n" } else { "" };
        let text = format!("{handler}{body}{rare}  return value{number};\n");
        fs::write(dir.join(format!("f{number}.{kind}")), text).unwrap();
    }
}
