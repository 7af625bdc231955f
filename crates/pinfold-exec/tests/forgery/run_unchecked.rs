use pinfold_exec::{RunTerms, run};
use tokio_util::sync::CancellationToken;

fn unchecked(words: Vec<String>, terms: RunTerms) {
    drop(run(words, terms, CancellationToken::new()));
}

fn main() {}
