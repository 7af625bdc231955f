//! The directories that commands may start in, and the paths that the line itself uses.
//!
//! Every command maps the set of directories that it may start in to two: where the line is when it succeeded, and where
//! when it failed. Only `cd` makes them differ. Shells move by the letters of where they think they are, files by what is
//! really there, so a directory has both names, and both ways are followed.

use std::{collections::BTreeSet, ops::Range};

use super::{
    super::{Rules, verdicts},
    Found, Step, builtins, escape, known_words, substitutions, unknown_path,
};
use crate::{
    ground::{Ground, Purpose},
    line::{
        Line,
        tree::{AndOr, Command, Joint, Pipeline, Redirection, Script, Simple, Target, Word},
    },
    refusal::Refusal,
    shown::shown,
    verdict::JudgedPath,
};

/// Directories that a command may start in at most.
const MOST: usize = 16;

/// Compared as a whole.
const DEVICES: &[&str] = &["/dev/null", "/dev/stdout", "/dev/stderr"];

/// Where a shell may be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Dir {
    /// By its letters.
    said: String,
    /// Without links.
    pub(super) real: String,
}

pub(super) type Dirs = BTreeSet<Dir>;

/// Judges every path of the line.
pub(super) fn walk(
    rules: &Rules,
    line: &Line,
    ground: &dyn Ground,
    found: &mut Found,
) -> Result<(), Refusal> {
    let start = ground.start();
    let dirs = Dirs::from([Dir { said: start.clone(), real: start }]);
    Walk { rules, line, ground, found, lost: false, depth: 0, before: "" }
        .script(line.script(), dirs)
        .map(drop)
}

struct Walk<'a> {
    rules: &'a Rules,
    line: &'a Line,
    ground: &'a dyn Ground,
    found: &'a mut Found,
    /// A command before may have moved the shell anywhere, or keeps code that will.
    lost: bool,
    depth: usize,
    /// What stands before the next command.
    before: &'static str,
}

