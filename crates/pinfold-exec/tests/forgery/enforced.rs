use pinfold_exec::Enforced;

fn main() {
    let _made = Enforced::group_killed();
    let _empty = Enforced::default();
}

fn twice(held: &Enforced) -> Enforced {
    held.clone()
}
