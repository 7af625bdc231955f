//! Which programs may run, and the verdict on a line.
//!
//! A program is judged by the basename of its first word, after quote removal: `./gradlew`, `venv/bin/python3` and
//! `/usr/bin/git` are `gradlew`, `python3` and `git`. Programs that run another program are read through where their
//! options can be read, and refused where they cannot.

mod arguments;
mod bad;
mod instead;
mod judge;
mod line;
mod names;
mod single;
mod strict;
mod verdicts;
mod wrapper;

use std::path::PathBuf;

use crate::{
    allow,
    argv::Argv,
    checked::{CheckedCommand, Denied},
    locate::{Locate, Program},
    pattern::DenyPattern,
    predicate::AllowCommand,
    refusal::Refusal,
    verdict::Verdict,
};

pub use bad::BadRule;
pub(crate) use bad::{tried, validate};
use judge::{Judgement, Level, Origin};
pub use line::{SHELL, Step};
pub(crate) use names::folded;
pub use names::steers_shell;

/// The rules of a shell policy. Made by [`Rules::new`], which validates, or [`Rules::nothing`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    allow: Option<Vec<String>>,
    deny: Vec<String>,
    patterns: Vec<DenyPattern>,
    allow_command: Option<AllowCommand>,
    argument_table: bool,
    strict: Option<Vec<PathBuf>>,
    at_root: bool,
    nothing: bool,
}

impl Rules {
    /// Rules with an allow list, a deny list, or both.
    ///
    /// - `allow`: exact on the basename of the first word; an entry with a slash is exact on the whole word. `None`: no
    ///   allow list, so everything that is not denied may run. An empty list allows nothing.
    /// - `deny`: on the basename, whatever the letter case, and on the basename of what it resolves to. It wins.
    ///
    /// # Errors
    /// [`BadRule`] for an entry that is empty, has a blank, or is a path in `deny`.
    pub fn new(allow: Option<Vec<String>>, deny: Vec<String>) -> Result<Rules, BadRule> {
        for entry in allow.iter().flatten() {
            validate("allow", entry)?;
        }
        for entry in &deny {
            validate("deny", entry)?;
            if let Some((_, name)) = entry.rsplit_once('/') {
                return Err(BadRule::Path { entry: entry.clone(), name: name.to_owned() });
            }
        }
        Ok(Rules { allow, deny, nothing: false, ..Rules::nothing() })
    }

    /// Rules that let no command run at all: what holds while the policy has no shell block.
    pub fn nothing() -> Rules {
        Rules {
            allow: Some(Vec::new()),
            deny: Vec::new(),
            patterns: Vec::new(),
            allow_command: None,
            argument_table: true,
            strict: None,
            at_root: true,
            nothing: true,
        }
    }

    /// Only this pattern: to try its examples.
    pub(crate) fn of_pattern(pattern: DenyPattern) -> Rules {
        Rules { allow: None, nothing: false, patterns: vec![pattern], ..Rules::nothing() }
    }

    /// Whether a pattern matches the command or one inside it.
    pub(crate) fn finds_pattern(&self, argv: &Argv) -> bool {
        let matched = |words: &[String]| self.patterns.iter().any(|pattern| pattern.matches(words));
        judge::judge(self, argv).commands().any(|(words, _)| matched(words))
    }

    /// Adds uses of programs that are denied: judged on every command, inside wrappers too.
    #[must_use]
    pub fn with_patterns(mut self, patterns: Vec<DenyPattern>) -> Rules {
        self.patterns.extend(patterns);
        self
    }

    /// Adds a function of the host, which is asked about every command that the other rules allow.
    #[must_use]
    pub fn with_allow_command(mut self, ask: AllowCommand) -> Rules {
        self.allow_command = Some(ask);
        self
    }

    /// Whether options that hold a command (`sort --compress-program`, `git -c core.pager`, …) are read as one. Default:
    /// they are, while there is an allow list or anything is denied.
    #[must_use]
    pub fn with_argument_table(mut self, on: bool) -> Rules {
        self.argument_table = on;
        self
    }

    /// Refuses programs that are named by a path into one of `roots`, which the agent may write to, unless the allow list
    /// has that very path. `roots` are absolute.
    #[must_use]
    pub fn strict(mut self, roots: Vec<PathBuf>) -> Rules {
        self.strict = Some(roots);
        self
    }