impl Walk<'_> {
    fn script(&mut self, script: &Script, mut dirs: Dirs) -> Result<Dirs, Refusal> {
        for (at, item) in script.items.iter().enumerate() {
            if at > 0 {
                self.before = ";";
            }
            let (yes, no) = self.and_or(item, dirs)?;
            dirs = yes;
            dirs.extend(no);
        }
        Ok(dirs)
    }

    fn and_or(&mut self, item: &AndOr, dirs: Dirs) -> Result<(Dirs, Dirs), Refusal> {
        let (mut yes, mut no) = self.pipeline(&item.first, dirs)?;
        for (joint, pipeline) in &item.rest {
            self.before = if *joint == Joint::And { "&&" } else { "||" };
            if *joint == Joint::And {
                let (next, failed) = self.pipeline(pipeline, yes)?;
                yes = next;
                no.extend(failed);
            } else {
                let (next, failed) = self.pipeline(pipeline, no)?;
                yes.extend(next);
                no = failed;
            }
        }
        Ok((yes, no))
    }

    fn pipeline(&mut self, pipeline: &Pipeline, dirs: Dirs) -> Result<(Dirs, Dirs), Refusal> {
        let (yes, no) = match &pipeline.stages[..] {
            [one] => self.command(one, pipeline.negated, dirs)?,
            many => {
                for (at, stage) in many.iter().enumerate() {
                    if at > 0 {
                        self.before = "|";
                    }
                    self.command(stage, at == 0 && pipeline.negated, dirs.clone())?;
                }
                (dirs.clone(), dirs)
            }
        };
        Ok(if pipeline.negated { (no, yes) } else { (yes, no) })
    }

    fn command(&mut self, command: &Command, negated: bool, dirs: Dirs) -> Result<(Dirs, Dirs), Refusal> {
        if let Some(steps) = &mut self.found.steps {
            let before = [self.before, if negated { "!" } else { "" }];
            let before = before.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
            steps.push(Step::of(self.line, command, self.depth, before, &dirs));
        }
        for script in substitutions(self.line, command) {
            self.inside(script, "$(", &dirs)?;
        }
        match command {
            Command::Subshell { script, redirections } => {
                self.redirections(redirections, &dirs)?;
                self.inside(script, "", &dirs)?;
                Ok((dirs.clone(), dirs))
            }
            Command::Simple(simple) => {
                self.redirections(&simple.redirections, &dirs)?;
                self.programs(simple, &dirs)?;
                match simple.words.first().and_then(Word::literal).as_deref() {
                    Some("cd") => Ok((self.change(simple, &dirs)?, dirs)),
                    _ => {
                        self.lost |= builtins::loses_place(&known_words(simple));
                        Ok((dirs.clone(), dirs))
                    }
                }
            }
        }
    }

    /// A script one level deeper: wherever it moves, what is around it stays.
    fn inside(&mut self, script: &Script, before: &'static str, dirs: &Dirs) -> Result<(), Refusal> {
        (self.depth, self.before) = (self.depth + 1, before);
        self.script(script, dirs.clone())?;
        self.depth -= 1;
        Ok(())
    }

    /// Programs that the command names by relative paths.
    fn programs(&mut self, simple: &Simple, dirs: &Dirs) -> Result<(), Refusal> {
        for called in self.found.called.get(&simple.span.range().start).into_iter().flatten() {
            if self.lost && self.rules.denies() {
                return Err(verdicts::elsewhere(called.name()).at(called.at.clone()));
            }
            for dir in dirs {
                called.judge(self.rules, self.ground, &dir.real)?;
            }
        }
        Ok(())
    }

    fn redirections(&mut self, redirections: &[Redirection], dirs: &Dirs) -> Result<(), Refusal> {
        for redirection in redirections {
            let Target::File(operator, word) = &redirection.target else { continue };
            let at = redirection.span.range();
            let Some(path) = word.literal() else {
                return Err(unknown_path("The file of a redirection", Some(word), at));
            };
            if DEVICES.contains(&path.as_str()) {
                continue;
            }
            let purpose = if *operator == "<" { Purpose::Read } else { Purpose::Write };
            self.refuse_lost(&path, &at)?;
            self.note(&path, purpose);
            for dir in dirs {
                self.judge(&joined(&dir.real, &path), &path, purpose, &at)?;
            }
        }
        Ok(())
    }

    /// Where a `cd` that succeeds leads.
    fn change(&mut self, simple: &Simple, dirs: &Dirs) -> Result<Dirs, Refusal> {
        let at = simple.span.range();
        let mut words = simple.words[1..].iter().peekable();
        while let Some(option) = words.peek().and_then(|word| word.literal()) {
            match option.as_str() {
                "-P" | "-L" => drop(words.next()),
                "--" => {
                    words.next();
                    break;
                }
                _ => break,
            }
        }
        let (word, more) = (words.next(), words.next());
        let path = word
            .and_then(Word::literal)
            .filter(|path| !path.is_empty() && path != "-" && !path.starts_with('-'));
        let (Some(path), None) = (path, more) else {
            return Err(unknown_path("The directory of `cd`", word, at));
        };
        self.refuse_lost(&path, &at)?;
        self.note(&path, Purpose::Cd);
        let mut out = Dirs::new();
        for dir in dirs {
            let said = plain(&joined(&dir.said, &path));
            let real = self.judge(&said, &path, Purpose::Cd, &at)?;
            out.insert(Dir { said, real });
            let real = self.judge(&joined(&dir.real, &path), &path, Purpose::Cd, &at)?;
            out.insert(Dir { said: real.clone(), real });
        }
        if out.len() + dirs.len() > MOST {
            let message =
                "After so many `cd` the line may be in more directories than are followed.".to_owned();
            return Err(escape(
                message,
                "Join them with `&&`, or use several calls with `cwd`.",
                at,
                Some(path),
            ));
        }
        Ok(out)
    }

    fn judge(
        &self,
        whole: &str,
        written: &str,
        purpose: Purpose,
        at: &Range<usize>,
    ) -> Result<String, Refusal> {
        self.ground.judge(whole, purpose).map_err(|outside| {
            let message = format!("{} cannot be used here: {}", shown(written), outside.message);
            let hint = outside.hint.unwrap_or_else(|| {
                "Keep inside the workspace; after `;` and `||` a `cd` counts as failed too, so join with `&&`.".to_owned()
            });
            escape(message, hint, at.clone(), Some(written.to_owned()))
        })
    }

    fn refuse_lost(&self, path: &str, at: &Range<usize>) -> Result<(), Refusal> {
        if !self.lost || path.starts_with('/') {
            return Ok(());
        }
        let message = format!(
            "Where {} leads is not known: a command before it runs code that may change the directory.",
            shown(path)
        );
        let hint = "Write the absolute path, or leave out `eval`, `trap`, `.` and `source`.";
        Err(escape(message, hint, at.clone(), Some(path.to_owned())))
    }

    fn note(&mut self, path: &str, purpose: Purpose) {
        self.found.paths.push(JudgedPath { path: path.to_owned(), purpose: purpose.as_str().to_owned() });
    }
}

fn joined(dir: &str, path: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { format!("{}/{path}", dir.trim_end_matches('/')) }
}

/// Without `.` and `..`, by its letters, as `cd` reads a path.
fn plain(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}
