//! Lines by a grammar that is wider than ours: what shells have, in every mixture.

mod vocabulary;

use super::dice::Dice;
use vocabulary::{
    DIRS, JOINTS, NAMES, OPERATORS, PATHS, PLAIN, TAME, TAME_JOINTS, TAME_NAMES, TAME_OPERATORS, TRICKS,
    VALUES, VARIABLES,
};

/// A line.
pub(super) fn line(dice: &mut Dice) -> String {
    let tame = dice.chance(60);
    let mut made = Made { dice, tame, bodies: Vec::new() };
    let mut out = made.list(3);
    made.close(&mut out);
    if made.dice.chance(35) {
        out.push_str(made.dice.pick::<&str>(&[
            "\nwhere",
            "; where",
            "\nwhere > f",
            "; where >> src/f",
            " && where",
        ]));
    }
    out
}

struct Made<'a> {
    dice: &'a mut Dice,
    /// Mostly what is read, so that more of it is seen together.
    tame: bool,
    /// Ends of here-documents that are waiting for a newline.
    bodies: Vec<String>,
}

impl Made<'_> {
    fn list(&mut self, depth: usize) -> String {
        let mut out = String::new();
        let many = 1 + self.dice.below(3);
        for at in 0..many {
            if at > 0 {
                let joint = *self.dice.pick(if self.tame { TAME_JOINTS } else { JOINTS });
                if joint.starts_with('\n') {
                    self.close(&mut out);
                }
                out.push_str(joint);
            }
            out.push_str(&self.command(depth));
            if !self.bodies.is_empty() && self.dice.chance(50) {
                self.close(&mut out);
                out.push('\n');
            }
        }
        out
    }

    /// The bodies that wait.
    fn close(&mut self, out: &mut String) {
        for end in std::mem::take(&mut self.bodies) {
            out.push('\n');
            for _ in 0..self.dice.below(3) {
                let line = match self.dice.below(8) {
                    0 => "$(evil)".to_owned(),
                    1 => self.word(1),
                    2 => self.dice.pick(TRICKS).to_string(),
                    3 => format!("\t{end}"),
                    4 => format!("{end} "),
                    5 => "x \\$(a) \\\\ \"q' `b`".to_owned(),
                    _ => "plain text; evil".to_owned(),
                };
                out.push_str(&line);
                out.push('\n');
            }
            out.push_str(&end);
        }
    }

    fn command(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.simple(0);
        }
        let inner = |it: &mut Self| it.list(depth - 1);
        let kinds = if self.tame && self.dice.chance(97) { 7 } else { 60 };
        if kinds == 7 && self.dice.chance(80) {
            return self.simple(depth);
        }
        match self.dice.below(kinds) {
            0..=4 => {
                let redirection = if self.dice.chance(30) { self.redirection() } else { String::new() };
                format!("({}){redirection}", inner(self))
            }
            5 | 6 => format!("! {}", self.simple(depth)),
            7 => format!("{{ {}; }}", inner(self)),
            8 => format!("if {}; then {}; fi", self.simple(0), inner(self)),
            9 => format!("for i in {}; do {}; done", self.word(1), inner(self)),
            10 => format!("while {}; do {}; done", self.simple(0), self.simple(0)),
            11 => format!("case {} in {}) {};; esac", self.word(0), self.word(0), inner(self)),
            12 => format!("f() {{ {}; }}; f", inner(self)),
            13 => format!("alias a={}\na", self.word(1)),
            14 => format!("[[ {} ]]", self.word(1)),
            15 => format!("(({}))", self.word(0)),
            16 => format!("function f {{ {}; }}", inner(self)),
            17 => format!("( {} )", inner(self)),
            18 => format!("eval '{}'", self.simple(0).replace('\'', "")),
            _ => self.simple(depth),
        }
    }

    fn simple(&mut self, depth: usize) -> String {
        let mut parts = Vec::new();
        while self.dice.chance(12) {
            let name = *self.dice.pick(VARIABLES);
            let value = match self.dice.below(10) {
                0..=3 => String::new(),
                4 | 5 => (*self.dice.pick(VALUES)).to_owned(),
                _ => self.word(depth.min(1)),
            };
            parts.push(format!("{name}={value}"));
        }
        if self.dice.chance(8) {
            parts.push(self.redirection());
        }
        if !self.dice.chance(4) {
            let name = *self.dice.pick(if self.tame { TAME_NAMES } else { NAMES });
            parts.push(self.name(name));
            if name == "cd" {
                parts.push((*self.dice.pick(DIRS)).to_owned());
            } else {
                for _ in 0..self.dice.below(4) {
                    parts.push(self.argument(depth));
                }
            }
            if name == "[" {
                parts.push("]".to_owned());
            }
        }
        while self.dice.chance(18) {
            parts.push(self.redirection());
        }
        if parts.is_empty() {
            parts.push("true".to_owned());
        }
        let blank = *self.dice.pick(&[" ", " ", " ", " ", " ", "  ", "\t", " \\\n"]);
        parts.join(blank)
    }

    /// A command's name, now and then in disguise.
    fn name(&mut self, name: &str) -> String {
        let (head, tail) = name.split_at(name.chars().next().map_or(0, char::len_utf8));
        match self.dice.below(if self.tame { 200 } else { 40 }) {
            0 => format!("\\{name}"),
            1 => format!("'{name}'"),
            2 => format!("{head}\"{tail}\""),
            3 => format!("{head}\\\n{tail}"),
            4 => format!("{head}''{tail}"),
            5 => format!("$EMPTY{name}"),
            6 => self.word(1),
            7 => format!("/usr/bin/{name}"),
            _ => name.to_owned(),
        }
    }

    fn argument(&mut self, depth: usize) -> String {
        match self.dice.below(10) {
            0..=3 => (*self.dice.pick(PLAIN)).to_owned(),
            4 => (*self.dice.pick(NAMES)).to_owned(),
            5 => (*self.dice.pick(PATHS)).to_owned(),
            _ => self.word(depth),
        }
    }

    fn word(&mut self, depth: usize) -> String {
        let mut out = self.piece(depth);
        while self.dice.chance(20) {
            out.push_str(&self.piece(depth));
        }
        out
    }

    fn piece(&mut self, depth: usize) -> String {
        let substitutions = if depth == 0 { 0 } else { 4 };
        let plain = if self.tame && self.dice.chance(97) { 12 } else { 20 };
        let found = self.dice.below(plain + substitutions);
        match if found >= plain { found + 20 - plain } else { found } {
            0..=5 if self.tame => (*self.dice.pick(TAME)).to_owned(),
            0..=5 => (*self.dice.pick(PLAIN)).to_owned(),
            6 | 7 => format!("'{}'", self.dice.pick(TRICKS).replace('\'', "")),
            8..=10 => format!("\"{}\"", self.quoted(depth)),
            11 | 12 => {
                (*self.dice.pick(&["$V", "${V}", "\"$V\"", "${#V}", "$X", "$OPT", "$EMPTY"])).to_owned()
            }
            13 => {
                let operator = *self.dice.pick(&[":-", "%", "%%", "#", "##", "-", ":+", ":=", "/", "^"]);
                format!("${{V{operator}{}}}", self.quoted(depth))
            }
            14 => format!(
                "\\{}",
                self.dice.pick(&["a", "$", "\"", "'", "\\", " ", "#", ";", "&", "\t", "{", "~", "*"])
            ),
            15..=19 => (*self.dice.pick(TRICKS)).to_owned(),
            20 | 21 => format!("$({})", self.list(depth - 1)),
            22 => format!("\"$({})\"", self.list(depth - 1)),
            _ => format!("`{}`", self.list(depth - 1)),
        }
    }

    /// What stands between double quotes.
    fn quoted(&mut self, depth: usize) -> String {
        let mut out = String::new();
        for _ in 0..=self.dice.below(2) {
            let part = match self.dice.below(9) {
                0 if depth > 0 => format!("$({})", self.list(depth - 1)),
                1 => "$V".to_owned(),
                2 => "\\\"".to_owned(),
                3 => "'".to_owned(),
                4 => (*self.dice.pick(TRICKS)).replace('"', ""),
                5 => "a b; evil".to_owned(),
                6 => "\n".to_owned(),
                _ => (*self.dice.pick(PLAIN)).to_owned(),
            };
            out.push_str(&part);
        }
        out
    }

    fn redirection(&mut self) -> String {
        let operator = *self.dice.pick(if self.tame { TAME_OPERATORS } else { OPERATORS });
        match self.dice.below(12) {
            0 => "2>&1".to_owned(),
            1 => (*self
                .dice
                .pick(&[">&2", "<&-", "2>&-", ">&$V", "<&0", "3>&1", "1>&3", ">& f", "2>&1f", "<&-f"]))
            .to_owned(),
            2 | 3 => {
                let (mark, end) = *self.dice.pick(&[
                    ("E", "E"),
                    ("'E'", "E"),
                    ("\"EOF\"", "EOF"),
                    ("EOF", "EOF"),
                    ("\\E", "E"),
                    ("E'F'", "EF"),
                    ("'E F'", "E F"),
                    ("$E", "$E"),
                    ("\"\"", ""),
                    ("E#", "E#"),
                    ("-E", "-E"),
                ]);
                self.bodies.push(end.to_owned());
                format!("{}{mark}", self.dice.pick(&["<<", "<< ", "<<-"]))
            }
            4 if !self.tame => format!("<<<{}", self.word(0)),
            _ if self.tame && self.dice.chance(70) => format!(
                "{operator}{}",
                self.dice.pick(&[
                    "f",
                    "build/f",
                    "src/a.txt",
                    "\"my file.txt\"",
                    "docs/f",
                    "./f",
                    "/w/app/f",
                    "/dev/null"
                ])
            ),
            _ => format!("{operator}{}", self.dice.pick(PATHS)),
        }
    }
}
