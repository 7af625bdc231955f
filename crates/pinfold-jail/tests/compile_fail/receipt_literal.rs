//! A `Receipt` comes only from a `Draft` that was committed: its fields cannot be written down.

use pinfold_jail::Receipt;

fn forged() -> Receipt {
    Receipt { bytes: 0, hash: String::new(), created: true }
}

fn main() {}
