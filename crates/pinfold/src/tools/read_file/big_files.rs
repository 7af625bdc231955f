//! What is known of big files that were read whole: their totals, and where lines begin. A later read of the same state
//! seeks to its window instead of going through the file again.
//!
//! Only files in UTF-8 are noted, only in a state that had settled before they were read, and only if the state was the
//! same afterwards. What is known is used only if the open file has that state before and after the window is read.

use std::{
    collections::VecDeque,
    io::SeekFrom,
    sync::{Mutex, MutexGuard, PoisonError},
};

use pinfold_jail::Version;

use super::window::{Bounds, Scan, Totals, Window};
use crate::{backend::Stored, text::encoding::Encoding};

/// Smaller files are read again as fast.
const LEAST_BYTES: u64 = 1 << 20;
/// Files that are remembered; the one that was used longest ago goes first.
const MOST_FILES: usize = 16;
/// Bytes between two places that are noted. A file of 1 GiB has 4,096 of them, in 64 KiB.
const STRIDE: u64 = 256 * 1024;
/// Places of one file; beyond them a read goes through the rest.
const MOST_PLACES: usize = 16_384;

/// The big files that were read lately.
#[derive(Debug, Default)]
pub(crate) struct BigFiles(Mutex<VecDeque<Known>>);

#[derive(Debug)]
struct Known {
    version: Version,
    totals: Totals,
    places: Vec<Place>,
}

/// The beginning of a line.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Lines before it.
    lines: u64,
    /// Bytes before it.
    bytes: u64,
}

/// What is noted while a file is read.
pub(super) struct Index {
    /// None: this file is not to be noted.
    version: Option<Version>,
    places: Vec<Place>,
    bytes: u64,
}

impl Index {
    pub(super) fn begin(file: &dyn Stored, encoding: Encoding) -> Index {
        let version = file.version().filter(|version| encoding == Encoding::Bytes && version.is_settled());
        Index { version, places: Vec::new(), bytes: 0 }
    }

    /// `chunk` was just fed to `window`.
    pub(super) fn note(&mut self, chunk: &[u8], window: &Window) {
        let before = self.bytes;
        self.bytes += chunk.len() as u64;
        let due = self.places.last().map_or(STRIDE, |last| last.bytes + STRIDE);
        if self.version.is_none() || self.bytes < due || self.places.len() >= MOST_PLACES {
            return;
        }
        // The last line that begins in this chunk: all lines that ended so far lie before it.
        if let Some(newline) = memchr::memrchr(b'\n', chunk) {
            self.places.push(Place { lines: window.lines(), bytes: before + newline as u64 + 1 });
        }
    }
}

impl BigFiles {
    /// Remembers what was found out about a file, if it is big and did not change meanwhile.
    pub(super) fn learn(&self, index: Index, file: &dyn Stored, scan: &Scan) {
        let Some(version) = index.version else { return };
        if scan.total_bytes < LEAST_BYTES || file.version() != Some(version) {
            return;
        }
        let totals = Totals {
            lines: scan.total_lines,
            bytes: scan.total_bytes,
            hash: scan.hash.clone(),
            not_utf8_at: scan.not_utf8_at,
        };
        let mut files = self.files();
        files.retain(|known| known.version.file() != version.file());
        if files.len() >= MOST_FILES {
            files.pop_front();
        }
        files.push_back(Known { version, totals, places: index.places });
    }

    /// The window, if the file is known in this state. The file is where it was if not.
    pub(super) fn peek(&self, file: &mut dyn Stored, bounds: Bounds) -> Option<Scan> {
        let version = file.version()?;
        let (totals, place) = self.find(version, bounds.first)?;
        let scan = window(file, bounds, totals, place);
        if scan.is_some() && file.version() == Some(version) {
            return scan;
        }
        file.seek(SeekFrom::Start(0)).ok();
        None
    }

    fn find(&self, version: Version, first: u64) -> Option<(Totals, Place)> {
        let mut files = self.files();
        let at = files.iter().position(|known| known.version == version)?;
        let known = files.remove(at)?;
        // The first place of all has no entry.
        let before = known.places.partition_point(|place| place.lines < first);
        let place = before.checked_sub(1).map_or(Place { lines: 0, bytes: 0 }, |at| known.places[at]);
        let found = (known.totals.clone(), place);
        files.push_back(known);
        Some(found)
    }

    fn files(&self) -> MutexGuard<'_, VecDeque<Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn window(file: &mut dyn Stored, bounds: Bounds, totals: Totals, place: Place) -> Option<Scan> {
    file.seek(SeekFrom::Start(place.bytes)).ok()?;
    let mut window = Window::behind(place.lines, bounds);
    let mut chunk = vec![0u8; 64 * 1024];
    while !window.is_over() {
        match file.read(&mut chunk).ok()? {
            0 => break,
            got => window.peek(&chunk[..got]),
        }
    }
    Some(window.finish_in(totals))
}

#[cfg(test)]
mod tests;
