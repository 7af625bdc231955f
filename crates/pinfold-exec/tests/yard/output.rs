//! What is kept of the output, and what is counted.

use pinfold_contract::RunEnd;
use pinfold_exec::{Captured, Finished, Keep};

use super::ground::{Ground, sh};

#[tokio::test]
async fn ten_megabytes_are_counted_and_both_ends_are_kept() {
    let ground = Ground::new();
    let line = sh("head -c 10000000 /dev/zero | tr '\\0' x; head -c 3000000 /dev/zero | tr '\\0' y >&2");
    let finished = ground.run(&line).await;
    assert_eq!(finished.end(), RunEnd::Exited(0));
    assert_eq!((finished.stdout().total(), finished.stderr().total()), (10_000_000, 3_000_000));
    assert_eq!(kept(&finished), (1_048_576, 1_048_576));
    assert!(finished.stdout().head().iter().chain(finished.stdout().tail()).all(|byte| *byte == b'x'));
    assert!(finished.into_result().truncated);
}

fn kept(finished: &Finished) -> (usize, usize) {
    let length = |kept: &Captured| kept.head().len() + kept.tail().len();
    (length(finished.stdout()), length(finished.stderr()))
}

#[tokio::test]
async fn between_the_ends_stands_how_much_is_left_out() {
    let ground = Ground::new();
    let line = "seq 1000000";
    let finished = ground.run_on(line, |terms| terms.max_output_bytes = 2_000).await;
    let text = finished.into_result().stdout;
    assert!(text.starts_with("1\n2\n3\n") && text.ends_with("\n999999\n1000000\n"), "{text}");
    let mark: Vec<_> = text.lines().filter(|line| line.starts_with('…')).collect();
    assert_eq!(mark, ["… 6,886,896 bytes omitted …"]);
    let finished = ground
        .run_on(line, |terms| {
            terms.max_output_bytes = 2_000;
            terms.keep = Keep::Head;
        })
        .await;
    let result = finished.into_result();
    assert_eq!((result.stdout.len(), result.stdout_bytes, result.truncated), (2_000, 6_888_896, true));
}

#[tokio::test]
async fn both_streams_full_at_once_block_nobody() {
    let ground = Ground::new();
    let line = sh("head -c 5000000 /dev/zero >&2 & head -c 5000000 /dev/zero; wait");
    let finished = ground.run_on(&line, |terms| terms.max_output_bytes = 10).await;
    assert_eq!((finished.stdout().total(), finished.stderr().total()), (5_000_000, 5_000_000));
}

#[tokio::test]
async fn a_cut_through_a_character_leaves_it_out() {
    let ground = Ground::new();
    for (limit, kept) in [(3, "a"), (4, "a€"), (5, "a€"), (0, "")] {
        let finished = ground.run_on("printf 'a€€'", |terms| terms.max_output_bytes = limit).await;
        assert_eq!((finished.stdout().text().as_str(), finished.stdout().total()), (kept, 7));
        assert_eq!(finished.stdout().head().len(), limit);
    }
}

#[tokio::test]
async fn exactly_the_limit_is_not_cut() {
    let ground = Ground::new();
    let finished = ground.run_on("printf 12345", |terms| terms.max_output_bytes = 5).await;
    assert!(!finished.stdout().is_cut());
    assert!(!finished.into_result().truncated);
}

#[tokio::test]
async fn bytes_that_are_no_text_are_shown_as_such() {
    let ground = Ground::new();
    assert_eq!(ground.run("printf 'a\\377b'").await.into_result().stdout, "a\u{fffd}b");
}
