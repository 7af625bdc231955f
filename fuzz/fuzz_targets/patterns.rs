//! Any pattern of `grep` on any text. The laws are those of `crates/pinfold/tests/patterns.rs`.

#![no_main]

#[path = "../../crates/pinfold/tests/support/searching.rs"]
mod searching;

libfuzzer_sys::fuzz_target!(|data: &[u8]| searching::searching(data));
