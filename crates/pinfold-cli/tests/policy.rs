//! `pinfold policy`, as people and scripts call it.

#![allow(clippy::disallowed_methods, reason = "a test starts programs and lays out files")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test panics when it fails")]

#[path = "support/command.rs"]
mod support;

use std::{fs, path::Path};

use serde_json::Value;
use support::{in_folder, pinfold, said, settled, told};
use tempfile::TempDir;

/// Each file says what is wrong with it, where, and what to write; the text beside it is what it has to say.
#[test]
fn broken_policies_point_at_the_place_and_say_what_to_write() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.ends_with(".txt"))
        .collect();
    names.sort();
    assert!(names.len() >= 40, "{}", names.len());
    for name in names {
        let output = in_folder(&folder, &["policy", "check", &name]);
        assert_eq!(output.status.code(), Some(1), "{name}: {}", said(&output));
        settled(&folder.join(&name).with_extension("txt"), &told(&output));
        let json: Value =
            serde_json::from_slice(&in_folder(&folder, &["policy", "check", "--json", &name]).stdout)
                .unwrap();
        assert_eq!(json["error"]["type"], "bad-policy", "{name}");
        // A file without a root has no place to point at.
        let placed = json["error"]["message"].as_str().unwrap().contains("at line ");
        assert!(placed || name.contains("no-root"), "{name}");
    }
}

#[test]
fn findings_stand_where_they_are_and_decide_the_exit_status() {
    let dir = TempDir::new().unwrap();
    let text = "cwd = '/usr'\ndeny_paths = ['.env*']\n[shell]\nallow = [\n  'cargo',\n  'sh',\n]\n";
    fs::write(dir.path().join("p.toml"), text).unwrap();
    let output = in_folder(dir.path(), &["policy", "check", "p.toml"]);
    assert_eq!(output.status.code(), Some(1));
    let expected = "warning: `sh` is a shell: it runs any command line, so no other rule about commands holds any more.\n  \
                    --> p.toml:6:3\n  |\n6 |   'sh',\n  |   ^^^^\n  Allow the programs that are needed instead.\n\n\
                    p.toml: 1 to mend, 1 to know\n";
    assert!(said(&output).ends_with(expected), "{}", said(&output));
    fs::write(dir.path().join("p.toml"), text.replace("  'sh',\n", "")).unwrap();
    let output = in_folder(dir.path(), &["policy", "check", "p.toml", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let findings: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&findings[0]["field"], &findings[0]["line"]), (&"shell.allow[0]".into(), &5.into()));
}

#[test]
fn examples_are_listed() {
    let dir = TempDir::new().unwrap();
    let text = "cwd = '/usr'\n[shell]\nallow = [{name = 'git', matches = ['git log']}]\n\
                deny_patterns = [{regex = '^git push', matches = ['git push x'], misses = ['git pull']}]\n";
    fs::write(dir.path().join("p.toml"), text).unwrap();
    let output = in_folder(dir.path(), &["policy", "test", "p.toml"]);
    let expected = "ok  git log  matches git\nok  git push x  matches ^git push\nok  git pull  misses ^git push\n3 examples hold\n";
    assert_eq!((output.status.code(), said(&output).as_str()), (Some(0), expected));
}

#[test]
fn what_holds_is_shown_with_where_it_comes_from() {
    let dir = TempDir::new().unwrap();
    let root = dir.path().join("w");
    fs::create_dir(&root).unwrap();
    fs::write(root.join("pinfold.toml"), "deny_paths = ['more']\n[shell]\ntimeout_ms = 5\n").unwrap();
    let text = "deny_paths = [\n  '.env*',\n]\n[shell]\nallow = ['git']\ntimeout_ms = 9\n";
    fs::write(dir.path().join("p.toml"), text).unwrap();
    let output = in_folder(dir.path(), &["policy", "show", "--policy", "p.toml", "--root", "w", "--json"]);
    let rows: Value = serde_json::from_slice(&output.stdout).unwrap();
    let of = |field: &str| {
        let row = rows.as_array().unwrap().iter().find(|row| row["field"] == field);
        let row = row.unwrap_or_else(|| panic!("{field}: {rows}"));
        (row["value"].clone(), row["from"].as_str().unwrap().to_owned())
    };
    assert_eq!(of("cwd").1, "--root");
    assert_eq!(of("denyPaths[0]"), (".env*".into(), "p.toml:2".into()));
    assert_eq!(of("denyPaths[1]"), ("more".into(), "pinfold.toml:1 (narrows)".into()));
    assert_eq!(of("shell.allow[0]"), ("git".into(), "p.toml:5".into()));
    assert_eq!(of("shell.timeoutMs"), (5.into(), "pinfold.toml:3 (narrows)".into()));
    assert_eq!(of("read.defaultLines"), (2_000.into(), "default".into()));
    let bare = in_folder(&root, &["policy", "show", "--allow", "ls", "--read-only"]);
    for line in ["shell.allow[0] = \"ls\"", "--allow", "readOnly = true", "--read-only", "current directory"]
    {
        assert!(said(&bare).contains(line), "{line}: {}", said(&bare));
    }
}

