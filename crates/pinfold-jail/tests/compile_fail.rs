//! Proof types cannot be forged: each file of `compile_fail/` tries, and must not compile, for the reason beside it.

#[test]
fn proofs_are_not_forged() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}
