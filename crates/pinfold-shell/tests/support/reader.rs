//! What must hold of sh mode on any bytes: the bodies of the fuzz targets `reader` and `lines`, and of their smoke runs.

use std::path::PathBuf;

use pinfold_shell::{Found, Ground, Line, Outside, Purpose, Rules, Verdict, argv::MAX_LINE_BYTES};

use crate::shared::check_refusal;

/// Reads `data` as a line: a refusal points into it; a tree prints to a line that reads as the same tree, and that prints
/// as itself.
pub(crate) fn reader(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match Line::parse(&text) {
        Err(refusal) => check_refusal(&text, &refusal),
        Ok(line) => {
            assert_eq!(line.text(), text);
            let printed = line.to_string();
            match Line::parse(&printed) {
                Ok(again) => {
                    assert_eq!(again, line, "{text:?} prints as {printed:?}");
                    assert_eq!(again.to_string(), printed, "of {text:?}");
                }
                Err(refusal) => assert!(printed.len() > MAX_LINE_BYTES, "{refusal} of {printed:?}"),
            }
        }
    }
}

/// Judges `data`, whose first byte says by which rules: the verdict is the same when it is asked for again, and for the line
/// as it is printed; narrower rules never turn a no into a yes; a yes has no reason, a no has one.
pub(crate) fn lines(data: &[u8]) {
    let Some((mixture, data)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(data);
    let (wide, narrow) = (rules(*mixture), rules(*mixture | 0b1));
    let verdict = wide.line_verdict(&text, &Meadow);
    assert_eq!(verdict, wide.line_verdict(&text, &Meadow), "{text:?}");
    assert_eq!(verdict.allowed, verdict.reason.is_none(), "{text:?}");
    let narrowed = narrow.line_verdict(&text, &Meadow);
    assert!(verdict.allowed || !narrowed.allowed, "{text:?}: {verdict:?} became {narrowed:?}");
    let Ok(line) = Line::parse(&text) else { return };
    let printed = line.to_string();
    if printed.len() <= MAX_LINE_BYTES {
        let again = wide.line_verdict(&printed, &Meadow);
        assert_eq!(without_spans(verdict), without_spans(again), "{text:?} prints as {printed:?}");
    }
}

/// Where a thing stands, and how it was quoted there, is not what it is.
fn without_spans(verdict: Verdict) -> Verdict {
    Verdict { span: None, message: None, hint: None, ..verdict }
}

/// The last bit denies more.
fn rules(mixture: u8) -> Rules {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let allow =
        names(&["git", "echo", "cat", "ls", "find", "env", "time", "sort", "true", "exec", "read", "export"]);
    let deny = if mixture & 1 == 1 { names(&["rm", "curl", "cat"]) } else { names(&["rm"]) };
    let rules = Rules::new((mixture & 2 == 2).then_some(allow), deny).unwrap();
    rules.with_argument_table(mixture & 4 == 0)
}

/// A ground by letters: everything below `/w`.
struct Meadow;

impl Ground for Meadow {
    fn start(&self) -> String {
        "/w".to_owned()
    }

    fn judge(&self, path: &str, _purpose: Purpose) -> Result<String, Outside> {
        assert!(path.starts_with('/'), "a relative path was asked for: {path:?}");
        let mut real = PathBuf::from("/");
        for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
            if part == ".." {
                real.pop();
            } else {
                real.push(part);
            }
        }
        match real.starts_with("/w") {
            true => Ok(real.to_string_lossy().into_owned()),
            false => Err(Outside { message: "it lies outside".to_owned(), hint: None }),
        }
    }

    fn program(&self, _dir: &str, _name: &str) -> Option<Found> {
        None
    }
}
