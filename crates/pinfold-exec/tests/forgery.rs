//! Proof types cannot be made from outside: each misuse is a file that does not compile, beside the compiler's words.

#[test]
fn proofs_cannot_be_forged() {
    trybuild::TestCases::new().compile_fail("tests/forgery/*.rs");
}
