//! The body of the fuzz target `patterns` on hard patterns and some thousand mutations of them, the same every time.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test panics when it fails")]

#[path = "support/searching.rs"]
mod searching;

/// Patterns, and texts that they match or nearly match.
const SEEDS: &[(&str, &str)] = &[
    ("(?:.{0,200}q){3}!", "aqaqaqaq!\nqqq\n"),
    ("\\pL{50,200}\\d", "aéaéaé1\n"),
    ("(a|aa)+$", "aaaaaaaaab\n"),
    ("^\\s*$", "\n \r\n\t\n"),
    ("needle", "a needle\r\nno\nneedleneedle"),
    ("[^\\n]*", "x\n\ny"),
    ("(?i)straße|STRASSE", "STRASSE\nstraße\n"),
    ("\\bfn\\s+(\\w+)\\(", "fn main() {\n"),
    ("a{3}{4}", "aaaaaaaaaaaa"),
    ("(?<name>x)\\1", "xx"),
    ("(?=x)", "x"),
    ("\\x{10ffff}|\\u00e9", "é"),
    ("", "a\nb"),
    ("[[:alpha:]&&[^x]]+", "abcx"),
    (".*.*.*.*=", "aaaaaaaaaaaaaaaaaaaaaaaa"),
];

/// How often each way to search is tried.
const ROUNDS: usize = 8;

/// SplitMix64: small, and the same everywhere.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    usize::try_from((z ^ (z >> 31)) >> 1).unwrap()
}

#[test]
fn any_pattern_is_searched_or_refused() {
    let pieces: Vec<&str> = SEEDS.iter().flat_map(|(pattern, text)| [*pattern, *text]).collect();
    let marks = b"()[]{}*+?|\\^$.,-0\n\r\t x\xff\xc3\xe9";
    let mut state = 8;
    for round in (0..ROUNDS).flat_map(|_| 0..=u8::MAX) {
        let (pattern, text) = SEEDS[next(&mut state) % SEEDS.len()];
        let mut data = [&[round][..], pattern.as_bytes(), b"\0", text.as_bytes()].concat();
        for _ in 0..next(&mut state) % 4 {
            let at = 1 + next(&mut state) % data.len();
            match next(&mut state) % 3 {
                0 => data.insert(at.min(data.len()), marks[next(&mut state) % marks.len()]),
                1 if at < data.len() => drop(data.remove(at)),
                _ => {
                    let piece = pieces[next(&mut state) % pieces.len()];
                    data.splice(at.min(data.len())..at.min(data.len()), piece.bytes());
                }
            }
        }
        searching::searching(&data);
    }
}
