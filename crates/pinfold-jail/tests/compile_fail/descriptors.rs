//! The descriptors behind a proof are not handed out, and no handle is made from one.

use std::os::fd::OwnedFd;

use pinfold_jail::{Access, JailedPath, Root};

fn taken_out(path: &JailedPath) -> &pinfold_jail::jailed::At {
    &path.at
}

fn put_in(dir: OwnedFd) -> Root {
    Root::held(dir, None, Access::ReadWrite, None).unwrap()
}

fn main() {}
