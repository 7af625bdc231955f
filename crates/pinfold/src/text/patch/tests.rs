//! Patches: how they are read, where hunks find their place, and what is no patch.

use super::{
    apply::{Applied, Miss, apply},
    *,
};

/// The text with the hunks of the only file of a patch.
fn patched(text: &str, patch: &str) -> Result<String, (usize, Miss)> {
    let [FilePatch { deed: Deed::Update { hunks, .. }, .. }] = &read(patch).unwrap()[..] else {
        panic!("one file that is updated: {patch}")
    };
    let Applied { text: after, changes } = apply(text.as_bytes(), hunks)?;
    let (mut rebuilt, mut from) = (Vec::new(), 0);
    for change in &changes {
        rebuilt.extend_from_slice(&text.as_bytes()[from..change.old.start]);
        assert_eq!(rebuilt.len(), change.new.start, "{changes:?}");
        rebuilt.extend_from_slice(&after[change.new.clone()]);
        from = change.old.end;
    }
    rebuilt.extend_from_slice(&text.as_bytes()[from..]);
    assert_eq!(rebuilt, after, "{changes:?}");
    Ok(String::from_utf8(after).unwrap())
}

fn unified(body: &str) -> String {
    format!("--- a/f\n+++ b/f\n{body}")
}

fn begin(body: &str) -> String {
    format!("*** Begin Patch\n*** Update File: f\n{body}*** End Patch\n")
}

#[test]
fn hunks_find_their_place() {
    for (text, patch, after) in [
        ("a\nb\nc\n", unified("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"), "a\nB\nc\n"),
        // Counts that are wrong, or absent.
        ("a\nb\nc\n", unified("@@ -1,9 +1,7 @@\n a\n-b\n+B\n c\n\n"), "a\nB\nc\n"),
        ("a\nb\nc\n", unified("@@ -1,1 +1,1 @@\n a\n-b\n+B\n c\n"), "a\nB\nc\n"),
        ("a\nb\nc\n", unified("@@ ... @@\n a\n-b\n+B\n c\n"), "a\nB\nc\n"),
        ("a\nb\nc\n", unified("@@\n-b\n"), "a\nc\n"),
        // A wrong line: the only place. The right line: not the only place.
        ("a\nb\nc\n", unified("@@ -7,2 +7,2 @@\n-b\n+B\n c\n"), "a\nB\nc\n"),
        ("x\ny\nx\ny\n", unified("@@ -3,1 +3,1 @@\n-x\n+X\n"), "x\ny\nX\ny\n"),
        // What the first hunk drifted, the second did too.
        (
            "0\na\nb\nx\ny\nx\n",
            unified("@@ -1,2 +1,2 @@\n a\n-b\n+B\n@@ -3,1 +3,1 @@\n-x\n+X\n"),
            "0\na\nB\nX\ny\nx\n",
        ),
        // Blank lines without a blank, lines that look like headers.
        ("a\n\nb\n", unified("@@ -1,3 +1,3 @@\n a\n\n-b\n+B\n"), "a\n\nB\n"),
        ("-- x\ny\n", unified("@@ -1,2 +1,2 @@\n--- x\n+++ z\n y\n"), "++ z\ny\n"),
        // The end of the file.
        ("a\nb", unified("@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n"), "a\nc\n"),
        ("a\nb\n", unified("@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n"), "a\nc"),
        ("a\nb", unified("@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of file\n+b\n+c\n"), "a\nb\nc\n"),
        ("a\nb", unified("@@ -1,2 +1,3 @@\n a\n b\n+c\n"), "a\nb\nc"),
        ("a\nb", unified("@@ -1,2 +1,2 @@\n a\n-b\n+c\n"), "a\nc"),
        ("a\nb", unified("@@ -1,2 +1,1 @@\n a\n-b\n"), "a\n"),
        ("", unified("@@ -0,0 +1,2 @@\n+a\n+b\n"), "a\nb\n"),
        ("a\n", unified("@@ -1 +0,0 @@\n-a\n"), ""),
        // Line endings: those of the file, unless all lines agree.
        ("a\r\nb\r\n", unified("@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n"), "a\r\nc\r\nd\r\n"),
        ("a\r\nb\r\n", unified("@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\n"), "a\r\nc\n"),
        ("a\nb\n", "--- a/f\r\n+++ b/f\r\n@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+c\r\n".to_owned(), "a\nc\n"),
        // The other form.
        ("a\nb\nc\n", begin("@@\n a\n-b\n+B\n"), "a\nB\nc\n"),
        ("a\nb\nc\n", begin(" a\n-b\n+B\n c\n"), "a\nB\nc\n"),
        ("f:\n  x\ng:\n  x\n", begin("@@ g:\n-  x\n+  y\n"), "f:\n  x\ng:\n  y\n"),
        (
            "A\n  f\n    x\nB\n  f\n    x\n",
            begin("@@ B\n@@   f\n-    x\n+    y\n"),
            "A\n  f\n    x\nB\n  f\n    y\n",
        ),
        ("x\ny\nx\n", begin("@@\n-x\n+z\n*** End of File\n"), "x\ny\nz\n"),
        ("x\ny\nx\n", begin("@@ -3,1 +3,1 @@\n-x\n+z\n"), "x\ny\nz\n"),
        ("a\nb\nc\nd\n", begin("@@\n-a\n@@\n-d\n+D\n\n"), "b\nc\nD\n"),
        ("a\nb", begin("@@\n-b\n+c\n+d\n"), "a\nc\nd"),
    ] {
        assert_eq!(patched(text, &patch).as_deref(), Ok(after), "{text:?}\n{patch}");
    }
}

