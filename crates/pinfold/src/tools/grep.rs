//! `grep`: lines that match a regular expression, in time linear in what is searched.
//!
//! [`search`] is the engine, which the dialects share: what they ask of it is a [`Query`], what they get is one
//! [`Looked`] a file, in byte order of the paths.

mod answer;
mod engine;
mod expression;
mod kinds;
mod pace;
mod sink;
mod stream;
mod window;

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use pinfold_contract::GrepResult;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use tokio_util::sync::CancellationToken;

use super::FileTool;
use crate::{
    Failure,
    backend::Asked,
    gate::{Look, Permit},
    pattern::Filter,
};
use answer::Answer;
pub(crate) use engine::{Errand, Looked, Query, Want, search};
pub(crate) use expression::{Expression, compile};
pub(crate) use sink::{Hit, Outcome};

/// The arguments of `grep`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Grep {
    /// Regular expression.
    pub pattern: String,
    /// Default: the root.
    pub path: Option<PathBuf>,
    /// Only these files; `!` leaves out.
    #[serde(default, deserialize_with = "one_or_many")]
    pub glob: Option<Vec<String>>,
    /// Such as `rust`.
    #[serde(default, rename = "type", deserialize_with = "one_or_many")]
    #[schemars(with = "Option<String>")]
    pub kind: Option<Vec<String>>,
    /// Any letter case.
    pub ignore_case: Option<bool>,
    /// Plain text.
    pub literal: Option<bool>,
    /// `\n` may match.
    pub multiline: Option<bool>,
    /// Default: content.
    #[schemars(with = "Option<String>", extend("enum" = ["content", "files", "count"]))]
    pub mode: Option<GrepMode>,
    /// Lines around each, up to 20.
    pub context: Option<usize>,
    /// Default: 250.
    #[schemars(range(min = 1, max = 10_000))]
    pub max_matches: Option<usize>,
    /// In each file.
    #[schemars(range(min = 1))]
    pub max_per_file: Option<usize>,
    /// Leave out so many.
    #[schemars(range(max = 100_000))]
    pub offset: Option<usize>,
    /// Default: path.
    #[schemars(with = "Option<String>", extend("enum" = ["path", "mtime"]))]
    pub order: Option<GrepOrder>,
}

/// What `grep` returns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum GrepMode {
    /// Matching lines.
    #[default]
    Content,
    /// Files that hold a match.
    #[serde(alias = "files_with_matches", alias = "filesWithMatches")]
    Files,
    /// How many lines match, by file.
    Count,
}

/// The order of what `grep` returns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum GrepOrder {
    /// Byte order of the paths.
    #[default]
    Path,
    /// What was changed last comes first; then by path. In memory nothing has a time.
    #[serde(alias = "modified")]
    Mtime,
}

pub(crate) const DEFAULT_MATCHES: usize = 250;
/// Characters of the longest line that is searched.
pub(crate) const LONGEST_LINE: usize = 2000;
/// How long a search may take before it returns what it has.
pub(crate) const DEADLINE: Duration = Duration::from_secs(20);
/// Lines of context on either side, at most.
const MOST_CONTEXT: usize = 20;

impl FileTool for Grep {
    const SEARCHES: bool = true;

    type Deed = Look;
    type Report = GrepResult;

    fn asks(&self) -> Asked {
        let name = self.path.clone().unwrap_or_default().into_os_string();
        Asked { name, link_itself: false, lossy: true }
    }

    fn perform(self, permit: Permit<Look>, cancel: &CancellationToken) -> Result<GrepResult, Failure> {
        let site = permit.open();
        let multiline = self.multiline.unwrap_or(false);
        let expression = Expression {
            text: &self.pattern,
            literal: self.literal.unwrap_or(false),
            ignore_case: self.ignore_case.unwrap_or(false),
            multiline,
        };
        let matcher = compile(&expression, Some(&site.ground.terms.policy.search))?;
        let mut filter = Filter::default();
        for text in self.glob.iter().flatten() {
            filter = filter.and(text, &site.ground)?;
        }
        let kinds = kinds::named(self.kind.as_deref().unwrap_or_default())?;
        let mut answer = Answer::new(&self);
        let query = Query {
            matcher,
            multiline,
            want: match self.mode.unwrap_or_default() {
                GrepMode::Content => {
                    Want::Lines { context: self.context.unwrap_or(0).min(MOST_CONTEXT), every: false }
                }
                GrepMode::Files => Want::First,
                GrepMode::Count => Want::Count,
            },
            most_hits: answer.most_hits(),
            longest_line: LONGEST_LINE,
            kinds,
            by_time: self.order == Some(GrepOrder::Mtime),
        };
        let deadline = Some(Instant::now() + DEADLINE);
        let errand = Errand { site: &site, filter: &filter, query: &query, cancel, deadline };
        let walked = search(&errand, &mut |looked| answer.take(looked))?;
        Ok(answer.report(walked))
    }
}

/// A text, or a list of them.
fn one_or_many<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<String>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMany {
        One(String),
        Many(Vec<String>),
    }
    let given = Option::<OneOrMany>::deserialize(from)?;
    Ok(given.map(|given| match given {
        OneOrMany::One(text) => vec![text],
        OneOrMany::Many(texts) => texts,
    }))
}
