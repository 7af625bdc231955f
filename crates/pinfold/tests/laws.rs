//! What holds for every text: an edit changes nothing outside the match, and windows join to the whole.

#![allow(clippy::disallowed_methods, reason = "the test compares with the bytes on disk")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

use std::fs;

use pinfold::{
    Failure, FailureType, Memory, Policy, Workspace,
    tools::{EditFile, ReadFile},
};
use pinfold_jail::snapshot::sha256;
use proptest::{collection::vec, prelude::*, sample::select};
use tempfile::TempDir;

/// Pieces of which matches, near matches and odd endings come soon.
fn text(most: usize) -> impl Strategy<Value = String> {
    let pieces = ["a", "b", "ab", "\n", "\r\n", "\r", " ", "\t", "é", "€", "😀"];
    vec(select(pieces.to_vec()), 0..most).prop_map(|parts| parts.concat())
}

/// The same with bytes that are no text.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let pieces: [&[u8]; 8] = [b"a", b"b", b"\n", b"\r\n", b"\xff", b"\0", b"\xc3", "é".as_bytes()];
    vec(select(pieces.to_vec()), 0..40).prop_map(|parts| parts.concat())
}

fn run<T>(deed: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(deed)
}

/// Occurrences, from the left and without overlap, the plain way.
fn places(content: &[u8], old: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = 0;
    while at + old.len() <= content.len() {
        if content[at..].starts_with(old) {
            found.push(at);
            at += old.len();
        } else {
            at += 1;
        }
    }
    found
}

fn replaced(content: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut from = 0;
    for at in places(content, old) {
        out.extend_from_slice(&content[from..at]);
        out.extend_from_slice(new);
        from = at + old.len();
    }
    [&out, &content[from..]].concat()
}

fn without_returns(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().filter(|&byte| byte != b'\r').collect()
}

/// The edit on both backends; what the disk holds afterwards, and the failure if it failed.
fn edited(content: &[u8], edit: &EditFile) -> (Vec<u8>, Option<Failure>) {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("f");
    fs::write(&file, content).unwrap();
    let local = Workspace::open(Policy::new(dir.path())).unwrap();
    let memory = Workspace::in_memory(Policy::new(dir.path()), Memory::new().file("f", content)).unwrap();
    let on_disk = run(local.edit_file(edit.clone()));
    assert_eq!(on_disk, run(memory.edit_file(edit.clone())), "the backends differ");
    let after = fs::read(&file).unwrap();
    if let Ok(done) = &on_disk {
        assert_eq!(done.hash, sha256(&after));
    }
    (after, on_disk.err())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_edit_changes_nothing_outside_the_match(
        before in bytes(), old in text(5), new in text(5), after in bytes(), all: bool,
    ) {
        prop_assume!(!old.is_empty() && old != new);
        let content = [&before, old.as_bytes(), &after].concat();
        let edit = EditFile {
            path: "f".into(),
            old_string: old.clone(),
            new_string: new.clone(),
            replace_all: Some(all),
            expect_hash: Some(sha256(&content)),
            ..EditFile::default()
        };
        let (now, failure) = edited(&content, &edit);
        if all || places(&content, old.as_bytes()).len() == 1 {
            let plainly = replaced(&content, old.as_bytes(), new.as_bytes());
            if failure.is_some() {
                // The two differ in line endings only, and the file's are kept.
                prop_assert_eq!(failure.map(|no| no.failure_type()), Some(FailureType::NoOp));
                prop_assert_eq!(old.replace("\r\n", "\n"), new.replace("\r\n", "\n"));
            } else if new.contains('\n') || old.starts_with('\n') {
                // New lines end as those around them do; all else is the same.
                prop_assert_eq!(without_returns(&now), without_returns(&plainly));
                let kept = before.strip_suffix(b"\r").unwrap_or(&before);
                prop_assert!(all || (now.starts_with(kept) && now.ends_with(&after)));
            } else {
                prop_assert_eq!(now, plainly);
            }
        } else {
            prop_assert_eq!(failure.map(|no| no.failure_type()), Some(FailureType::EditNotUnique));
            prop_assert_eq!(now, content);
        }
    }

    #[test]
    fn line_endings_are_folded_and_nothing_else(lines in vec("[a-c]{0,3}", 3..8), first in 0usize..6, new in "[x-z]{1,3}\n[x-z]{1,3}") {
        let first = first % (lines.len() - 1);
        let content = lines.join("\r\n");
        // A text that begins with LF is found exactly, in the middle of CRLF.
        prop_assume!(!lines[first].is_empty());
        let old = lines[first..first + 2].join("\n");
        let unique = places(content.as_bytes(), old.replace('\n', "\r\n").as_bytes()).len() == 1;
        let edit = EditFile { path: "f".into(), old_string: old.clone(), new_string: new.clone(), ..EditFile::default() };
        let (now, failure) = edited(content.as_bytes(), &edit);
        if unique {
            let (old, new) = (old.replace('\n', "\r\n"), new.replace('\n', "\r\n"));
            prop_assert_eq!(failure, None);
            prop_assert_eq!(now, content.replacen(&old, &new, 1).into_bytes());
        } else {
            prop_assert!(failure.is_some());
            prop_assert_eq!(now, content.into_bytes());
        }
    }

    #[test]
    fn windows_join_to_the_whole(content in text(200), limits in vec(1u64..9, 1..9)) {
        let memory = Memory::new().file("f", content.clone());
        let workspace = Workspace::in_memory(Policy::new("/w"), memory).unwrap();
        let mut joined = String::new();
        let (mut next, mut limits) = (1, limits.into_iter().cycle());
        loop {
            let window = ReadFile { path: "f".into(), start_line: Some(next), limit: limits.next() };
            let read = run(workspace.read_file(window)).unwrap();
            prop_assert_eq!(&read.hash, &sha256(content.as_bytes()));
            for (line, number) in read.content.split_inclusive('\n').zip(next..) {
                let own = line.strip_prefix(&format!("{number:>6}\t"));
                prop_assert!(own.is_some(), "{:?} is not line {}", line, number);
                joined.push_str(own.unwrap());
            }
            prop_assert!(!read.bytes_capped && read.total_bytes == content.len() as u64);
            if !read.truncated {
                prop_assert_eq!(read.end_line, read.total_lines);
                break;
            }
            prop_assert_eq!(read.start_line, next);
            next = read.end_line + 1;
        }
        prop_assert_eq!(joined, content);
    }
}
