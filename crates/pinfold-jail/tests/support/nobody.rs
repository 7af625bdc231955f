//! Doing without the superuser's rights, in a test that may have them.

use std::{
    fs::{self, Permissions},
    os::unix::fs::{PermissionsExt, chown},
    thread,
};

use rustix::{
    process::{Gid, Uid},
    thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid},
};

use crate::world::World;

/// Runs `act` in a thread without the superuser's rights, if the test has them.
pub(crate) fn as_nobody<T: Send>(act: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let run = scope.spawn(|| {
            if rustix::process::geteuid().is_root() {
                let (gid, uid) = (Gid::from_raw(65534), Uid::from_raw(65534));
                set_thread_groups(&[]).unwrap();
                set_thread_res_gid(gid, gid, gid).unwrap();
                set_thread_res_uid(uid, uid, uid).unwrap();
            }
            act()
        });
        run.join().unwrap()
    })
}

/// Gives all of it to nobody, so that [`as_nobody`] owns what it works on.
pub(crate) fn give_away(world: &World, names: &[&str]) {
    if rustix::process::geteuid().is_root() {
        for name in names {
            chown(world.path(name), Some(65534), Some(65534)).unwrap();
        }
        fs::set_permissions(world.path(""), Permissions::from_mode(0o755)).unwrap();
    }
}
