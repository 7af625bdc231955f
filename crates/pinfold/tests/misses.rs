//! Errors that end the loop: edits that fail as those of models do, and for each the next call, made from the words of
//! the failure alone. It has to succeed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test panics when it fails")]

use pinfold::{Failure, FailureType, Memory, Policy, Workspace, tools::EditFile};

/// What the words offer, and the test takes from there.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Take {
    /// The text between two rows of backticks, as oldString.
    Block,
    /// The numbered lines that are shown, all of them.
    Lines,
    /// The numbered lines of the last place that is shown.
    LastPlace,
    /// The number of places, as expectCount.
    Count,
    /// The hash that the file has now.
    Hash,
    /// That there is nothing to do: the line that is named holds the new text.
    Nothing,
}
use Take::{Block, Count, Hash, LastPlace, Lines, Nothing};

const RUST: &str = "use std::fs;\n\nfn main() {\n    let total = add(1, 2);\n    println!(\"{total}\");\n}\n\n/// Adds.\nfn add(a: u32, b: u32) -> u32 {\n    a + b\n}\n";
const TABS: &str = "package main\n\nfunc main() {\n\tif ok {\n\t\trun(a, b)\n\t}\n}\n";
const PYTHON: &str =
    "class A:\n    def one(self):\n        return self.x\n\n    def two(self):\n        return self.x\n";
const CRLF: &str = "int main()\r\n{\r\n\treturn 0;\r\n}\r\n";
const PROSE: &str = "# Notes\n\nIt’s “done” – mostly.\nSee page\u{a0}4…\n";
const JSON: &str = "{\n  \"name\": \"a\\nb\",\n  \"path\": \"C:\\\\x\"\n}\n";

