//! Known lines, changed a little.

use super::dice::Dice;

const PIECES: &[&str] = &[
    "'", "\"", "\\", "\n", "`", "$(", ")", "(", "{", "}", ";", "&&", "||", "|", "&", "<", ">", ">>", "#",
    "$", "${", "!", "*", "~", " ", "\t", "\\\n", "$'", "<<E\n", "\nE\n", "<<'E'", "=", "[", "]", ",", "..",
    "$((", "))", "&>", ">&", "2>&1", "-", "\r", "$V", "$@", "$EMPTY", "evil", "; evil", "\nevil\n", "cd ..",
    "cd src; ", "> f", "> ../f", "\nwhere", "V=x ", "time ", "command ", "exec ", "! ", "env ", "eval ", "é",
    "\u{1b}", ":-", "%", "$(evil)", "`evil`", "--force", " -c ", "if ", "do ",
];

/// One of `seeds` or parts of several, with one to four changes.
pub(super) fn line(dice: &mut Dice, seeds: &[String]) -> String {
    let mut text = dice.pick(seeds).clone();
    for _ in 0..=dice.below(4) {
        text = changed(dice, text, seeds);
    }
    text
}

fn changed(dice: &mut Dice, mut text: String, seeds: &[String]) -> String {
    let (from, to) = part(dice, &text);
    match dice.below(12) {
        0..=3 => text.insert_str(from, dice.pick::<&str>(PIECES)),
        4 => text.replace_range(from..to, ""),
        5 => text.replace_range(from..to, dice.pick::<&str>(PIECES)),
        6 => {
            let twice = text[from..to].to_owned();
            text.insert_str(to, &twice);
        }
        7 => {
            let other = dice.pick(seeds);
            let (first, last) = part(dice, other);
            text.replace_range(from..to, &other[first..last]);
        }
        8 => {
            let (open, close) =
                *dice.pick(&[("$(", ")"), ("(", ")"), ("`", "`"), ("\"", "\""), ("'", "'"), ("${V:-", "}")]);
            text.insert_str(to, close);
            text.insert_str(from, open);
        }
        9 => {
            let joint = *dice.pick(&["; ", " && ", " || ", " | ", "\n", " "]);
            text = format!("{text}{joint}{}", dice.pick(seeds));
        }
        10 => text.truncate(to),
        _ => text.push_str(dice.pick::<&str>(&["\nwhere", "; where", "\nwhere > f", "\necho x > f"])),
    }
    text
}

/// A short part, between characters.
fn part(dice: &mut Dice, text: &str) -> (usize, usize) {
    let from = text.floor_char_boundary(dice.below(text.len() + 1));
    let longest = if dice.chance(80) { 4 } else { 24 };
    (from, text.ceil_char_boundary((from + dice.below(longest)).min(text.len())))
}
