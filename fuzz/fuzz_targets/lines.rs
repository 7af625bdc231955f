//! Any line of sh mode under any mixture of rules. The laws are those of `crates/pinfold-shell/tests/mutations.rs`.

#![no_main]

#[path = "../../crates/pinfold-shell/tests/support/reader.rs"]
#[allow(dead_code)]
mod reader;
#[path = "../../crates/pinfold-shell/tests/support/shared.rs"]
#[allow(dead_code)]
mod shared;

libfuzzer_sys::fuzz_target!(|data: &[u8]| reader::lines(data));