/// A file, an edit of it that fails, and what to take from the failure.
const MISSES: &[(&str, &str, &str, &str, Take)] = &[
    // Indentation and blanks.
    ("six blanks for four", RUST, "      let total = add(1, 2);\n", "    let total = 3;\n", Block),
    ("blanks for tabs", TABS, "    if ok {\n        run(a, b)\n    }\n", "\tgo()\n", Block),
    ("tabs for blanks", RUST, "\tlet total = add(1, 2);", "\tlet total = 3;", Block),
    (
        "no indentation on the second line",
        RUST,
        "let total = add(1, 2);\nprintln!(\"{total}\");",
        "done();",
        Block,
    ),
    (
        "one level too deep",
        PYTHON,
        "        def two(self):\n            return self.x\n",
        "    two = one\n",
        Block,
    ),
    ("a trailing blank left out", "a \nb\n", "a\nb", "c", Block),
    ("a trailing blank added", RUST, "    a + b \n}", "    a - b\n}", Block),
    ("two blanks between words", RUST, "fn  add(a: u32,  b: u32)", "fn plus(a: u32, b: u32)", Block),
    ("blanks on an empty line", "one\n    \ntwo\n", "one\n\ntwo", "three", Block),
    ("a newline at the end of a file without one", "a\nlast line", "last line\n", "end\n", Block),
    ("blank lines around", RUST, "\n\n    a + b\n\n", "\n    a - b\n", Block),
    // Line endings.
    ("LF in CRLF, twice", "a\r\nb\r\nx\r\na\r\nb\r\n", "a\nb", "c\nd", LastPlace),
    ("LF and blanks for tabs in CRLF", CRLF, "{\n    return 0;\n}", "{\n\treturn 1;\n}", Block),
    (
        "CRLF and wrong indentation in LF",
        RUST,
        "  let total = add(1, 2);\r\n  println!(\"{total}\");\r\n",
        "  done();\r\n",
        Block,
    ),
    // Escapes.
    ("newlines escaped twice", RUST, "fn main() {\\n    let total", "fn run() {\n    let total", Block),
    ("tabs escaped twice", TABS, "\\tif ok {\\n\\t\\trun(a, b)", "\tif ok {\n\t\tgo(a, b)", Block),
    ("quotes escaped twice", RUST, "println!(\\\"{total}\\\");", "print(total);", Block),
    (
        "quotes escaped twice beside a real escape",
        JSON,
        "\\\"name\\\": \\\"a\\nb\\\"",
        "\"name\": \"b\"",
        Block,
    ),
    ("a newline for an escape in the file", JSON, "\"a\nb\"", "\"ab\"", Block),
    ("a backslash too few", JSON, "\"path\": \"C:\\x\"", "\"path\": \"D\"", Lines),
    ("entities", "if a < b && c {\n}\n", "if a &lt; b &amp;&amp; c {", "if a {", Block),
    // What was copied along.
    (
        "line numbers",
        RUST,
        "     4\t    let total = add(1, 2);\n     5\t    println!(\"{total}\");",
        "    done();",
        Block,
    ),
    (
        "line numbers but for the first line",
        RUST,
        "fn main() {\n     4\t    let total = add(1, 2);",
        "fn main() {\n    let total = 3;",
        Block,
    ),
    (
        "line numbers with a colon",
        RUST,
        "9:fn add(a: u32, b: u32) -> u32 {",
        "fn plus(a: u32, b: u32) -> u32 {",
        Block,
    ),
    ("marks of a diff", RUST, "-    a + b\n-}\n", "    a - b\n}\n", Block),
    // Typography.
    ("straight quotes for curly ones", PROSE, "It's \"done\"", "It’s over", Block),
    ("a hyphen for a dash", PROSE, "- mostly.", "– nearly.", Block),
    ("a blank for one that does not break", PROSE, "See page 4", "See page 5", Block),
    ("dots for an ellipsis", PROSE, "4...", "4.", Block),
    ("curly quotes for straight ones", RUST, "println!(“{total}”);", "print(total);", Block),
    // Another text than there is.
    ("an argument from memory", RUST, "    let total = add(1, 3);\n", "    let total = 4;\n", Lines),
    ("a name from memory", RUST, "fn add(x: u32, y: u32) -> u32 {", "fn add(a: u64, b: u64) -> u64 {", Lines),
    ("another letter case", RUST, "/// adds.", "/// Sums up.", Lines),
    (
        "a comment that is not there",
        RUST,
        "    // Add.\n    let total = add(1, 2);\n",
        "    let total = 3;\n",
        Lines,
    ),
    ("a line left out", TABS, "func main() {\n\t\trun(a, b)\n\t}\n", "func main() {\n\tgo()\n", Lines),
    ("the end made up", RUST, "fn add(a: u32, b: u32) -> u32 {\n    return a + b;\n}", "fn add() {}", Lines),
    ("a blank in a call", RUST, "add(1,2)", "add(2, 2)", Lines),
    // Made already.
    ("sent again", RUST, "fn sum(a: u32, b: u32) -> u32 {", "fn add(a: u32, b: u32) -> u32 {", Nothing),
    ("sent again, several lines", TABS, "\tif yes {\n\t\trun(a, b)\n", "\tif ok {\n\t\trun(a, b)\n", Nothing),
    // Not unique.
    ("twice", PYTHON, "        return self.x\n", "        return self.y\n", LastPlace),
    ("twice on neighbouring lines", "x = 1\nx = 1\n", "x = 1", "x = 2", LastPlace),
    ("another count", PYTHON, "self.x", "self.y", Count),
    // As they come from other tools and other screens.
    (
        "numbers of cat -n on one line of two",
        RUST,
        "     9\tfn add(a: u32, b: u32) -> u32 {\n    a + b\n",
        "fn add() {\n",
        Lines,
    ),
    (
        "numbers with a bar",
        RUST,
        "  9 | fn add(a: u32, b: u32) -> u32 {\n 10 |     a + b",
        "fn add() {\n    1",
        Lines,
    ),
    ("numbers of grep with the path", RUST, "f:10:    a + b", "    a - b", Lines),
    ("numbers without their blanks", RUST, "9\tfn add(a: u32, b: u32) -> u32 {", "fn add() {", Block),
    ("pluses of a diff", RUST, "+fn main() {\n+    let total = add(1, 2);", "fn main() {", Block),
    ("context of a diff", RUST, " fn main() {\n-    let total = add(1, 2);", "fn main() {", Block),
    (
        "a fence of Markdown",
        RUST,
        "```rust\nfn main() {\n    let total = add(1, 2);\n```",
        "fn main() {",
        Lines,
    ),
    ("an entity for a quote", RUST, "println!(&quot;{total}&quot;);", "print(total);", Block),
    ("an entity for an apostrophe", "say('hello world')\n", "say(&#39;hello world&#39;)", "say(1)", Block),
    ("an entity for an arrow", RUST, "fn add(a: u32, b: u32) -&gt; u32 {", "fn add() {", Block),
    // Blanks that cannot be seen.
    ("a blank that does not break", "let x = 1;\nlet y = 2;\n", "let\u{a0}x = 1;", "let x = 3;", Block),
    ("a blank of no width", "let total = 1;\n", "let\u{200b} total = 1;", "let total = 2;", Block),
    ("a full-width blank", "# 見出し\u{3000}その一\n", "# 見出し その一", "# 見出し", Block),
    ("a byte order mark in front", "first line\nsecond\n", "\u{feff}first line", "1st line", Block),
    ("a tab in the middle of a line", "name\tvalue of it\n", "name    value of it", "name", Block),
    (
        "blanks at the end of each line",
        "alpha one  \nbeta two \ngamma\n",
        "alpha one\nbeta two\ngamma",
        "x",
        Block,
    ),
    ("CR alone", "alpha\nbeta\n", "alpha\rbeta", "x", Lines),
    // Signs that look like others.
    ("a minus sign", "total = a - b\n", "total = a \u{2212} b", "total = 0", Block),
    ("a hyphen that does not break", "a well-known thing\n", "a well\u{2011}known thing", "a thing", Block),
    (
        "a prime for an apostrophe",
        "it's the user's file\n",
        "it\u{2019}s the user\u{2019}s file",
        "a file",
        Block,
    ),
    ("letters put together", "caf\u{e9} and cr\u{e8}me\n", "cafe\u{301} and cre\u{300}me", "tea", Lines),
    // Indentation once more.
    (
        "two blanks for four, three lines",
        RUST,
        "fn main() {\n  let total = add(1, 2);\n  println!(\"{total}\");\n}",
        "fn main() {}",
        Block,
    ),
    ("flat", PYTHON, "def two(self):\nreturn self.x", "def two(self):\n        return 2", Block),
    (
        "tabs and blanks mixed",
        "\tif a {\n\t    b();\n\t}\n",
        "    if a {\n        b();\n    }",
        "\tb();",
        Block,
    ),
    ("a deeper block", TABS, "\t\tif ok {\n\t\t\trun(a, b)\n\t\t}", "\tgo()", Block),
    // Made already, stale, not unique.
    (
        "an insertion sent again",
        "a = 1\nimport os, sys\nb = 2\n",
        "a = 1\nb = 2\n",
        "a = 1\nimport os, sys\nb = 2\n",
        Nothing,
    ),
    ("a removal of one of three", "log(x)\nrun()\nlog(x)\nend()\nlog(x)\n", "log(x)", "", LastPlace),
    ("a brace", RUST, "}\n", "};\n", LastPlace),
    ("another count of words", RUST, "u32", "u64", Count),
    ("another hash, CRLF", CRLF, "return 0;", "return 1;", Hash),
    // Stale.
    ("another hash", RUST, "a + b", "a - b", Hash),
];

