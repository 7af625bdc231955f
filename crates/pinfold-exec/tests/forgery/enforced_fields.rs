use pinfold_exec::Enforced;

fn main() {
    let _forged = Enforced { started: true };
}
