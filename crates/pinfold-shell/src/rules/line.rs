//! The verdict on a line of sh mode.
//!
//! Three walks over a line that was read as a whole: what is refused whatever the rules say, then every command by the
//! rules of argv mode, then the paths that the line itself opens or moves to.

mod builtins;
mod paths;
mod runtime;
mod steps;

use std::{collections::HashMap, ffi::OsStr, ops::Range};

use super::{Rules, judge, names, single, strict, verdicts};
use crate::{
    argv::Argv,
    checked::{CheckedCommand, Denied},
    ground::Ground,
    line::{
        Line,
        tree::{Command, Form, Piece, Redirection, Script, Simple, Target, Word},
    },
    locate::Locate,
    refusal::{Reason, Refusal},
    shown::shown,
    verdict::{JudgedCommand, JudgedPath, Verdict},
};

pub use steps::Step;

/// What runs a line.
pub const SHELL: &str = "/bin/sh";

/// Stands for a word that is known only at run time; no line can hold it by accident without being refused for it.
const UNKNOWN: &str = "\u{10fffd}";

impl Rules {
    /// Reads and judges a line that a shell will run, and says everything that is known about it. Nothing is run.
    pub fn line_verdict(&self, line: &str, ground: &dyn Ground) -> Verdict {
        match Line::parse(line) {
            Err(refusal) => Verdict::refused(&refusal),
            Ok(line) => self.judge_line(&line, ground),
        }
    }

    /// Judges a line that was read.
    pub fn judge_line(&self, line: &Line, ground: &dyn Ground) -> Verdict {
        let mut found = Found::default();
        match found.all(self, line, ground) {
            Ok(()) => {
                Verdict { allowed: true, commands: found.commands, paths: found.paths, ..Verdict::default() }
            }
            Err(refusal) => {
                Verdict { commands: found.commands, paths: found.paths, ..Verdict::refused(&refusal) }
            }
        }
    }

    /// Judges a line that was read, and gives it to the shell that runs it, exactly as it was written: `sh -c` and the
    /// text. `ground` knows what is true now; [`Rules::look_again`] asks it once more, right before the start.
    ///
    /// # Errors
    /// [`Denied::Refused`] when the rules say no, [`Denied::NotFound`] when there is no [`SHELL`].
    pub fn check_line<L: Locate>(
        &self,
        line: &Line,
        ground: &dyn Ground,
        locate: &L,
    ) -> Result<CheckedCommand<L::Program>, Denied> {
        self.look_again(line, ground)?;
        let program = locate.locate(SHELL)?;
        let words = ["sh", "-c", line.text()].map(str::to_owned);
        let spans = vec![0..0, 0..0, 0..line.text().len()];
        Ok(CheckedCommand::new(Argv::of_line(words.into(), spans), program))
    }

    /// Judges a line that was read, and only says yes or no.
    ///
    /// # Errors
    /// The first [`Refusal`].
    pub fn look_again(&self, line: &Line, ground: &dyn Ground) -> Result<(), Refusal> {
        Found::default().all(self, line, ground)
    }
}

/// What the walks found.
#[derive(Default)]
pub(super) struct Found {
    commands: Vec<JudgedCommand>,
    paths: Vec<JudgedPath>,
    /// Programs that are named by a relative path, by the place of their simple command: what they are depends on where
    /// the line is by then.
    called: HashMap<usize, Vec<Called>>,
    /// Kept only where somebody asked for them.
    steps: Option<Vec<Step>>,
}

/// A program that a command names.
struct Called {
    words: Vec<String>,
    at: Range<usize>,
    /// The command around it moves.
    elsewhere: bool,
}

