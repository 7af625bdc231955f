//! A permit given by somebody who is not the gate, for a deed of its own.

struct Anything;

fn main() {
    let _forged = pinfold::Permit::<Anything>::grant(todo!(), todo!(), todo!());
    let _deed: pinfold::gate::Write;
    let _gate: pinfold::gate::Gate;
}
