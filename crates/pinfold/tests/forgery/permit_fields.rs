//! A permit written down field by field.

fn main() {
    let _forged = pinfold::Permit::<()> {
        key: todo!(),
        place: "/etc".into(),
        rule: pinfold::gate::Rule::InHome,
        asked: todo!(),
        terms: todo!(),
        ignores: todo!(),
        deed: std::marker::PhantomData,
    };
}
