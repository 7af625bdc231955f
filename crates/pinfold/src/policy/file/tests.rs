//! Policy files: what is read, what is refused, and in which words.

use std::path::PathBuf;

use super::*;
use crate::policy::{BackendKind, NestedQuantifiers};

fn message(result: Result<Policy, Failure>) -> String {
    let failure = result.expect_err("refused");
    assert_eq!(failure.failure_type(), FailureType::BadPolicy);
    failure.to_string()
}

#[test]
fn both_formats_and_both_spellings_are_one_policy() {
    let texts = [
        (
            Format::Json,
            r#"{"cwd": "/a", "denyPaths": [".env*"], "readOnly": true, "backend": "mock",
            "shell": {"allow": ["git"], "inheritEnv": ["PATH"], "timeoutMs": 5, "interpreter": "none", "denyPatterns": []},
            "read": {"maxBytes": 10}, "search": {"nestedQuantifiers": "allow"}}"#,
        ),
        (
            Format::Json,
            r#"{"cwd": "/a", "deny_paths": [".env*"], "read_only": true, "backend": "memory",
            "shell": {"allow": ["git"], "inherit_env": ["PATH"], "timeout_ms": 5, "background": null, "argument_table": true},
            "read": {"max_bytes": 10}, "search": {"nested_quantifiers": "allow"}}"#,
        ),
        (
            Format::Toml,
            "cwd = '/a'\ndeny_paths = ['.env*']\nread_only = true\nbackend = 'mock'\n[shell]\nallow = ['git']\n\
             inheritEnv = ['PATH']\ntimeoutMs = 5\ninterpreter = 'none'\ndeny_patterns = []\n[read]\nmax_bytes = 10\n\
             [search]\nnested_quantifiers = 'allow'\n",
        ),
    ];
    let policies = texts.map(|(format, text)| Policy::from_text(text, format).unwrap());
    assert!(policies.iter().all(|policy| *policy == policies[0]));
    let [policy, ..] = policies;
    assert_eq!(
        (policy.cwd, policy.backend, policy.read_only),
        (PathBuf::from("/a"), BackendKind::Memory, true)
    );
    assert_eq!(policy.read.max_bytes, Some(10));
    assert_eq!(policy.search.nested_quantifiers, NestedQuantifiers::Allow);
    let shell = policy.shell.unwrap();
    assert_eq!((shell.timeout_ms, shell.max_output_bytes), (5, 1_048_576));
}

