//! The path cases of `tests/corpora/paths.jsonl`, as far as names go: both resolvers agree on each, and what a gate
//! would conclude from places, deny rules and access is what the case expects.

#![allow(clippy::disallowed_methods, reason = "a test makes the trees, and looks at them past the jail")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

use std::{
    fs::{self, File, Permissions},
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use pinfold_jail::{Access, Ask, DenyRules, ErrorKind, Jail, Last, NodeKind, Resolver, Root};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::Value;
use tempfile::TempDir;

/// One case, its tree built.
struct Case<'a> {
    row: &'a Value,
    top: PathBuf,
    _dir: TempDir,
}

impl Case<'_> {
    fn new(row: &Value) -> Case<'_> {
        let dir = TempDir::new().unwrap();
        let case = Case { row, top: dir.path().canonicalize().unwrap(), _dir: dir };
        case.row["setup"].as_array().unwrap().iter().for_each(|step| case.build(step));
        case
    }

    fn fill(&self, text: &str) -> String {
        let place = |name: &str| self.top.join(name).to_str().unwrap().to_owned();
        text.replace("@JAIL@", &place("jail")).replace("@OUT@", &place("outside")).replace("@NAME@", "jail")
    }

    fn build(&self, step: &Value) {
        // The few names that are not UTF-8 have a test of their own.
        let Some(path) = step["path"].as_str() else { return };
        let path = self.top.join("jail").join(self.fill(path));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let target = || self.fill(step["target"].as_str().unwrap());
        match step["do"].as_str().unwrap() {
            "mkdir" => fs::create_dir_all(&path).unwrap(),
            "symlink" => symlink(target(), &path).unwrap(),
            "hardlink" => fs::hard_link(self.top.join("jail").join(target()), &path).unwrap(),
            "fifo" => mknodat(CWD, &path, FileType::Fifo, Mode::RWXU, 0).unwrap(),
            "file" => {
                fs::write(&path, self.fill(step["content"].as_str().unwrap_or_default())).unwrap();
                if let Some(size) = step["size"].as_u64() {
                    File::options().write(true).open(&path).unwrap().set_len(size).unwrap();
                }
                if let Some(mode) = step["mode"].as_u64() {
                    fs::set_permissions(&path, Permissions::from_mode(u32::try_from(mode).unwrap())).unwrap();
                }
            }
            other => panic!("`{other}` is a step that this test does not know"),
        }
    }

    fn texts(&self, field: &str) -> Vec<String> {
        let listed = self.row["policy"][field].as_array();
        listed.into_iter().flatten().map(|text| self.fill(text.as_str().unwrap())).collect()
    }

    /// Places and outcome, so far as a gate has to know them before anything is done.
    fn outcome(&self, resolver: Resolver) -> (Result<(PathBuf, Option<NodeKind>), ErrorKind>, bool) {
        let home = self.fill(self.row["policy"]["cwd"].as_str().unwrap());
        let mut jail = Jail::new(Root::open(Path::new(&home), Access::ReadWrite).unwrap(), resolver);
        for extra in self.texts("allowPaths") {
            jail.add(Root::open(Path::new(&extra), Access::ReadOnly).unwrap());
        }
        let roots: Vec<Root> = jail.roots().to_vec();
        if let Some(scope) = self.row["policy"]["scope"].as_str() {
            match jail.resolve(Ask { name: scope.as_ref(), last: Last::Follow, lossy: false }) {
                Ok(at) => jail = jail.scoped(&at).unwrap(),
                Err(no) => return (Err(no.error.kind()), no.error.kind() == ErrorKind::Escape),
            }
        }
        let name = self.fill(self.row["path"].as_str().unwrap());
        let op = self.row["op"].as_str().unwrap();
        let last = if op == "remove" { Last::Keep } else { Last::Follow };
        let deny = DenyRules::new(&self.texts("denyPaths")).unwrap();
        let denied = |places: &[PathBuf]| {
            let places = places.iter().flat_map(|place| roots.iter().filter_map(|root| root.relative(place)));
            places.into_iter().any(|place| deny.denying(&place).is_some())
        };
        match jail.resolve(Ask { name: name.as_ref(), last, lossy: op == "read" }) {
            Ok(path) => {
                let changes = ["write", "edit", "mkdir", "remove"].contains(&op);
                let refused = denied(&[path.place().to_owned()])
                    || denied(path.passed())
                    || (changes && path.access() == Access::ReadOnly)
                    || (op == "remove" && path.is_root());
                (Ok((path.place().to_owned(), path.kind())), refused)
            }
            Err(no) => (Err(no.error.kind()), denied(&no.passed) || no.error.kind() == ErrorKind::Escape),
        }
    }
}

/// What a name alone cannot decide: patterns, and denied things further down.
fn is_about_names(row: &Value) -> bool {
    let walks = ["glob", "grep"].contains(&row["op"].as_str().unwrap());
    !walks && row["kind"] != "deny-in-walk"
}

fn check(row: &Value) -> bool {
    let case = Case::new(row);
    let (kernel, refused) = case.outcome(Resolver::Kernel);
    assert_eq!(case.outcome(Resolver::Walk), (kernel.clone(), refused), "{} on the two resolvers", row["id"]);
    if is_about_names(row) {
        match row["expect"].as_str() {
            Some("path-escape") => assert!(refused, "{} is not refused: {kernel:?}", row["id"]),
            Some("ok") => assert!(!refused, "{} is refused: {kernel:?}", row["id"]),
            _ => {}
        }
    }
    is_about_names(row)
}

#[test]
fn both_resolvers_agree_on_the_corpus() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpora/paths.jsonl");
    let Some(text) = testkit::need("tests/corpora/paths.jsonl", fs::read_to_string(file).ok()) else {
        return;
    };
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let judged = rows.iter().filter(|row| check(row)).count();
    println!("corpus: {} cases on both resolvers, {judged} of them judged by their names", rows.len());
}
