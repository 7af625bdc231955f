//! A `JailedPath` comes only from `Jail::resolve`: no trait makes one.

use pinfold_jail::JailedPath;

fn from_nothing() -> JailedPath {
    Default::default()
}

fn doubled(proof: &JailedPath) -> JailedPath {
    proof.clone()
}

fn from_text(text: &str) -> JailedPath {
    serde_json::from_str(text).unwrap()
}

fn main() {}
