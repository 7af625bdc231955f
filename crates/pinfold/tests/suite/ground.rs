//! Where a case is played: a temporary directory, or a map in memory; and pictures of what is there.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use pinfold::{
    Context, Failure, FileKind, Memory, Policy, Resolver, RunResult, Workspace, policy::file::Format,
    tools::ListDir,
};
use pinfold_jail::snapshot::sha256;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{
    case::Case,
    fill::{HOME, filled, text_of},
    line::{Line, Thing},
};

/// Every path with what is there.
pub(crate) type Picture = BTreeMap<PathBuf, String>;

/// Where nothing is on any disk: the top of a workspace in memory.
const NOWHERE: &str = "/nowhere";

pub(crate) enum Ground {
    Local { top: PathBuf, resolver: Resolver, _dir: TempDir },
    Memory(Memory),
}

impl Ground {
    pub(crate) fn local(case: &Case, resolver: Resolver) -> Ground {
        let dir = TempDir::new().unwrap();
        let top = dir.path().canonicalize().unwrap();
        fs::create_dir(top.join(HOME)).unwrap();
        let ground = Ground::Local { top: top.clone(), resolver, _dir: dir };
        ground.lines(&case.make).iter().for_each(|line| line.make(&top.join(HOME)));
        ground
    }

    pub(crate) async fn memory(case: &Case) -> Ground {
        let mut memory = Memory::new();
        for (line, stdout) in &case.commands {
            memory = memory.command(line, said(&text_of(stdout, NOWHERE)));
        }
        let ground = Ground::Memory(memory.clone());
        for line in ground.lines(&case.make).into_iter().filter(|line| !line.is_outside()) {
            let path = line.path.to_str().unwrap();
            match line.thing {
                // Both share one map of files.
                Thing::File(content) => drop(memory.clone().file(path, content)),
                Thing::Directory => drop(ground.unbounded().mkdir(path).await.unwrap()),
                _ => {
                    panic!("`{}` cannot be in memory: does the case say what it needs?", line.path.display())
                }
            }
        }
        ground
    }

    pub(crate) fn top(&self) -> &str {
        match self {
            Ground::Local { top, .. } => top.to_str().unwrap(),
            Ground::Memory(_) => NOWHERE,
        }
    }

    pub(crate) fn lines(&self, texts: &[String]) -> Vec<Line> {
        texts.iter().map(|text| Line::read(text, self.top())).collect()
    }

    /// The workspace of the case.
    pub(crate) fn open(&self, case: &Case) -> Result<Workspace, Failure> {
        let policy = filled(&Value::Object(case.policy.clone()), self.top());
        let root = policy["cwd"].as_str().map_or_else(|| Path::new(self.top()).join(HOME), PathBuf::from);
        let policy = Policy::from_text_at(&policy.to_string(), Format::Json, &root)?;
        let mut workspace = match self {
            Ground::Local { resolver, .. } => Workspace::with_resolver(policy, *resolver)?,
            Ground::Memory(memory) => Workspace::in_memory(policy, memory.clone())?,
        };
        if let Some(scope) = &case.scope {
            workspace = workspace.scope(text_of(scope, self.top()))?;
        }
        if let Some(dialect) = &case.dialect {
            workspace = workspace.dialect(dialect.parse().unwrap());
        }
        Ok(if case.readonly { workspace.readonly() } else { workspace })
    }

    /// The same files in memory, under no rule at all.
    fn unbounded(&self) -> Workspace {
        let mut policy = Policy::new(Path::new(NOWHERE).join(HOME));
        (policy.list.max_depth, policy.list.max_entries, policy.list.ignore) = (100, 100_000, Vec::new());
        match self {
            Ground::Memory(memory) => Workspace::in_memory(policy, memory.clone()).unwrap(),
            Ground::Local { .. } => panic!("only for memory"),
        }
    }

