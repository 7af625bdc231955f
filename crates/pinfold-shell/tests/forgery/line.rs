use pinfold_shell::Line;

fn main() {
    let _empty = Line::default();
    let line = Line::parse("git status").unwrap();
    let _copy: Line = line.clone();
}
