//! A known file is shown as one that is read anew, and a changed one is not taken for the one that is known.

#![allow(clippy::disallowed_methods, reason = "the test makes the file, and changes it")]

use std::{
    fs::{self, File},
    io::{Seek, Write},
    thread,
    time::Duration,
};

use super::*;

fn index(file: &mut File) -> Option<(Index, Scan)> {
    let mut index = Index::begin(file, Encoding::Bytes);
    index.version?;
    let mut window =
        Window::new(Bounds { first: 1, lines: 1, max_bytes: None, numbered: true }, Encoding::Bytes);
    let mut chunk = vec![0u8; 128 * 1024];
    file.rewind().unwrap();
    loop {
        let got = std::io::Read::read(file, &mut chunk).unwrap();
        if got == 0 {
            return Some((index, window.finish()));
        }
        window.feed(&chunk[..got]);
        index.note(&chunk[..got], &window);
    }
}

fn read_anew(text: &[u8], bounds: Bounds) -> Scan {
    let mut window = Window::new(bounds, Encoding::Bytes);
    window.feed(text);
    window.finish()
}

#[test]
fn a_known_file_is_shown_as_one_that_is_read_anew() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("log");
    let mut text: Vec<u8> =
        (0..60_000).flat_map(|n| format!("{n} {}\r\n", "é".repeat(n % 40)).into_bytes()).collect();
    // Lines longer than what lies between two places, and a last one that does not end.
    text.extend(vec![b'x'; 700_000]);
    text.extend(b"\nend\xff of it");
    fs::write(&path, &text).unwrap();
    let mut file = File::open(&path).unwrap();
    assert!(index(&mut file).is_none(), "it was changed this very moment");
    thread::sleep(Duration::from_millis(2_100));
    let known = BigFiles::default();
    let (index, scan) = index(&mut file).unwrap();
    assert!(index.places.len() > 4);
    known.learn(index, &file, &scan);
    for first in [1, 2, 1_000, 31_234, 59_999, 60_000, 60_001, 60_002, 60_003, 99_999] {
        for (lines, max_bytes) in
            [(1, None), (200, None), (200, Some(0)), (200, Some(1_000)), (u64::MAX, Some(9_999))]
        {
            let bounds = Bounds { first, lines, max_bytes, numbered: true };
            assert_eq!(known.peek(&mut file, bounds), Some(read_anew(&text, bounds)), "{bounds:?}");
        }
    }
    let bounds = Bounds { first: 60_000, lines: 5, max_bytes: None, numbered: true };
    fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"\nmore").unwrap();
    file.rewind().unwrap();
    assert_eq!(known.peek(&mut file, bounds), None);
    assert_eq!(file.stream_position().unwrap(), 0, "whoever reads it anew begins at its beginning");
}