#[test]
fn limits_and_schema_are_json() {
    let limits: Value = serde_json::from_slice(&pinfold(&["policy", "limits", "--json"]).stdout).unwrap();
    let lines = limits.as_array().unwrap().iter().find(|row| row["id"] == "read.lines").unwrap().clone();
    assert_eq!((&lines["value"], &lines["class"]), (&2_000.into(), &"policy".into()));
    let schema: Value = serde_json::from_slice(&pinfold(&["policy", "schema"]).stdout).unwrap();
    assert_eq!(schema["properties"]["deny_paths"]["type"], "array");
    assert!(said(&pinfold(&["policy", "limits"])).contains("1,048,576 bytes of each stream"));
}

/// The files that a project is known by, the command that its tests are run with, its kind, and whether there is
/// nothing to mend.
type Starter<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a str, bool);

#[test]
fn a_starter_fits_its_project_and_has_nothing_to_mend() {
    let cases: &[Starter<'_>] = &[
        (&[("Cargo.toml", "[package]")], "cargo test", "Rust", true),
        (&[("package.json", r#"{"scripts": {"test": "node --test"}}"#)], "npm test --", "Node", true),
        (
            &[("package.json", r#"{"scripts": {"test": "x"}}"#), ("pnpm-lock.yaml", "")],
            "pnpm test",
            "Node",
            true,
        ),
        (&[("pyproject.toml", "dependencies = ['pytest']")], "pytest", "Python", true),
        (&[("pyproject.toml", "pytest"), ("uv.lock", "")], "uv run pytest", "Python", true),
        // Python as such runs anything, and the check says so.
        (&[("setup.py", "")], "python3 -m unittest", "Python", false),
        (&[("go.mod", "module x")], "go test ./...", "Go", true),
        (&[("Makefile", "test:\n\ttrue\n")], "make test", "make", true),
    ];
    for (files, command, kind, fine) in cases {
        let dir = TempDir::new().unwrap();
        let root = dir.path().join("shop");
        fs::create_dir(&root).unwrap();
        files.iter().for_each(|(name, text)| fs::write(root.join(name), text).unwrap());
        let file = dir.path().join("policy.toml");
        let output = pinfold(&["policy", "init", root.to_str().unwrap(), "--output", file.to_str().unwrap()]);
        assert!(
            output.status.success() && said(&output).contains(kind),
            "{}{}",
            said(&output),
            told(&output)
        );
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(&format!("command = \"{command}\"")), "{text}");
        let check = pinfold(&["policy", "check", file.to_str().unwrap()]);
        assert_eq!(check.status.success(), *fine, "{kind}: {}{}", said(&check), told(&check));
        // Nothing is overwritten without being told to.
        let again = pinfold(&["policy", "init", root.to_str().unwrap(), "--output", file.to_str().unwrap()]);
        assert_eq!(again.status.code(), Some(1));
        assert!(told(&again).contains("--force"), "{}", told(&again));
        let forced = pinfold(&[
            "policy",
            "init",
            root.to_str().unwrap(),
            "--output",
            file.to_str().unwrap(),
            "--force",
        ]);
        assert!(forced.status.success());
    }
}

/// Rule files as people have them, with the policy that comes of each, and the list of what was lost.
#[test]
fn rules_of_other_programs_become_policies() {
    for (origin, extension) in [("claude-code", "json"), ("codex", "rules")] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/import").join(origin);
        let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.retain(|path| path.extension().is_some_and(|own| own == extension));
        names.sort();
        assert!(names.len() >= 5);
        for path in names {
            let name = path.file_name().unwrap().to_str().unwrap();
            let mut command =
                support::command(&["policy", "import", "--from", origin, "--root", "/srv/shop", name]);
            let output = command.env("HOME", "/home/ada").current_dir(&folder).output().unwrap();
            assert!(output.status.success(), "{name}: {}", told(&output));
            settled(&path.with_extension("toml"), &said(&output));
            settled(&path.with_extension("txt"), &told(&output));
        }
    }
}

/// What a rule allowed is allowed, and nothing else is.
#[test]
fn an_imported_policy_allows_no_more_than_the_rules_did() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/import");
    let rows = fs::read_to_string(folder.join("lines.tsv")).unwrap();
    for row in rows.lines() {
        let [file, verdict, line] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let output = in_folder(&folder, &["check", "--policy", file, "--", line]);
        let status = if verdict == "allowed" { 0 } else { 3 };
        assert_eq!(output.status.code(), Some(status), "{row}\n{}{}", said(&output), told(&output));
    }
}
