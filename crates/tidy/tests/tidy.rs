//! Runs every rule over this repository.

#![allow(clippy::panic, reason = "a test panics when it fails")]

use std::path::Path;

use tidy::{Complaint, Repo, arrows, attacks, contents, docs, forgotten, lengths, names, papers, words};

fn keep(rule: fn(&Repo) -> Vec<Complaint>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let repo = Repo::read(&root).unwrap_or_else(|error| panic!("cannot read {}: {error}", root.display()));
    assert!(repo.get("crates/tidy/tests/tidy.rs").is_some(), "{} is not the repository", root.display());
    let said: Vec<String> = rule(&repo).iter().map(ToString::to_string).collect();
    assert!(said.is_empty(), "\n{} to tidy up:\n  {}\n", said.len(), said.join("\n  "));
}

#[test]
fn files_and_functions_are_short() {
    keep(lengths::check);
}

#[test]
fn every_module_says_what_it_is_for() {
    keep(docs::check);
}

#[test]
fn modules_have_real_names() {
    keep(names::check);
}

#[test]
fn lib_rs_is_a_table_of_contents() {
    keep(contents::check);
}

#[test]
fn dependency_arrows_are_those_of_the_design() {
    keep(arrows::check);
}

#[test]
fn papers_are_in_order() {
    keep(papers::check);
}

#[test]
fn every_known_attack_has_its_test() {
    keep(attacks::check);
}

#[test]
fn no_test_file_is_forgotten() {
    keep(forgotten::check);
}

#[test]
fn nothing_is_ignored_unfinished_or_of_one_machine() {
    keep(words::check);
}
