//! Output that is too long to be shown, kept in a folder that is a readable root of its own.

use std::{io, io::Write, path::PathBuf};

use pinfold_exec::{Overflow, Taking};
use pinfold_jail::spill::{SpillFile, SpillFolder};

/// The folder, as commands give their output to it.
#[derive(Debug, Clone)]
pub(crate) struct Shelf(pub(crate) SpillFolder);

#[derive(Debug)]
struct Kept {
    file: SpillFile,
    stream: &'static str,
}

impl Overflow for Shelf {
    fn begin(&self, stream: &'static str) -> io::Result<Box<dyn Taking>> {
        Ok(Box::new(Kept { file: self.0.begin()?, stream }))
    }
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Taking for Kept {
    fn keep(self: Box<Self>) -> io::Result<PathBuf> {
        self.file.keep(&format!("run_shell-{}", self.stream))
    }
}
