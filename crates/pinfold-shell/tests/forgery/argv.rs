use pinfold_shell::Argv;

fn main() {
    let _empty = Argv::default();
    let argv = Argv::parse("git status").unwrap();
    let _copy: Argv = argv.clone();
}
