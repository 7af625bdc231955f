//! What holds for every text and every sequence of edits.

use proptest::{collection::vec, prelude::*, sample::select};

use super::{
    change::{Change, compose},
    diff,
    encoding::Encoding,
    lines::Lines,
    miss,
    search::find,
    splice::splice,
};

fn text(most: usize) -> impl Strategy<Value = String> {
    let pieces = ["a", "b", "ab ", "\n", "\r\n", "\r", "  ", "\t", "é", "“", "\u{200b}", "\\n", "\"", "1:"];
    vec(select(pieces.to_vec()), 0..most).prop_map(|parts| parts.concat())
}

fn bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
    let pieces: [&[u8]; 8] = [b"a", b"b ", b"\n", b"\r\n", b"\xff", b"\xe2\x80", b"\xc2", "’".as_bytes()];
    vec(select(pieces.to_vec()), 0..most).prop_map(|parts| parts.concat())
}

/// All edits that can be made, one after another; what they come to.
fn made(before: &[u8], edits: &[(String, String)]) -> (Vec<u8>, Vec<Change>) {
    let (mut now, mut changes) = (before.to_vec(), Vec::new());
    for (old, new) in edits.iter().filter(|(old, _)| !old.is_empty()) {
        let (text, done) = splice(&now, &find(&now, old.as_bytes()), old.as_bytes(), new.as_bytes());
        changes = compose(&changes, &done);
        now = text;
    }
    (now, changes)
}

fn rebuilt(before: &[u8], after: &[u8], changes: &[Change]) -> Vec<u8> {
    let (mut out, mut from) = (Vec::new(), 0);
    for change in changes {
        out.extend_from_slice(&before[from..change.old.start]);
        assert_eq!(out.len(), change.new.start);
        out.extend_from_slice(&after[change.new.clone()]);
        from = change.old.end;
    }
    out.extend_from_slice(&before[from..]);
    out
}

/// `diff` applied to `before`, as `patch` would.
fn patched(before: &str, diff: &str) -> String {
    let lines = Lines::of(before.as_bytes());
    let own = |range| String::from_utf8(lines.text(range).to_vec()).unwrap();
    let (mut out, mut at, mut last) = (String::new(), 0, "");
    for line in diff.split_inclusive('\n').skip(2) {
        let (mark, rest) = line.split_at(1);
        match mark {
            "@" => {
                let mut numbers =
                    line[4..].split([',', ' ']).map(|number| number.parse::<usize>().unwrap_or(0));
                let (start, count) = (numbers.next().unwrap(), numbers.next().unwrap());
                let start = if count == 0 { start } else { start - 1 };
                out += &own(at..start);
                at = start;
            }
            "+" => out += rest,
            "\\" if last == "-" => {}
            "\\" => out.truncate(out.strip_suffix('\n').unwrap_or(&out).len()),
            _ => {
                let shown = own(at..at + 1);
                assert_eq!(shown.strip_suffix('\n').unwrap_or(&shown), rest.strip_suffix('\n').unwrap());
                at += 1;
                if mark == " " {
                    out += rest;
                }
            }
        }
        last = mark;
    }
    out + &own(at..lines.count())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edits_in_order_come_to_one_list_of_changes(before in bytes(30), edits in vec((text(3), text(3)), 0..6)) {
        let (after, changes) = made(&before, &edits);
        prop_assert_eq!(rebuilt(&before, &after, &changes), after);
    }

    #[test]
    fn the_diff_is_a_patch(before in text(20), edits in vec((text(3), text(4)), 0..4)) {
        let (after, changes) = made(before.as_bytes(), &edits);
        let diff = diff::unified(before.as_bytes(), &after, &changes, "f", diff::MOST_LINES);
        prop_assume!(diff.lines().count() < 60);
        prop_assert_eq!(patched(&before, &diff), String::from_utf8(after).unwrap());
    }

    #[test]
    fn utf16_is_edited_as_utf8_is(before in text(20), old in text(3), new in text(3), big: bool) {
        prop_assume!(!old.is_empty());
        let encoding = if big { Encoding::Utf16Be } else { Encoding::Utf16Le };
        let wide = encoding.encode(before.clone().into_bytes());
        let decoded = encoding.decode(&wide).unwrap();
        prop_assert_eq!(&*decoded, before.as_bytes());
        let edits = [(old, new)];
        prop_assert_eq!(encoding.encode(made(&decoded, &edits).0), encoding.encode(made(before.as_bytes(), &edits).0));
    }

    #[test]
    fn every_miss_has_something_to_say(content in bytes(60), old in text(8), new in text(8), after_others: bool) {
        prop_assume!(!old.is_empty());
        let asked = miss::Asked { path: "f", what: "oldString", whole_lines: false, old: &old, new: &new, expected: None, after_others };
        let found = find(&content, old.as_bytes());
        let said = match found.ranges.is_empty() {
            true => miss::absent(&content, &asked),
            false => miss::several(&content, &found, &asked),
        };
        prop_assert!(!said.hint.is_empty() && said.message.len() + said.hint.len() < 3_000);
    }
}
