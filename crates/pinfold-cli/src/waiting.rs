//! What a person sees on a terminal while a command runs: how long it has been, and its last line.

use std::{
    convert::Infallible,
    io::{self, IsTerminal, Write},
    time::Duration,
};

use pinfold::Progress;
use tokio::time::{Instant, interval_at};

/// Shorter waits need no words.
const PATIENCE: Duration = Duration::from_secs(2);
const EVERY: Duration = Duration::from_secs(1);

/// Characters of the last line that fit beside the time.
const WIDTH: usize = 68;

/// Back to the start of the line, which is blanked (ECMA-48).
const BLANK: &str = "\r\u{1b}[2K";

/// Takes what was shown away when it is dropped, so that the result begins on a clean line.
struct Shown(bool);

impl Drop for Shown {
    fn drop(&mut self) {
        if self.0 {
            say(BLANK);
        }
    }
}

/// Shows it on standard error, if that is a terminal, until it is dropped.
pub(crate) async fn show(progress: Progress) -> Infallible {
    if !io::stderr().is_terminal() {
        return std::future::pending().await;
    }
    let (began, mut shown) = (Instant::now(), Shown(false));
    let mut clock = interval_at(began + PATIENCE, EVERY);
    loop {
        clock.tick().await;
        shown.0 = true;
        say(&line(began.elapsed(), &progress.last_line().unwrap_or_default()));
    }
}

/// A program's own control characters must not paint over the terminal.
fn line(elapsed: Duration, last: &str) -> String {
    let plain: String = last.chars().filter(|letter| !letter.is_control()).take(WIDTH).collect();
    format!("{BLANK}{} s  {plain}", elapsed.as_secs())
}

fn say(text: &str) {
    let mut stderr = io::stderr();
    // Nobody is left to be told that this failed.
    drop(stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_line_without_commands_to_the_terminal() {
        assert_eq!(line(Duration::from_secs(65), "ok\u{1b}[2Jx\ty"), format!("{BLANK}65 s  ok[2Jxy"));
        assert_eq!(line(Duration::ZERO, &"é".repeat(500)).chars().count(), BLANK.chars().count() + 5 + WIDTH);
    }
}
