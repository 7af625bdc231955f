//! The schema: that it says yes to what is read, and no to what is not.

use super::*;
use crate::policy::file::Format;

fn says(text: &str) -> bool {
    let value: Value = toml::from_str(text).unwrap();
    jsonschema::validator_for(&schema()).unwrap().is_valid(&value)
}

#[test]
fn says_yes_to_what_is_read() {
    let whole = toml::to_string(&Policy::for_agent("/srv/app").allow(["git"])).unwrap();
    for text in [
        whole.as_str(),
        "",
        "cwd = '/a'\ndeny_paths = ['x']\n[shell]\nallow = ['git', {name = 'npm', misses = ['ls']}]\n\
         deny_patterns = ['git push', {regex = 'x', matches = ['x']}, {prefix = 'rm'}]\nbackground = true\n\
         [shell.env]\nCI = '1'\n[read]\nmax_bytes = 3",
        "[shell.background]\nmax_jobs = 2\n[tests]\ncommand = 'cargo test'\n[search]\nnested_quantifiers = 'allow'",
        "backend = 'mock'\n[shell]\nkeep_output = 'head'\nresolve = 'strict'",
    ] {
        assert!(says(text), "{text}");
        Policy::from_text_at(text, Format::Toml, std::path::Path::new("/a")).unwrap();
    }
}

#[test]
fn says_no_to_what_is_refused() {
    for text in [
        "deny_path = []",
        "read_only = 'yes'",
        "deny_paths = 'x'",
        "[shell]\nallow = [{nam = 'git'}]",
        "[shell]\nallow = ['git push']",
        "[shell]\nbackground = 3",
        "[shell]\ndeny_patterns = [{regex = 'x', prefix = 'y'}]",
        "[shell]\ntimeout_ms = -1",
        "[read]\nmax_byte = 1",
        "backend = 'ram'",
    ] {
        assert!(!says(text), "{text}");
        assert!(Policy::from_text_at(text, Format::Toml, std::path::Path::new("/a")).is_err(), "{text}");
    }
}

#[test]
fn fields_know_their_section() {
    let fields = fields();
    let has = |section: &str, name: &str| fields.contains(&(section.to_owned(), name.to_owned()));
    assert!(
        has("", "denyPaths")
            && has("shell", "timeoutMs")
            && has("read", "maxBytes")
            && has("tests", "command")
    );
}
