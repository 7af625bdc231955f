//! Tests of the skip: its line, and its log.

use std::{env, fs, panic::Location};

use crate::{
    need,
    skip::{append, line},
};

#[test]
fn what_is_found_is_given_back() {
    assert_eq!(need("a number", Some(7)), Some(7));
}

#[test]
fn a_line_names_test_place_and_reason() {
    let line = line(Some("jail::loops"), Location::caller(), "needs links");
    assert!(line.starts_with("jail::loops (") && line.contains("tests.rs:"), "{line}");
    assert!(line.ends_with("): needs links"), "{line}");
}

#[test]
fn the_log_gets_a_line_each() {
    let log = env::temp_dir().join(format!("pinfold-testkit-{}", std::process::id()));
    append(&log, "one").unwrap();
    append(&log, "two").unwrap();
    assert_eq!(fs::read_to_string(&log).unwrap(), "one\ntwo\n");
    fs::remove_file(&log).unwrap();
}
