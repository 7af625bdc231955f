//! Patches that `diff -u` makes of random texts turn the one into the other, byte for byte, and back.

#![allow(clippy::disallowed_methods, reason = "the test makes the files, and starts diff")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use pinfold::{Policy, Workspace};
use proptest::{prelude::*, sample::select};

/// Texts with few kinds of lines, so that hunks have many places to choose from; some end without a newline.
fn text() -> impl Strategy<Value = String> {
    let line = select(&["a", "b", "c", "", "  a", "}", "--- a", "+++ b", "@@ -1 +1 @@", "\\ No", "é\t"][..]);
    (prop::collection::vec(line, 0..40), select(&["\n", "\r\n"][..]), any::<bool>()).prop_map(
        |(lines, ending, open)| {
            let mut text: String = lines.iter().map(|line| format!("{line}{ending}")).collect();
            if open {
                text.truncate(text.trim_end_matches(['\r', '\n']).len());
            }
            text
        },
    )
}

/// A few changes here and there, or another text.
fn pair() -> impl Strategy<Value = (String, String)> {
    let cut = |text: &str, at: usize| text.split_inclusive('\n').take(at).map(str::len).sum::<usize>();
    prop_oneof![
        (text(), text()),
        (text(), 0..40usize, select(&["x\n", "a\n", "", "x\r\n"][..]), any::<bool>()).prop_map(
            move |(old, at, new, drops)| {
                let (start, end) = (cut(&old, at), cut(&old, at + usize::from(drops)));
                let after = format!("{}{new}{}", &old[..start], &old[end..]);
                (old, after)
            }
        ),
    ]
}

fn diff(dir: &Path, old: &str, new: &str) -> Option<String> {
    fs::write(dir.join("old"), old).unwrap();
    fs::write(dir.join("new"), new).unwrap();
    let mut command = Command::new("diff");
    command
        .args(["-u", "--text", "--label", "a/f", "--label", "b/f"])
        .args([dir.join("old"), dir.join("new")]);
    Some(String::from_utf8(command.output().ok()?.stdout).unwrap())
}

fn applied(dir: &Path, old: &str, patch: &str) -> Vec<u8> {
    fs::write(dir.join("root/f"), old).unwrap();
    let workspace = Workspace::open(Policy::new(dir.join("root"))).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(workspace.apply_patch(patch)).unwrap_or_else(|no| panic!("{no}\n{old:?}\n{patch}"));
    fs::read(dir.join("root/f")).unwrap()
}

proptest! {
    #[test]
    fn what_diff_says_is_what_is_done((old, new) in pair()) {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("root")).unwrap();
        let Some(patch) = testkit::need("diff", diff(home.path(), &old, &new)) else { return Ok(()) };
        prop_assume!(!patch.is_empty());
        prop_assert_eq!(applied(home.path(), &old, &patch), new.as_bytes(), "{}", patch);
        let back = diff(home.path(), &new, &old).unwrap();
        prop_assert_eq!(applied(home.path(), &new, &back), old.as_bytes(), "{}", back);
    }
}

/// Files by name. Few names, so that most are in both trees.
type Tree = BTreeMap<&'static str, String>;

fn tree() -> impl Strategy<Value = Tree> {
    let name = select(&["f", "dir/g", "dir/deep/h", "x y", "é", "b/f", "a/f", "\"q\"", "back\\slash"][..]);
    prop::collection::btree_map(name, text(), 0..5)
}

/// A tree, and what becomes of it: each file stays, changes, goes, or moves, and others come.
fn trees() -> impl Strategy<Value = (Tree, Tree)> {
    let fate = prop_oneof![Just(0), Just(1), Just(2), Just(3)];
    (tree(), tree(), prop::collection::vec((fate, pair()), 5)).prop_map(|(mut old, mut new, fates)| {
        for (name, (fate, (before, after))) in old.clone().into_keys().zip(fates) {
            if fate == 1 {
                old.insert(name, before);
                new.insert(name, after);
            } else if fate == 2 {
                new.remove(name);
            } else if fate == 3 && !new.contains_key("moved/m") {
                new.remove(name);
                new.insert("moved/m", old[name].clone());
            } else {
                new.insert(name, old[name].clone());
            }
        }
        (old, new)
    })
}

fn style() -> impl Strategy<Value = &'static [&'static str]> {
    select(
        &[
            &["-M"] as &[&str],
            &["--no-renames"],
            &["-M", "--no-prefix"],
            &["-M", "-U1"],
            &["-M", "--full-index"],
        ][..],
    )
}

fn lay(root: &Path, tree: &Tree) {
    fs::create_dir(root).unwrap();
    for (name, content) in tree {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
}

fn found(root: &Path, below: &Path, all: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(root.join(below)).unwrap() {
        let below = below.join(entry.unwrap().file_name());
        if root.join(&below).is_dir() {
            found(root, &below, all);
        } else {
            all.insert(below.to_str().unwrap().to_owned(), fs::read_to_string(root.join(&below)).unwrap());
        }
    }
}

/// What git says of `old` and `new`, in the style of these options.
fn git_diff(home: &Path, old: &Tree, new: &Tree, style: &[&str]) -> Option<String> {
    let repository = home.join("repository");
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.arg("--git-dir").arg(home.join("git")).arg("--work-tree").arg(&repository).args(arguments);
        let command = command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        Some(String::from_utf8(command.output().ok()?.stdout).unwrap())
    };
    lay(&repository, old);
    git(&["init", "-q"])?;
    git(&["add", "-A"])?;
    let before = git(&["write-tree"])?;
    fs::remove_dir_all(&repository).unwrap();
    lay(&repository, new);
    git(&["add", "-A"])?;
    git(&[&["diff", "--cached", "--text"], style, &[before.trim()]].concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn what_git_says_of_trees_is_what_is_done((old, new) in trees(), style in style()) {
        let home = tempfile::tempdir().unwrap();
        let said = git_diff(home.path(), &old, &new, style);
        let Some(patch) = testkit::need("git", said) else { return Ok(()) };
        prop_assume!(!patch.is_empty());
        let root = home.path().join("root");
        lay(&root, &old);
        let workspace = Workspace::open(Policy::new(&root)).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let done = runtime.block_on(workspace.apply_patch(&patch));
        prop_assert!(done.is_ok(), "{}\n{patch}", done.unwrap_err());
        let mut got = BTreeMap::new();
        found(&root, Path::new(""), &mut got);
        let wanted: BTreeMap<String, String> =
            new.into_iter().map(|(name, content)| (name.to_owned(), content)).collect();
        prop_assert_eq!(got, wanted, "{}", patch);
    }
}
