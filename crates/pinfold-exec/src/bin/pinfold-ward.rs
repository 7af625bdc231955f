//! A ward and nothing else: for tests, and for hosts that cannot be started again as one.

fn main() {
    pinfold_exec::run_if_ward();
}
