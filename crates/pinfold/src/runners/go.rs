//! `go test -json`: one event a line. Tests inside tests count too, as they do in go's own verbose output.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

use serde::Deserialize;

use super::{
    Output, Tally,
    text::{self, Block},
};

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event<'a> {
    action: Cow<'a, str>,
    #[serde(default)]
    package: Cow<'a, str>,
    #[serde(default)]
    import_path: Cow<'a, str>,
    #[serde(default)]
    test: Cow<'a, str>,
    #[serde(default)]
    output: Cow<'a, str>,
}

pub(super) fn read(output: &Output) -> Option<Tally> {
    let mut reader = Reader::default();
    output.stdout.lines().for_each(|line| reader.line(line, &output.stderr));
    let mut tally = Tally { by: "go test -json", ..reader.tally };
    tally.failures.retain(|failure| !reader.parents.contains(&failure.name));
    tally.rerun = tally
        .failures
        .iter()
        .filter_map(|failure| failure.name.split_once(' '))
        .map(|it| it.1.to_owned())
        .collect();
    reader.seen.then_some(tally)
}

#[derive(Default)]
struct Reader {
    tally: Tally,
    seen: bool,
    /// What tests that run have written so far, by package and test; builds have no test.
    running: HashMap<(String, String), Block>,
    /// Tests in which another one failed.
    parents: HashSet<String>,
}

impl Reader {
    fn line(&mut self, line: &str, stderr: &str) {
        if let Some(package) =
            line.strip_prefix("FAIL\t").and_then(|rest| rest.strip_suffix(" [build failed]"))
        {
            return self.not_built(package, stderr);
        }
        let Ok(event) = serde_json::from_str::<Event<'_>>(line) else { return };
        self.seen = true;
        let key = (event.package.to_string(), event.test.to_string());
        match (&*event.action, event.test.is_empty()) {
            ("output", false) => self.wrote(key, &event.output),
            ("pass", false) => self.ended(&key, |tally| &mut tally.passed),
            ("skip", false) => self.ended(&key, |tally| &mut tally.skipped),
            ("fail", false) => self.failed(&key),
            ("build-output", _) => self.wrote((String::new(), event.import_path.to_string()), &event.output),
            ("build-fail", _) => {
                let key = (String::new(), event.import_path.to_string());
                let block = self.running.remove(&key).unwrap_or_else(|| Block::named(&*event.import_path));
                self.tally.failures.push(block.failure());
            }
            _ => {}
        }
    }

    fn wrote(&mut self, key: (String, String), output: &str) {
        let line = output.trim_end_matches('\n');
        let frame = line.trim_start();
        if ["=== ", "--- "].iter().any(|mark| frame.starts_with(mark)) {
            return;
        }
        let name = format!("{} {}", key.0, key.1);
        let block = self.running.entry(key).or_insert_with(|| Block::named(name.trim_start()));
        block.found(text::location(frame).filter(|(file, _)| file.ends_with("_test.go")));
        block.over |= line.starts_with("goroutine ");
        block.push(line.strip_prefix("    ").unwrap_or(line));
    }

    fn ended(&mut self, key: &(String, String), count: fn(&mut Tally) -> &mut u64) {
        *count(&mut self.tally) += 1;
        self.running.remove(key);
    }

    fn failed(&mut self, key: &(String, String)) {
        self.tally.failed += 1;
        let name = format!("{} {}", key.0, key.1);
        if let Some((parent, _)) = name.rsplit_once('/').filter(|_| key.1.contains('/')) {
            self.parents.insert(parent.to_owned());
        }
        let block = self.running.remove(key).unwrap_or_else(|| Block::named(name));
        self.tally.failures.push(block.failure());
    }

    /// Older versions say what the compiler wrote on standard error, under `# PACKAGE`.
    fn not_built(&mut self, package: &str, stderr: &str) {
        self.seen = true;
        let mut block = Block::named(package);
        let said = stderr.lines().skip_while(|line| !line.starts_with(&format!("# {package}")));
        for line in said.skip(1).take_while(|line| !line.starts_with("# ")) {
            block.found(text::location(line));
            block.push(line);
        }
        self.tally.failures.push(block.failure());
    }
}
