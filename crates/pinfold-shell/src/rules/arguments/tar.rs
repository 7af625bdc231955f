//! tar(1): filters, actions and scripts.

use super::{
    Found, Held, found,
    options::{
        self, Spec,
        Takes::{Ask, Glued, Program, Text, Value},
    },
};

const TAR: Spec = Spec {
    short: &[
        ('I', Text),
        ('F', Text),
        ('b', Value),
        ('C', Value),
        ('f', Value),
        ('g', Value),
        ('H', Value),
        ('K', Value),
        ('L', Value),
        ('N', Value),
        ('T', Value),
        ('V', Value),
        ('X', Value),
    ],
    long: &[
        ("to-command", Text),
        ("checkpoint-action", Ask(action)),
        ("use-compress-program", Text),
        ("info-script", Text),
        ("new-volume-script", Text),
        ("rmt-command", Program),
        ("rsh-command", Program),
        ("set-mtime-command", Text),
        ("add-file", Value),
        ("after-date", Value),
        ("atime-preserve", Glued),
        ("backup", Glued),
        ("blocking-factor", Value),
        ("checkpoint", Glued),
        ("directory", Value),
        ("exclude", Value),
        ("exclude-from", Value),
        ("exclude-ignore", Value),
        ("exclude-ignore-recursive", Value),
        ("exclude-tag", Value),
        ("exclude-tag-all", Value),
        ("exclude-tag-under", Value),
        ("file", Value),
        ("files-from", Value),
        ("format", Value),
        ("group", Value),
        ("group-map", Value),
        ("hole-detection", Value),
        ("index-file", Value),
        ("label", Value),
        ("level", Value),
        ("listed-incremental", Value),
        ("mode", Value),
        ("mtime", Value),
        ("newer", Value),
        ("newer-mtime", Value),
        ("no-quote-chars", Value),
        ("occurrence", Glued),
        ("one-top-level", Glued),
        ("owner", Value),
        ("owner-map", Value),
        ("pax-option", Value),
        ("quote-chars", Value),
        ("quoting-style", Value),
        ("record-size", Value),
        ("sort", Value),
        ("sparse-version", Value),
        ("starting-file", Value),
        ("strip-components", Value),
        ("suffix", Value),
        ("tape-length", Value),
        ("totals", Glued),
        ("transform", Value),
        ("volno-file", Value),
        ("warning", Value),
        ("xattrs-exclude", Value),
        ("xattrs-include", Value),
        ("xform", Value),
    ],
    leading: false,
};

pub(super) fn read(words: &[String]) -> Vec<Found> {
    let (mut all, next) = old_style(words);
    all.extend(options::read_from(&TAR, words, next).filter_map(found));
    all
}

/// The old way to write options: the first word is a bundle without a dash, and the words behind it are the values of
/// its letters, one after another.
fn old_style(words: &[String]) -> (Vec<Found>, usize) {
    let Some(bundle) = words.get(1).filter(|word| !word.starts_with('-')) else { return (Vec::new(), 1) };
    let mut all = Vec::new();
    let mut next = 2;
    for letter in bundle.chars() {
        let Some((_, takes)) = TAR.short.iter().find(|(known, _)| *known == letter) else { continue };
        let value = words.get(next).map(String::as_str);
        all.extend(found(options::Item::Option { takes: *takes, value, at: next }));
        next += 1;
    }
    (all, next)
}

/// `exec=COMMAND`; the other actions only report or wait.
fn action(action: &str) -> Option<Held> {
    action.trim_start().strip_prefix("exec=").map(|command| Held::Text(command.to_owned()))
}
