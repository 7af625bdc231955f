use pinfold_shell::{Argv, CheckedCommand};

fn main() {
    let argv = Argv::parse("rm -rf x").unwrap();
    let _forged = CheckedCommand { argv, program: () };
}