#[test]
fn what_does_not_fit_exactly_has_no_place() {
    let miss = |text: &str, patch: &str| patched(text, patch).unwrap_err();
    assert_eq!(miss("a\nb\n", &unified("@@ -1,2 +1,2 @@\n a\n-c\n+d\n")), (0, Miss::Absent));
    assert_eq!(miss("a\n b\n", &unified("@@ -1,2 +1,2 @@\n a\n-b\n+d\n")), (0, Miss::Absent));
    // Part of a line is no line.
    assert_eq!(miss("ab\nc\n", &unified("@@ -1 +1 @@\n-b\n+x\n")), (0, Miss::Absent));
    assert_eq!(miss("x\na\nx\n", &unified("@@ -7 +7 @@\n-x\n+y\n")), (0, Miss::Several(vec![0..2, 4..6])));
    assert_eq!(miss("x\nx\nx\n", &begin("@@\n-x\n-x\n")), (0, Miss::Several(vec![0..4, 2..6])));
    assert_eq!(miss("b\na\n", &begin("@@\n-a\n@@\n-b\n")), (1, Miss::Before(0..2)));
    assert_eq!(miss("a\n", &begin("@@\n+b\n")), (0, Miss::Nowhere));
    assert_eq!(miss("a\n", &begin("@@ nowhere\n-a\n")), (0, Miss::Header("nowhere".into(), vec![])));
    let twice = Miss::Header("f".into(), vec![0..2, 4..6]);
    assert_eq!(miss("f\nx\nf\nx\n", &begin("@@ f\n-x\n")), (0, twice));
    assert_eq!(
        miss("a\nb\n", &unified("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n")),
        (0, Miss::Absent)
    );
    // With endings folded it has to be unique too.
    assert_eq!(miss("x\r\ny\nx\r\n", &begin("@@\n-x\n+z\n")), (0, Miss::Several(vec![0..3, 5..8])));
}

