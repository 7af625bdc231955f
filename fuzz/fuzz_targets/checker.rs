//! Any mixture of rules, and any line. The laws are those of `crates/pinfold-shell/tests/mutations.rs`.

#![no_main]

#[path = "../../crates/pinfold-shell/tests/support/checker.rs"]
mod checker;
#[path = "../../crates/pinfold-shell/tests/support/shared.rs"]
mod shared;

libfuzzer_sys::fuzz_target!(|data: &[u8]| checker::checker(data));
