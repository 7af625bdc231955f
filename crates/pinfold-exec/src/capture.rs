//! What is kept of a stream: its beginning and its end, or its beginning alone. The rest is counted.

use crate::{drain::Store, overflow::Whole};

/// Bytes that are asked for at once: more than a pipe holds by default (pipe(7)), for those that are made larger.
const CHUNK: usize = 256 * 1024;

/// Below so many bytes there is no sense in two ends: the mark between them would outweigh them.
const SMALLEST_TWO_ENDS: usize = 1_024;

/// The beginning is this part of what is kept; the end, where most programs say what went wrong, is the rest.
const HEAD_PART: usize = 5;

/// Which part of a stream is kept when it is longer than the limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Keep {
    /// A fifth from its beginning, four fifths from its end; of a limit below 1,024 bytes only the beginning.
    #[default]
    Ends,
    /// Its beginning.
    Head,
}

impl Keep {
    /// Bytes of the beginning, of `limit` that are kept.
    pub(crate) fn head_of(self, limit: usize) -> usize {
        match self {
            Keep::Ends if limit >= SMALLEST_TWO_ENDS => limit / HEAD_PART,
            Keep::Ends | Keep::Head => limit,
        }
    }
}

/// What has been read of one stream. Bytes are read straight into the place where they may stay: first the head, then a
/// ring that holds the newest ones.
#[derive(Debug)]
pub(crate) struct Capture {
    head: Vec<u8>,
    head_len: usize,
    head_cap: usize,
    ring: Vec<u8>,
    /// Where the ring is written next.
    at: usize,
    tail_cap: usize,
    total: u64,
}

/// What was kept of a stream that is over.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Captured {
    pub(crate) head: Vec<u8>,
    pub(crate) tail: Vec<u8>,
    pub(crate) total: u64,
    pub(crate) whole: Option<Whole>,
}

impl Capture {
    /// Keeps at most `limit` bytes.
    pub(crate) fn new(limit: usize, keep: Keep) -> Capture {
        let head_cap = keep.head_of(limit);
        let (head, ring) = Default::default();
        Capture { head, head_len: 0, head_cap, ring, at: 0, tail_cap: limit - head_cap, total: 0 }
    }

    /// The ring is never smaller than one read, even if nothing of it is kept.
    fn grow_or_wrap(&mut self) {
        let (len, most) = (self.ring.len(), self.tail_cap.max(CHUNK));
        if len < most {
            self.ring.resize(most.min((2 * len).max(CHUNK)), 0);
        } else {
            self.at = 0;
        }
    }

    /// Bytes that came so far, kept or not.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// All that came so far, as long as nothing had to be left out.
    pub(crate) fn so_far(&self) -> [&[u8]; 2] {
        [&self.head[..self.head_len], &self.ring[..self.at]]
    }

    /// The next `read` bytes, which were put where [`Store::room`] said.
    pub(crate) fn fresh(&self, read: usize) -> &[u8] {
        match self.head_len < self.head_cap {
            true => &self.head[self.head_len..self.head_len + read],
            false => &self.ring[self.at..self.at + read],
        }
    }

    pub(crate) fn finish(mut self) -> Captured {
        self.head.truncate(self.head_len);
        let behind = self.total - self.head_len as u64;
        let keep = usize::try_from(behind).map_or(self.tail_cap, |behind| behind.min(self.tail_cap));
        // What does not lie before `at` was written in the round before.
        let tail = match self.at.checked_sub(keep) {
            Some(start) => self.ring[start..self.at].to_vec(),
            None => [&self.ring[self.ring.len() - (keep - self.at)..], &self.ring[..self.at]].concat(),
        };
        Captured { head: self.head, tail, total: self.total, whole: None }
    }
}

impl Store for Capture {
    fn room(&mut self) -> &mut [u8] {
        if self.head_len < self.head_cap {
            let end = self.head_cap.min(self.head_len + CHUNK);
            self.head.resize(end.max(self.head.len()), 0);
            return &mut self.head[self.head_len..end];
        }
        if self.at == self.ring.len() {
            self.grow_or_wrap();
        }
        let end = self.ring.len().min(self.at + CHUNK);
        &mut self.ring[self.at..end]
    }

    fn took(&mut self, read: usize) {
        self.total += read as u64;
        if self.head_len < self.head_cap {
            self.head_len += read;
        } else {
            self.at += read;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds `data` in reads of at most `step` bytes.
    fn captured(data: &[u8], limit: usize, keep: Keep, step: usize) -> Captured {
        let mut capture = Capture::new(limit, keep);
        let mut left = data;
        while !left.is_empty() {
            let room = capture.room();
            let read = room.len().min(step).min(left.len());
            room[..read].copy_from_slice(&left[..read]);
            capture.took(read);
            left = &left[read..];
        }
        capture.finish()
    }

    #[test]
    fn keeps_both_ends_whatever_the_reads() {
        let data: Vec<u8> = (0..600_000_u32).map(|number| (number % 251) as u8).collect();
        for limit in [1_024, 5_000, 65_536, 70_000, 400_000, 599_999, 600_000, 700_000, usize::MAX] {
            for step in [1_000, 7_777, CHUNK, usize::MAX] {
                let kept = captured(&data, limit, Keep::Ends, step);
                assert_eq!(kept.total, 600_000);
                let head = data.len().min(limit / HEAD_PART);
                let tail = (data.len() - head).min(limit - limit / HEAD_PART);
                assert_eq!(kept.head, data[..head], "{limit} {step}");
                assert_eq!(kept.tail, data[data.len() - tail..], "{limit} {step}");
            }
        }
    }

    #[test]
    fn the_head_alone_has_no_tail() {
        for (limit, keep) in [(5, Keep::Head), (5, Keep::Ends), (0, Keep::Head), (300_000, Keep::Head)] {
            let kept = captured(&vec![b'x'; 300_000], limit, keep, CHUNK);
            assert_eq!((kept.head.len(), kept.tail.len(), kept.total), (limit, 0, 300_000));
        }
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(captured(b"", 1_000_000, Keep::Ends, 1), Captured::default());
    }
}
