//! What searches and listings pass over because somebody wrote so: `.gitignore`, `.ignore`, and the policy's own lines.
//!
//! These rules hide what is not worth a look; they protect nothing. They are read on the way down, each file through the
//! directory that is open already, so a link is never followed and a denied file never read.

use std::{
    io::Read,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use ignore::{
    Match,
    gitignore::{Gitignore, GitignoreBuilder},
};

use crate::{backend::Folder, gate::Terms};

/// Of two in one directory the last one wins, as with the tools that made the second.
const FILES: [&str; 2] = [".gitignore", ".ignore"];

/// Bytes of one file that are read; whoever writes more hides less than he thinks.
const MOST_BYTES: u64 = 64 << 10;

/// Bytes of all files of one search: compiling rules takes far more time than looking at names, and a repository may
/// bring any number of them.
pub(crate) const MOST_BYTES_IN_ALL: usize = 512 << 10;

/// The rules that hold in one directory: its own, and those of the directories above.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ignores {
    layer: Option<Arc<Layer>>,
    /// Bytes of files of the directories that may still be read; the same for the whole search.
    left: Arc<AtomicU64>,
}

#[derive(Debug)]
struct Layer {
    rules: Gitignore,
    above: Option<Arc<Layer>>,
}

impl Ignores {
    /// Those of the policy, which count from `home`. None if it has none.
    pub(crate) fn of_policy(terms: &Terms, home: &Path) -> Option<Ignores> {
        let search = &terms.policy.search;
        let left = if search.gitignore { MOST_BYTES_IN_ALL as u64 } else { 0 };
        let own = Ignores { layer: None, left: Arc::new(left.into()) };
        let lines = search.ignore.iter().map(String::as_str);
        (search.gitignore || !search.ignore.is_empty()).then(|| own.with_lines(home, lines))
    }

    /// Those that hold in `folder`, which lies at `place` and below the directory that these hold in. `has` tells what is
    /// there, so that nothing is looked for in vain.
    pub(crate) fn entering(
        &self,
        folder: &Folder,
        place: &Path,
        terms: &Terms,
        has: impl Fn(&[u8]) -> bool,
    ) -> Ignores {
        let texts: Vec<String> = FILES
            .iter()
            .filter(|name| has(name.as_bytes()) && !terms.hides(&place.join(name)))
            .filter_map(|name| self.read(folder, name.as_bytes()))
            .collect();
        self.clone().with_lines(place, texts.iter().flat_map(|text| text.lines()))
    }

    /// Whether the entry at `place` is passed over. The nearest directory that says something of it decides.
    pub(crate) fn passes_over(&self, place: &Path, is_dir: bool) -> bool {
        let mut layer = self.layer.as_deref();
        while let Some(Layer { rules, above }) = layer {
            match rules.matched(place, is_dir) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => layer = above.as_deref(),
            }
        }
        false
    }

    /// A line that cannot be read says nothing, as in git.
    fn with_lines<'a>(mut self, place: &Path, lines: impl Iterator<Item = &'a str>) -> Ignores {
        let mut builder = GitignoreBuilder::new(place);
        for line in lines {
            builder.add_line(None, line).ok();
        }
        if let Ok(rules) = builder.build()
            && !rules.is_empty()
        {
            self.layer = Some(Arc::new(Layer { rules, above: self.layer.take() }));
        }
        self
    }

    fn read(&self, folder: &Folder, name: &[u8]) -> Option<String> {
        let most = self.left.load(Ordering::Relaxed).min(MOST_BYTES);
        if most == 0 {
            return None;
        }
        let mut bytes = Vec::new();
        folder.open_file(name).ok()?.take(most).read_to_end(&mut bytes).ok()?;
        let taken = bytes.len() as u64;
        self.left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(taken)))
            .ok();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        // Half a line would be another rule.
        Some(if taken < most {
            text
        } else {
            text.rsplit_once('\n').map_or(String::new(), |(lines, _)| lines.to_owned())
        })
    }
}
