//! What an edit must not touch: the rows in which editors differ, on a real disk, byte for byte.

#![allow(clippy::disallowed_methods, reason = "the test compares with the bytes on disk")]
#![allow(clippy::unwrap_used, reason = "a test panics when it fails")]

use std::{
    fs::{self, Permissions},
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
};

use pinfold::{
    EditResult, Failure, FailureType, Policy, Workspace,
    tools::{Edit, EditFile, MultiEdit, WriteFile},
};
use pinfold_jail::snapshot::sha256;
use rustix::fs::{XattrFlags, getxattr, setxattr};
use tempfile::TempDir;

struct Row {
    name: &'static str,
    before: Vec<u8>,
    old: &'static str,
    new: &'static str,
    after: Vec<u8>,
}

fn row(
    name: &'static str,
    before: impl AsRef<[u8]>,
    old: &'static str,
    new: &'static str,
    after: impl AsRef<[u8]>,
) -> Row {
    Row { name, before: before.as_ref().to_vec(), old, new, after: after.as_ref().to_vec() }
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(bytes).collect()
}

fn rows() -> Vec<Row> {
    let (le, be) = (u16::to_le_bytes, u16::to_be_bytes);
    vec![
        row("one line in a CRLF file", "a\r\nb\r\nc\r\n", "b", "B", "a\r\nB\r\nc\r\n"),
        row("several lines for one in a CRLF file", "a\r\nb\r\nc\r\n", "b", "B\nC", "a\r\nB\r\nC\r\nc\r\n"),
        row("old text with LF in a CRLF file", "a\r\nb\r\nc\r\n", "a\nb\n", "A\nB\n", "A\r\nB\r\nc\r\n"),
        row("old text that begins within a CRLF", "a\r\nb\r\n", "\nb", "\nB", "a\r\nB\r\n"),
        row("mixed endings, the LF line", "k\r\nl\nm\r\n", "l", "L", "k\r\nL\nm\r\n"),
        row("mixed endings, a CRLF line", "k\r\nl\nm\r\n", "m", "M", "k\r\nl\nM\r\n"),
        row("mixed endings, all lines at once", "k\r\nl\nm\r\nz", "k\nl\nm\n", "K\nL\nM\n", "K\r\nL\nM\r\nz"),
        row(
            "a line put in among mixed endings",
            "k\r\nl\nm\r\n",
            "k\nl\nm",
            "k\nl\nnew\nm",
            "k\r\nl\nnew\nm\r\n",
        ),
        row("a lone return", "a\rb\nc\n", "c", "C", "a\rb\nC\n"),
        row("BOM and CRLF", "\u{feff}a\r\nb\r\n", "b", "B", "\u{feff}a\r\nB\r\n"),
        row("BOM, the first line", "\u{feff}a\r\nb\r\n", "a", "A", "\u{feff}A\r\nb\r\n"),
        row("no final newline", "a\nb", "b", "B", "a\nB"),
        row("no final newline, another line", "a\nb", "a", "A", "A\nb"),
        row("old text with a final newline is removed", "a\nb\n", "b\n", "", "a\n"),
        row("Latin-1 elsewhere", b"caf\xe9\nb\n", "b", "B", b"caf\xe9\nB\n"),
        row(
            "invalid UTF-8 around it",
            b"\xff\xc3 b \x80\xf0\x9f",
            "b",
            "é",
            b"\xff\xc3 \xc3\xa9 \x80\xf0\x9f",
        ),
        row(
            "GBK and Shift-JIS bytes",
            b"\xc4\xe3\xba\xc3 x\n\x83\x65\n",
            "x",
            "y",
            b"\xc4\xe3\xba\xc3 y\n\x83\x65\n",
        ),
        row("NUL bytes", b"\0a\0 b \0", "b", "B", b"\0a\0 B \0"),
        row("UTF-16 LE", utf16("a\r\nbé😀\r\n", le), "bé", "B\nC", utf16("a\r\nB\r\nC😀\r\n", le)),
        row("UTF-16 BE", utf16("a\nb\n", be), "a\nb", "A\nB", utf16("A\nB\n", be)),
        row("UTF-16 with another mark inside", utf16("\u{feff}a b", le), "b", "B", utf16("\u{feff}a B", le)),
        row("dollars and backslashes", "x\n", "x", "$& \\1 \\n", "$& \\1 \\n\n"),
        row("trailing blanks and tabs", "a  \n\tb \n", "b", "B", "a  \n\tB \n"),
        row(
            "form feed, next line, line separator",
            "a\u{c}b\u{85}c\u{2028}d",
            "c",
            "C",
            "a\u{c}b\u{85}C\u{2028}d",
        ),
    ]
}

