//! git(1): settings, the options of some subcommands, and subcommands that run a command.

use super::{
    Found, Held, found,
    git_keys::{setting, setting_from_environment},
    options::{
        self, Item, Spec,
        Takes::{Ask, Glued, Hides, MayText, Text, Value},
    },
    plain_words,
};

/// Options before the subcommand that stand alone.
const FLAGS: &[&str] = &[
    "--bare",
    "--exec-path",
    "--glob-pathspecs",
    "--help",
    "--html-path",
    "--icase-pathspecs",
    "--info-path",
    "--literal-pathspecs",
    "--man-path",
    "--no-advice",
    "--no-lazy-fetch",
    "--no-optional-locks",
    "--no-pager",
    "--no-replace-objects",
    "--noglob-pathspecs",
    "--version",
    "-P",
    "-h",
    "-v",
];

/// Options before the subcommand that take a value: `--name=value`, or the next word.
const VALUES: &[&str] =
    &["--attr-source", "--git-dir", "--list-cmds", "--namespace", "--super-prefix", "--work-tree"];

/// Subcommands whose purpose is to run a command that only their own grammar shows.
const RUN: &[&str] =
    &["filter-branch", "for-each-repo", "instaweb", "merge-index", "remote-ext", "web--browse"];

const NOTHING: Spec = Spec { short: &[], long: &[], leading: false };

const CLONE: Spec = Spec {
    short: &[('u', Text), ('c', Ask(setting)), ('b', Value), ('j', Value), ('o', Value)],
    long: &[
        ("upload-pack", Text),
        ("config", Ask(setting)),
        // Its hooks are copied, and run at once.
        ("template", Hides),
        ("branch", Value),
        ("bundle-uri", Value),
        ("depth", Value),
        ("filter", Value),
        ("jobs", Value),
        ("origin", Value),
        ("recurse-submodules", Glued),
        ("reference", Value),
        ("reference-if-able", Value),
        ("revision", Value),
        ("separate-git-dir", Value),
        ("server-option", Value),
        ("shallow-exclude", Value),
        ("shallow-since", Value),
    ],
    leading: false,
};

const FETCH: Spec = Spec {
    short: &[('j', Value), ('o', Value), ('s', Value), ('X', Value)],
    long: &[
        ("upload-pack", Text),
        ("exec", Text),
        ("depth", Value),
        ("deepen", Value),
        ("filter", Value),
        ("jobs", Value),
        ("refmap", Value),
        ("server-option", Value),
        ("sort", Value),
    ],
    leading: false,
};

const LS_REMOTE: Spec = Spec { short: &[('u', Text), ('o', Value)], ..FETCH };

const PUSH: Spec = Spec {
    short: &[('o', Value)],
    long: &[("receive-pack", Text), ("exec", Text), ("push-option", Value), ("repo", Value)],
    leading: false,
};

const ARCHIVE: Spec = Spec {
    short: &[('o', Value)],
    long: &[
        ("exec", Text),
        ("add-file", Value),
        ("format", Value),
        ("mtime", Value),
        ("output", Value),
        ("prefix", Value),
        ("remote", Value),
    ],
    leading: false,
};

const GREP: Spec = Spec {
    short: &[
        ('O', MayText),
        ('A', Value),
        ('B', Value),
        ('C', Value),
        ('e', Value),
        ('f', Value),
        ('m', Value),
    ],
    long: &[
        ("open-files-in-pager", MayText),
        ("after-context", Value),
        ("before-context", Value),
        ("context", Value),
        ("max-count", Value),
        ("max-depth", Value),
        ("threads", Value),
    ],
    leading: false,
};

const DIFFTOOL: Spec =
    Spec { short: &[('x', Text), ('t', Value)], long: &[("extcmd", Text), ("tool", Value)], leading: false };

