//! `diff`: two walks against each other. Nothing is looked up.

use std::collections::BTreeMap;

use pinfold_contract::env::{EnvDiff, Observed};
use schemars::JsonSchema;
use serde::Deserialize;

use super::path::Reader;
use crate::{Failure, FailureType, words::clipped};

/// The arguments of `diff`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Diff {
    /// The files before: paths, or what `walk` returns.
    #[schemars(with = "Vec<String>")]
    previous: Vec<Item>,
    /// The files now, likewise.
    #[schemars(with = "Vec<String>")]
    current: Vec<Item>,
}

/// A path alone, or a file as a walk sees it.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Item {
    Path(String),
    File(Observed),
}

impl From<Item> for Observed {
    fn from(item: Item) -> Observed {
        match item {
            Item::Path(path) => Observed { path, ..Observed::default() },
            Item::File(file) => file,
        }
    }
}

impl Diff {
    pub(crate) fn compare(self) -> Result<EnvDiff, Failure> {
        let files = |items: Vec<Item>| items.into_iter().map(Observed::from).collect::<Vec<_>>();
        diff(files(self.previous), files(self.current))
    }
}

/// What became of the files of one walk by the time of another: which are there now, and which were removed, added or
/// modified. Paths are relative, and written in any of the ways of this dialect; one that stands twice in `previous`
/// counts once.
///
/// # Errors
/// `bad-arguments` for what is no relative path, and for one that stands twice in `current`; `path-escape` for a `..`.
pub fn diff(
    previous: impl IntoIterator<Item = impl Into<Observed>>,
    current: impl IntoIterator<Item = impl Into<Observed>>,
) -> Result<EnvDiff, Failure> {
    let before: BTreeMap<String, Observed> =
        previous.into_iter().map(|file| plain(file.into())).collect::<Result<_, _>>()?;
    let mut now: BTreeMap<String, Observed> = BTreeMap::new();
    for file in current {
        let (path, file) = plain(file.into())?;
        if now.insert(path.clone(), file).is_some() {
            return Err(twice(&path));
        }
    }
    let gone = before.keys().filter(|path| !now.contains_key(*path)).cloned().collect();
    let (mut added, mut modified) = (Vec::new(), Vec::new());
    for (path, file) in &now {
        match before.get(path) {
            None => added.push(path.clone()),
            Some(was) if differs(was.size, file.size) || differs(was.mtime_ms, file.mtime_ms) => {
                modified.push(path.clone());
            }
            Some(_) => {}
        }
    }
    let observed_files = now.into_values().collect();
    Ok(EnvDiff { observed_files, removed_paths: gone, added_paths: added, modified_paths: modified })
}

fn differs<T: PartialEq>(was: Option<T>, is: Option<T>) -> bool {
    was.zip(is).is_some_and(|(was, is)| was != is)
}

fn plain(mut file: Observed) -> Result<(String, Observed), Failure> {
    if file.path.trim_start().starts_with(['/', '\\']) {
        let text = clipped(&file.path);
        let message = format!("The path `{text}` must be relative.");
        return Err(Failure::new(FailureType::BadArguments, message)
            .hint("Leave the first `/` out.")
            .at(text));
    }
    let reader = Reader { label: "path", may_be_root: false, roots: &[] };
    file.path = reader.read(&file.path)?.to_string();
    Ok((file.path.clone(), file))
}

fn twice(path: &str) -> Failure {
    let path = clipped(path);
    let message = format!("duplicate path: `{path}` stands twice among the files now.");
    Failure::new(FailureType::BadArguments, message).hint("Give each file once.").at(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(path: &str, size: u64, mtime_ms: i64) -> Observed {
        Observed { path: path.into(), size: Some(size), mtime_ms: Some(mtime_ms) }
    }

    #[test]
    fn what_was_removed_added_and_modified() {
        let before = [seen("a", 1, 1), seen("b", 1, 1), seen("c", 1, 1), seen("gone", 1, 1), "d".into()];
        let now = [seen("new", 1, 1), seen("./c", 2, 1), seen("b", 1, 2), seen("a", 1, 1), seen("d", 9, 9)];
        let diff = diff(before, now).unwrap();
        let observed: Vec<&str> = diff.observed_files.iter().map(|file| &*file.path).collect();
        assert_eq!(observed, ["a", "b", "c", "d", "new"]);
        assert_eq!((diff.removed_paths, diff.added_paths), (vec!["gone".to_owned()], vec!["new".to_owned()]));
        assert_eq!(diff.modified_paths, ["b", "c"], "of `d` nothing is known from before");
    }

    #[test]
    fn paths_that_stand_twice() {
        assert!(diff(["a", "./a"], ["a"]).unwrap().removed_paths.is_empty());
        let failure = diff([""; 0], ["same.ts", "./same.ts"]).unwrap_err();
        assert!(failure.message().contains("duplicate"), "{failure}");
        for (path, expected) in [
            ("/a", FailureType::BadArguments),
            ("../a", FailureType::PathEscape),
            ("", FailureType::BadArguments),
        ] {
            assert_eq!(diff([path], ["b"]).unwrap_err().failure_type(), expected, "{path}");
        }
    }
}
