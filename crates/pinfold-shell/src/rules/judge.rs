//! The verdict on the words: outer command before inner, and at each level denied, not allowed, nested, denied pattern,
//! and then the host's own say.

use std::{borrow::Cow, ops::Range};

use super::{
    Rules, arguments,
    single::{judge_name, judge_use, steers},
    verdicts, wrapper,
};
use crate::{
    argv::Argv,
    pattern::basename,
    refusal::Refusal,
    verdict::{JudgedCommand, Verdict},
    words::Words,
};

/// Commands inside commands that are read at most.
pub(super) const DEEPEST: usize = 32;

/// Commands of one line that are judged at most: itself, and those inside it.
const MOST_COMMANDS: usize = 1_000;

/// How often the words of a line are gone over at most. Commands inside `find` may overlap, and each is judged whole:
/// this keeps the time linear in the length of the line.
const MOST_PASSES: usize = DEEPEST + 2;

/// What runs a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// The line itself.
    Line,
    /// A wrapper: the command is surely run.
    Wrapper,
    /// An option that holds a command.
    Argument,
}

/// One command: words `start..end` of a source, `depth` commands down.
#[derive(Debug, Clone, Copy)]
pub(super) struct Level {
    source: usize,
    start: usize,
    end: usize,
    depth: usize,
    in_find: bool,
    /// It may start in another directory.
    moved: bool,
    pub(super) origin: Origin,
}

/// Words that commands are parts of: those of the line, or of a text inside one of them.
struct Source<'a> {
    words: Cow<'a, [String]>,
    /// The word of the line that holds the text.
    inside: Option<Range<usize>>,
}

/// Everything that judging found.
pub(super) struct Judgement<'a> {
    argv: &'a Argv,
    sources: Vec<Source<'a>>,
    /// The commands, outer before inner; the last is the refused one, if there is one. Never empty.
    pub(super) levels: Vec<Level>,
    pub(super) refusal: Option<Refusal>,
}

/// Judges the command and every command inside it.
pub(super) fn judge<'a>(rules: &Rules, argv: &'a Argv) -> Judgement<'a> {
    let sources = vec![Source { words: Cow::Borrowed(argv.words()), inside: None }];
    let outer = Level {
        source: 0,
        start: 0,
        end: argv.words().len(),
        depth: 0,
        in_find: false,
        moved: false,
        origin: Origin::Line,
    };
    let mut judgement = Judgement { argv, sources, levels: Vec::new(), refusal: None };
    judgement.refusal = judgement.run(rules, outer).err();
    judgement
}

