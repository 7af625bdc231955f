//! The side of the process that is to be disturbed.

use std::{
    env,
    io::{Read, Write},
    path::PathBuf,
};

use nix::{sys::signal::kill, unistd::Pid};

/// Names the directory that the actor works in, and by that, that this process is one.
pub(super) const STAGE: &str = "PINFOLD_CRASH_STAGE";

/// The directory to work in, if this process was started as an actor.
pub fn stage() -> Option<PathBuf> {
    env::var_os(STAGE).map(PathBuf::from)
}

/// What an actor says on its standard error once all its threads are there: a thread that is being made while its maker
/// is seized would escape the tracer.
pub(super) const READY: &str = "actor: ready";

/// Does `deed` under the eyes of whoever started this actor. Once in a process.
///
/// # Panics
/// When the process that started it is gone.
pub fn act<T>(deed: impl FnOnce() -> T) -> T {
    writeln!(std::io::stderr(), "{READY}").expect("a pipe to the tracer");
    let mut word = [0];
    std::io::stdin().read_exact(&mut word).expect("the word to begin");
    mark();
    let done = deed();
    mark();
    done
}

/// A call that does nothing, and that nobody else makes: signal 0 to ourselves.
fn mark() {
    kill(Pid::this(), None).expect("a signal to ourselves");
}
