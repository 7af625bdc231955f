//! A permit used twice.

fn twice<V>(permit: &pinfold::Permit<V>) -> pinfold::Permit<V> {
    permit.clone()
}

fn copy<V>(permit: pinfold::Permit<V>) -> [pinfold::Permit<V>; 2] {
    [permit, permit]
}

fn main() {}