impl Judgement<'_> {
    /// Its name is a path that counts from a directory which is not known here.
    pub(super) fn is_elsewhere(&self, level: Level) -> bool {
        let name = self.name(level);
        level.moved && name.contains('/') && !name.starts_with('/')
    }

    pub(super) fn words(&self, level: Level) -> &[String] {
        &self.sources[level.source].words[level.start..level.end]
    }

    /// The first word of a command; it has one.
    pub(super) fn name(&self, level: Level) -> &str {
        self.words(level).first().map_or("", String::as_str)
    }

    /// The words of the line that belong to the command; `None` when they stand inside one word.
    pub(super) fn place(&self, level: Level) -> Option<Range<usize>> {
        (level.source == 0).then_some(level.start..level.end)
    }

    /// Where in the line its first word stands.
    pub(super) fn span(&self, level: Level) -> Range<usize> {
        self.span_of(level, 0)
    }

    /// Where in the line the whole command stands.
    fn whole(&self, level: Level) -> Range<usize> {
        let last = level.end.saturating_sub(level.start + 1);
        self.span(level).start..self.span_of(level, last).end
    }

    /// Every command with its words, and whether it is nested.
    pub(super) fn commands(&self) -> impl Iterator<Item = (&[String], bool)> {
        self.levels.iter().map(|level| (self.words(*level), level.depth > 0))
    }

    /// The same for a verdict, with the words that are known.
    pub(super) fn judged(&self, known: impl Fn(&str) -> bool) -> Vec<JudgedCommand> {
        let kept = |word: &String| known(word).then(|| word.clone());
        let sources: Vec<Words> =
            self.sources.iter().map(|source| source.words.iter().map(kept).collect()).collect();
        commands(&self.levels, &sources)
    }

    /// What is left when the line is no longer needed.
    pub(super) fn found(self) -> Found {
        let inside = self.sources.into_iter().skip(1).map(|source| source.words.into_owned()).collect();
        Found { inside, levels: self.levels, refusal: self.refusal }
    }

    fn span_of(&self, level: Level, word: usize) -> Range<usize> {
        match &self.sources[level.source].inside {
            Some(span) => span.clone(),
            None => self.argv.span(level.start + word),
        }
    }

    fn run(&mut self, rules: &Rules, outer: Level) -> Result<(), Refusal> {
        self.levels.push(outer);
        if rules.nothing {
            return Err(verdicts::nothing_runs());
        }
        self.levels.clear();
        let mut waiting = vec![outer];
        let mut left = MOST_PASSES * (size(self.argv.words()) + 1);
        while let Some(level) = waiting.pop() {
            self.levels.push(level);
            let size = size(self.words(level));
            if level.depth > DEEPEST || self.levels.len() > MOST_COMMANDS || size > left {
                return Err(verdicts::too_deep(self.name(level)).at(self.span(level)));
            }
            left -= size;
            let mut inner = self.judge_level(rules, level)?;
            inner.reverse();
            waiting.extend(inner);
        }
        Ok(())
    }

    /// Judges one command, and returns the commands that it will run.
    fn judge_level(&mut self, rules: &Rules, level: Level) -> Result<Vec<Level>, Refusal> {
        let words = self.words(level);
        let Some(written) = words.first() else { return Ok(Vec::new()) };
        let at = |refusal: Refusal| refusal.at(self.span(level));
        judge_name(rules, words, level.moved).map_err(at)?;
        let name = basename(written);
        if level.in_find && written.contains("{}") {
            return Err(at(verdicts::runs_what_it_finds(written)));
        }
        let wrapped = self.wrapped(rules, level, name)?;
        judge_use(rules, words, level.depth > 0).map_err(|refusal| refusal.at(self.whole(level)))?;
        if !rules.reads_arguments() {
            return Ok(wrapped);
        }
        let found = arguments::read(name, words);
        self.with_arguments(level, wrapped, found)
    }

    /// The commands in the words of a wrapper; none if it is no wrapper.
    fn wrapped(&self, rules: &Rules, level: Level, name: &str) -> Result<Vec<Level>, Refusal> {
        let words = self.words(level);
        let Some(read) = wrapper::read(name, words) else { return Ok(Vec::new()) };
        let read = read.map_err(|word| {
            let unreadable = words.get(word).map(String::as_str);
            let span = self.span_of(level, word.min(words.len() - 1));
            verdicts::unreadable(name, unreadable).at(span)
        })?;
        if let Some(word) = read.assignments.iter().copied().find(|word| steers(rules, &words[*word])) {
            return Err(verdicts::steering(&words[word]).at(self.span_of(level, word)));
        }
        let replaces = level.in_find && !read.find;
        let replaced = words.iter().skip(1).position(|word| replaces && word.contains("{}")).map(|at| at + 1);
        let mut inner = Vec::with_capacity(read.inner.len());
        for range in read.inner {
            // What find puts in place of {} may turn an option or an operand of the wrapper into another one.
            if let Some(word) = replaced.filter(|word| *word < range.start) {
                return Err(verdicts::unreadable(name, Some(&words[word])).at(self.span_of(level, word)));
            }
            inner.push(Level {
                start: level.start + range.start,
                end: level.start + range.end,
                depth: level.depth + 1,
                in_find: level.in_find || read.find,
                moved: level.moved || read.moves,
                origin: Origin::Wrapper,
                ..level
            });
        }
        Ok(inner)
    }

    /// Adds the commands in the options of a program.
    fn with_arguments(
        &mut self,
        level: Level,
        mut inner: Vec<Level>,
        found: Vec<arguments::Found>,
    ) -> Result<Vec<Level>, Refusal> {
        use arguments::Held;
        for arguments::Found { at, held } in found {
            let nested = Level { depth: level.depth + 1, moved: true, origin: Origin::Argument, ..level };
            let words = match held {
                Held::Rest(range) => {
                    let (start, end) = (level.start + range.start, level.start + range.end);
                    inner.push(Level { start, end, ..nested });
                    continue;
                }
                Held::Program(program) => Some(vec![program]),
                Held::Text(text) => arguments::plain_words(&text),
                Held::Hidden => None,
            };
            // What find puts in place of {} would be part of the inner command.
            let hidden = |words: &Vec<String>| level.in_find && words.iter().any(|word| word.contains("{}"));
            let span = self.span_of(level, at);
            let Some(words) = words.filter(|words| !words.is_empty() && !hidden(words)) else {
                let word = &self.words(level)[at];
                return Err(verdicts::hidden_in_argument(basename(self.name(level)), word).at(span));
            };
            let (source, end) = (self.sources.len(), words.len());
            self.sources.push(Source { words: Cow::Owned(words), inside: Some(span) });
            inner.push(Level { source, start: 0, end, ..nested });
        }
        Ok(inner)
    }
}

/// What judging found, without the words of the line.
pub(super) struct Found {
    inside: Vec<Vec<String>>,
    levels: Vec<Level>,
    refusal: Option<Refusal>,
}

impl Found {
    /// The verdict on the line with these words.
    pub(super) fn verdict(self, words: Vec<String>) -> Verdict {
        let known = |words: Vec<String>| words.into_iter().map(Some).collect();
        let sources: Vec<Words> = std::iter::once(words).chain(self.inside).map(known).collect();
        let said = self.refusal.as_ref().map(Verdict::refused);
        let verdict = said.unwrap_or_else(|| Verdict { allowed: true, ..Verdict::default() });
        Verdict { commands: commands(&self.levels, &sources), argv: Some(sources[0].clone()), ..verdict }
    }
}

fn commands(levels: &[Level], sources: &[Words]) -> Vec<JudgedCommand> {
    let judged = |level: &Level| JudgedCommand {
        argv: sources[level.source].part(level.start..level.end),
        nested: level.depth > 0,
    };
    levels.iter().map(judged).collect()
}

fn size(words: &[String]) -> usize {
    words.iter().map(|word| word.len() + 1).sum()
}
