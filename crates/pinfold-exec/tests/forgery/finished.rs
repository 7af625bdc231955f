use pinfold_exec::Finished;

fn main() {
    let _made = Finished::not_started();
    let _empty = Finished::default();
}
