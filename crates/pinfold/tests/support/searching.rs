//! What must hold of `grep` on any pattern and any text: the body of the fuzz target `patterns`, and of its smoke run.

use pinfold::{Context, FailureType, Memory, Policy, Workspace};
use serde_json::{Value, json};

/// The first byte says how to search, the rest up to NUL is the pattern, and behind it is the text.
pub(crate) fn searching(data: &[u8]) {
    let Some((how, rest)) = data.split_first() else { return };
    let cut = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
    let pattern = String::from_utf8_lossy(&rest[..cut]).into_owned();
    let text = String::from_utf8_lossy(rest.get(cut + 1..).unwrap_or_default()).into_owned();
    let literal = how & 1 == 1;
    let mode = ["content", "files", "count"][usize::from(how >> 3 & 0b111) % 3];
    let arguments = json!({
        "pattern": pattern, "literal": literal, "ignoreCase": how & 2 == 2, "multiline": how & 4 == 4,
        "mode": mode, "context": how >> 6, "maxMatches": 10_000,
    });
    let memory = Memory::new().file("text", text.as_str());
    let workspace = Workspace::in_memory(Policy::new("/w"), memory).expect("a policy without rules is sound");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let ask = || runtime.block_on(workspace.call("grep", arguments.clone(), Context::default()));
    let answer = ask();
    assert_eq!(answer, ask(), "{arguments}");
    match answer {
        Err(no) => {
            let known = [FailureType::UnsafePattern, FailureType::BadArguments];
            assert!(known.contains(&no.failure_type()), "{arguments}: {no}");
            assert!(!no.message().is_empty() && no.advice().is_some(), "{arguments}: {no:?}");
        }
        Ok(answer) if how & 0b11_1110 == 0 && literal => same_lines(&pattern, &text, &answer),
        Ok(answer) => in_the_text(&text, &answer),
    }
}

/// A literal search finds the lines that hold the text, no others.
fn same_lines(pattern: &str, text: &str, answer: &Value) {
    // A mark of UTF-16 or of the encoding at the beginning makes it another text.
    if text.contains(['\0', '\u{feff}']) || pattern.contains(['\n', '\r']) {
        return;
    }
    let lines = text.split_inclusive('\n').map(|line| line.trim_end_matches('\n').trim_end_matches('\r'));
    let found = |(at, line): (usize, &str)| {
        (line.chars().count() <= 2_000 && line.contains(pattern)).then_some(at + 1)
    };
    let expected: Vec<usize> = lines.enumerate().filter_map(found).collect();
    let matches = answer["matches"].as_array().expect("matches are a list");
    let told: Vec<usize> =
        matches.iter().filter_map(|found| usize::try_from(found["line"].as_u64()?).ok()).collect();
    assert_eq!(told, expected, "{pattern:?} in {text:?}");
}

/// Every match names a line that is there.
fn in_the_text(text: &str, answer: &Value) {
    let lines = text.split('\n').count() as u64;
    for found in answer["matches"].as_array().into_iter().flatten() {
        let line = found["line"].as_u64().unwrap_or(1);
        assert!((1..=lines).contains(&line), "{found} of {lines} lines");
    }
}
