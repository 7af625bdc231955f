//! What is said on a miss, kind by kind.

use super::*;

fn asked<'a>(old: &'a str, new: &'a str) -> Asked<'a> {
    Asked { path: "f", what: "oldString", whole_lines: false, old, new, expected: None, after_others: false }
}

fn missed(text: &str, old: &str, new: &str) -> Said {
    let found = find(text.as_bytes(), old.as_bytes());
    match found.ranges.is_empty() {
        true => absent(text.as_bytes(), &asked(old, new)),
        false => several(text.as_bytes(), &found, &asked(old, new)),
    }
}

const CODE: &str = "fn main() {\n\tlet total = add(1, 2);\n\tprintln!(\"{total}\");\n}\n\nfn add(a: u32, b: u32) -> u32 {\n\ta + b\n}\n";

#[test]
fn each_kind_of_miss_is_named() {
    for (text, old, new, message) in [
        ("a\nb\n", "x\\ny", "z", "oldString is not in `f`, nor anything close to it."),
        (
            "a\nb\n",
            "a\\nb",
            "z",
            "oldString is not in `f`, but if `\\n` is read as a newline it matches lines 1 to 2.",
        ),
        (
            "q\na\nb\n",
            "     2\ta",
            "z",
            "oldString is not in `f`, but without the line numbers that were copied along it matches line 2.",
        ),
        (
            CODE,
            "    let total = add(1, 2);\n",
            "z",
            "oldString is not in `f`, but apart from indentation, tabs or blanks it matches line 2.",
        ),
        (
            "say “hi”\n",
            "say \"hi\"",
            "z",
            "oldString is not in `f`, but apart from typographic quotes, dashes or blanks it matches line 1.",
        ),
        (
            CODE,
            "fn sub(a: u32)",
            "fn add(a: u32, b: u32)",
            "oldString is not in `f`, but the new text is already there at line 6.",
        ),
        (
            CODE,
            "\tlet total = add(1, 3);\n",
            "z",
            "oldString is not in `f`. The closest is line 2; it differs first in line 2: `\\tlet total = add(1, {-3-}{+2+});`.",
        ),
        (CODE, "zebra", "z", "oldString is not in `f`, nor anything close to it."),
        ("", "zebra", "z", "oldString is not in `f`: the file is empty."),
        ("x\ny\nx\n", "x", "z", "oldString occurs 2 times in `f` (lines 1, 3)."),
        (
            "a\r\nb\r\na\r\nb",
            "a\nb",
            "z",
            "But for its line endings, oldString occurs 2 times in `f` (lines 1, 3).",
        ),
        (
            "\tabc\n  abc\n",
            "    abc",
            "z",
            "oldString is not in `f`, but apart from indentation, tabs or blanks it matches 2 places (lines 1, 2).",
        ),
    ] {
        assert_eq!(missed(text, old, new).message, message);
    }
}

#[test]
fn the_text_to_use_is_in_the_hint() {
    let hint = missed(CODE, "    let total = add(1, 2);\n    println!(\"{total}\");\n", "z").hint;
    assert!(
        hint.starts_with("The first difference is in line 2: `{-    -}{+\\t+}let total = add(1, 2);`."),
        "{hint}"
    );
    assert!(hint.ends_with("```\n\tlet total = add(1, 2);\n\tprintln!(\"{total}\");\n\n```"), "{hint}");
    let hint = missed("x\ny\nx\n", "x", "z").hint;
    assert_eq!(
        hint,
        "Add surrounding lines until it is unique, or set replaceAll:\n     1\tx\n     2\ty\n     3\tx"
    );
}

#[test]
fn the_closest_lines_are_found_where_one_is_missing_or_more() {
    let text: String = (1..=200).map(|n| format!("    line number {n} of many\n")).collect();
    let old = "    line number 57 of many\n    line number 59 of many\n    line number 60 of mny\n";
    let said = missed(&text, old, "z");
    assert!(
        said.message.contains("The closest is lines 57 to 60; it differs first in line 58"),
        "{}",
        said.message
    );
    assert!(said.hint.contains("    60\t    line number 60 of many"), "{}", said.hint);
}

#[test]
fn what_is_said_is_bounded() {
    let line = format!("{}\n", "word ".repeat(2_000));
    let text = line.repeat(200);
    for old in [line.replace("word", "ward").repeat(50), "word".into(), line.replace(' ', "  ").repeat(30)] {
        let said = missed(&text, &old, &line);
        assert!(said.message.len() + said.hint.len() < 3_000, "{}", said.message.len() + said.hint.len());
    }
}

#[test]
fn a_stale_file_tells_what_it_is_now() {
    let hint = stale(b"a\nb\nc\n", &["b"], "1234");
    assert!(hint.contains("hash is now 1234") && hint.contains("     2\tb"), "{hint}");
    assert!(stale(b"a\n", &["b"], "1").ends_with("oldString is no longer in it."));
    assert!(repeated(2).is_none() && repeated(3).unwrap().contains("3 times"));
}

/// Misses in large files take time in proportion, not more: each of these would take minutes if anything were squared.
#[test]
fn large_files_are_no_harder() {
    let long_line = "ab ".repeat(1 << 18);
    let many_lines = "}\n".repeat(1 << 18);
    let same = "    return x;\n".repeat(1 << 15);
    for text in [long_line, many_lines, same] {
        for old in [
            format!("{}c", &text[..text.len() / 2]),
            "  }\n  x\n  }\n".repeat(1 << 12),
            "ab  ".repeat(1 << 10),
        ] {
            let said = missed(&text, &old, &text[1..]);
            assert!(said.message.len() + said.hint.len() < 3_000);
        }
    }
}
