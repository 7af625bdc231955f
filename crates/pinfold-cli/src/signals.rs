//! Ctrl-C and its kin: a call is cancelled, so that nothing of it is left running.

use std::io;

use tokio::signal::unix::{SignalKind, signal};

/// Waits for the first signal that asks the program to end, and returns its number.
///
/// From here on these signals do not end the program by themselves. Await it inside a runtime.
pub(crate) async fn asked_to_end() -> io::Result<u8> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    Ok(tokio::select! {
        _ = interrupt.recv() => 2,
        _ = terminate.recv() => 15,
        _ = hangup.recv() => 1,
    })
}
