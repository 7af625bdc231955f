//! A policy that is being put together from another program's rules.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use pinfold::{
    Failure, Policy,
    policy::{agent::SECRET_PATHS, file::Format},
};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, Value, value};

use super::{
    Lost,
    uses::{End, Use, escaped, others},
};

/// What was read so far.
#[derive(Debug)]
pub(super) struct Draft {
    root: PathBuf,
    source: String,
    pub(super) allow_paths: Vec<String>,
    pub(super) deny_paths: Vec<String>,
    pub(super) deny_write_paths: Vec<String>,
    /// Folders that may be written; `None` for all of the root.
    pub(super) writable: Option<BTreeSet<String>>,
    pub(super) read_only: bool,
    /// Every program may run.
    pub(super) any_program: bool,
    /// None may.
    pub(super) no_program: bool,
    pub(super) allowed: Vec<Use>,
    /// Patterns to deny: a regular expression, and examples that it has to match and to miss.
    denied: Vec<Denied>,
    lost: Vec<Lost>,
    carried: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Denied {
    form: &'static str,
    text: String,
    matches: Vec<String>,
    misses: Vec<String>,
    why: Option<String>,
}

impl Draft {
    pub(super) fn new(root: PathBuf, source: &str) -> Draft {
        Draft {
            root,
            source: source.to_owned(),
            allow_paths: Vec::new(),
            deny_paths: Vec::new(),
            deny_write_paths: Vec::new(),
            writable: None,
            read_only: false,
            any_program: false,
            no_program: false,
            allowed: Vec::new(),
            denied: Vec::new(),
            lost: Vec::new(),
            carried: 0,
        }
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn lost(&self) -> &[Lost] {
        &self.lost
    }

    pub(super) fn carried(&self) -> usize {
        self.carried
    }

    pub(super) fn lose(&mut self, rule: impl Into<String>, why: impl Into<String>) {
        self.lost.push(Lost::new(rule, why));
    }

    pub(super) fn carry(&mut self) {
        self.carried += 1;
    }

    pub(super) fn allow(&mut self, one: Use) {
        if !self.allowed.contains(&one) {
            self.allowed.push(one);
        }
    }

    /// Denies a use. Examples that the pattern does not agree with are lost.
    pub(super) fn deny(&mut self, one: &Use, matches: Vec<String>, misses: Vec<String>, why: Option<String>) {
        let prefix = one.words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        let (form, text) = match one.end {
            End::Words => ("prefix", prefix),
            _ => ("regex", one.expression()),
        };
        self.push_denied(Denied { form, text, matches, misses, why });
    }

    /// Denies what a glob on the whole line matches.
    pub(super) fn deny_glob(&mut self, glob: &str) {
        let parts: Vec<String> = glob.split('*').map(escaped).collect();
        let text = format!("^{}$", parts.join(".*"));
        self.push_denied(Denied { form: "regex", text, matches: Vec::new(), misses: Vec::new(), why: None });
    }

    fn push_denied(&mut self, denied: Denied) {
        if !self.denied.iter().any(|before| before.form == denied.form && before.text == denied.text) {
            self.denied.push(denied);
        }
    }

    /// The policy file.
    ///
    /// # Errors
    /// `bad-policy` if it could not be read back: then nothing must be written.
    pub(super) fn text(&self) -> Result<String, Failure> {
        let mut document = DocumentMut::new();
        document["cwd"] = value(self.root.display().to_string());
        if self.read_only {
            document["read_only"] = value(true);
        }
        if !self.allow_paths.is_empty() {
            document["allow_paths"] = lines(self.allow_paths.iter().cloned());
        }
        let secrets = SECRET_PATHS.iter().map(|glob| (*glob).to_owned());
        document["deny_paths"] = lines(unique(secrets.chain(self.deny_paths.iter().cloned())));
        document["deny_write_paths"] = lines(unique(self.unwritable()));
        if !self.no_program && (self.any_program || !self.allowed.is_empty()) {
            document["shell"] = Item::Table(self.shell());
        }
        let text = self.head() + &document.to_string();
        Policy::from_text_at(&text, Format::Toml, &self.root)?;
        Ok(text)
    }

    fn head(&self) -> String {
        let mut text = format!("# Made by `pinfold policy import` from {}.\n", self.source);
        text += "# Secrets and `.git` are denied beside what was imported. Look it over: `pinfold policy check`.\n";
        for Lost { rule, why } in &self.lost {
            let rule = rule.replace('\n', " ");
            text += &format!("# lost: {rule}\n#       {why}\n");
        }
        text + "\n"
    }

    fn unwritable(&self) -> Vec<String> {
        let mut globs = Policy::for_agent(&self.root).deny_write_paths;
        match &self.writable {
            None => {}
            Some(folders) if folders.is_empty() => globs.push("**".to_owned()),
            Some(folders) => globs = [only(folders), globs].concat(),
        }
        globs.extend(self.deny_write_paths.iter().cloned());
        globs
    }

    fn shell(&self) -> Table {
        let mut shell = Table::new();
        let defaults = Policy::for_agent(&self.root).allow([""]).shell.unwrap_or_default();
        let programs: Vec<String> = unique(self.allowed.iter().map(|one| one.program().to_owned()));
        let mut denied = self.denied.clone();
        if !self.any_program {
            shell["allow"] = lines(programs.iter().cloned());
            for program in &programs {
                let others = others(program, self.allowed.iter());
                denied.extend(others.map(|text| Denied {
                    form: "regex",
                    text,
                    matches: Vec::new(),
                    misses: Vec::new(),
                    why: Some(format!("every use of {program} that no rule allows")),
                }));
            }
        }
        if !denied.is_empty() {
            shell["deny_patterns"] = patterns(&denied);
        }
        shell["inherit_env"] = Item::Value(Value::Array(defaults.inherit_env.iter().collect::<Array>()));
        shell["max_output_bytes"] = value(i64::try_from(defaults.max_output_bytes).unwrap_or(i64::MAX));
        let mut env = Table::new();
        for (name, set) in &defaults.env {
            env[name.as_str()] = value(set);
        }
        shell["env"] = Item::Table(env);
        shell
    }
}

/// Denies everything but these folders: at every level above one, all but the way to it.
fn only(folders: &BTreeSet<String>) -> Vec<String> {
    let mut globs = vec!["/*".to_owned()];
    for folder in folders {
        let mut above = String::new();
        let parts: Vec<&str> = folder.split('/').collect();
        for (at, part) in parts.iter().enumerate() {
            above = format!("{above}/{part}");
            globs.push(format!("!{above}"));
            if at + 1 < parts.len() {
                globs.push(format!("{above}/*"));
            }
        }
    }
    // The ways to folders that share a beginning: closed once, before what they open.
    let (mut shut, mut open): (Vec<String>, Vec<String>) =
        globs.into_iter().partition(|glob| !glob.starts_with('!'));
    shut.sort();
    shut.dedup();
    open.dedup();
    let mut ordered = Vec::new();
    for glob in shut {
        let below = glob.trim_end_matches('*').to_owned();
        let opened = open.iter().filter(|one| {
            one[1..].strip_prefix(&below).is_some_and(|name| !name.is_empty() && !name.contains('/'))
        });
        let opened: Vec<String> = opened.cloned().collect();
        ordered.push(glob);
        ordered.extend(opened);
    }
    unique(ordered)
}

fn unique(all: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    all.into_iter().filter(|one| seen.insert(one.clone())).collect()
}

/// A list with each entry on its own line.
fn lines(entries: impl IntoIterator<Item = String>) -> Item {
    let mut array = Array::new();
    for entry in entries {
        let mut entry = Value::from(entry);
        entry.decor_mut().set_prefix("\n  ");
        array.push_formatted(entry);
    }
    array.set_trailing("\n");
    array.set_trailing_comma(true);
    Item::Value(Value::Array(array))
}

fn patterns(denied: &[Denied]) -> Item {
    let mut array = Array::new();
    for Denied { form, text, matches, misses, why } in denied {
        let mut table = InlineTable::new();
        table.insert(*form, Value::from(text.as_str()));
        for (name, lines) in [("matches", matches), ("misses", misses)] {
            if !lines.is_empty() {
                table.insert(name, Value::Array(lines.iter().map(String::as_str).collect::<Array>()));
            }
        }
        let mut table = Value::InlineTable(table);
        let comment = why.as_ref().map_or(String::new(), |why| format!("\n  # {}", why.replace('\n', " ")));
        table.decor_mut().set_prefix(format!("{comment}\n  "));
        array.push_formatted(table);
    }
    array.set_trailing("\n");
    array.set_trailing_comma(true);
    Item::Value(Value::Array(array))
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
