//! Proof types cannot be made from outside: each misuse is a file that does not compile, beside the compiler's words.

#[test]
fn permits_cannot_be_forged() {
    trybuild::TestCases::new().compile_fail("tests/forgery/*.rs");
}

/// A permit read from text. Said without the compiler's words, which list other types and so change with every dependency.
#[test]
fn permits_cannot_be_deserialized() {
    trait OneWay<Marker> {
        const COUNT: usize = 1;
    }
    struct Readable;
    impl<T> OneWay<()> for T {}
    impl<T: serde::de::DeserializeOwned> OneWay<Readable> for T {}
    // Were a permit readable, both ways would fit and the marker could not be inferred: this would not compile.
    assert_eq!(<pinfold::Permit<()> as OneWay<_>>::COUNT, 1);
}
