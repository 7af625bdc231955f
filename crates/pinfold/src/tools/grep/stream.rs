//! A file as the searcher reads it: text, in whole lines, without those that are too long, until it is time to stop.

use std::{
    cell::RefCell,
    io::{self, Read},
    rc::Rc,
};

use memchr::{memchr, memrchr};

use super::pace::Pace;
use crate::{text::encoding::Encoding, tools::read_file::utf16::Utf16, walk::Stopped};

/// Whether it is time to stop.
pub(crate) type Over<'a> = dyn Fn() -> Option<Stopped> + Sync + 'a;

/// Where the searched text has an empty line in place of one that is too long.
pub(super) type Gaps = Rc<RefCell<Vec<u64>>>;

/// Bytes of room that a step needs.
const ROOM: usize = 16 << 10;

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads whole lines only: where it stops early, no line was cut.
pub(super) struct Stream<'a, R> {
    file: R,
    over: &'a Over<'a>,
    pace: &'a mut Pace,
    /// Characters of the longest line.
    longest: usize,
    /// Bytes that are handed out at most.
    most_bytes: u64,
    /// Decodes the file; none before its first bytes were seen, and where they are text as they are.
    utf16: Option<Utf16>,
    begun: bool,
    /// What was read to look for a mark.
    first: Vec<u8>,
    /// The beginning of a line of which the end was not read yet.
    tail: Vec<u8>,
    /// The rest of a line that is too long goes by.
    dropping: bool,
    /// What did not fit where the reader wanted it.
    block: Vec<u8>,
    given: usize,
    sent: u64,
    gaps: Gaps,
    stopped: Option<Stopped>,
    ended: bool,
}

