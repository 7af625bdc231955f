//! Output that is too long to be kept in memory goes to whoever takes it, as it comes.

use std::{fmt, io, io::Write, path::PathBuf, sync::Arc};

use crate::{
    capture::{Capture, Captured},
    drain::Store,
    log::Stream,
};

/// Takes what is too long, such as a folder.
pub trait Overflow: fmt::Debug + Send + Sync {
    /// A place for one stream, which is called `stream` (`stdout`, `stderr`).
    ///
    /// # Errors
    /// Then the rest of the output is counted and dropped, as without anybody to take it.
    fn begin(&self, stream: &'static str) -> io::Result<Box<dyn Taking>>;
}

/// One stream that is being taken: written to in the order in which it came. What it writes to should not wait.
pub trait Taking: fmt::Debug + Send + Write {
    /// It is over. Returns where it is, by the name that it can be read under.
    ///
    /// # Errors
    /// It could not be kept.
    fn keep(self: Box<Self>) -> io::Result<PathBuf>;
}

/// What becomes of long output.
#[derive(Debug, Clone)]
pub struct SpillTerms {
    /// A stream of more bytes than this is long; at most what is kept in memory.
    pub over: usize,
    /// Who takes it.
    pub to: Arc<dyn Overflow>,
}

/// Where all of a stream was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whole {
    /// There.
    At(PathBuf),
    /// It was tried, and failed: why.
    Lost(String),
}

/// A capture beside which all of a long stream is given away.
#[derive(Debug)]
pub(crate) struct Spilling {
    capture: Capture,
    stream: Stream,
    terms: Option<SpillTerms>,
    state: State,
}

#[derive(Debug)]
enum State {
    Short,
    Long(Box<dyn Taking>),
    Failed(io::Error),
}

impl Spilling {
    /// `limit` is that of the capture.
    pub(crate) fn new(capture: Capture, limit: usize, stream: Stream, terms: Option<SpillTerms>) -> Spilling {
        let terms = terms.map(|SpillTerms { over, to }| SpillTerms { over: over.min(limit), to });
        Spilling { capture, stream, terms, state: State::Short }
    }

    /// Stops; what was given away gets its name.
    pub(crate) fn finish(self) -> Captured {
        let over = self.terms.map_or(usize::MAX, |terms| terms.over) as u64;
        let whole = match self.state {
            State::Short => None,
            State::Long(_) if self.capture.total() <= over => None,
            State::Long(taking) => {
                Some(taking.keep().map_or_else(|error| Whole::Lost(error.to_string()), Whole::At))
            }
            State::Failed(error) => Some(Whole::Lost(error.to_string())),
        };
        Captured { whole, ..self.capture.finish() }
    }

    /// What was captured; what was given away is taken back.
    pub(crate) fn given_up(self) -> Captured {
        self.capture.finish()
    }

    fn give(&mut self, read: usize) -> io::Result<()> {
        let Some(SpillTerms { over, to }) = &self.terms else { return Ok(()) };
        let fresh = self.capture.fresh(read);
        match &mut self.state {
            State::Long(taking) => taking.write_all(fresh),
            // At the bound already: of one byte more the capture would let the first ones go.
            State::Short if self.capture.total() + read as u64 >= *over as u64 => {
                let mut taking = to.begin(self.stream.name())?;
                self.capture
                    .so_far()
                    .into_iter()
                    .chain([fresh])
                    .try_for_each(|part| taking.write_all(part))?;
                self.state = State::Long(taking);
                Ok(())
            }
            State::Short | State::Failed(_) => Ok(()),
        }
    }
}

impl Store for Spilling {
    fn room(&mut self) -> &mut [u8] {
        self.capture.room()
    }

    fn took(&mut self, read: usize) {
        if let Err(error) = self.give(read) {
            self.state = State::Failed(error);
        }
        self.capture.took(read);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::capture::Keep;

    #[derive(Debug, Default, Clone)]
    struct Shelf(Arc<Mutex<Vec<u8>>>);

    #[derive(Debug)]
    struct Kept(Shelf);

    impl Overflow for Shelf {
        fn begin(&self, stream: &'static str) -> io::Result<Box<dyn Taking>> {
            assert_eq!(stream, "stdout");
            Ok(Box::new(Kept(self.clone())))
        }
    }

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Taking for Kept {
        fn keep(self: Box<Self>) -> io::Result<PathBuf> {
            Ok("kept".into())
        }
    }

    #[test]
    fn all_of_what_is_long_is_given_away_whatever_the_reads() {
        let data: Vec<u8> = (0..700_000_u32).map(|number| (number % 251) as u8).collect();
        for keep in [Keep::Ends, Keep::Head] {
            for limit in [0, 1, 2_000, 262_144, 350_000, 400_000, 699_999, 700_000] {
                for step in [1_000, 70_000, usize::MAX] {
                    let shelf = Shelf::default();
                    let terms = SpillTerms { over: limit, to: Arc::new(shelf.clone()) };
                    let capture = Capture::new(limit, keep);
                    let mut spilling = Spilling::new(capture, limit, Stream::Stdout, Some(terms));
                    let mut left = &data[..];
                    while !left.is_empty() {
                        let room = spilling.room();
                        let read = room.len().min(step).min(left.len());
                        room[..read].copy_from_slice(&left[..read]);
                        spilling.took(read);
                        left = &left[read..];
                    }
                    let whole = spilling.finish().whole;
                    let long = limit < data.len();
                    assert_eq!(whole, long.then(|| Whole::At("kept".into())), "{limit} {step}");
                    assert!(!long || *shelf.0.lock().unwrap() == data, "{keep:?} {limit} {step}");
                }
            }
        }
    }
}
