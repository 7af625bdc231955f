use pinfold_shell::{Line, line::tree::Script};

fn main() {
    let _forged = Line { text: "rm -rf x".to_owned(), script: Script { items: Vec::new() }, bodies: Vec::new() };
}
