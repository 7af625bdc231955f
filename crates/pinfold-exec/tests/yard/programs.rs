//! Which file runs: binaries, scripts, links, swaps, and what is passed over in `PATH`.

use std::{
    ffi::OsStr,
    fs::{self, Permissions},
    os::unix::fs::{PermissionsExt, symlink},
    time::Duration,
};

use pinfold_contract::RunEnd;
use pinfold_exec::{RunError, SearchPath, run};
use pinfold_shell::{Locate, NotLocatedKind, Program};
use tokio_util::sync::CancellationToken;

use super::ground::{Ground, PATH};

#[tokio::test]
async fn a_binary_keeps_its_name_as_it_was_written() {
    let ground = Ground::new();
    symlink("/bin/sh", ground.path().join("shell")).unwrap();
    assert_eq!(ground.run("./shell -c 'echo $0'").await.stdout().text(), "./shell\n");
    assert_eq!(ground.run("sh -c 'echo $0'").await.stdout().text(), "sh\n");
}

#[tokio::test]
async fn a_script_sees_the_path_it_was_found_at() {
    let ground = Ground::new();
    ground.program("bin/tool", "#!/bin/sh\necho \"$0 $*\"\n");
    assert_eq!(ground.run("./bin/tool 'a b' c").await.stdout().text(), "./bin/tool a b c\n");
    let path = format!("{}/bin:{PATH}", ground.path().display());
    let checked = ground.locate(&path, &[], "tool x").unwrap();
    let finished = run(checked, ground.terms(), CancellationToken::new()).await.unwrap();
    assert_eq!(finished.stdout().text(), format!("{}/bin/tool x\n", ground.path().display()));
}

#[tokio::test]
async fn a_link_out_of_the_directory_works_and_says_what_it_is() {
    let ground = Ground::new();
    fs::create_dir_all(ground.path().join("venv/bin")).unwrap();
    let real = fs::canonicalize("/bin/cat").unwrap();
    symlink(&real, ground.path().join("venv/bin/show")).unwrap();
    let checked = ground.locate(PATH, &[&ground.path()], "venv/bin/show /dev/null").unwrap();
    assert_eq!(checked.program().real_path(), real);
    assert_eq!(checked.program().resolved_name(), real.file_name().unwrap().to_str());
    assert_eq!(checked.program().found_at(), OsStr::new("venv/bin/show"));
}

#[tokio::test]
async fn a_swapped_binary_changes_nothing() {
    let ground = Ground::new();
    let tool = ground.path().join("tool");
    fs::copy("/bin/echo", &tool).unwrap();
    let checked = ground.check("./tool judged");
    fs::remove_file(&tool).unwrap();
    ground.program("tool", "#!/bin/sh\necho swapped\n");
    let finished = run(checked, ground.terms(), CancellationToken::new()).await.unwrap();
    assert_eq!(finished.stdout().text(), "judged\n");
}

#[tokio::test]
async fn a_swapped_script_is_refused() {
    let ground = Ground::new();
    ground.program("tool", "#!/bin/sh\necho judged\n");
    let checked = ground.check("./tool");
    ground.program("other", "#!/bin/sh\necho swapped\n");
    fs::rename(ground.path().join("other"), ground.path().join("tool")).unwrap();
    let error = run(checked, ground.terms(), CancellationToken::new()).await.unwrap_err();
    assert!(matches!(error, RunError::Changed { .. }), "{error}");
    assert!(error.hint().is_some());
}

#[tokio::test]
async fn writable_relative_and_empty_entries_are_passed_over() {
    let ground = Ground::new();
    ground.program("bin/cat", "#!/bin/sh\necho fooled\n");
    ground.program("bin/mine", "#!/bin/sh\n");
    let here = ground.path();
    symlink(here.join("bin"), here.join("link")).unwrap();
    for first in [
        format!("{}/bin", here.display()),
        format!("{}/link", here.display()),
        "bin".to_owned(),
        "./bin".to_owned(),
    ] {
        let path = format!("{first}:{PATH}");
        let skip = if first.starts_with('/') { vec![here.as_path()] } else { Vec::new() };
        let checked = ground.locate(&path, &skip, "cat x").unwrap();
        assert!(!checked.program().real_path().starts_with(&here), "{first}");
        let missing = ground.locate(&path, &skip, "mine").unwrap_err();
        assert!(missing.message().contains("passed over"), "{missing}");
        assert!(missing.hint().is_some());
    }
    ground.program("mine", "#!/bin/sh\n");
    assert!(ground.locate(&format!(":{PATH}:"), &[], "mine").unwrap_err().message().contains("passed over"));
}

