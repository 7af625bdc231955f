//! Reads a pipe to its end, as fast as it is written, so that no command ever waits for us.

use rustix::pipe::fcntl_setpipe_size;
use tokio::{io::AsyncReadExt, net::unix::pipe::Receiver};

use crate::{capture::Captured, overflow::Spilling, progress::Progress};

/// A stream with more than this is a flood: its pipe is made larger, so that reader and writer wait less for each other.
const FLOOD: u64 = 1 << 20;
const FLOOD_PIPE: usize = 1 << 20;

/// Where bytes go that are read.
pub(crate) trait Store {
    /// Where the next ones are put; never empty, and the same until some were put there.
    fn room(&mut self) -> &mut [u8];
    /// So many were put there.
    fn took(&mut self, read: usize);
}

/// One stream of a running command.
#[derive(Debug)]
pub(crate) struct Drain<S> {
    pipe: Option<Receiver>,
    read: u64,
    store: S,
    progress: Option<Progress>,
}

impl<S> Drain<S> {
    /// The same stream, from here on into another store.
    pub(crate) fn into_store<T>(self, other: impl FnOnce(S) -> T) -> Drain<T> {
        let Drain { pipe, read, store, progress } = self;
        Drain { pipe, read, store: other(store), progress }
    }

    pub(crate) fn store(&self) -> &S {
        &self.store
    }
}

impl<S: Store> Drain<S> {
    pub(crate) fn new(pipe: Receiver, store: S, progress: Option<Progress>) -> Drain<S> {
        Drain { pipe: Some(pipe), read: 0, store, progress }
    }

    /// Reads until every writer has closed the pipe. May be dropped and called again at any time: nothing is lost.
    pub(crate) async fn fill(&mut self) {
        while let Some(pipe) = &mut self.pipe {
            match pipe.read(self.store.room()).await {
                // An error on a pipe of ours can only mean that there is nothing more to be had.
                Ok(0) | Err(_) => self.pipe = None,
                Ok(read) => {
                    if let Some(progress) = &self.progress {
                        progress.saw(&self.store.room()[..read]);
                    }
                    self.store.took(read);
                    self.count(read as u64);
                }
            }
        }
    }

    fn count(&mut self, read: u64) {
        let flood = self.read < FLOOD && self.read + read >= FLOOD;
        self.read += read;
        if let Some(pipe) = self.pipe.as_ref().filter(|_| flood) {
            // More than the user may have: then it stays as it is.
            let _as_it_is = fcntl_setpipe_size(pipe, FLOOD_PIPE);
        }
    }

    /// Whether some process still holds the other end.
    pub(crate) fn is_open(&self) -> bool {
        self.pipe.is_some()
    }
}

impl Drain<Spilling> {
    /// Stops reading; a writer that is left gets SIGPIPE.
    pub(crate) fn finish(self) -> Captured {
        self.store.finish()
    }
}

#[cfg(test)]
mod tests {
    use rustix::pipe::{PipeFlags, pipe_with};

    use super::*;
    use crate::{
        capture::{Capture, Keep},
        log::Stream,
    };

    #[tokio::test]
    async fn reads_to_the_end_and_counts_all() {
        let (read, write) = pipe_with(PipeFlags::CLOEXEC).unwrap();
        let writer = std::thread::spawn(move || {
            let (data, mut written) = (vec![b'x'; 3_000_000], 0);
            while written < data.len() {
                written += rustix::io::write(&write, &data[written..]).unwrap();
            }
        });
        let store = Spilling::new(Capture::new(5, Keep::Head), 5, Stream::Stdout, None);
        let mut drain = Drain::new(Receiver::from_owned_fd(read).unwrap(), store, None);
        drain.fill().await;
        writer.join().unwrap();
        assert!(!drain.is_open());
        let kept = drain.finish();
        assert_eq!((kept.head(), kept.total(), kept.is_cut()), (&b"xxxxx"[..], 3_000_000, true));
    }
}
