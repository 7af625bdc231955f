//! Writes the corpora as files, one line each, into the folders where the targets begin.

use std::{fs, io, path::Path};

#[path = "../crates/pinfold-shell/tests/support/seeds.rs"]
mod seeds;

fn main() -> io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for target in ["tokenizer", "checker", "reader", "lines"] {
        let folder = corpus.join(target);
        fs::create_dir_all(&folder)?;
        for (number, line) in seeds::lines().iter().enumerate() {
            // Two read their first byte as the mixture of rules.
            let mixture = [u8::try_from(number % 256).unwrap_or(0)];
            let first: &[u8] = if ["checker", "lines"].contains(&target) { &mixture } else { &[] };
            fs::write(folder.join(format!("seed-{number:04}")), [first, line.as_bytes()].concat())?;
        }
    }
    Ok(())
}
