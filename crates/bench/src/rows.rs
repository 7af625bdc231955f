//! What is measured.

use clap::ValueEnum;

use crate::{
    fixtures::{Fixtures, MARKS},
    peers::Op,
};

/// Lines of a window.
const WINDOW: u64 = 200;

/// One line of the table. Times are wall time, from writing the request to having parsed the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Row {
    /// Start, handshake, and the first small read
    Cold,
    /// The list of tools
    ToolsList,
    /// Reads a file of 720 bytes
    Small,
    /// The same, 200 times one after another: the mean
    Seq200,
    /// The same, 32 at once: until the last answer
    Conc32,
    /// Reads 200 of 10,000 lines
    Read,
    /// Reads the beginning of a file that is one line of 5 MB
    ReadMin,
    /// Reads the last 200 lines of 1 GB, the first time
    ReadEnd,
    /// The same, when the server has read the file before
    ReadEndAgain,
    /// Makes a file of 10 kB
    Write,
    /// Changes one place of 10,000 lines
    Edit,
    /// Changes 20 places of 10,000 lines in one call
    Multi,
    /// The most memory that a small read takes, in MB
    MemIdle,
    /// The most memory that reading the end of 1 GB takes, in MB
    MemReadEnd,
}

impl Row {
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    pub(crate) fn is_memory(self) -> bool {
        matches!(self, Row::MemIdle | Row::MemReadEnd)
    }

    /// The operation on the folder of `peer`; the `turn`s of a change go to and fro.
    pub(crate) fn op(self, fixtures: &Fixtures, peer: &str, turn: usize) -> Op {
        let read = |path: &str, first| Op::Read { path: path.into(), first, lines: WINDOW };
        let (old, new) = if turn.is_multiple_of(2) { ("A", "B") } else { ("B", "A") };
        let source = format!("{peer}/source.ts");
        match self {
            Row::Read => read("source.ts", 5001),
            Row::ReadMin => read("line.js", 1),
            Row::ReadEnd | Row::ReadEndAgain | Row::MemReadEnd => {
                let first = fixtures.log_lines - WINDOW + 1;
                Op::ReadEnd { path: "log.txt".into(), first, lines: WINDOW }
            }
            Row::Write => {
                Op::Write { path: format!("{peer}/new.txt"), content: "0123456789abcde\n".repeat(640) }
            }
            Row::Edit => {
                let mark = |which| format!("UNIQUE_MARK_{which}");
                Op::Edit { path: source, old: mark(old), new: mark(new) }
            }
            Row::Multi => {
                let mark = |at, which| format!("MARK_{at:02}_{which} =");
                let edits = (0..MARKS).map(|at| (mark(at, old), mark(at, new))).collect();
                Op::MultiEdit { path: source, edits }
            }
            _ => read("one.txt", 1),
        }
    }

    /// What a right answer holds.
    pub(crate) fn expected(self, fixtures: &Fixtures) -> String {
        match self {
            Row::Read => "WINDOW_MARK".into(),
            Row::ReadMin => "=function(".into(),
            Row::ReadEnd | Row::ReadEndAgain | Row::MemReadEnd => {
                format!("{:09} INFO", fixtures.log_lines - 1)
            }
            Row::Write | Row::Edit | Row::Multi => String::new(),
            _ => "hello from".into(),
        }
    }

    /// Whether the files on disk are as the first turn of a change should leave them.
    pub(crate) fn is_done(self, new: &str, source: &str) -> bool {
        match self {
            Row::Write => new.len() == 10_240,
            Row::Edit => source.contains("UNIQUE_MARK_B"),
            Row::Multi => (0..MARKS).all(|at| source.contains(&format!("MARK_{at:02}_B ="))),
            _ => true,
        }
    }
}
