//! Telling a client that a call is still going on, and what its command wrote last.

use std::{convert::Infallible, future::pending, time::Duration};

use pinfold::Progress;
use rmcp::{
    Peer, RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
};
use tokio::time::{Instant, interval_at};

/// Tells it again and again, to a client that asked for it.
pub(crate) async fn tell(
    client: Peer<RoleServer>,
    token: ProgressToken,
    progress: Progress,
    every: Duration,
) -> Infallible {
    let began = Instant::now();
    let mut clock = interval_at(began + every, every);
    loop {
        clock.tick().await;
        let elapsed = began.elapsed();
        let message = match progress.last_line() {
            Some(line) => format!("{} s: {line}", elapsed.as_secs()),
            None => format!("{} s, nothing written yet", elapsed.as_secs()),
        };
        let told = ProgressNotificationParam::new(token.clone(), elapsed.as_secs_f64()).with_message(message);
        // A client that is gone shows elsewhere.
        let _gone = client.notify_progress(told).await;
    }
}

/// Never ends by itself.
pub(crate) async fn until_the_end(told: Option<impl Future<Output = Infallible>>) -> Infallible {
    match told {
        Some(told) => told.await,
        None => pending().await,
    }
}
