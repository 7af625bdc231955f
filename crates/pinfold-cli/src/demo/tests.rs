//! The demo's session is played for real, and one that lies is found out.

use pinfold::{Policy, Workspace};

use super::{folder::Folder, player, recording::Recording, show};

/// Plays the session; returns how many calls were refused, and every surprise.
fn play(recording: &Recording) -> (usize, Vec<String>) {
    let folder = Folder::lay_out(recording).unwrap();
    let policy = Policy::for_agent(folder.root()).allow(recording.allow.iter().map(String::as_str));
    let workspace = Workspace::open(policy).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let played: Vec<_> =
        recording.steps.iter().map(|step| runtime.block_on(player::play(&workspace, step))).collect();
    let refused = played.iter().filter(|outcome| outcome.answer.is_err()).count();
    (refused, played.into_iter().filter_map(|outcome| outcome.surprise).collect())
}

#[test]
fn it_ends_as_recorded() {
    let recording = Recording::of_the_demo().unwrap();
    let (refused, surprises) = play(&recording);
    assert_eq!(surprises, [""; 0]);
    assert_eq!(refused, 3);
}

#[test]
fn a_recording_that_lies_is_found_out() {
    let mut recording = Recording::of_the_demo().unwrap();
    let last = recording.steps.last_mut().unwrap();
    last.expect.exit_code = Some(7);
    assert_eq!(play(&recording).1, ["the command should have ended with 7, not with 0"]);
}

#[test]
fn a_long_result_is_cut_and_a_surprise_is_shown() {
    let answer = Ok(serde_json::json!({"content": "line\n".repeat(100)}));
    let outcome = player::Outcome { answer, surprise: Some("it is long".to_owned()) };
    let mut text = Vec::new();
    show::outcome(&mut text, &outcome).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(
        text.lines().count() < 20 && text.contains("86 more lines") && text.contains("it is long"),
        "{text}"
    );
}