#[test]
fn a_shell_section_is_a_shell_and_none_is_none() {
    assert!(Policy::from_json(r#"{"cwd": "/a"}"#).unwrap().shell.is_none());
    assert!(Policy::from_json(r#"{"cwd": "/a", "shell": null}"#).unwrap().shell.is_none());
    assert_eq!(Policy::from_json(r#"{"cwd": "/a", "shell": {}}"#).unwrap().shell, Some(Default::default()));
    assert_eq!(Policy::from_toml("cwd = '/a'\n[shell]\n").unwrap().shell, Some(Default::default()));
}

#[test]
fn a_byte_order_mark_is_not_text() {
    assert!(Policy::from_json("\u{feff}{\"cwd\": \"/a\"}").is_ok());
    assert!(Policy::from_toml("\u{feff}cwd = '/a'").is_ok());
}

#[test]
fn the_root_may_come_from_the_door() {
    assert!(message(Policy::from_toml("read_only = true")).contains("`cwd` is missing"));
    assert!(message(Policy::from_json("{}")).contains("`cwd` is missing"));
    for text in ["{}", r#"{"cwd": "/other"}"#] {
        let policy = Policy::from_text_at(text, Format::Json, Path::new("/here")).unwrap();
        assert_eq!(policy.cwd, PathBuf::from("/here"));
    }
}

#[test]
fn refusals_say_where_and_what_was_meant() {
    let cases = [
        (
            Format::Json,
            "{\"cwd\": \"/a\",\n \"denyPath\": []}",
            "line 2, column 2",
            "Did you mean `denyPaths`?",
        ),
        (Format::Toml, "cwd = '/a'\ndenyPath = []", "line 2, column 1", "Did you mean `deny_paths`?"),
        (
            Format::Json,
            r#"{"cwd": "/a", "shell": {"alow": []}}"#,
            "line 1, column 25",
            "Did you mean `allow`?",
        ),
        (Format::Toml, "cwd = '/a'\n[shell]\nalow = []", "line 3, column 1", "Did you mean `allow`?"),
        (Format::Toml, "cwd = '/a'\nbackend = 'memry'", "line 2, column 11", "Did you mean `memory`?"),
        (Format::Json, r#"{"cwd": "/a", "backend": "memry"}"#, "line 1, column 26", "Did you mean `memory`?"),
        (
            Format::Json,
            r#"{"cwd": "/a", "quota": 1}"#,
            "line 1, column 15",
            "unknown field `quota`; known here are `cwd`, `allowPaths`, `denyPaths`",
        ),
        (Format::Toml, "cwd = '/a'\nread = 3", "line 2, column 8", "read = 3\n  |        ^"),
        (Format::Toml, "cwd = '/a'\ncwd = '/b'", "line 2, column 1", "duplicate key"),
        (Format::Json, r#"{"cwd": "/a", "denyPaths": [], "deny_paths": []}"#, "column 32", "duplicate field"),
        (Format::Json, "{\"cwd\": \"/a\",\n}", "line 2", "trailing comma"),
        (Format::Json, "", "line 1, column 1", "EOF"),
        (Format::Toml, "cwd = ", "line 1", "cwd = "),
        (Format::Json, r#"{"cwd": "src"}"#, "column 9", "the path `src` is relative"),
        (Format::Toml, "cwd = 'src'", "column 7", "the path `src` is relative"),
        (
            Format::Toml,
            "cwd = '/a'\nallowPaths = ['/b', '../c']",
            "line 2, column 21",
            "the path `../c` is relative",
        ),
        (
            Format::Json,
            r#"{"cwd": "/a", "read": {"maxBytes": -1}}"#,
            "column 36",
            "a whole number, 0 or more, not `-1`",
        ),
    ];
    for (format, text, place, words) in cases {
        let message = message(Policy::from_text(text, format));
        assert!(message.contains(place) && message.contains(words), "{text}\n{message}");
    }
}

#[test]
fn a_rule_that_cannot_be_enforced_is_refused() {
    let rules = [
        ("allowCommand", r#""check.sh""#, "cannot enforce `shell."),
        ("interpreter", r#""bash""#, "unknown word `bash`; known here are `none`, `sh`"),
    ];
    for (field, value, words) in rules {
        let json = format!("{{\"cwd\": \"/a\", \"shell\": {{\n  \"{field}\": {value}\n}}}}");
        let toml = format!("cwd = '/a'\n[shell]\n{field} = {value}");
        for (message, line) in
            [(message(Policy::from_json(&json)), 2), (message(Policy::from_toml(&toml)), 3)]
        {
            assert!(message.contains(words), "{message}");
            assert!(message.contains(&format!("at line {line}, column")), "{field}: {message}");
        }
    }
}

#[test]
fn background_is_a_word_or_its_limits() {
    let shell = |value: &str| {
        let json = Policy::from_json(&format!(r#"{{"cwd": "/a", "shell": {{"background": {value}}}}}"#));
        json.map(|policy| policy.shell.unwrap().background)
    };
    let limits = |max_jobs, timeout_ms| Some(crate::policy::BackgroundPolicy { max_jobs, timeout_ms });
    assert_eq!(shell("true").unwrap(), limits(4, None));
    assert_eq!(shell("false").unwrap(), None);
    assert_eq!(shell("null").unwrap(), None);
    assert_eq!(shell(r#"{"maxJobs": 2, "timeout_ms": 5}"#).unwrap(), limits(2, Some(5)));
    assert!(
        message(Policy::from_json(r#"{"cwd": "/a", "shell": {"background": {"maxJob": 2}}}"#))
            .contains("maxJobs")
    );
    assert!(shell("3").is_err() && shell(r#"{"persist": true}"#).is_err());
    let toml = Policy::from_toml("cwd = '/a'\n[shell.background]\nmax_jobs = 1").unwrap();
    assert_eq!(Policy::from_toml(&toml::to_string(&toml).unwrap()).unwrap(), toml);
    assert_eq!(toml.shell.unwrap().background, limits(1, None));
}

#[test]
fn rules_about_uses_are_read_and_tried() {
    let json = r#"{"cwd": "/a", "shell": {"allow": ["git", {"name": "npm", "matches": ["npm ci"]}], "resolve": "strict",
        "denyPatterns": ["git push", {"regex": "^npm publish\\b", "misses": ["npm pack"]}], "argumentTable": false}}"#;
    let toml = "cwd = '/a'\n[shell]\nallow = ['git', {name = 'npm', matches = ['npm ci']}]\nresolve = 'strict'\n\
        deny_patterns = ['git push', {regex = '^npm publish\\b', misses = ['npm pack']}]\nargument_table = false\n";
    let policy = Policy::from_json(json).unwrap();
    assert_eq!(policy, Policy::from_toml(toml).unwrap());
    assert_eq!(Policy::from_json(&serde_json::to_string(&policy).unwrap()).unwrap(), policy);
    assert_eq!(Policy::from_toml(&toml::to_string(&policy).unwrap()).unwrap(), policy);
    let reason = |line: &str| policy.check_shell_command(line).unwrap().reason.map(|reason| reason.as_str());
    let lines = [
        ("git log", None),
        ("git -c core.pager=x log", None),
        ("git push", Some("denied-pattern")),
        ("npm publish x", Some("denied-pattern")),
        ("./npm ci", Some("not-allowed")),
        ("/a/git log", Some("not-allowed")),
        ("ls", Some("not-allowed")),
    ];
    for (line, expected) in lines {
        assert_eq!(reason(line), expected, "{line}");
    }
}

#[test]
fn rules_that_cannot_be_kept_are_refused_where_they_stand() {
    let cases = [
        ("deny_patterns = ['ok', {regex = '('}]", "never closed"),
        ("deny_patterns = [{regex = 'a', matchs = []}]", "Did you mean `matches`?"),
        (
            "deny_patterns = [{prefix = 'git push', misses = ['git push x']}]",
            "`git push x` of `git push` is wrong",
        ),
        ("deny_patterns = ['git | sh']", "A pipe"),
        ("allow = [{name = 'git', matches = ['gitk']}]", "`gitk` of `git` is wrong"),
        ("allow = ['git push']", "has a blank in it"),
        ("deny = ['/bin/rm']", "write `rm` instead"),
        ("resolve = 'strickt'", "Did you mean `strict`?"),
    ];
    for (line, words) in cases {
        let said = message(Policy::from_toml(&format!("cwd = '/a'\n[shell]\n{line}")));
        assert!(said.contains("at line 3, column") && said.contains(words), "{line}\n{said}");
    }
}

#[test]
fn the_whole_refusal_reads_well() {
    let text = "cwd = '/a'\n\n[shell]\n\tinheritEnvs = ['PATH']\n";
    let shown = Policy::from_toml(text).unwrap_err().to_string();
    let expected = "The policy is not valid at line 4, column 2: unknown field `inheritEnvs`.\n";
    assert!(shown.starts_with(expected), "{shown}");
    let drawn = "  |\n4 | \tinheritEnvs = ['PATH']\n  | \t^^^^^^^^^^^ Did you mean `inherit_env`?";
    assert!(shown.ends_with(drawn), "{shown}");
}

#[test]
fn the_name_of_a_file_says_its_format_or_its_text_does() {
    let cases = [
        ("p.toml", "{", Format::Toml),
        ("p.json", "", Format::Json),
        ("/dev/stdin", " \n{}", Format::Json),
        ("policy", "cwd = '/a'", Format::Toml),
    ];
    for (file, text, format) in cases {
        assert_eq!(Format::of(Path::new(file), text), format, "{file}");
    }
}

#[test]
fn nothing_is_opened_wider_by_null_or_by_order() {
    for text in [
        r#"{"cwd": "/a", "shell": {"allow": null}}"#,
        r#"{"cwd": "/a", "shell": []}"#,
        r#"{"cwd": "/a", "read": [1]}"#,
        r#"["/a", [], ["x"]]"#,
        "[]",
    ] {
        assert!(Policy::from_json(text).is_err(), "{text}");
        assert!(Policy::from_text_at(text, Format::Json, Path::new("/a")).is_err(), "{text}");
    }
    assert!(Policy::from_toml("cwd = \"/a\"\nshell = []").is_err());
}
