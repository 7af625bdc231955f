//! A permit opened by somebody who is no tool of the house.

fn open<V>(permit: pinfold::Permit<V>) {
    let _site = permit.open();
}

fn unlock() {
    let _unlock = pinfold::gate::Unlock(());
}

fn main() {}
