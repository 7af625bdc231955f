//! A `JailedPath` comes only from `Jail::resolve`: its fields cannot be written down.

use pinfold_jail::{Access, JailedPath};

fn forged(other: JailedPath) -> JailedPath {
    JailedPath { place: "/etc/passwd".into(), access: Access::ReadWrite, ..other }
}

fn main() {}