    /// What is there now; on the local disk also what lies outside, as `../path`.
    pub(crate) async fn picture(&self) -> Picture {
        let mut picture = Picture::new();
        match self {
            Ground::Local { top, .. } => look(top, &top.join(HOME), &mut picture),
            Ground::Memory(_) => {
                let all = ListDir { depth: Some(100), ..ListDir::default() };
                let workspace = self.unbounded();
                for entry in workspace.list_dir(all).await.unwrap().entries {
                    let seen = match entry.r#type {
                        FileKind::Directory => "directory".to_owned(),
                        _ => self.content(&workspace, &entry.path, entry.size.unwrap()).await,
                    };
                    picture.insert(entry.path.into(), seen);
                }
            }
        }
        picture
    }

    async fn content(&self, workspace: &Workspace, path: &str, size: u64) -> String {
        match workspace.call("read_file", json!({ "path": path }), Context::default()).await {
            Ok(read) => format!("file of {size} bytes {}", read["hash"].as_str().unwrap_or_default()),
            Err(_) => format!("file of {size} bytes"),
        }
    }

    /// What `before` shall have become, by the lines of the case.
    pub(crate) fn expected(&self, before: &Picture, lines: &[Line]) -> Picture {
        let mut after = before.clone();
        for line in lines {
            if matches!(line.thing, Thing::Nothing) {
                after.retain(|path, _| !path.starts_with(&line.path));
                continue;
            }
            for above in line.path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty()) {
                after.entry(above.to_owned()).or_insert_with(|| "directory".into());
            }
            after.insert(line.path.clone(), self.shown(&line.thing));
        }
        after
    }

    fn shown(&self, thing: &Thing) -> String {
        match thing {
            Thing::File(content) => file(content, matches!(self, Ground::Memory(_))),
            Thing::Directory => "directory".into(),
            Thing::Link(target) => format!("link to {}", target.display()),
            _ => "other".into(),
        }
    }

    /// The mode of a file, where there are modes.
    pub(crate) fn mode(&self, path: &Path) -> Option<u32> {
        let Ground::Local { top, .. } = self else { return None };
        Some(fs::symlink_metadata(top.join(HOME).join(path)).ok()?.permissions().mode() & 0o7777)
    }
}

/// What is in `dir`, relative to `home`.
fn look(dir: &Path, home: &Path, picture: &mut Picture) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let meta = fs::symlink_metadata(&path).unwrap();
        let seen = match meta.file_type() {
            kind if kind.is_file() => file(&fs::read(&path).unwrap(), false),
            kind if kind.is_symlink() => format!("link to {}", fs::read_link(&path).unwrap().display()),
            kind if kind.is_dir() => "directory".into(),
            _ => "other".into(),
        };
        if meta.is_dir() {
            look(&path, home, picture);
        }
        let own = match (path.strip_prefix(home), path.strip_prefix(home.parent().unwrap())) {
            (Ok(inside), _) => inside.to_owned(),
            (_, Ok(outside)) => Path::new("..").join(outside),
            _ => path.clone(),
        };
        picture.insert(own, seen);
    }
}

/// In memory, bytes that are no text cannot be looked at from here: their number has to do.
fn file(content: &[u8], text_only: bool) -> String {
    let size = content.len();
    let wide = content.starts_with(&[0xff, 0xfe]) || content.starts_with(&[0xfe, 0xff]);
    if text_only && content.contains(&0) && !wide {
        format!("file of {size} bytes")
    } else {
        format!("file of {size} bytes {}", sha256(content))
    }
}

/// A command that ended well and wrote this.
fn said(stdout: &str) -> RunResult {
    RunResult { stdout: stdout.to_owned(), stdout_bytes: stdout.len() as u64, ..RunResult::default() }
}

/// The answer with the top's own path taken out, so that answers of several grounds can be compared.
pub(crate) fn neutral(answer: &Value, top: &str) -> Value {
    match answer {
        Value::String(text) => Value::String(text.replace(top, "$TOP")),
        Value::Array(list) => list.iter().map(|one| neutral(one, top)).collect(),
        Value::Object(map) => map
            .iter()
            .filter(|(key, _)| !matches!(key.as_str(), "durationMs" | "mtimeMs"))
            .map(|(key, one)| (key.clone(), neutral(one, top)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}
