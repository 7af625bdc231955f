//! A permit out of nothing.

fn main() {
    let _forged: pinfold::Permit<()> = Default::default();
}
