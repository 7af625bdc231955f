//! What a background job has written: the newest bytes of both streams, in the order in which they came.

use std::{collections::VecDeque, sync::Arc};

use crate::{
    captured::{whole_at_the_end, whole_at_the_start},
    drain::Store,
    job::Shared,
};

/// Bytes that are read at once.
const CHUNK: usize = 64 * 1024;

/// Pieces are joined up to this size, so that many small writes do not cost more than their bytes.
const PIECE: usize = 16 * 1024;

/// Which stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    Stdout,
    Stderr,
}

impl Stream {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Stream::Stdout => "stdout",
            Stream::Stderr => "stderr",
        }
    }
}

/// The newest bytes. A cursor is a number of bytes of both streams together, since the beginning.
#[derive(Debug)]
pub(crate) struct Log {
    pieces: VecDeque<(Stream, Vec<u8>)>,
    limit: usize,
    kept: usize,
    end: u64,
}

/// What came since a cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Since {
    /// Of its standard output.
    pub stdout: String,
    /// Of its standard error.
    pub stderr: String,
    /// Where the next look begins.
    pub cursor: u64,
    /// Bytes since the cursor that are not kept any more, because newer ones came.
    pub dropped: u64,
}

impl Log {
    pub(crate) fn new(limit: usize) -> Log {
        Log { pieces: VecDeque::new(), limit, kept: 0, end: 0 }
    }

    /// Bytes that came so far.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    pub(crate) fn push(&mut self, stream: Stream, bytes: &[u8]) {
        self.end += bytes.len() as u64;
        self.kept += bytes.len();
        match self.pieces.back_mut() {
            Some((of, piece)) if *of == stream && piece.len() + bytes.len() <= PIECE => {
                piece.extend_from_slice(bytes);
            }
            _ => self.pieces.push_back((stream, bytes.to_vec())),
        }
        self.forget_the_oldest();
    }

    /// So many bytes came before all that will be pushed, and are not kept.
    pub(crate) fn skip(&mut self, bytes: u64) {
        self.end += bytes;
    }

    fn forget_the_oldest(&mut self) {
        while self.kept > self.limit {
            let over = self.kept - self.limit;
            let Some((_, piece)) = self.pieces.front_mut() else { return };
            if piece.len() <= over {
                self.kept -= piece.len();
                self.pieces.pop_front();
            } else {
                let cut = over + whole_at_the_start(&piece[over..]);
                self.kept -= cut;
                piece.drain(..cut);
            }
        }
    }

    /// What came since `cursor`, on whole characters.
    pub(crate) fn since(&self, cursor: u64) -> Since {
        let cursor = cursor.min(self.end);
        let mut at = self.end - self.kept as u64;
        let dropped = at.saturating_sub(cursor);
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        for (stream, piece) in &self.pieces {
            let skip = usize::try_from(cursor.saturating_sub(at)).unwrap_or(usize::MAX).min(piece.len());
            at += piece.len() as u64;
            let new = &piece[skip..];
            let new = if skip > 0 { &new[whole_at_the_start(new)..] } else { new };
            match stream {
                Stream::Stdout => stdout.extend_from_slice(new),
                Stream::Stderr => stderr.extend_from_slice(new),
            }
        }
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Since { stdout: text(stdout), stderr: text(stderr), cursor: self.end, dropped }
    }
}

/// Takes what is read of one stream into the log, as whole characters: no look ends within one.
#[derive(Debug)]
pub(crate) struct Writer {
    stream: Stream,
    job: Arc<Shared>,
    chunk: Vec<u8>,
    /// Bytes at the beginning of `chunk` that are no whole character yet.
    carried: usize,
}

impl Writer {
    pub(crate) fn new(stream: Stream, job: Arc<Shared>) -> Writer {
        Writer { stream, job, chunk: Vec::new(), carried: 0 }
    }
}

impl Writer {
    /// Takes what was read of the stream before.
    pub(crate) fn take(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let room = self.room();
            let read = room.len().min(bytes.len());
            room[..read].copy_from_slice(&bytes[..read]);
            self.took(read);
            bytes = &bytes[read..];
        }
    }
}

impl Store for Writer {
    fn room(&mut self) -> &mut [u8] {
        self.chunk.resize(CHUNK, 0);
        &mut self.chunk[self.carried..]
    }

    fn took(&mut self, read: usize) {
        let filled = self.carried + read;
        let whole = whole_at_the_end(&self.chunk[..filled]);
        if whole > 0 {
            self.job.write(self.stream, &self.chunk[..whole]);
        }
        self.chunk.copy_within(whole..filled, 0);
        self.carried = filled - whole;
    }
}

impl Drop for Writer {
    /// What the stream ended with was never a whole character.
    fn drop(&mut self) {
        if self.carried > 0 {
            self.job.write(self.stream, &self.chunk[..self.carried]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn since(stdout: &str, stderr: &str, cursor: u64, dropped: u64) -> Since {
        Since { stdout: stdout.into(), stderr: stderr.into(), cursor, dropped }
    }

    #[test]
    fn each_look_begins_where_the_last_ended() {
        let mut log = Log::new(100);
        log.push(Stream::Stdout, b"one ");
        log.push(Stream::Stderr, b"two ");
        assert_eq!(log.since(0), since("one ", "two ", 8, 0));
        assert_eq!(log.since(8), since("", "", 8, 0));
        log.push(Stream::Stdout, "€".as_bytes());
        assert_eq!(log.since(8), since("€", "", 11, 0));
        assert_eq!(log.since(6), since("€", "o ", 11, 0));
        assert_eq!(log.since(9), since("", "", 11, 0), "not half a character");
        assert_eq!(log.since(99), since("", "", 11, 0));
    }

    #[test]
    fn the_newest_bytes_of_both_streams_are_kept() {
        let mut log = Log::new(8);
        log.push(Stream::Stdout, b"abcd");
        log.push(Stream::Stderr, b"efgh");
        log.push(Stream::Stdout, b"ij");
        assert_eq!(log.since(0), since("cdij", "efgh", 10, 2));
        assert_eq!(log.since(4), since("ij", "efgh", 10, 0));
        log.push(Stream::Stdout, "€€€€".as_bytes());
        assert_eq!(log.since(4), since("€€", "", 22, 12), "a character is forgotten as a whole");
        let mut none = Log::new(0);
        none.push(Stream::Stdout, b"abc");
        assert_eq!(none.since(0), since("", "", 3, 3));
    }

    #[test]
    fn many_small_writes_cost_what_they_hold() {
        let mut log = Log::new(1_000);
        (0..100_000).for_each(|_| log.push(Stream::Stdout, b"x"));
        assert_eq!((log.kept, log.end), (1_000, 100_000));
        assert!(log.pieces.len() <= 2);
    }
}
