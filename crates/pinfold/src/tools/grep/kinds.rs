//! File types by name, such as `rust`: ripgrep's own table.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

use ignore::types::{Types, TypesBuilder};

use crate::{Failure, FailureType, policy::nearest::nearest, words::clipped};

/// Files of any of these types, told by name or ending; none: of every type.
pub(super) fn named(names: &[String]) -> Result<Option<Types>, Failure> {
    if names.is_empty() {
        return Ok(None);
    }
    let mut table = TypesBuilder::new();
    table.add_defaults();
    let known = table.definitions();
    for name in names {
        // `rs` means the type that has `*.rs`.
        let ending = format!("*.{name}");
        let named = known.iter().find(|one| one.name() == name);
        let meant = named.or_else(|| known.iter().find(|one| one.globs().contains(&ending)));
        let meant = meant.ok_or_else(|| unknown(name, known.iter().map(|one| one.name())))?;
        table.select(meant.name());
    }
    let refused = |error| Failure::new(FailureType::BadArguments, format!("type cannot be used: {error}."));
    table.build().map(Some).map_err(refused)
}

pub(super) fn has(kinds: &Types, name: &[u8]) -> bool {
    kinds.matched(OsStr::from_bytes(name), false).is_whitelist()
}

fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Failure {
    let hint = match nearest(name, known) {
        Some(meant) => format!("Did you mean `{meant}`?"),
        None => "Types are languages, such as `rust`, `py`, `ts`, `md`; or use glob: `*.rs`.".to_owned(),
    };
    Failure::new(FailureType::BadArguments, format!("There is no file type `{}`.", clipped(name))).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_told_by_the_name_of_the_file() {
        let kinds = named(&["rs".into(), "make".into()]).unwrap().unwrap();
        let taken = ["a.rs", "Makefile", "a.mk", "a.rs.md", "rs"].map(|name| has(&kinds, name.as_bytes()));
        assert_eq!(taken, [true, true, true, false, false]);
        assert!(named(&[]).unwrap().is_none());
    }

    #[test]
    fn another_name_is_refused_with_the_nearest() {
        let failure = named(&["pyton".into()]).unwrap_err();
        assert_eq!(failure.advice(), Some("Did you mean `python`?"), "{failure}");
        assert!(named(&["all".into()]).is_err(), "not a type of the table");
    }
}
