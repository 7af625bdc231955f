//! Lines for `cmd.exe`, as pure text: the same tree from a much smaller language. Nothing of Pinfold runs there yet.
//!
//! `cmd.exe` reads a line in several passes, and batch files and programs read it once more, each with rules of its own.
//! So only what all of them take alike is read: words, `"…"` around parts of them, `&`, `&&`, `||`, `|`, and plain
//! redirections. `%`, `!` and `^` are refused everywhere, since quotes do not stop them; `(`, `)`, `;` and `,` outside
//! quotes.
//!
//! | file | what it reads |
//! |---|---|
//! | `list` | the operators between commands |
//! | `words` | words with their quotes, and redirections |
//! | `names` | names of programs and of files, as Windows takes them |

mod list;
mod names;
mod words;

use super::{
    Line,
    refuse::unsupported,
    tree::{AndOr, Command, Joint, Pipeline},
};
use crate::{
    ground::Ground,
    refusal::{Reason, Refusal},
    rules::Rules,
    verdict::Verdict,
};

/// Bytes of a line that `cmd.exe` takes at most.
pub const MAX_CMD_BYTES: usize = 8_191;

/// Proof that a whole line was read as `cmd.exe` would. Made only by [`CmdLine::parse`]; it cannot be given to a shell of
/// POSIX.
#[derive(Debug, PartialEq, Eq)]
pub struct CmdLine(Line);

impl CmdLine {
    /// Reads `line`, or refuses it as a whole.
    ///
    /// # Errors
    /// - [`Reason::UnbalancedQuotes`]: a `"` that is never closed.
    /// - [`Reason::UnsupportedSyntax`]: a character or construct that is not read, or over [`MAX_CMD_BYTES`].
    /// - [`Reason::PathEscape`]: a redirection or `cd` to a drive, a device, or from the top of a drive.
    /// - [`Reason::NotAllowed`]: no command at all.
    pub fn parse(line: &str) -> Result<CmdLine, Refusal> {
        let len = line.len();
        if len > MAX_CMD_BYTES {
            let message =
                format!("The command line is {len} bytes long; `cmd.exe` takes at most {MAX_CMD_BYTES}.");
            return Err(Refusal::new(Reason::UnsupportedSyntax, message)
                .with_hint("Write long input to a file with write_file and name the file."));
        }
        if let Some((at, c)) = line.char_indices().find(|(_, c)| !is_read(*c)) {
            let hint = "Leave it out, or put the text into a file and name the file.";
            return Err(unsupported(
                "a character that Windows may turn into another one",
                line,
                at..at + c.len_utf8(),
                hint,
            ));
        }
        let script = list::Reader::new(line).script()?;
        Ok(CmdLine(Line { text: line.to_owned(), script, bodies: Vec::new() }))
    }

    /// The text, exactly as it was read.
    pub fn text(&self) -> &str {
        self.0.text()
    }

    /// The arguments to give to `cmd.exe`, as one text. `/d` runs no start-up command of the registry, `/v:off` keeps `!`
    /// a character, `/s` makes it strip exactly the outer pair of quotes, `/c` runs the rest.
    pub fn arguments(&self) -> String {
        format!("/d /v:off /s /c \"{}\"", self.text())
    }
}

impl Rules {
    /// Reads and judges a line for `cmd.exe` by the same rules as any other. Names of programs are judged in lower case,
    /// without `.exe`, `.com`, `.bat` or `.cmd`. Nothing is run.
    pub fn cmd_verdict(&self, line: &str, ground: &dyn Ground) -> Verdict {
        match CmdLine::parse(line) {
            Err(refusal) => Verdict::refused(&refusal),
            Ok(line) => self.judge_line(&line.0, ground),
        }
    }
}

/// Letters and digits of any script, and the rest of ASCII. Full-width forms and other marks may become quotes or
/// operators when a program asks for its arguments in an older character set.
fn is_read(c: char) -> bool {
    match c {
        ' ' | '\t' => true,
        _ if c.is_ascii() => !c.is_ascii_control(),
        _ => c.is_alphanumeric() && !('\u{ff00}'..='\u{ffef}').contains(&c),
    }
}

/// `cmd.exe` reads `a || b && c` as `a || (b && c)`, others from the left.
fn refuse_mixed(item: &AndOr, line: &str) -> Result<(), Refusal> {
    let mut joints = item.rest.iter();
    let Some((first, _)) = joints.next() else { return Ok(()) };
    match joints.find(|(joint, _)| joint != first) {
        None => Ok(()),
        Some((joint, pipeline)) => {
            let what = if *joint == Joint::And { "`&&` behind `||`" } else { "`||` behind `&&`" };
            let hint = "Run the two parts as separate commands.";
            Err(unsupported(what, line, start_of(pipeline)..start_of(pipeline) + 1, hint))
        }
    }
}

fn start_of(pipeline: &Pipeline) -> usize {
    match pipeline.stages.first() {
        Some(Command::Simple(simple)) => simple.span.range().start,
        _ => 0,
    }
}
