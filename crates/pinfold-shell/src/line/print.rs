//! A tree as text again.

use std::fmt::{self, Formatter, Write};

use super::tree::{
    Body, BodyId, Command, Form, Joint, Piece, Pipeline, Redirection, Script, Simple, Target, Word,
};

/// Writes the line.
pub(super) fn line(f: &mut Formatter<'_>, script: &Script, bodies: &[Body]) -> fmt::Result {
    let mut printer = Printer { out: String::new(), bodies, pending: Vec::new() };
    printer.script(script);
    f.write_str(&printer.out)
}

struct Printer<'a> {
    out: String,
    bodies: &'a [Body],
    /// Bodies that come behind the next newline, each with its last line.
    pending: Vec<(BodyId, &'a str)>,
}

impl<'a> Printer<'a> {
    fn script(&mut self, script: &'a Script) {
        for (at, item) in script.items.iter().enumerate() {
            if at > 0 && !self.out.ends_with('\n') {
                self.out.push_str("; ");
            }
            self.pipeline(&item.first);
            for (joint, pipeline) in &item.rest {
                self.out.push_str(if *joint == Joint::And { " && " } else { " || " });
                self.flush();
                self.pipeline(pipeline);
            }
            self.flush();
        }
    }

    /// The bodies that wait, behind a newline.
    fn flush(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        if pending.is_empty() {
            return;
        }
        self.out.push('\n');
        for (id, delimiter) in pending {
            let text = self.bodies.get(id.0).map_or("", |body| body.text.as_str());
            self.out.push_str(text);
            self.out.push_str(delimiter);
            self.out.push('\n');
        }
    }

    fn pipeline(&mut self, pipeline: &'a Pipeline) {
        if pipeline.negated {
            self.out.push_str("! ");
        }
        for (at, stage) in pipeline.stages.iter().enumerate() {
            if at > 0 {
                self.out.push_str(" | ");
                self.flush();
            }
            match stage {
                Command::Simple(simple) => self.simple(simple),
                Command::Subshell { script, redirections } => {
                    self.out.push_str("( ");
                    self.script(script);
                    self.out.push_str(" )");
                    self.redirections(redirections);
                }
            }
        }
    }

    fn simple(&mut self, simple: &'a Simple) {
        let start = self.out.len();
        for assignment in &simple.assignments {
            self.blank(start);
            self.out.push_str(&assignment.name);
            self.out.push('=');
            self.word(&assignment.value);
        }
        for word in &simple.words {
            self.blank(start);
            self.word(word);
        }
        self.redirections(&simple.redirections);
    }

    fn blank(&mut self, start: usize) {
        if self.out.len() > start {
            self.out.push(' ');
        }
    }

    fn redirections(&mut self, redirections: &'a [Redirection]) {
        for redirection in redirections {
            self.out.push(' ');
            self.out.extend(redirection.descriptor);
            match &redirection.target {
                Target::File(operator, word) => {
                    self.out.push_str(operator);
                    self.out.push(' ');
                    self.word(word);
                }
                Target::Descriptor(operator, c) => {
                    self.out.push_str(operator);
                    self.out.push(*c);
                }
                Target::Here { delimiter, quoted, strips, id } => {
                    self.out.push_str(if *strips { "<<-" } else { "<<" });
                    if *quoted {
                        self.quoted(delimiter);
                    } else {
                        self.out.push_str(delimiter);
                    }
                    self.pending.push((*id, delimiter));
                }
            }
        }
    }

    fn word(&mut self, word: &'a Word) {
        self.pieces(&word.pieces, false);
    }

    /// `bare`: inside `${ … }`, where nothing is quoted.
    fn pieces(&mut self, pieces: &'a [Piece], bare: bool) {
        for piece in pieces {
            match piece {
                Piece::Plain(text) => self.out.push_str(text),
                // A lone `$`.
                Piece::Quoted(text) if bare => self.out.push_str(text),
                Piece::Quoted(text) => self.quoted(text),
                Piece::Parameter { name, form, quoted } => {
                    self.enclosed(*quoted && !bare, |it| it.parameter(name, form));
                }
                Piece::Command { script, quoted } => self.enclosed(*quoted && !bare, |it| {
                    // What waits outside waits for a newline outside.
                    let outside = std::mem::take(&mut it.pending);
                    it.out.push_str("$( ");
                    it.script(script);
                    it.out.push_str(" )");
                    it.pending = outside;
                }),
            }
        }
    }

    fn enclosed(&mut self, quoted: bool, write: impl FnOnce(&mut Self)) {
        if quoted {
            self.out.push('"');
        }
        write(self);
        if quoted {
            self.out.push('"');
        }
    }

    fn parameter(&mut self, name: &str, form: &'a Form) {
        // Fails never: a String takes everything.
        let _written = match form {
            Form::Value if name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') => {
                write!(self.out, "${{{name}}}")
            }
            Form::Value => write!(self.out, "${name}"),
            Form::Length => write!(self.out, "${{#{name}}}"),
            Form::With(operator, word) => {
                let _written = write!(self.out, "${{{name}{operator}");
                self.pieces(word, true);
                write!(self.out, "}}")
            }
        };
    }

    /// In single quotes; one of those itself behind a backslash.
    fn quoted(&mut self, text: &str) {
        self.out.push('\'');
        self.out.push_str(&text.replace('\'', "'\\''"));
        self.out.push('\'');
    }
}