const REBASE: Spec = Spec {
    short: &[('x', Text), ('C', Value), ('r', Glued), ('S', Glued), ('s', Value), ('X', Value)],
    long: &[
        ("exec", Text),
        ("empty", Value),
        ("gpg-sign", Glued),
        ("onto", Value),
        ("rebase-merges", Glued),
        ("strategy", Value),
        ("strategy-option", Value),
        ("whitespace", Value),
    ],
    leading: false,
};

const MAIL: Spec = Spec {
    short: &[],
    long: &[
        ("cc-cmd", Text),
        ("header-cmd", Text),
        ("sendmail-cmd", Text),
        ("smtp-server", Text),
        ("to-cmd", Text),
    ],
    leading: false,
};

const DAEMON: Spec = Spec { short: &[], long: &[("access-hook", Text)], leading: false };

const SVN: Spec =
    Spec { short: &[('A', Value)], long: &[("authors-prog", Text), ("authors-file", Value)], leading: false };

fn spec(subcommand: &str) -> &'static Spec {
    match subcommand {
        "archive" => &ARCHIVE,
        "clone" => &CLONE,
        "daemon" => &DAEMON,
        "difftool" | "mergetool" => &DIFFTOOL,
        "fetch" | "fetch-pack" | "pull" => &FETCH,
        "grep" => &GREP,
        "ls-remote" => &LS_REMOTE,
        "push" | "send-pack" => &PUSH,
        "rebase" => &REBASE,
        "send-email" => &MAIL,
        "svn" => &SVN,
        _ => &NOTHING,
    }
}

pub(super) fn read(words: &[String]) -> Vec<Found> {
    let mut all = Vec::new();
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let next = words.get(at + 1).map(String::as_str);
        match word.as_str() {
            "-c" | "--config-env" => {
                let ask = if word == "-c" { setting } else { setting_from_environment };
                all.extend(next.and_then(ask).map(|held| Found { at: at + 1, held }));
                at += 2;
            }
            "-C" => at += 2,
            word if FLAGS.contains(&word) => at += 1,
            word if VALUES.contains(&word) => at += 2,
            word if word.starts_with('-') => {
                all.extend(unknown(word).map(|held| Found { at, held }));
                at += 1;
            }
            subcommand => {
                all.extend(in_subcommand(subcommand, words, at));
                return all;
            }
        }
    }
    all
}

/// An option before the subcommand that is none of the plain ones. `-p` runs the pager, `--exec-path=` says where git
/// finds its own programs.
fn unknown(word: &str) -> Option<Held> {
    match word.split_once('=') {
        Some(("--config-env", setting)) => setting_from_environment(setting),
        Some((name, _)) if VALUES.contains(&name) => None,
        _ => Some(Held::Hidden),
    }
}

fn in_subcommand(subcommand: &str, words: &[String], at: usize) -> Vec<Found> {
    let one = |at: usize, held: Held| vec![Found { at, held }];
    let next = words.get(at + 1).map(String::as_str);
    match (subcommand, next) {
        (subcommand, _) if RUN.contains(&subcommand) => one(at, Held::Hidden),
        ("bisect", Some("run")) if at + 2 < words.len() => one(at + 2, Held::Rest(at + 2..words.len())),
        ("submodule", _) => for_each(words, at),
        _ => options::read_from(spec(subcommand), words, at + 1).filter_map(found).collect(),
    }
}

/// `git submodule foreach`: one word is a text for the shell, several are a command, but for its first word.
fn for_each(words: &[String], at: usize) -> Vec<Found> {
    let operands = |start: usize| {
        options::read_from(&NOTHING, words, start).filter_map(|item| match item {
            Item::Operand(at) => Some(at),
            Item::Option { .. } => None,
        })
    };
    let verb = operands(at + 1).next().filter(|verb| words[*verb] == "foreach");
    let Some(start) = verb.and_then(|verb| operands(verb + 1).next()) else { return Vec::new() };
    let held = match words.len() - start {
        1 => Held::Text(words[start].clone()),
        _ if plain_words(&words[start]).is_some_and(|plain| plain.len() == 1) => {
            Held::Rest(start..words.len())
        }
        _ => Held::Hidden,
    };
    vec![Found { at: start, held }]
}
