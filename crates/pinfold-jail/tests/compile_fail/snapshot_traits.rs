//! A `Snapshot` comes only from a `JailedPath`: no trait makes one.

use pinfold_jail::Snapshot;

fn from_nothing() -> Snapshot {
    Default::default()
}

fn doubled(proof: &Snapshot) -> Snapshot {
    proof.clone()
}

fn from_text(text: &str) -> Snapshot {
    serde_json::from_str(text).unwrap()
}

fn main() {}
