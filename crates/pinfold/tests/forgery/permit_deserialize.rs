//! A permit read from text.

fn main() {
    let _forged: pinfold::Permit<()> = serde_json::from_str("{}").unwrap();
}