impl Called {
    fn name(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    fn is_relative(&self) -> bool {
        self.name().contains('/') && !self.name().starts_with('/')
    }

    /// Judges what the name leads to in `dir`.
    fn judge(&self, rules: &Rules, ground: &dyn Ground, dir: &str) -> Result<(), Refusal> {
        let at = |refusal: Refusal| refusal.at(self.at.clone());
        if self.elsewhere {
            return if rules.denies() { Err(at(verdicts::elsewhere(self.name()))) } else { Ok(()) };
        }
        let Some(program) = ground.program(dir, self.name()) else { return Ok(()) };
        strict::judge_real(rules, self.name(), &program.real).map_err(at)?;
        if program.planted {
            return Err(at(verdicts::in_writable_place(self.name())));
        }
        match program.real.file_name().and_then(OsStr::to_str) {
            Some(resolved) => single::judge_resolved(rules, &self.words, resolved).map_err(at),
            None => Ok(()),
        }
    }
}

impl Found {
    fn all(&mut self, rules: &Rules, line: &Line, ground: &dyn Ground) -> Result<(), Refusal> {
        let mut simples = Vec::new();
        collect(line, line.script(), &mut simples);
        // Behind a `cd` a relative path of the allow list names another file.
        let moves = simples.iter().any(|simple| builtins::moves(&known_words(simple)));
        let rules = &if moves { rules.clone().away_from_root() } else { rules.clone() };
        for simple in &simples {
            refuse_always(rules, simple)?;
        }
        // A line may write a file without a single command: `> file`.
        if rules.nothing {
            return Err(verdicts::nothing_runs());
        }
        for simple in &simples {
            self.command(rules, simple, ground)?;
        }
        // What is left needs no program: `cd`, assignments, redirections.
        if rules.allow.as_ref().is_some_and(Vec::is_empty) {
            return Err(verdicts::nothing_runs());
        }
        paths::walk(rules, line, ground, self)
    }

    fn command(&mut self, rules: &Rules, simple: &Simple, ground: &dyn Ground) -> Result<(), Refusal> {
        let Some(name) = simple.words.first().and_then(Word::literal) else { return Ok(()) };
        let spans: Vec<Range<usize>> = simple.words.iter().map(|word| word.span.range()).collect();
        let words = known_words(simple);
        if name == "cd" {
            self.commands.push(outer(&words));
            return judge_cd(rules, &words, simple);
        }
        builtins::refuse_hidden_cd(&words, simple)?;
        if words.iter().any(|word| word == UNKNOWN)
            && (!rules.patterns.is_empty() || rules.allow_command.is_some())
        {
            self.commands.push(outer(&words));
            single::judge_name(rules, &words, false).map_err(|no| no.at(spans[0].clone()))?;
            return Err(runtime::hidden_from_rules(simple));
        }
        let argv = Argv::of_line(words, spans);
        let mut judgement = judge::judge(rules, &argv);
        self.commands.extend(judgement.judged(is_known));
        let unknown = judgement.levels.iter().any(|level| judgement.name(*level).contains(UNKNOWN));
        if unknown {
            return Err(runtime::hidden_inside(simple));
        }
        if let Some(refusal) = judgement.refusal.take() {
            return Err(refusal);
        }
        runtime::judge(rules, &judgement, simple)?;
        for level in &judgement.levels {
            if judgement.place(*level).is_some() {
                builtins::judge(rules, judgement.words(*level), judgement.span(*level))?;
            }
            let called = Called {
                words: judgement.words(*level).to_vec(),
                at: judgement.span(*level),
                elsewhere: judgement.is_elsewhere(*level),
            };
            if called.is_relative() {
                self.called.entry(simple.span.range().start).or_default().push(called);
            } else {
                called.judge(rules, ground, &ground.start())?;
            }
        }
        Ok(())
    }
}

/// The words of a command, with [`UNKNOWN`] for those that are decided when the line runs.
fn known_words(simple: &Simple) -> Vec<String> {
    simple.words.iter().map(|word| word.literal().unwrap_or_else(|| UNKNOWN.to_owned())).collect()
}

fn is_known(word: &str) -> bool {
    !word.contains(UNKNOWN)
}

/// A command about which nothing but its own words is asked.
fn outer(words: &[String]) -> JudgedCommand {
    let known = |word: &String| is_known(word).then(|| word.clone());
    JudgedCommand { argv: words.iter().map(known).collect(), nested: false }
}

/// `cd` need not be on the allow list; what is denied holds for it too.
fn judge_cd(rules: &Rules, words: &[String], simple: &Simple) -> Result<(), Refusal> {
    let at = |refusal: Refusal| refusal.at(simple.span.range());
    if let Some((index, entry)) = single::denied_by(rules, "cd") {
        return Err(at(verdicts::denied("cd", entry).by(format!("deny[{index}]"))));
    }
    single::judge_use(rules, words, false).map_err(at)
}

/// What no rule can allow: names that are unknown before run time, and variables that decide what runs.
fn refuse_always(rules: &Rules, simple: &Simple) -> Result<(), Refusal> {
    for assignment in &simple.assignments {
        let text = format!("{}=", assignment.name);
        if single::steers(rules, &text) {
            return Err(verdicts::steering(&text).at(simple.span.range()));
        }
        if names::changes_reading(&assignment.name, assignment.value.literal().as_deref()) {
            return Err(verdicts::changes_reading(&text).at(simple.span.range()));
        }
    }
    if let Some(word) = simple.words.iter().find(|word| holds_unknown(word)) {
        let refusal = Refusal::new(
            Reason::UnsupportedSyntax,
            "The line holds a character that stands for unknown words.",
        );
        return Err(refusal.with_hint("Leave U+10FFFD out.").at(word.span.range()));
    }
    let Some(first) = simple.words.first() else { return Ok(()) };
    if first.literal().is_none() {
        let message =
            "The name of a command is decided only when the line runs, so nobody can tell what it will be.";
        return Err(Refusal::new(Reason::UnsupportedSyntax, message)
            .with_hint(
                "Write the name of the program itself, without `$`, `$( … )`, `~`, `*`, `?` or `[ … ]`.",
            )
            .at(first.span.range()));
    }
    Ok(())
}

fn holds_unknown(word: &Word) -> bool {
    word.pieces
        .iter()
        .any(|piece| matches!(piece, Piece::Plain(part) | Piece::Quoted(part) if part.contains(UNKNOWN)))
}

/// Every simple command, outer before inner, from the left.
fn collect<'a>(line: &'a Line, script: &'a Script, out: &mut Vec<&'a Simple>) {
    for item in &script.items {
        for pipeline in std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline)) {
            for stage in &pipeline.stages {
                match stage {
                    Command::Simple(simple) => out.push(simple),
                    Command::Subshell { script, .. } => collect(line, script, out),
                }
                for inner in substitutions(line, stage) {
                    collect(line, inner, out);
                }
            }
        }
    }
}