fn single(old: &str, new: &str) -> EditFile {
    EditFile { path: "f".into(), old_string: old.into(), new_string: new.into(), ..EditFile::default() }
}

fn several(old: &str, new: &str) -> MultiEdit {
    // The first edit is put right by the second, so that both ways have to come to the same.
    let edit =
        |old: &str, new: &str| Edit { old_string: old.into(), new_string: new.into(), ..Edit::default() };
    let edits = match new {
        "" => vec![edit(old, new)],
        _ => vec![edit(old, &format!("<<{new}>>")), edit("<<", ""), edit(">>", "")],
    };
    MultiEdit { path: "f".into(), edits, expect_hash: None }
}

#[tokio::test]
async fn every_row_is_kept() {
    for Row { name, before, old, new, after } in rows() {
        let dir = TempDir::new().unwrap();
        let file = dir.path().join("f");
        let workspace = Workspace::open(Policy::new(dir.path())).unwrap();
        fs::write(&file, &before).unwrap();
        let done = workspace.edit_file(single(old, new)).await.unwrap();
        assert_eq!(
            fs::read(&file).unwrap().escape_ascii().to_string(),
            after.escape_ascii().to_string(),
            "{name}"
        );
        assert_eq!(done.hash, sha256(&after), "{name}");
        fs::write(&file, &before).unwrap();
        let done = workspace.multi_edit(several(old, new)).await.unwrap();
        assert_eq!(
            fs::read(&file).unwrap().escape_ascii().to_string(),
            after.escape_ascii().to_string(),
            "{name}"
        );
        assert_eq!(done.hash, sha256(&after), "{name}");
        let left: Vec<_> = fs::read_dir(dir.path()).unwrap().collect();
        assert_eq!(left.len(), 1, "{name}: {left:?}");
    }
}

#[tokio::test]
async fn what_cannot_be_kept_is_refused() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("f");
    let workspace = Workspace::open(Policy::new(dir.path())).unwrap();
    for broken in
        [&b"\xff\xfea\0b"[..], b"\xff\xfea\0\x00\xd8b\0", b"\xfe\xff\xdc\x00\0a", b"\xff\xfe\0\0a\0\0\0"]
    {
        fs::write(&file, broken).unwrap();
        let no = workspace.edit_file(single("a", "A")).await.unwrap_err();
        assert_eq!(no.failure_type(), FailureType::NotText);
        assert!(no.advice().unwrap().contains("write_file"));
        assert_eq!(fs::read(&file).unwrap(), broken);
    }
    for (content, old) in [("one two one", "one"), ("\tx\n  x\n", " x "), ("a\r\nb\r\na\r\nb\r\n", "a\nb")] {
        fs::write(&file, content).unwrap();
        workspace.edit_file(single(old, "y")).await.unwrap_err();
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
    }
}

async fn edited(workspace: &Workspace, path: &str) -> Result<EditResult, Failure> {
    workspace.edit_file(EditFile { path: path.into(), ..single("old", "new") }).await
}

