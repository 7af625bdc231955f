//! A permit to read, used for another deed.

fn change<Read, Write>(permit: pinfold::Permit<Read>) -> pinfold::Permit<Write> {
    permit
}

fn main() {}