impl<'a, R: Read> Stream<'a, R> {
    pub(super) fn new(
        file: R,
        over: &'a Over<'a>,
        pace: &'a mut Pace,
        longest: usize,
        most_bytes: usize,
    ) -> Stream<'a, R> {
        pace.rest();
        Stream {
            file,
            over,
            pace,
            longest,
            most_bytes: most_bytes as u64,
            utf16: None,
            begun: false,
            first: Vec::new(),
            tail: Vec::new(),
            dropping: false,
            block: Vec::new(),
            given: 0,
            sent: 0,
            gaps: Gaps::default(),
            stopped: None,
            ended: false,
        }
    }

    pub(super) fn gaps(&self) -> Gaps {
        Rc::clone(&self.gaps)
    }

    /// Why it ended before the file did.
    pub(super) fn stopped(&self) -> Option<Stopped> {
        self.stopped
    }

    pub(super) fn is_too_large(&self) -> bool {
        self.sent > self.most_bytes
    }

    /// Fills the beginning of `room` with lines; 0 at the end.
    fn fill(&mut self, room: &mut [u8]) -> io::Result<usize> {
        while !self.ended {
            self.stopped = (self.over)();
            if self.stopped.is_some() || self.is_too_large() {
                break;
            }
            let kept = self.tail.len();
            room[..kept].copy_from_slice(&self.tail);
            self.tail.clear();
            // Twice as much each time, or a line of many steps would be looked through as many times.
            let want = self.pace.step().max(kept).min(room.len() - kept);
            let read = self.read_text(&mut room[kept..kept + want])?;
            self.ended = read == 0;
            let lines = self.sift(&mut room[..kept + read]);
            if lines > 0 {
                self.sent += lines as u64;
                return Ok(lines);
            }
        }
        self.ended = true;
        Ok(0)
    }

    /// Reads on, decoded, without a byte order mark. 0: the file ends.
    fn read_text(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if !self.begun {
            return self.read_first(into);
        }
        while let Some(mut utf16) = self.utf16.take() {
            // Two bytes become three at most; a few more were held back.
            let want = into.len() / 2 - 8;
            let read = self.read_raw(&mut into[..want])?;
            let text = if read == 0 {
                utf16.finish().0
            } else {
                let text = utf16.feed(&into[..read]);
                self.utf16 = Some(utf16);
                text
            };
            if read == 0 || !text.is_empty() {
                into[..text.len()].copy_from_slice(text.as_bytes());
                return Ok(text.len());
            }
        }
        self.read_raw(into)
    }

    /// The first bytes say what the file is in.
    fn read_first(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.begun = true;
        let mut read = 0;
        while read < MARK.len() {
            match read_some(&mut self.file, &mut into[read..])? {
                0 => break,
                more => read += more,
            }
        }
        self.utf16 = Utf16::of(Encoding::of(&into[..read]));
        let mark = match &mut self.utf16 {
            Some(utf16) => {
                // The mark itself is no text.
                utf16.feed(&into[..2]);
                2
            }
            None if into[..read].starts_with(MARK) => MARK.len(),
            None => return Ok(read),
        };
        self.first = into[mark..read].to_vec();
        self.read_text(into)
    }

    fn read_raw(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.first.is_empty() {
            return read_some(&mut self.file, into);
        }
        let count = self.first.len().min(into.len());
        into[..count].copy_from_slice(&self.first[..count]);
        self.first.drain(..count);
        Ok(count)
    }

    /// Moves the whole lines in `data` that are not too long to its beginning, and says how many bytes that is; the
    /// beginning of another line is kept for later.
    fn sift(&mut self, data: &mut [u8]) -> usize {
        let (mut from, mut to) = (0, 0);
        if self.dropping {
            let end = memchr(b'\n', data).map_or(data.len(), |at| at + 1);
            to = self.drop_line(&mut data[..end]);
            from = end;
        }
        while from < data.len() {
            // A line of so many bytes has no more characters. So most lines are passed without looking at each.
            let near = data.len().min(from.saturating_add(self.longest).saturating_add(1));
            let end = match memrchr(b'\n', &data[from..near]) {
                Some(at) => from + at + 1,
                None => memchr(b'\n', &data[near..]).map_or(data.len(), |at| near + at + 1),
            };
            let line = &data[from..end];
            let whole = line.ends_with(b"\n");
            if line.len() > self.longest && self.is_too_long(line, whole) {
                self.gaps.borrow_mut().push(self.sent + to as u64);
                self.dropping = true;
                let kept = self.drop_line(&mut data[from..end]);
                data.copy_within(from..from + kept, to);
                to += kept;
            } else if whole || self.ended {
                if to < from {
                    data.copy_within(from..end, to);
                }
                to += end - from;
            } else {
                self.tail.extend_from_slice(line);
            }
            from = end;
        }
        to
    }

    /// Whether a line, or the beginning of one, is too long.
    fn is_too_long(&self, line: &[u8], whole: bool) -> bool {
        // No character has more than four bytes. What is not held in memory is too long as well.
        if line.len() > self.longest.saturating_mul(4).saturating_add(2).min(super::engine::HEAP) {
            return true;
        }
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        (whole || self.ended) && String::from_utf8_lossy(line).chars().count() > self.longest
    }

    /// Of a line that is too long, or a part of it, only its end is left, and a NUL if it holds one: the file is binary.
    fn drop_line(&mut self, part: &mut [u8]) -> usize {
        let (nul, whole) = (memchr(0, part).is_some(), part.ends_with(b"\n"));
        let mut kept = 0;
        if nul {
            part[kept] = 0;
            kept += 1;
        }
        if whole {
            part[kept] = b'\n';
            kept += 1;
            self.dropping = false;
        }
        kept
    }
}

impl<R: Read> Read for Stream<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.pace.end();
        if self.given == self.block.len() {
            let needed = ROOM.max(self.tail.len() * 2 + ROOM);
            if into.len() >= needed {
                let filled = self.fill(into)?;
                self.pace.begin(filled);
                return Ok(filled);
            }
            let mut block = std::mem::take(&mut self.block);
            block.resize(needed, 0);
            let filled = self.fill(&mut block)?;
            block.truncate(filled);
            (self.block, self.given) = (block, 0);
        }
        let left = &self.block[self.given..];
        let count = left.len().min(into.len());
        into[..count].copy_from_slice(&left[..count]);
        self.given += count;
        self.pace.begin(count);
        Ok(count)
    }
}

