//! A `Snapshot` comes only from a `JailedPath`: its fields cannot be written down.

use pinfold_jail::Snapshot;

fn forged(path: pinfold_jail::JailedPath) -> Snapshot {
    Snapshot { path, before: None, content: None }
}

fn main() {}
