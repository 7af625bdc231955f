//! How long it takes to read the harmless lines of the corpora, beside another parser. Reading only, no judging.
//!
//! `cargo bench -p second-opinion --bench reading`

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a program for people")]

use std::{hint::black_box, time::Instant};

use pinfold_shell::Line;
use serde_json::Value;

const ROUNDS: usize = 21;

fn main() {
    let rows = include_str!("../../../tests/corpora/shell_sh.jsonl").lines();
    let rows = rows.map(|row| serde_json::from_str::<Value>(row).unwrap());
    let lines: Vec<String> = rows
        .filter(|row| row["expect"] == "allow")
        .map(|row| row["line"].as_str().unwrap().to_owned())
        .filter(|line| Line::parse(line).is_ok() && second_opinion::names(line).is_some())
        .collect();
    let ours = |line: &str| drop(black_box(Line::parse(line)));
    let theirs = |line: &str| drop(black_box(second_opinion::read(line)));
    let (mut own, mut other) = (Vec::new(), Vec::new());
    for turn in 0..ROUNDS {
        // The other one may keep answers: blanks at the end make each line a new one.
        let fresh: Vec<String> = lines.iter().map(|line| format!("{line}{}", " ".repeat(turn))).collect();
        own.push(seconds(&fresh, ours));
        other.push(seconds(&fresh, theirs));
    }
    let (own, other) = (median(own), median(other));
    let each = |seconds: f64| seconds * 1e6 / lines.len() as f64;
    println!("{} harmless lines, medians of {ROUNDS} rounds, per line:", lines.len());
    println!("pinfold-shell {:7.2} µs", each(own));
    println!("brush-parser  {:7.2} µs ({:.1} × ours)", each(other), other / own);
}

fn seconds(lines: &[String], read: impl Fn(&str)) -> f64 {
    let began = Instant::now();
    lines.iter().for_each(|line| read(line));
    began.elapsed().as_secs_f64()
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}