#[tokio::test]
async fn a_file_elsewhere_that_leads_into_a_writable_root_is_passed_over() {
    let (ground, beside) = (Ground::new(), Ground::new());
    ground.program("mine", "#!/bin/sh\n");
    symlink(ground.path().join("mine"), beside.path().join("mine")).unwrap();
    let path = beside.path().display().to_string();
    assert!(ground.locate(&path, &[], "mine").is_ok());
    assert!(ground.locate(&path, &[&ground.path()], "mine").unwrap_err().message().contains("passed over"));
}

#[tokio::test]
async fn the_first_that_can_be_executed_wins() {
    let ground = Ground::new();
    let plain = ground.program("a/tool", "#!/bin/sh\n");
    fs::set_permissions(plain, Permissions::from_mode(0o644)).unwrap();
    fs::create_dir_all(ground.path().join("b/tool")).unwrap();
    ground.program("c/tool", "#!/bin/sh\n");
    let here = ground.path().display().to_string();
    let checked = ground.locate(&format!("{here}/gone:{here}/a:{here}/b:{here}/c"), &[], "tool").unwrap();
    assert!(checked.program().found_at().ends_with("c/tool"));
    let missing = ground.locate(&format!("{here}/a"), &[], "tool").unwrap_err();
    assert_eq!(missing.kind(), NotLocatedKind::NotExecutable);
}

#[tokio::test]
async fn without_a_path_the_hint_names_the_policy() {
    let ground = Ground::new();
    let missing = SearchPath::new(None, Vec::new(), ground.cwd()).locate("cat").unwrap_err();
    assert!(missing.to_string().contains("shell.inheritEnv = [\"PATH\"]"), "{missing}");
    assert!(SearchPath::new(None, Vec::new(), ground.cwd()).locate("/bin/cat").is_ok());
}

#[tokio::test]
async fn what_is_no_program_is_said() {
    let ground = Ground::new();
    fs::write(ground.path().join("text"), "x").unwrap();
    fs::create_dir(ground.path().join("dir")).unwrap();
    for (line, kind) in [
        ("./gone", NotLocatedKind::NotFound),
        ("./text", NotLocatedKind::NotExecutable),
        ("./dir", NotLocatedKind::NotExecutable),
        ("/dev/null", NotLocatedKind::NotExecutable),
        ("no-such-program-here", NotLocatedKind::NotFound),
    ] {
        assert_eq!(ground.locate(PATH, &[], line).unwrap_err().kind(), kind, "{line}");
    }
}

#[tokio::test]
async fn what_the_kernel_cannot_start_is_an_error_with_a_hint() {
    let ground = Ground::new();
    ground.program("plain", "echo x\n");
    ground.program("astray", "#!/no/such/interpreter\n");
    for line in ["./plain", "./astray"] {
        let error = run(ground.check(line), ground.terms(), CancellationToken::new()).await.unwrap_err();
        assert!(matches!(error, RunError::Start { .. }), "{error}");
        assert!(error.hint().is_some(), "{line}: {error}");
    }
}

#[tokio::test]
async fn a_program_that_is_still_being_written_is_waited_for_a_moment() {
    let ground = Ground::new();
    fs::copy("/bin/true", ground.path().join("tool")).unwrap();
    let writer = fs::OpenOptions::new().append(true).open(ground.path().join("tool")).unwrap();
    let error = run(ground.check("./tool"), ground.terms(), CancellationToken::new()).await.unwrap_err();
    assert!(error.to_string().contains("busy"), "{error}");
    let running = tokio::spawn(run(ground.check("./tool"), ground.terms(), CancellationToken::new()));
    tokio::time::sleep(Duration::from_millis(30)).await;
    drop(writer);
    assert_eq!(running.await.unwrap().unwrap().end(), RunEnd::Exited(0));
}

#[tokio::test]
async fn the_path_of_the_command_leaves_out_what_is_passed_over() {
    let ground = Ground::new();
    ground.program("bin/tool", "#!/bin/sh\n");
    let here = ground.path();
    symlink(here.join("bin"), here.join("link")).unwrap();
    let shown = here.display();
    let kept = |path: &str| {
        let search = SearchPath::new(Some(OsStr::new(path)), vec![here.clone()], ground.cwd());
        search.path_for_command()
    };
    let path = format!("{shown}/bin:bin::/usr/bin:{shown}/link:{shown}/later:/no/such/place:/bin");
    assert_eq!(kept(&path), Some("/usr/bin:/bin".into()));
    assert_eq!(kept(&format!("{shown}/bin:.")), None);
    assert_eq!(SearchPath::new(None, Vec::new(), ground.cwd()).path_for_command(), None);
}
