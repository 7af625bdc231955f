use pinfold_exec::Executable;

fn main() {
    let _opened = Executable::open(std::io::stdin(), "/bin/rm".as_ref(), "git".into());
    let _empty = Executable::default();
}

fn twice(program: Executable) -> (Executable, Executable) {
    (program.clone(), program)
}
