//! The traps once more as a user without rights: what root can do must not be what makes them pass.

use std::{
    env, fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use super::ground::ward_program;

/// The user that owns nothing.
const NOBODY: u32 = 65_534;

fn readable_copy(of: &Path, dir: &Path) -> PathBuf {
    let copy = dir.join(of.file_name().unwrap());
    fs::copy(of, &copy).unwrap();
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).unwrap();
    copy
}

#[test]
fn the_traps_hold_for_a_user_without_rights() {
    let root = rustix::process::getuid().is_root();
    let setpriv = ["/usr/bin/setpriv", "/bin/setpriv"].into_iter().find(|path| Path::new(path).exists());
    let Some(setpriv) = testkit::need("root and setpriv, to become somebody else", setpriv.filter(|_| root))
    else {
        return;
    };
    let dir = tempfile::TempDir::new().unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let tests = readable_copy(&env::current_exe().unwrap(), dir.path());
    let ward = readable_copy(&ward_program(), dir.path());
    let output = Command::new(setpriv)
        .args([&format!("--reuid={NOBODY}"), &format!("--regid={NOBODY}"), "--clear-groups"])
        .arg(tests)
        .args(["yard::traps::", "yard::wards::"])
        .env("PINFOLD_TEST_WARD", ward)
        .env("TMPDIR", dir.path())
        .current_dir("/")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("test yard::traps::a_daemon_goes_with_the_rest ... ok"), "{said}");
}
