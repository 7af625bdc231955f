//! The name that somebody probably meant.

/// Bytes of the longest name that is compared.
const LONGEST: usize = 64;

/// The one of `names` that is written most like `wrong`, if one is near enough to be what was meant. Letter case and
/// the difference between camelCase and snake_case do not count.
pub(crate) fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Comparing takes time and memory with the product of both lengths; nobody misspells so long a name.
    if wrong.len() > LONGEST {
        return None;
    }
    let wrong = plain(wrong);
    let bearable = (wrong.len() / 3).clamp(1, 4);
    let distances = names.into_iter().map(|name| (distance(&wrong, &plain(name)), name));
    distances
        .filter(|(distance, _)| *distance <= bearable)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

fn plain(name: &str) -> Vec<char> {
    name.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect()
}

/// How many letters have to be changed, added, left out or swapped with their neighbour.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant_and_nothing_far_away() {
        let names =
            ["cwd", "allowPaths", "denyPaths", "deny_write_paths", "shell", "read", "list", "readOnly"];
        let cases = [
            ("alowPaths", Some("allowPaths")),
            ("deny_path", Some("denyPaths")),
            ("denywritepath", Some("deny_write_paths")),
            ("shel", Some("shell")),
            ("raed", Some("read")),
            ("readonly", Some("readOnly")),
            ("CWD", Some("cwd")),
            ("background", None),
            ("", None),
        ];
        for (wrong, meant) in cases {
            assert_eq!(nearest(wrong, names), meant, "{wrong}");
        }
    }
}