async fn edit(workspace: &Workspace, edit: &EditFile) -> Result<(), Failure> {
    workspace.edit_file(edit.clone()).await.map(drop)
}

#[tokio::test]
async fn the_words_of_a_failure_are_enough_for_the_next_call() {
    assert!(MISSES.len() >= 40, "{}", MISSES.len());
    let mut complaints = Vec::new();
    for (name, content, old, new, take) in MISSES {
        let memory = Memory::new().file("f", *content);
        let workspace = Workspace::in_memory(Policy::new("/w"), memory).unwrap();
        let first = EditFile {
            path: "f".into(),
            old_string: (*old).into(),
            new_string: (*new).into(),
            expect_count: (*take == Count).then_some(7),
            expect_hash: (*take == Hash).then(|| "0".repeat(64)),
            ..EditFile::default()
        };
        let Err(failure) = edit(&workspace, &first).await else {
            complaints.push(format!("{name}: the edit was made"));
            continue;
        };
        let said = failure.to_string();
        assert!(said.len() < 3_000, "{name}: {} bytes", said.len());
        let Some(next) = next(&first, &said, *take) else {
            let line = shown_lines(&said).next().unwrap_or_default();
            if !said.contains("already there") || !new.starts_with(line) {
                complaints.push(format!("{name}: {said}"));
            }
            continue;
        };
        if let Err(again) = edit(&workspace, &next).await {
            complaints.push(format!("{name}: {said}\nthen {:?}: {again}", next.old_string));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

/// The same texts as whole lines of a patch: what the words show has to be whole lines too.
#[tokio::test]
async fn the_words_of_a_failure_are_enough_for_the_next_patch() {
    let mut complaints = Vec::new();
    let mut refused = 0;
    for (name, content, old, new, take) in MISSES {
        if matches!(take, Count | Hash | Nothing) {
            continue;
        }
        let memory = Memory::new().file("f", *content).file("other", "one\n");
        let workspace = Workspace::in_memory(Policy::new("/w"), memory).unwrap();
        // What is right for a part of a line need not be wrong as a whole one, and the other way round.
        let Err(failure) = workspace.apply_patch(&patch(old, new)).await else { continue };
        refused += 1;
        assert_eq!(failure.details().edit_index, Some(1), "{name}: {failure}");
        let said = failure.to_string();
        assert!(said.len() < 3_000 && !said.contains("oldString"), "{name}: {said}");
        let last: Vec<&str> = said.rsplit('…').next().map(shown_lines).unwrap().collect();
        let next = match said.split_once("```\n").and_then(|(_, it)| it.rsplit_once("\n```")) {
            Some((block, _)) => block.to_owned(),
            None if failure.failure_type() == FailureType::EditNotUnique => {
                last[last.len().saturating_sub(3)..].join("\n")
            }
            None => shown_lines(&said).collect::<Vec<_>>().join("\n"),
        };
        if let Err(again) = workspace.apply_patch(&patch(&next, new)).await {
            complaints.push(format!("{name}: {said}\nthen {next:?}: {again}"));
        }
    }
    assert!(refused >= 40, "{refused}");
    assert!(complaints.is_empty(), "{} of {refused}\n{}", complaints.len(), complaints.join("\n\n"));
}

/// A patch whose first file fits, and whose second one replaces these lines.
fn patch(old: &str, new: &str) -> String {
    let marked =
        |mark: char, text: &str| text.lines().map(|line| format!("{mark}{line}\n")).collect::<String>();
    let hunk = marked('-', old) + &marked('+', new);
    format!(
        "*** Begin Patch\n*** Update File: other\n@@\n-one\n+two\n*** Update File: f\n@@\n{hunk}*** End Patch\n"
    )
}

/// The next call, from the words of the failure; none if they say that there is nothing to do.
fn next(first: &EditFile, said: &str, take: Take) -> Option<EditFile> {
    let old_string = match take {
        Block => said
            .split_once("```\n")
            .and_then(|(_, it)| it.rsplit_once("\n```"))
            .unwrap_or_default()
            .0
            .to_owned(),
        Lines => shown_lines(said).collect::<Vec<_>>().join("\n"),
        LastPlace => {
            let lines: Vec<&str> = said.rsplit('…').next().map(shown_lines).unwrap().collect();
            lines[lines.len().saturating_sub(3)..].join("\n")
        }
        Count | Hash => first.old_string.clone(),
        Nothing => return None,
    };
    let number = |before: &str| said.split_once(before).map(|(_, it)| it.split([' ', '.']).next().unwrap());
    let expect_count =
        if take == Count { number("Set expectCount to ").and_then(|it| it.parse().ok()) } else { None };
    let expect_hash = if take == Hash { number("Its hash is now ").map(str::to_owned) } else { None };
    Some(EditFile { old_string, expect_count, expect_hash, ..first.clone() })
}

/// Lines in the form of `read_file`, without their numbers.
fn shown_lines(said: &str) -> impl Iterator<Item = &str> {
    said.lines().filter_map(|line| {
        let (number, text) = line.split_once('\t')?;
        (number.len() == 6 && number.trim_start().parse::<u64>().is_ok()).then_some(text)
    })
}
