//! A file as it is searched: without a byte order mark, and at its end when nobody wants it any more.

use std::io::{self, Read};

use tokio_util::sync::CancellationToken;

const MARK: &[u8] = b"\xef\xbb\xbf";

pub(super) struct Source<'a, R> {
    file: R,
    cancel: &'a CancellationToken,
    /// Its first bytes, once they were looked at, and how many of them are still to be given.
    head: Option<Vec<u8>>,
}

impl<'a, R: Read> Source<'a, R> {
    pub(super) fn new(file: R, cancel: &'a CancellationToken) -> Source<'a, R> {
        Source { file, cancel, head: None }
    }

    fn begin(&mut self) -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        self.file.by_ref().take(MARK.len() as u64).read_to_end(&mut head)?;
        if head == MARK {
            head.clear();
        }
        Ok(head)
    }
}

impl<R: Read> Read for Source<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Ok(0);
        }
        let mut head = match self.head.take() {
            Some(head) => head,
            None => self.begin()?,
        };
        if head.is_empty() {
            self.head = Some(head);
            return self.file.read(into);
        }
        let given = head.len().min(into.len());
        into[..given].copy_from_slice(&head[..given]);
        self.head = Some(head.split_off(given));
        Ok(given)
    }
}