#[test]
fn files_are_named_as_git_and_diff_name_them() {
    let hunk = "@@ -1 +1 @@\n-a\n+b\n";
    for (head, path) in [
        ("--- a/d/f\n+++ b/d/f\n", "d/f"),
        ("--- d/f\n+++ d/f\n", "d/f"),
        ("--- a/f\n+++ a/f\n", "a/f"),
        ("--- f.orig\t2026-01-01 10:00:00\n+++ f\t2026-01-02 10:00:00\n", "f"),
        ("diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n", "f"),
        (
            "diff --git \"a/\\303\\244 \\\"x\" \"b/\\303\\244 \\\"x\"\n--- \"a/\\303\\244 \\\"x\"\n+++ \"b/\\303\\244 \\\"x\"\n",
            "ä \"x",
        ),
        ("From 1\nSubject: x\n\n---\n f | 2 +-\n\ndiff --git a/f b/f\n--- a/f\n+++ b/f\n", "f"),
        ("```diff\n--- a/f\n+++ b/f\n", "f"),
        // Without prefixes, and with those of `diff.mnemonicPrefix`.
        ("diff --git src/x src/x\nindex 1..2 100644\n--- src/x\n+++ src/x\n", "src/x"),
        ("diff --git i/f w/f\n--- i/f\n+++ w/f\n", "f"),
        ("--- c/f\n+++ i/f\n", "f"),
    ] {
        for tail in ["", "-- \n2.39.2\n\n", "```\n"] {
            let files = read(&format!("{head}{hunk}{tail}")).unwrap();
            let [file] = &files[..] else { panic!("{head}: {files:?}") };
            assert_eq!(String::from_utf8_lossy(&file.path), path);
            let Deed::Update { hunks, to: None } = &file.deed else { panic!("{head}: {file:?}") };
            assert_eq!(hunks[0].lines.len(), 2, "{head}{tail}");
        }
    }
}

#[test]
fn files_come_go_and_move() {
    let patch = "diff --git a/new b/new\nnew file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n\
        diff --git a/empty b/empty\nnew file mode 100644\nindex 0000000..e69de29\n\
        diff --git a/old b/old\ndeleted file mode 100644\n--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\
        diff --git a/from b/to\nsimilarity index 100%\nrename from from\nrename to to\n";
    let files = read(patch).unwrap();
    let paths: Vec<_> = files.iter().map(|file| String::from_utf8_lossy(&file.path)).collect();
    assert_eq!(paths, ["new", "empty", "old", "from"]);
    assert_eq!(files[0].deed, Deed::Add { content: b"a\nb".to_vec() });
    assert_eq!(files[1].deed, Deed::Add { content: Vec::new() });
    assert!(matches!(&files[2].deed, Deed::Delete { hunks: Some(hunks) } if hunks.len() == 1));
    assert_eq!(files[3].deed, Deed::Update { hunks: vec![], to: Some(b"to".to_vec()) });
    let patch = "*** Begin Patch\n*** Add File: a b\n+x\n+\n+y\n\n*** Delete File: c\n*** Update File: d\n*** Move to: e\n@@\n-1\n+2\n*** End Patch";
    let files = read(patch).unwrap();
    assert_eq!(
        files[0],
        FilePatch { path: b"a b".to_vec(), deed: Deed::Add { content: b"x\n\ny\n".to_vec() } }
    );
    assert_eq!(files[1].deed, Deed::Delete { hunks: None });
    assert!(matches!(&files[2].deed, Deed::Update { hunks, to: Some(to) } if hunks.len() == 1 && to == b"e"));
}

#[test]
fn a_file_that_comes_or_goes_has_its_whole_name() {
    for (head, path) in [
        (
            "diff --git src/x src/x\nnew file mode 100644\n--- /dev/null\n+++ src/x\n@@ -0,0 +1 @@\n+a\n",
            "src/x",
        ),
        (
            "diff --git src/x src/x\ndeleted file mode 100644\n--- src/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
            "src/x",
        ),
        ("diff --git b/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n", "b/x"),
        (
            "diff --git a/b/x b/b/x\nnew file mode 100644\n--- /dev/null\n+++ b/b/x\n@@ -0,0 +1 @@\n+a\n",
            "b/x",
        ),
        ("diff --git d/e d/e\nnew file mode 100644\nindex 0000000..e69de29\n", "d/e"),
        ("--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+a\n", "new"),
        ("--- /dev/null\n+++ new/f\n@@ -0,0 +1 @@\n+a\n", "new/f"),
    ] {
        let files = read(head).unwrap();
        assert_eq!((files.len(), &*String::from_utf8_lossy(&files[0].path)), (1, path), "{head}");
    }
}