fn read_some(file: &mut impl Read, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(into) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*, sample::select};

    use super::*;

    const LONGEST: usize = 6;

    /// Gives a few bytes at a time.
    struct Trickle(Vec<u8>, usize);

    impl Read for Trickle {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(self.1).min(into.len());
            into[..count].copy_from_slice(&self.0[..count]);
            self.0.drain(..count);
            Ok(count)
        }
    }

    /// What comes out, and where lines are missing. `room`: bytes that are wanted at a time.
    fn read(content: &[u8], step: usize, room: usize) -> (Vec<u8>, Vec<u64>) {
        let mut pace = Pace::default();
        let never = || None;
        let mut stream = Stream::new(Trickle(content.to_vec(), step), &never, &mut pace, LONGEST, usize::MAX);
        let (mut out, mut buffer) = (Vec::new(), vec![0; room]);
        loop {
            match stream.read(&mut buffer).unwrap() {
                0 => break,
                count => out.extend_from_slice(&buffer[..count]),
            }
        }
        let gaps = stream.gaps().borrow().clone();
        (out, gaps)
    }

    /// The same in the plain way.
    fn plainly(content: &[u8]) -> (Vec<u8>, Vec<u64>) {
        let (mut out, mut gaps) = (Vec::new(), Vec::new());
        for line in content.split_inclusive(|byte| *byte == b'\n') {
            let bare = line.strip_suffix(b"\n").unwrap_or(line);
            let bare = bare.strip_suffix(b"\r").unwrap_or(bare);
            if String::from_utf8_lossy(bare).chars().count() <= LONGEST {
                out.extend_from_slice(line);
                continue;
            }
            gaps.push(out.len() as u64);
            out.extend(line.contains(&0).then_some(0));
            out.extend(line.ends_with(b"\n").then_some(b'\n'));
        }
        (out, gaps)
    }

    proptest! {
        #[test]
        fn lines_that_are_too_long_and_no_others_become_empty(
            pieces in vec(select(&["a", "abcdef", "\n", "\r\n", "é", "ééééé", "😀", "\r"][..]), 0..40),
            step in 1..40_usize,
            room in select(&[1_usize, 7, 65_536][..]),
        ) {
            let content = pieces.concat();
            prop_assert_eq!(read(content.as_bytes(), step, room), plainly(content.as_bytes()));
        }

        #[test]
        fn whatever_the_bytes_the_lines_stay_in_their_places(
            content in vec(select(&[b'a', b'b', b'\n', 0xff, 0xc3, 0xa9][..]), 0..200),
            step in 1..40_usize,
        ) {
            let (out, _) = read(&content, step, 65_536);
            let lines = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count();
            prop_assert_eq!(lines(&out), lines(&content));
            prop_assert_eq!(out, plainly(&content).0);
        }

        #[test]
        fn utf16_comes_out_as_text(text in "[a-z\n€😀é]{0,80}", step in 1..9_usize, low_first in any::<bool>()) {
            let unit = |unit: u16| if low_first { unit.to_le_bytes() } else { unit.to_be_bytes() };
            let content: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(unit).collect();
            prop_assert_eq!(read(&content, step, 65_536), plainly(text.as_bytes()));
        }
    }

    #[test]
    fn a_line_that_never_ends_takes_little_memory_and_tells_that_it_is_binary() {
        let content = [&b"ab\n"[..], &[b'x'; 300_000], &[0], &[b'x'; 300_000], b"\nab"].concat();
        assert_eq!(read(&content, 5_000, 65_536), (b"ab\n\0\nab".to_vec(), vec![3]));
    }

    #[test]
    fn the_mark_of_utf8_is_no_text() {
        assert_eq!(read(b"\xef\xbb\xbfab", 1, 65_536).0, b"ab");
        assert_eq!(read(b"\xef\xbb\xbf", 2, 65_536).0, b"");
        assert_eq!(read(b"\xef\xbb", 1, 65_536).0, b"\xef\xbb");
    }
}
