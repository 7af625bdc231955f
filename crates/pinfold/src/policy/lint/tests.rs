//! Findings: each about its field, and none about a policy that is as it should be.

use super::*;

fn findings(text: &str) -> Vec<(String, Level)> {
    let policy =
        Policy::from_toml(&format!("cwd = '/srv/app'\n{text}")).unwrap_or_else(|no| panic!("{text}\n{no}"));
    policy.lint().into_iter().map(|found| (found.field, found.level)).collect()
}

#[test]
fn the_policy_of_an_agent_has_only_notes() {
    assert_eq!(Policy::for_agent("/srv/app").lint(), []);
    let found = Policy::for_agent("/srv/app").allow(["git", "cargo"]).lint();
    assert!(found.iter().all(|one| one.level == Level::Note), "{found:?}");
}

#[test]
fn every_kind_is_found_where_it_stands() {
    let env = "deny_paths = ['.env*']\n";
    let cases = [
        ("", "denyPaths"),
        ("deny_paths = ['.env*', 'x', 'x']", "denyPaths[2]"),
        ("deny_paths = ['.env*', '!y']", "denyPaths[1]"),
        ("deny_paths = ['.env*', 'd', '!d/y']", "denyPaths[2]"),
        ("deny_paths = ['.env*', 'd']\ndeny_write_paths = ['d']", "denyWritePaths[0]"),
        ("deny_paths = ['.env*']\nallow_paths = ['/']", "allowPaths[0]"),
        ("deny_paths = ['.env*']\nallow_paths = ['/usr', '/srv']", "allowPaths[1]"),
        ("deny_paths = ['.env*']\nallow_paths = ['/srv/app/docs']", "allowPaths[0]"),
        ("read_only = true\ndeny_paths = ['.env*']\n[shell]\nallow = []", "shell"),
        ("deny_paths = ['.env*']\n[tests]\ncommand = 'cargo test'", "tests.command"),
    ];
    for (text, field) in cases {
        assert_eq!(findings(text), [(field.to_owned(), Level::Warning)], "{text}");
    }
    let shells = [
        ("", "shell"),
        ("allow = ['ls', 'sh']", "shell.allow[1]"),
        ("allow = ['/usr/bin/sudo']", "shell.allow[0]"),
        ("allow = ['python3']", "shell.allow[0]"),
        ("allow = ['npx']", "shell.allow[0]"),
        ("allow = ['docker']", "shell.allow[0]"),
        ("allow = ['curl']", "shell.allow[0]"),
        ("allow = ['xargs']", "shell.allow[0]"),
        ("allow = ['git']", "shell.allow[0]"),
        ("allow = ['ls', 'ls']", "shell.allow[1]"),
        ("allow = ['ls']\ndeny = ['LS']", "shell.allow[0]"),
        ("allow = ['ls']\ndeny_patterns = ['rm -rf']", "shell.denyPatterns[0]"),
        ("allow = ['ls']\ndeny_patterns = ['ls -R', 'ls -R']", "shell.denyPatterns[1]"),
        ("allow = ['ls']\ninherit_env = ['PATH', 'GITHUB_TOKEN']", "shell.inheritEnv[1]"),
        ("allow = ['ls']\ninherit_env = ['CI']\nenv = {CI = '1'}", "shell.inheritEnv[0]"),
    ];
    for (text, field) in shells {
        assert_eq!(
            findings(&format!("{env}[shell]\n{text}")),
            [(field.to_owned(), Level::Warning)],
            "{text}"
        );
    }
}

#[test]
fn what_is_as_it_should_be_is_not_found() {
    for text in [
        "deny_paths = ['.env*', '!.env.example', 'd/*', '!d/y']",
        "deny_paths = ['.env*']\nallow_paths = ['/usr/share/doc']\n[shell]\nallow = ['ls']\ndeny_patterns = ['ls -R', {regex = 'x'}]",
        "deny_paths = ['.env*']\n[shell]\nallow = ['ls']\n[tests]\ncommand = 'ls -l'",
    ] {
        assert_eq!(findings(text), [], "{text}");
    }
}
