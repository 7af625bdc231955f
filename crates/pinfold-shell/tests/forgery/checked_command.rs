use pinfold_shell::{Argv, CheckedCommand};

fn main() {
    let argv = Argv::parse("rm -rf x").unwrap();
    let _made = CheckedCommand::new(argv, ());
    let _empty = CheckedCommand::<()>::default();
}

fn twice(checked: CheckedCommand<()>) -> (CheckedCommand<()>, CheckedCommand<()>) {
    (checked.clone(), checked)
}
