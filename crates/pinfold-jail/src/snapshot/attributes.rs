//! Extended attributes of a file, access lists among them: what the new content has to carry on.
//!
//! Everything that the old file shows is carried over, and what cannot be is a refusal, for an access list or a label
//! protects the file, and a note of somebody's is lost for good. There are two exceptions: capabilities are rights that
//! the file *gives*, which any plain write takes away too, so they go where they cannot be set; and the measurements of
//! IMA and EVM tell of the old content, so they are never copied.

use std::{
    fs::File,
    os::fd::{AsRawFd, BorrowedFd},
};

use rustix::{
    fs::{XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr, getxattr, listxattr, listxattr_query},
    io::Errno,
};

use crate::{ErrorKind, JailError};

/// The access list beside the mode.
const ACCESS_LIST: &[u8] = b"system.posix_acl_access";
const CAPABILITIES: &[u8] = b"security.capability";
const MEASUREMENTS: [&[u8]; 2] = [b"security.ima", b"security.evm"];

/// Most bytes of a value, and of all names together (`xattr(7)`).
const MOST_BYTES: usize = 65_536;

/// Names and values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Attributes(Vec<(Vec<u8>, Vec<u8>)>);

impl Attributes {
    /// Those of an open file, which may be only held (`O_PATH`): hence by its name below `/proc`, which leads to the very
    /// file that is held. An attribute that may not be read is [`ErrorKind::AttributesLost`].
    pub(super) fn of(held: BorrowedFd<'_>) -> Result<Attributes, JailError> {
        let file = format!("/proc/self/fd/{}", held.as_raw_fd());
        match listxattr_query(&*file) {
            Ok(0) | Err(Errno::OPNOTSUPP | Errno::NOSYS) => return Ok(Attributes::default()),
            Ok(_) => {}
            Err(error) => return Err(error.into()),
        }
        let mut names = vec![0; MOST_BYTES];
        let length = listxattr(&*file, &mut names[..])?;
        let mut value = vec![0; MOST_BYTES];
        let mut all = Vec::new();
        for name in each(&names[..length]).filter(|name| !MEASUREMENTS.contains(name)) {
            match getxattr(&*file, name, &mut value[..]) {
                Ok(length) => all.push((name.to_vec(), value[..length].to_vec())),
                // Removed meanwhile.
                Err(Errno::NODATA) => {}
                Err(error) => return Err(JailError::told(ErrorKind::AttributesLost, error)),
            }
        }
        Ok(Attributes(all))
    }

    pub(super) fn has_access_list(&self) -> bool {
        self.0.iter().any(|(name, _)| name == ACCESS_LIST)
    }

    /// Gives them to a new file. An access list that it inherited from its directory, and that the old file did not
    /// have, would let others in: it goes.
    pub(super) fn give(&self, file: &File) -> Result<(), JailError> {
        let mut names = [0; 4096];
        let length = match flistxattr(file, &mut names[..]) {
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => 0,
            // More names than that are never inherited, so this is not what it seems.
            listed => listed.map_err(lost)?,
        };
        let inherited = |name: &[u8]| each(&names[..length]).any(|own| own == name);
        if inherited(ACCESS_LIST) && !self.has_access_list() {
            fremovexattr(file, ACCESS_LIST).map_err(lost)?;
        }
        let mut value = vec![0; if length > 0 { MOST_BYTES } else { 0 }];
        for (name, wanted) in &self.0 {
            let own = if inherited(name) { fgetxattr(file, &**name, &mut value[..]).ok() } else { None };
            if own.is_some_and(|length| value[..length] == **wanted) {
                continue;
            }
            match fsetxattr(file, &**name, wanted, XattrFlags::empty()) {
                Err(Errno::PERM) if name == CAPABILITIES => {}
                set => set.map_err(lost)?,
            }
        }
        Ok(())
    }
}

fn each(names: &[u8]) -> impl Iterator<Item = &[u8]> {
    names.split(|&byte| byte == 0).filter(|name| !name.is_empty())
}

fn lost(error: Errno) -> JailError {
    match error {
        Errno::NOSPC | Errno::DQUOT => error.into(),
        _ => JailError::told(ErrorKind::AttributesLost, error),
    }
}
