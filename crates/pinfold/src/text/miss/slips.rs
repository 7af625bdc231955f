//! Slips of the pen that can be named: line numbers copied along, escapes written twice, marks of a diff.

use std::borrow::Cow;

use super::Near;
use crate::text::search::find;

/// Undoes each kind of slip in `old`; the first that makes it match.
pub(super) fn find_slip(text: &[u8], old: &str) -> Option<Near> {
    let slips: [fn(&str) -> Option<Slip>; 6] =
        [escapes, escaped_quotes, escaped_breaks, line_numbers, breaks_for_escapes, entities];
    slips.iter().find_map(|undo| undone(text, old, undo(old)?))
}

/// The same for the marks of a diff, which in one line may as well be a dash.
pub(super) fn find_marks(text: &[u8], old: &str) -> Option<Near> {
    undone(text, old, diff_marks(old)?)
}

fn undone(text: &[u8], old: &str, slip: Slip) -> Option<Near> {
    if slip.meant.is_empty() || slip.meant == old {
        return None;
    }
    let places = find(text, slip.meant.as_bytes()).ranges;
    (!places.is_empty()).then_some(Near { but: slip.but, places })
}

struct Slip {
    meant: String,
    but: String,
}

/// `old` without what looks like line numbers before its lines.
pub(super) fn without_line_numbers(old: &str) -> Cow<'_, str> {
    line_numbers(old).map_or(Cow::Borrowed(old), |slip| Cow::Owned(slip.meant))
}

fn escapes(old: &str) -> Option<Slip> {
    unescaped(old, "nrt\"'\\`/")
}

fn escaped_quotes(old: &str) -> Option<Slip> {
    unescaped(old, "\"'`/")
}

fn escaped_breaks(old: &str) -> Option<Slip> {
    unescaped(old, "nrt")
}

/// With each backslash before one of `which` read as an escape.
fn unescaped(old: &str, which: &str) -> Option<Slip> {
    let mut meant = String::with_capacity(old.len());
    let mut seen = String::new();
    let mut rest = old.chars().peekable();
    while let Some(one) = rest.next() {
        let Some(escaped) = (one == '\\').then(|| rest.next_if(|next| which.contains(*next))).flatten()
        else {
            meant.push(one);
            continue;
        };
        meant.push(match escaped {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            other => other,
        });
        if !seen.contains(escaped) {
            seen.push(escaped);
        }
    }
    let names: Vec<String> = seen.chars().map(named_escape).collect();
    (!names.is_empty()).then(|| Slip { meant, but: format!("if {}", names.join(" and ")) })
}

fn named_escape(escaped: char) -> String {
    match escaped {
        'n' => "`\\n` is read as a newline".to_owned(),
        'r' => "`\\r` is read as a carriage return".to_owned(),
        't' => "`\\t` is read as a tab".to_owned(),
        other => format!("`\\{other}` is read as `{other}`"),
    }
}

/// The other way round: the file holds a backslash and a letter.
fn breaks_for_escapes(old: &str) -> Option<Slip> {
    let inner = old.strip_suffix('\n').unwrap_or(old);
    let end = &old[inner.len()..];
    let meant = inner.replace('\n', "\\n").replace('\t', "\\t") + end;
    let but = "if its newlines and tabs are written as `\\n` and `\\t`";
    (meant != old).then(|| Slip { meant, but: but.to_owned() })
}

/// `read_file` puts six columns and a tab before each line; other tools a colon, a bar or an arrow.
fn line_numbers(old: &str) -> Option<Slip> {
    let mut meant = String::with_capacity(old.len());
    let mut stripped = 0;
    for (at, line) in old.split_inclusive('\n').enumerate() {
        match without_number(line) {
            Some(rest) => {
                meant.push_str(rest);
                stripped += 1;
            }
            // A copy may begin behind the first number.
            None if at == 0 || line.trim().is_empty() => meant.push_str(line),
            None => return None,
        }
    }
    let but = "without the line numbers that were copied along";
    (stripped > 0).then(|| Slip { meant, but: but.to_owned() })
}

fn without_number(line: &str) -> Option<&str> {
    let number = line.trim_start_matches([' ', '\t']);
    let rest = number.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == number.len() {
        return None;
    }
    rest.strip_prefix(['\t', '|', ':', '→'])
}

fn entities(old: &str) -> Option<Slip> {
    if !old.contains('&') {
        return None;
    }
    let named =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")];
    let meant = named.iter().fold(old.to_owned(), |text, (name, one)| text.replace(name, one));
    Some(Slip { meant, but: "if entities such as `&lt;` are read as the characters they name".to_owned() })
}

fn diff_marks(old: &str) -> Option<Slip> {
    let marked = |line: &str| line.trim().is_empty() || line.starts_with(['-', '+', ' ']);
    if !old.starts_with(['-', '+', ' ']) || !old.lines().all(marked) {
        return None;
    }
    let bare = |line: &str| line.strip_prefix(['-', '+', ' ']).unwrap_or(line).to_owned();
    let meant = old.split_inclusive('\n').map(bare).collect();
    Some(Slip {
        meant,
        but: "without the first character of each line, a mark of a diff or a blank,".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_slip_is_named() {
        for (text, old, but) in [
            ("a\nb\n", "a\\nb", "if `\\n` is read as a newline"),
            ("a\r\nb\n", "a\\nb", "if `\\n` is read as a newline"),
            ("\tx = \"1\"\n", "\\tx = \\\"1\\\"", "if `\\t` is read as a tab and `\\\"` is read as `\"`"),
            ("x = \"a\\nb\"", "x = \\\"a\\nb\\\"", "if `\\\"` is read as `\"`"),
            ("p(\"a\\n\")", "p(\"a\n\")", "if its newlines and tabs are written as `\\n` and `\\t`"),
            ("a\nb\n", "     1\ta\n     2\tb", "without the line numbers that were copied along"),
            ("a\nb\n", "a\n     2\tb\n", "without the line numbers that were copied along"),
            ("a\n\nb\n", "1: a\n\n3: b", "no"),
            ("a\n\nb\n", "1|a\n\n3|b", "without the line numbers that were copied along"),
            (
                "if a < b && c",
                "if a &lt; b &amp;&amp; c",
                "if entities such as `&lt;` are read as the characters they name",
            ),
            ("a\nb\n", "-a\n-b\n", "without the first character of each line, a mark of a diff or a blank,"),
            ("a", "b", "no"),
        ] {
            let near = find_slip(text.as_bytes(), old).or_else(|| find_marks(text.as_bytes(), old));
            assert_eq!(near.map_or("no".to_owned(), |near| near.but), but, "{old:?}");
        }
    }
}
