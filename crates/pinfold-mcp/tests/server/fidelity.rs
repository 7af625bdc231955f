//! The table of docs/comparison.md, "Byte fidelity", row by row, as a client sees it: what an edit keeps, byte for byte,
//! and what it refuses.

use std::{
    fs::{self, Permissions},
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
};

use serde_json::{Value, json};

use crate::client::{Client, Place, agent_workspace, text};

/// The file before, the text to replace and the one to put in its place, and the file after.
type Kept = (&'static str, &'static [u8], &'static str, &'static str, &'static [u8]);

const KEPT: [Kept; 12] = [
    ("one line in a CRLF file", b"a\r\nb\r\nc\r\n", "b", "B", b"a\r\nB\r\nc\r\n"),
    ("mixed endings, the LF line", b"k\r\n l\n m\r\n", "l", "L", b"k\r\n L\n m\r\n"),
    ("BOM and CRLF", b"\xef\xbb\xbfa\r\nb\r\n", "b", "B", b"\xef\xbb\xbfa\r\nB\r\n"),
    ("Latin-1 elsewhere", b"caf\xe9\nb\n", "b", "B", b"caf\xe9\nB\n"),
    ("no final newline", b"a\nb", "b", "B", b"a\nB"),
    ("old text with LF in a CRLF file", b"a\r\nb\r\nc\r\n", "a\nb\n", "A\nB\n", b"A\r\nB\r\nc\r\n"),
    ("a line put in", b"a\r\nb\r\n", "b", "b\nc", b"a\r\nb\r\nc\r\n"),
    ("UTF-16 LE", b"\xff\xfea\0\r\0\n\0b\0", "b", "B", b"\xff\xfea\0\r\0\n\0B\0"),
    ("UTF-16 BE", b"\xfe\xff\0a\0\n\0b", "b", "B", b"\xfe\xff\0a\0\n\0B"),
    ("NUL bytes", b"\0a\0 b \0", "b", "B", b"\0a\0 B \0"),
    (
        "form feed and line separator",
        "a\u{c}b\u{2028}c\n".as_bytes(),
        "c",
        "C",
        "a\u{c}b\u{2028}C\n".as_bytes(),
    ),
    ("dollars and backslashes", b"x\n", "x", "$& \\1", b"$& \\1\n"),
];

async fn edit(client: &mut Client, old: &str, new: &str) -> Value {
    client.call("edit_file", json!({"path": "f", "oldString": old, "newString": new})).await
}

#[tokio::test]
async fn what_an_edit_does_not_touch_is_kept_and_the_answer_shows_what_it_did() {
    let mut client = Client::ready(agent_workspace()).await;
    let file = client.place.folder.path().join("f");
    for (row, before, old, new, after) in KEPT {
        fs::write(&file, before).unwrap();
        let answer = edit(&mut client, old, new).await;
        assert_eq!(answer["result"]["isError"], false, "{row}: {answer}");
        assert_eq!(
            fs::read(&file).unwrap().escape_ascii().to_string(),
            after.escape_ascii().to_string(),
            "{row}"
        );
        let said = text(&answer);
        let read = client.call("read_file", json!({"path": "f"})).await;
        if read["result"]["isError"] == false {
            assert_eq!(said["hash"], text(&read)["hash"], "{row}");
        }
        let diff = said["diff"].as_str().unwrap();
        assert!(diff.starts_with("--- f\n+++ f\n@@ ") && diff.contains("\n+"), "{row}: {diff}");
    }
    client.end().await;
}

/// The file, the text to replace, and what the refusal has to name.
const REFUSED: [(&str, &str, &str, &[&str]); 3] = [
    ("twice", "one\ntwo\none\n", "one", &["2 times", "lines 1, 3"]),
    ("twice, where only line endings differ", "a\r\nb\r\nx\r\na\r\nb\r\n", "a\nb", &["lines 1, 4"]),
    (
        "twice, where only blanks differ",
        "\tif x {\n\t}\n  if x {\n  }\n",
        " if x {\n }",
        &["2 places", "lines 1, 3"],
    ),
];

#[tokio::test]
async fn what_is_not_unique_is_refused_as_an_error_with_its_lines() {
    let mut client = Client::ready(agent_workspace()).await;
    let file = client.place.folder.path().join("f");
    for (row, before, old, names) in REFUSED {
        fs::write(&file, before).unwrap();
        let answer = edit(&mut client, old, "new").await;
        assert_eq!(answer["result"]["isError"], true, "{row}: {answer}");
        let said = answer["result"]["content"][0]["text"].as_str().unwrap().to_lowercase();
        for name in names {
            assert!(said.contains(name), "{row}: no `{name}` in {said}");
        }
        assert_eq!(fs::read_to_string(&file).unwrap(), before, "{row}");
    }
    client.end().await;
}

#[tokio::test]
async fn modes_and_links_are_kept() {
    let mut client = Client::ready(agent_workspace()).await;
    let at = |client: &Client, name: &str| client.place.folder.path().join(name);
    let target = at(&client, "target");
    fs::write(&target, "old").unwrap();
    fs::set_permissions(&target, Permissions::from_mode(0o755)).unwrap();
    symlink("target", at(&client, "f")).unwrap();
    fs::hard_link(&target, at(&client, "other")).unwrap();
    let answer = edit(&mut client, "old", "new").await;
    assert_eq!(text(&answer)["path"], "target", "the file that was changed is named");
    assert!(fs::symlink_metadata(at(&client, "f")).unwrap().is_symlink());
    assert_eq!(fs::metadata(&target).unwrap().mode() & 0o7777, 0o755);
    let now = ["target", "other"].map(|name| fs::read_to_string(at(&client, name)).unwrap());
    assert_eq!(now, ["new", "old"], "a hard link may lie outside the workspace");
    client.end().await;
}

/// What a client sends to its model before the first call: every tool there is, in at most 10 KiB.
#[tokio::test]
async fn the_list_of_tools_is_small() {
    for structured in [false, true] {
        let mut place = Place { structured, ..agent_workspace() };
        place.policy.tests.command = Some("cargo test".into());
        place.policy.shell.as_mut().unwrap().background = Some(Default::default());
        let mut client = Client::ready(place).await;
        let listed = client.ask("tools/list", json!({})).await;
        let (tools, bytes) =
            (listed["result"]["tools"].as_array().unwrap().len(), listed["result"].to_string().len());
        println!("{tools} tools in {bytes} bytes, structured: {structured}");
        assert!(tools == 13 && bytes <= 10_240, "{tools} tools in {bytes} bytes");
        client.end().await;
    }
}