/// The scripts that stand in the words of a command.
fn substitutions<'a>(line: &'a Line, command: &'a Command) -> Vec<&'a Script> {
    let mut out = Vec::new();
    let redirections = match command {
        Command::Simple(simple) => {
            let values = simple.assignments.iter().map(|assignment| &assignment.value);
            values.chain(&simple.words).for_each(|word| scripts(&word.pieces, &mut out));
            &simple.redirections
        }
        Command::Subshell { redirections, .. } => redirections,
    };
    for Redirection { target, .. } in redirections {
        match target {
            Target::File(_, word) => scripts(&word.pieces, &mut out),
            Target::Here { id, .. } => {
                if let Some(body) = line.body(*id) {
                    scripts(&body.pieces, &mut out);
                }
            }
            Target::Descriptor(..) => {}
        }
    }
    out
}

fn scripts<'a>(pieces: &'a [Piece], out: &mut Vec<&'a Script>) {
    for piece in pieces {
        match piece {
            Piece::Command { script, .. } => out.push(script),
            Piece::Parameter { form: Form::With(_, word), .. } => scripts(word, out),
            _ => {}
        }
    }
}

/// A refusal for a path.
fn escape(message: String, hint: impl Into<String>, at: Range<usize>, path: Option<String>) -> Refusal {
    let refusal = Refusal::new(Reason::PathEscape, message).with_hint(hint).at(at);
    match path {
        Some(path) => refusal.about_path(path),
        None => refusal,
    }
}

fn unknown_path(what: &str, word: Option<&Word>, at: Range<usize>) -> Refusal {
    let path = word.map(|word| {
        word.pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Plain(part) | Piece::Quoted(part) => Some(part.as_str()),
                _ => None,
            })
            .collect::<String>()
    });
    let message = format!(
        "{what} {}is decided only when the line runs.",
        path.as_deref().map_or(String::new(), |path| format!("{} ", shown(path)))
    );
    escape(
        message,
        "Write the path itself, without `$`, `~`, `*`, `?` or `[ … ]`; `cd` needs one directory.",
        at,
        path,
    )
}
