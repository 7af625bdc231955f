//! A `Draft` comes only from a `Snapshot`: its fields cannot be written down.

use pinfold_jail::Draft;

fn forged(seen: pinfold_jail::Snapshot) -> Draft {
    Draft { seen, bytes: Vec::new() }
}

fn main() {}