#[test]
fn nothing_of_a_patch_is_passed_over() {
    let old = "keep\n-\nother\nend\n";
    for hunk in [
        "@@\n keep\n+new1\n--\n-other\n+new2\n end\n",
        "@@ -1,1 +1,2 @@\n keep\n+new1\n--\n-other\n+new2\n end\n",
    ] {
        assert_eq!(patched(old, &unified(hunk)).as_deref(), Ok("keep\nnew1\nnew2\nend\n"), "{hunk}");
    }
    // The last line of a patch needs no line break; its line of the file gets one.
    assert_eq!(patched("a\nb\nc\n", &unified("@@ -1,2 +1,2 @@\n a\n-b\n+B")).as_deref(), Ok("a\nB\nc\n"));
    // What says that the file ends does not fit where it goes on.
    let open = unified("@@ -1,1 +1,2 @@\n keep\n+foo\n\\ No newline at end of file\n");
    assert_eq!(patched("keep\nb\n", &open), Err((0, Miss::Absent)));
    let context = unified("@@ -1,2 +1,2 @@\n *** Begin Patch\n-a\n+b\n");
    assert_eq!(patched("*** Begin Patch\na\n", &context).as_deref(), Ok("*** Begin Patch\nb\n"));
    let fenced = format!("```\n{}```\n", begin("@@\n-a\n+b\n"));
    assert_eq!(patched("a\n", &fenced).as_deref(), Ok("b\n"));
}

#[test]
fn what_is_no_patch_says_where_and_why() {
    for (patch, line, why) in [
        ("diff --git a/f b/f\n--- a/f\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n", 1, "two names differ"),
        (
            "--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n a\n+c\n\\ No newline at end of file\n b\n",
            7,
            "lines follow on",
        ),
        (
            "*** Begin Patch\n*** Delete File: f\n*** End Patch\n*** Begin Patch\n*** Delete File: g\n*** End Patch\n",
            4,
            "something follows",
        ),
        ("*** Begin Patch\n*** Delete File: f\n*** End Patch\n--- a/f\n+++ b/f\n", 4, "something follows"),
        (
            "--- a/f\n+++ b/f\n@@\n-a\n+b\n*** Begin Patch\n*** Delete File: g\n*** End Patch\n",
            1,
            "a diff comes before",
        ),
        ("", 0, "nothing in it names a file"),
        ("just text\n", 0, "nothing in it names a file"),
        ("@@ -1 +1 @@\n-a\n+b\n", 3, "a hunk belongs to no file"),
        ("--- a/f\n+++ b/f\n", 1, "has no hunk"),
        ("--- a/f\n+++ b/f\n@@ -1 +1 @@\n a\n", 4, "changes nothing"),
        ("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\nc\n", 6, "`c` belongs to no hunk"),
        ("--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n+a\n", 1, "which file"),
        ("--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n b\n", 1, "lines that are not new"),
        ("diff --git a/f b/f\nold mode 100644\nnew mode 100755\n", 2, "changes the mode"),
        ("diff --git a/f b/f\nnew file mode 120000\n", 2, "a mode that is not"),
        ("diff --git a/f b/g\ncopy from f\n", 2, "copies"),
        ("diff --git a/f b/f\nBinary files a/f and b/f differ\n", 2, "binary"),
        ("*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n", 5, "no `*** End Patch`"),
        ("*** Begin Patch\n*** Update File: f\n@@\n-a\nb\n*** End Patch\n", 5, "begins with none of"),
        ("*** Begin Patch\n*** Update File: f\n@@\n a\n*** End Patch\n", 4, "changes nothing"),
        ("*** Begin Patch\n*** Update File: f\n*** End Patch\n", 2, "no hunk"),
        ("*** Begin Patch\n*** Add File: f\na\n*** End Patch\n", 3, "does not begin with `+`"),
        ("*** Begin Patch\n*** Rename File: f\n*** End Patch\n", 2, "begins no file"),
    ] {
        let bad = read(patch).unwrap_err();
        assert!(bad.line == line && bad.why.contains(why), "{patch:?}: {bad:?}");
    }
}

#[test]
fn long_repetitions_take_linear_time() {
    let text = "x\n".repeat(100_000);
    let hunk = format!("@@\n{}-y\n", " x\n".repeat(50_000));
    assert_eq!(patched(&text, &begin(&hunk)), Err((0, Miss::Absent)));
    let blanks = format!("*** Begin Patch\n*** Add File: f\n+a\n{}*** End Patch\n", "\n".repeat(1_000_000));
    assert_eq!(read(&blanks).map(|files| files.len()), Ok(1));
}
