//! The thread that swaps.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use rustix::{
    fs::{CWD, RenameFlags, renameat, renameat_with},
    io::Errno,
};

use super::yard::Yard;

pub(crate) struct Attacker<'a> {
    yard: &'a Yard,
    dir: Pair,
    file: Pair,
}

/// Something real, the link that takes its place, and where the real one is put meanwhile.
struct Pair {
    real: PathBuf,
    link: PathBuf,
    was: PathBuf,
}

/// After so many rounds the directory is made anew, or the calls would fill it.
const ROUNDS_OF_A_DIRECTORY: u64 = 512;

impl<'a> Attacker<'a> {
    pub(crate) fn new(yard: &'a Yard) -> Attacker<'a> {
        let home = yard.home();
        Attacker { yard, dir: Pair::new(&home, "d"), file: Pair::new(&home, "g") }
    }

    /// Swaps until it is told to stop; how often a link really stood in the place of the other.
    pub(crate) fn run(&self, stop: &AtomicBool) -> u64 {
        let mut swaps = 0;
        for round in 1u64.. {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            if round.is_multiple_of(ROUNDS_OF_A_DIRECTORY) || !self.dir.is_ready(Path::is_dir) {
                self.yard.restore_dir().ok();
            }
            if !self.file.is_ready(Path::is_file) {
                self.yard.restore_file().ok();
            }
            for pair in [&self.dir, &self.file] {
                let swapped = if round.is_multiple_of(2) { pair.by_exchange() } else { pair.by_renames() };
                swaps += u64::from(swapped.is_ok());
            }
        }
        swaps
    }
}

impl Pair {
    fn new(home: &Path, name: &str) -> Pair {
        let path = |end: &str| home.join(format!("{name}{end}"));
        Pair { real: path(""), link: path(".link"), was: path(".was") }
    }

    /// The calls change things too: is each still what it was?
    fn is_ready(&self, kind: fn(&Path) -> bool) -> bool {
        let real = fs::symlink_metadata(&self.real).is_ok_and(|meta| !meta.is_symlink()) && kind(&self.real);
        real && fs::symlink_metadata(&self.link).is_ok_and(|meta| meta.is_symlink()) && !self.was.exists()
    }

    fn by_exchange(&self) -> Result<(), Errno> {
        let exchange = || renameat_with(CWD, &self.real, CWD, &self.link, RenameFlags::EXCHANGE);
        exchange()?;
        exchange()
    }

    fn by_renames(&self) -> Result<(), Errno> {
        renameat(CWD, &self.real, CWD, &self.was)?;
        renameat(CWD, &self.link, CWD, &self.real)?;
        renameat(CWD, &self.real, CWD, &self.link)?;
        renameat(CWD, &self.was, CWD, &self.real)
    }
}
