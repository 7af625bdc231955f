//! The tool suite: every case of `tests/cases/*.toml` on the local disk, with both resolvers, and in memory; by tool and
//! by direct method. All of them have to give what the case says, and the same as each other.

#![allow(
    clippy::disallowed_methods,
    reason = "the test makes the files that the workspace then meets, and looks at them after"
)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

mod suite {
    pub(crate) mod case;
    pub(crate) mod compare;
    pub(crate) mod env;
    pub(crate) mod fill;
    pub(crate) mod ground;
    pub(crate) mod line;
    pub(crate) mod play;
}

use std::{fs, io::Write as _, path::Path, sync::Arc};

use suite::{
    case::{Case, CaseFile},
    play::{Setting, play},
};
use tokio::task::JoinSet;

/// What a run of the suite has seen.
#[derive(Default)]
struct Tally {
    local: (usize, usize),
    memory: (usize, usize),
    complaints: Vec<String>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_case_on_both_backends() {
    let mut running = JoinSet::new();
    let mut tally = Tally::default();
    for (file, cases) in read_cases() {
        for case in cases {
            tally.count(&case);
            running.spawn(run(Arc::clone(&file), case));
        }
    }
    while let Some(complaints) = running.join_next().await {
        tally.complaints.extend(complaints.unwrap());
    }
    let Tally { local, memory, mut complaints } = tally;
    complaints.sort();
    // Not println!, which the test runner swallows while the test passes.
    writeln!(
        std::io::stderr(),
        "tool suite: {} cases on local ({} calls), {} on memory ({} calls)",
        local.0,
        local.1,
        memory.0,
        memory.1
    )
    .unwrap();
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
    assert!(local.0 > 0 && memory.0 > 0, "a backend ran no case at all");
}

impl Tally {
    fn count(&mut self, case: &Case) {
        let calls = case.calls.len();
        self.local = (self.local.0 + 1, self.local.1 + calls);
        if case.needs.is_empty() {
            self.memory = (self.memory.0 + 1, self.memory.1 + calls);
        }
    }
}

/// Every setting that the case runs in; each is compared with what the first gave.
async fn run(file: Arc<str>, case: Case) -> Vec<String> {
    let (mut first, mut complaints) = (None, Vec::new());
    for setting in Setting::ALL.into_iter().filter(|it| case.needs.is_empty() || !it.in_memory()) {
        let played = play(&case, setting).await;
        let about = |what: String| format!("{file}: `{}`, {setting}: {what}", case.name);
        complaints.extend(played.complaints.into_iter().map(about));
        let first = first.get_or_insert_with(|| played.answers.clone());
        let differing = suite::compare::differing(first, &played.answers, setting.is_direct());
        complaints.extend(differing.into_iter().map(about));
    }
    complaints
}

/// Every file of the folder has to be read, and has to hold a case; no two cases of a file have one name.
fn read_cases() -> Vec<(Arc<str>, Vec<Case>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut paths: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "there is no case in {}", folder.display());
    paths.iter().map(|path| read_file(path)).collect()
}

fn read_file(path: &Path) -> (Arc<str>, Vec<Case>) {
    let file = path.file_name().unwrap().to_string_lossy().into_owned();
    assert!(file.ends_with(".toml"), "{file} lies among the cases, and is not read");
    let text = fs::read_to_string(path).unwrap();
    let CaseFile { about, case } = toml::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert!(!about.is_empty() && !case.is_empty(), "{file} holds no case");
    let mut names: Vec<&str> = case.iter().map(|case| case.name.as_str()).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{file}: two cases have one name: {names:?}");
    case.iter().for_each(|case| case.check(&file));
    (file.into(), case)
}