#[tokio::test]
async fn modes_links_and_names_are_kept() {
    let dir = TempDir::new().unwrap();
    let at = |name: &str| dir.path().join(name);
    let workspace = Workspace::open(Policy::new(dir.path())).unwrap();
    for mode in [0o755, 0o600, 0o640, 0o444 | 0o200] {
        fs::write(at("mode"), "old").unwrap();
        fs::set_permissions(at("mode"), Permissions::from_mode(mode)).unwrap();
        edited(&workspace, "mode").await.unwrap();
        assert_eq!(fs::metadata(at("mode")).unwrap().mode() & 0o7777, mode);
    }
    // A hard link elsewhere keeps the old content: it may lie outside the workspace.
    fs::write(at("own"), "old").unwrap();
    fs::hard_link(at("own"), at("other")).unwrap();
    edited(&workspace, "own").await.unwrap();
    assert_eq!(["own", "other"].map(|name| fs::read_to_string(at(name)).unwrap()), ["new", "old"]);
    // A link stays one, what it leads to is changed, and the result names that.
    fs::write(at("target"), "old").unwrap();
    symlink("target", at("link")).unwrap();
    assert_eq!(edited(&workspace, "link").await.unwrap().path, "target");
    assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(at("target")).unwrap(), "new");
}

#[tokio::test]
async fn extended_attributes_are_kept_by_every_way_to_change_a_file() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("f");
    let workspace = Workspace::open(Policy::new(dir.path())).unwrap();
    fs::write(&file, "old").unwrap();
    let set = setxattr(&file, "user.note", b"a\0b", XattrFlags::empty());
    let Some(()) = testkit::need("a file system with extended attributes", set.ok()) else { return };
    let note = || {
        let mut value = [0; 16];
        getxattr(&file, "user.note", &mut value[..]).map(|length| value[..length].to_vec())
    };
    workspace.edit_file(single("old", "new")).await.unwrap();
    assert_eq!(note().unwrap(), b"a\0b", "edit_file");
    workspace.multi_edit(several("new", "newer")).await.unwrap();
    assert_eq!(note().unwrap(), b"a\0b", "multi_edit");
    workspace.write_file("f", "whole").await.unwrap();
    assert_eq!(note().unwrap(), b"a\0b", "write_file");
    let expect_hash = Some(sha256(b"whole"));
    let pinned = WriteFile { path: "f".into(), content: "again".into(), expect_hash, ..WriteFile::default() };
    workspace.write(pinned).await.unwrap();
    assert_eq!((note().unwrap(), fs::read(&file).unwrap()), (b"a\0b".to_vec(), b"again".to_vec()));
}

#[tokio::test]
async fn overwriting_keeps_endings_mark_encoding_and_mode() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("f");
    let workspace = Workspace::open(Policy::new(dir.path())).unwrap();
    let (le, be) = (u16::to_le_bytes, u16::to_be_bytes);
    for (before, content, after) in [
        (b"a\r\nb\r\n".to_vec(), "x\ny\n", b"x\r\ny\r\n".to_vec()),
        (b"a\r\nb\n".to_vec(), "x\ny\n", b"x\ny\n".to_vec()),
        ("\u{feff}a\r\n".into(), "x\n", "\u{feff}x\r\n".into()),
        (b"caf\xe9\r\n".to_vec(), "x\n", b"x\r\n".to_vec()),
        (utf16("a\r\n", le), "é\n", utf16("é\r\n", le)),
        (utf16("a\n", be), "é\n", utf16("é\n", be)),
    ] {
        fs::write(&file, &before).unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o750)).unwrap();
        let done = workspace.write_file("f", content).await.unwrap();
        assert_eq!(fs::read(&file).unwrap(), after, "{before:?}");
        assert_eq!((done.hash, done.bytes), (sha256(&after), after.len() as u64));
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o7777, 0o750);
        let exact = WriteFile {
            path: "f".into(),
            content: content.into(),
            exact: Some(true),
            ..WriteFile::default()
        };
        workspace.write(exact).await.unwrap();
        assert_eq!(fs::read(&file).unwrap(), content.as_bytes());
    }
}