    /// The same rules for a command that starts in another directory than the workspace's root: there, relative paths
    /// of the allow list name nothing.
    #[must_use]
    pub fn away_from_root(mut self) -> Rules {
        self.at_root = false;
        self
    }

    /// The allow list; `None` when there is none.
    pub fn allow(&self) -> Option<&[String]> {
        self.allow.as_deref()
    }

    /// The deny list.
    pub fn deny(&self) -> &[String] {
        &self.deny
    }

    /// Whether these are the rules of [`Rules::nothing`].
    pub fn runs_nothing(&self) -> bool {
        self.nothing
    }

    /// Judges the words alone; nothing is looked up. [`Rules::check`] does this first.
    ///
    /// # Errors
    /// The first [`Refusal`], outer command before inner.
    pub fn judge(&self, argv: &Argv) -> Result<(), Refusal> {
        judge::judge(self, argv).refusal.map_or(Ok(()), Err)
    }

    /// Reads and judges a line, and says everything that is known about it. Nothing is run or looked up.
    pub fn verdict(&self, line: &str) -> Verdict {
        let argv = match Argv::parse(line) {
            Err(refusal) => return Verdict::refused(&refusal),
            Ok(argv) => argv,
        };
        let found = judge::judge(self, &argv).found();
        found.verdict(argv.into_words())
    }

    /// Judges the words, finds the program, and judges what its name resolved to.
    ///
    /// The commands inside it are looked up too, since the deny list looks at what a name resolves to. It is the outer
    /// program that will find them again when it runs.
    ///
    /// # Errors
    /// [`Denied::Refused`] when the rules say no, [`Denied::NotFound`] when there is no such program.
    pub fn check<L: Locate>(&self, argv: Argv, locate: &L) -> Result<CheckedCommand<L::Program>, Denied> {
        let mut judgement = judge::judge(self, &argv);
        if let Some(refusal) = judgement.refusal.take() {
            return Err(refusal.into());
        }
        let program = self.located(&judgement, judgement.levels[0], locate)?;
        for level in judgement.levels.iter().skip(1) {
            if judgement.is_elsewhere(*level) {
                // It cannot be looked up from here, so neither can the deny list look at what it resolves to.
                let refusal = verdicts::elsewhere(judgement.name(*level)).at(judgement.span(*level));
                if self.denies() {
                    return Err(refusal.into());
                }
                continue;
            }
            match self.located(&judgement, *level, locate) {
                // The outer program may do well without it: an editor that is never opened.
                Err(Denied::NotFound(_)) if level.origin == Origin::Argument => {}
                other => drop(other?),
            }
        }
        drop(judgement);
        Ok(CheckedCommand::new(argv, program))
    }

    fn located<L: Locate>(
        &self,
        judgement: &Judgement<'_>,
        level: Level,
        locate: &L,
    ) -> Result<L::Program, Denied> {
        let written = judgement.name(level);
        let program = locate.locate(written)?;
        let at = |refusal: Refusal| refusal.at(judgement.span(level));
        if let Some(real) = program.real_path() {
            strict::judge_real(self, written, real).map_err(at)?;
        }
        if let Some(resolved) = program.resolved_name() {
            single::judge_resolved(self, judgement.words(level), resolved).map_err(at)?;
        }
        Ok(program)
    }

    /// Whether rules are in force that a hidden command could break, beside the allow list.
    fn denies(&self) -> bool {
        !self.deny.is_empty() || !self.patterns.is_empty() || self.allow_command.is_some()
    }

    /// Whether options that hold a command are read.
    fn reads_arguments(&self) -> bool {
        self.argument_table && (self.allow.is_some() || self.denies())
    }

    /// Whether the allow list names the program; `None` when there is no list. `moved`: it may start in another
    /// directory than the root.
    fn lists(&self, written: &str, moved: bool) -> Option<bool> {
        let names = |entry: &String| self.counts(entry, moved) && allow::names(entry, written);
        self.allow.as_ref().map(|allow| allow.iter().any(names))
    }

    /// Whether the allow list has the very path.
    fn lists_path(&self, written: &str, moved: bool) -> bool {
        let has = |entry: &String| self.counts(entry, moved) && entry == written;
        written.contains('/') && self.allow.iter().flatten().any(has)
    }

    /// A relative path of the allow list counts from the root only.
    fn counts(&self, entry: &str, moved: bool) -> bool {
        self.at_root && !moved || entry.starts_with('/') || !entry.contains('/')
    }
}
