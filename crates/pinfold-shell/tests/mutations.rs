//! The bodies of the fuzz targets, on the corpora and some thousand mutations of them: the same every time, and without
//! the tools that fuzzing needs. `fuzz/` runs them for as long as one likes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail at once")]

#[path = "support/checker.rs"]
mod checker;
#[path = "support/reader.rs"]
mod reader;
#[path = "support/seeds.rs"]
mod seeds;
#[path = "support/shared.rs"]
mod shared;
#[path = "support/tokenizer.rs"]
mod tokenizer;

/// Mutations of each target.
const ROUNDS: usize = 6_000;

/// SplitMix64: small, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end.max(1) as u64).unwrap()
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// Some pieces of `from`, in any order.
    fn crossed(&mut self, line: &[u8], other: &[u8]) -> Vec<u8> {
        let (cut, from) = (self.below(line.len() + 1), self.below(other.len() + 1));
        [&line[..cut], &other[from..]].concat()
    }

    fn mutated(&mut self, lines: &[String]) -> Vec<u8> {
        let mut line = self.pick(lines).clone().into_bytes();
        for _ in 0..=self.below(4) {
            let at = self.below(line.len() + 1);
            match self.below(5) {
                0 => line.insert(at, *self.pick(b"'\"\\ \t\n;&|<>`$(){}-=/.+e0\0\xff")),
                1 if at < line.len() => drop(line.remove(at)),
                2 if at < line.len() => line.truncate(at),
                3 => {
                    let words: Vec<&str> = self.pick(lines).split(' ').collect();
                    let word = format!(" {} ", self.pick(&words));
                    line.splice(at..at, word.into_bytes());
                }
                _ => {
                    let other = self.pick(lines).clone();
                    line = self.crossed(&line, other.as_bytes());
                }
            }
        }
        line
    }
}

#[test]
fn the_tokenizer_keeps_its_laws() {
    let lines = seeds::lines();
    assert!(lines.len() > 1_300, "only {} seeds were read", lines.len());
    lines.iter().for_each(|line| tokenizer::tokenizer(line.as_bytes()));
    let mut random = Random(1);
    (0..ROUNDS).for_each(|_| tokenizer::tokenizer(&random.mutated(&lines)));
}

#[test]
fn the_checker_keeps_its_laws() {
    let lines = seeds::lines();
    let mut random = Random(2);
    let mut tried = |line: &[u8]| {
        let mixture = u8::try_from(random.below(256)).unwrap();
        checker::checker(&[&[mixture], line].concat());
    };
    lines.iter().for_each(|line| tried(line.as_bytes()));
    let mut mutations = Random(3);
    (0..ROUNDS).for_each(|_| tried(&mutations.mutated(&lines)));
}

#[test]
fn the_reader_of_sh_mode_keeps_its_laws() {
    let lines = seeds::lines();
    lines.iter().for_each(|line| reader::reader(line.as_bytes()));
    let mut random = Random(3);
    (0..ROUNDS).for_each(|_| reader::reader(&random.mutated(&lines)));
}

#[test]
fn the_verdict_on_lines_keeps_its_laws() {
    let lines = seeds::lines();
    let mut random = Random(4);
    for round in 0..ROUNDS {
        let line =
            if round < lines.len() { lines[round].clone().into_bytes() } else { random.mutated(&lines) };
        let mixture = u8::try_from(random.below(256)).unwrap();
        reader::lines(&[&[mixture], &line[..]].concat());
    }
}
