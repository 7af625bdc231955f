//! Journals that no writer of ours has made: an agent's command can write one into the root. What it names is resolved
//! and judged like any write, so it moves nothing that the tools may not write.

#![allow(clippy::disallowed_methods, reason = "the test makes the files, and looks at them past the jail")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

use std::{fs, os::unix::fs::symlink, path::Path};

use pinfold::{FailureType, Policy, Workspace};
use pinfold_jail::snapshot::{hex, sha256};
use tempfile::TempDir;

const BESIDE: &str = ".pinfold-aaaaaaaaaaaaaaaaaaaaaaaa.tmp";
const SPARE: &str = ".pinfold-bbbbbbbbbbbbbbbbbbbbbbbb.tmp";
const JOURNAL: &str = ".pinfold-cccccccccccccccccccccccc.journal";

/// A folder with `root` and `out`; in each place that matters a file, and beside it what a journal would put there.
fn ground() -> TempDir {
    let top = TempDir::new().unwrap();
    for dir in ["root", "root/.git", "root/real", "out", "extra"] {
        fs::create_dir(top.path().join(dir)).unwrap();
        fs::write(top.path().join(dir).join("f"), "now").unwrap();
        fs::write(top.path().join(dir).join(BESIDE), "forged").unwrap();
    }
    fs::write(top.path().join("root/.env"), "now").unwrap();
    symlink("real", top.path().join("root/link")).unwrap();
    symlink("../out", top.path().join("root/away")).unwrap();
    symlink("real/f", top.path().join("root/last")).unwrap();
    top
}

/// A journal that would give `path` the content `forged`.
fn forge(top: &Path, kind: &str, path: &[u8]) {
    let (before, after) = (sha256(b"forged"), sha256(b"now"));
    let mut text = format!("pinfold journal 1\n{kind} {before} {after} {BESIDE} {SPARE} {}\n", hex(path));
    let sum = sha256(text.as_bytes());
    text += &format!("end {sum}\n");
    fs::write(top.join("root").join(JOURNAL), text).unwrap();
}

fn policy(top: &Path) -> Policy {
    let mut policy = Policy::new(top.join("root"));
    policy.deny_paths = vec![".env".into()];
    policy.deny_write_paths = vec![".git/**".into()];
    policy.allow_paths = vec![top.join("extra")];
    policy
}

fn files(top: &Path) -> Vec<String> {
    ["root/f", "root/.git/f", "root/real/f", "root/.env", "out/f", "extra/f"]
        .map(|path| fs::read_to_string(top.join(path)).unwrap_or_else(|_| "gone".to_owned()))
        .to_vec()
}

#[test]
fn a_forged_journal_moves_nothing_that_may_not_be_written() {
    for kind in ["replace", "create", "remove"] {
        for path in [
            &b".env"[..],
            b".git/f",
            b"link/f",
            b"away/f",
            b"last",
            b"../out/f",
            b"/out/f",
            b"real/../f",
            b"nowhere/f",
            b"real",
            b"",
        ] {
            let top = ground();
            forge(top.path(), kind, path);
            Workspace::open(policy(top.path())).unwrap();
            assert_eq!(files(top.path()), ["now"; 6], "{kind} {}", String::from_utf8_lossy(path));
            let link = fs::symlink_metadata(top.path().join("root/last")).unwrap();
            assert!(link.is_symlink(), "{kind} {}", String::from_utf8_lossy(path));
        }
    }
}

#[test]
fn what_may_be_written_is_put_back_as_the_journal_says() {
    let top = ground();
    forge(top.path(), "replace", b"f");
    Workspace::open(policy(top.path())).unwrap();
    assert_eq!(files(top.path())[0], "forged");
    assert!(!top.path().join("root").join(JOURNAL).exists());
}

#[test]
fn a_workspace_that_writes_nothing_leaves_journals_alone() {
    let top = ground();
    forge(top.path(), "replace", b"f");
    let mut policy = policy(top.path());
    policy.read_only = true;
    Workspace::open(policy).unwrap();
    assert_eq!(files(top.path()), ["now"; 6]);
    assert!(top.path().join("root").join(JOURNAL).exists());
}

#[tokio::test]
async fn no_tool_reads_or_writes_a_journal() {
    let top = ground();
    let workspace = Workspace::open(policy(top.path())).unwrap();
    let written = workspace.write_file(JOURNAL, "x").await.unwrap_err();
    assert_eq!(written.failure_type(), FailureType::PathEscape, "{written}");
    fs::write(top.path().join("root").join(JOURNAL), "torn").unwrap();
    for failure in [
        workspace.read_file(JOURNAL).await.unwrap_err(),
        workspace.write_file(JOURNAL, "x").await.unwrap_err(),
        workspace.remove(JOURNAL).await.unwrap_err(),
        workspace
            .apply_patch(&format!("*** Begin Patch\n*** Add File: real/{JOURNAL}\n+x\n*** End Patch"))
            .await
            .unwrap_err(),
    ] {
        assert_eq!(failure.failure_type(), FailureType::PathEscape, "{failure}");
    }
    let listed = workspace.list_dir(pinfold::tools::ListDir::default()).await.unwrap();
    assert!(listed.entries.iter().all(|entry| !entry.path.starts_with(".pinfold")), "{listed:?}");
}

/// Marks of work that somebody else made: empty directories and files with our names in places that may not be written.
#[test]
fn forged_marks_remove_nothing_that_may_not_be_written() {
    let top = tempfile::tempdir().unwrap();
    let root = top.path().join("root");
    let (heads, vendor) = (root.join(".git/refs/heads"), root.join("vendor"));
    let leftover = vendor.join(".pinfold-0123456789abcdef01234567.tmp");
    fs::create_dir_all(&heads).unwrap();
    fs::create_dir_all(root.join("free/empty")).unwrap();
    fs::create_dir(&vendor).unwrap();
    fs::write(&leftover, "kept").unwrap();
    for (slot, target) in
        ["pinfold:2/.git/refs/heads", "pinfold:/vendor", "pinfold:1/free/empty"].iter().enumerate()
    {
        std::os::unix::fs::symlink(target, root.join(format!(".pinfold-at-{slot}.tmp"))).unwrap();
    }
    let mut policy = Policy::for_agent(&root);
    policy.deny_write_paths.extend(["vendor".to_owned(), "vendor/**".to_owned()]);
    policy.check_shell_line("git log").unwrap();
    assert!(root.join("free/empty").exists(), "asking about a line changes nothing");
    Workspace::open(policy).unwrap();
    assert!(heads.exists() && leftover.exists());
    assert!(!root.join("free/empty").exists(), "what may be written is tidied up, so the marks were read");
}
