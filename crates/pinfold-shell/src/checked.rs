//! The yes: a command that was judged, with the program that will run.

use thiserror::Error;

use crate::{argv::Argv, locate::NotLocated, refusal::Refusal};

/// Proof that a line was read as a whole, that every command in it was judged, and that the program was found. Made only
/// by [`Rules::check`](crate::Rules::check), and for a line of sh mode by [`Rules::check_line`](crate::Rules::check_line),
/// where the program is the shell; what a runner takes.
///
/// It carries exactly what will run, so that nothing is looked up a second time.
#[derive(Debug)]
#[must_use = "a checked command does nothing until it is run"]
pub struct CheckedCommand<P> {
    argv: Argv,
    program: P,
}

impl<P> CheckedCommand<P> {
    pub(crate) fn new(argv: Argv, program: P) -> CheckedCommand<P> {
        CheckedCommand { argv, program }
    }

    /// The words: the program as it was written, then its arguments. At least one.
    pub fn argv(&self) -> &[String] {
        self.argv.words()
    }

    /// The program that the first word was found to mean.
    pub fn program(&self) -> &P {
        &self.program
    }

    /// Takes it apart, to run it.
    pub fn into_parts(self) -> (Vec<String>, P) {
        (self.argv.into_words(), self.program)
    }
}

/// The no of [`Rules::check`](crate::Rules::check) and [`Rules::check_line`](crate::Rules::check_line). Nothing was started.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Denied {
    /// The rules refuse the line.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The rules allow the line, but there is no such program.
    #[error(transparent)]
    NotFound(#[from] NotLocated),
}
