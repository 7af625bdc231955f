//! Any bytes as a command line. The laws are those of `crates/pinfold-shell/tests/mutations.rs`.

#![no_main]

#[path = "../../crates/pinfold-shell/tests/support/shared.rs"]
mod shared;
#[path = "../../crates/pinfold-shell/tests/support/tokenizer.rs"]
mod tokenizer;

libfuzzer_sys::fuzz_target!(|data: &[u8]| tokenizer::tokenizer(data));
