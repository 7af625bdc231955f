//! A `Draft` comes only from a `Snapshot`: no trait makes one.

use pinfold_jail::Draft;

fn from_nothing() -> Draft {
    Default::default()
}

fn doubled(proof: &Draft) -> Draft {
    proof.clone()
}

fn from_text(text: &str) -> Draft {
    serde_json::from_str(text).unwrap()
}

fn main() {}
