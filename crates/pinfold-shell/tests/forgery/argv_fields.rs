use pinfold_shell::Argv;

fn main() {
    let _forged = Argv { words: vec!["rm".to_owned()], spans: Vec::new() };
}
