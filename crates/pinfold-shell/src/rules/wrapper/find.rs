//! find(1): the commands behind `-exec`, `-execdir`, `-ok` and `-okdir`.

use super::Read;

const EXECUTES: &[&str] = &["-exec", "-execdir", "-ok", "-okdir"];

/// Every word that reads like such an option begins an inner command, even where find would take it for the value of
/// another option (`-name -exec`): so none can hide behind another.
pub(super) fn read(words: &[String]) -> Result<Read, usize> {
    let ends = ends(words);
    let mut read = Read { find: true, ..Read::default() };
    for (at, option) in words.iter().enumerate().filter(|(_, word)| EXECUTES.contains(&word.as_str())) {
        let start = at + 1;
        let Some(end) = ends.get(start).map(|(semicolon, plus)| {
            if option.starts_with("-exec") { (*semicolon).min(*plus) } else { *semicolon }
        }) else {
            return Err(at);
        };
        // `+` counts only behind `{}`, which is never the first word of a command.
        if start >= end {
            return Err(at);
        }
        read.moves |= option.ends_with("dir");
        read.inner.push(start..end);
    }
    Ok(read)
}

/// For each word, where the command that begins there ends: at `;`, and at `+` right behind `{}` where it is not to be
/// confirmed (POSIX XCU, find). Without either, find itself refuses. One pass from the right, so that many commands in
/// one line do not make it slow.
fn ends(words: &[String]) -> Vec<(usize, usize)> {
    let mut ends = vec![(words.len(), words.len()); words.len()];
    let mut next = (words.len(), words.len());
    for at in (0..words.len()).rev() {
        // A `+` right at the beginning of a command ends nothing: the `{}` before it belongs to another.
        ends[at] = next;
        if words[at] == ";" {
            next.0 = at;
            ends[at].0 = at;
        } else if words[at] == "+" && at > 0 && words[at - 1] == "{}" {
            next.1 = at;
        }
    }
    ends
}
