//! The options of each wrapper. Sources: the manuals of GNU coreutils 9 and GNU time 1.9, POSIX XCU for `command`,
//! `exec` and `time`, bash(1) for `builtin` and `exec -a`.

/// What an option does to the words behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Stands alone.
    Flag,
    /// Takes a value: glued, or the next word.
    Value,
    /// Takes a value: the directory that the inner command starts in.
    Moves,
    /// Takes a value only when it is glued with `=`.
    Glued,
    /// Only asks where or what the inner command is: nothing is run.
    Asks,
    /// Changes what runs in a way that the words do not show: the command is not read.
    Hides,
}

/// What stands between the options and the inner command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operands {
    /// Nothing.
    None,
    /// One word, whatever it is: the duration of timeout(1).
    One,
    /// Any number of words with a `=` in them, as env(1) takes them.
    Assignments,
}

/// One wrapper.
#[derive(Debug)]
pub(super) struct Wrapper {
    pub(super) name: &'static str,
    pub(super) short: &'static [(char, Shape)],
    pub(super) long: &'static [(&'static str, Shape)],
    pub(super) operands: Operands,
    /// A lone `-` is an option (env) instead of the inner command.
    pub(super) lone_dash: bool,
    /// `-5`, `--5` and `-+5` are options (nice).
    pub(super) numbers: bool,
}

use Shape::{Asks, Flag, Glued, Hides, Moves, Value};

const PLAIN: Wrapper =
    Wrapper { name: "", short: &[], long: &[], operands: Operands::None, lone_dash: false, numbers: false };

/// Every wrapper but `find`.
pub(super) const WRAPPERS: &[Wrapper] = &[
    Wrapper {
        name: "env",
        short: &[
            ('i', Flag),
            ('0', Flag),
            ('v', Flag),
            ('u', Value),
            ('C', Moves),
            // -S splits one word into many, -a gives a multi-call binary another role, -P (BSD) looks elsewhere.
            ('S', Hides),
            ('a', Hides),
            ('P', Hides),
        ],
        long: &[
            ("ignore-environment", Flag),
            ("null", Flag),
            ("debug", Flag),
            ("list-signal-handling", Flag),
            ("help", Flag),
            ("version", Flag),
            ("unset", Value),
            ("chdir", Moves),
            ("block-signal", Glued),
            ("default-signal", Glued),
            ("ignore-signal", Glued),
            ("split-string", Hides),
            ("argv0", Hides),
        ],
        operands: Operands::Assignments,
        lone_dash: true,
        ..PLAIN
    },
    Wrapper {
        name: "time",
        short: &[
            ('a', Flag),
            ('p', Flag),
            ('q', Flag),
            ('v', Flag),
            ('V', Flag),
            ('h', Flag),
            ('f', Value),
            ('o', Value),
        ],
        long: &[
            ("append", Flag),
            ("portability", Flag),
            ("quiet", Flag),
            ("verbose", Flag),
            ("version", Flag),
            ("help", Flag),
            ("format", Value),
            ("output", Value),
        ],
        ..PLAIN
    },
    Wrapper {
        name: "timeout",
        short: &[('f', Flag), ('p', Flag), ('v', Flag), ('k', Value), ('s', Value)],
        long: &[
            ("foreground", Flag),
            ("preserve-status", Flag),
            ("verbose", Flag),
            ("help", Flag),
            ("version", Flag),
            ("kill-after", Value),
            ("signal", Value),
        ],
        operands: Operands::One,
        ..PLAIN
    },
    Wrapper {
        name: "nice",
        short: &[('n', Value)],
        long: &[("adjustment", Value), ("help", Flag), ("version", Flag)],
        numbers: true,
        ..PLAIN
    },
    Wrapper { name: "nohup", long: &[("help", Flag), ("version", Flag)], ..PLAIN },
    Wrapper { name: "command", short: &[('p', Flag), ('v', Asks), ('V', Asks)], ..PLAIN },
    Wrapper { name: "builtin", ..PLAIN },
    Wrapper { name: "exec", short: &[('c', Flag), ('l', Flag), ('a', Hides)], ..PLAIN },
];
