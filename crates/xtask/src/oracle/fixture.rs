//! The tree that lines run in, as data: it is made in a cell, and the rules are asked about the same table.

/// The workspace.
pub(crate) const JAIL: &str = "/w/app";

/// A directory beside it.
pub(crate) const OUTSIDE: &str = "/w/outside";

/// Where lines might leave something.
pub(crate) const MUTABLE: [&str; 6] = ["/w", "/etc", "/tmp", "/root", "/home", "/var"];

/// What something of the fixture is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Directory,
    File,
    /// With its target.
    Link(&'static str),
}

use Kind::{Directory, File, Link};

/// Everything, a directory before what is in it.
pub(crate) const TREE: &[(&str, Kind)] = &[
    ("/w", Directory),
    ("/w/app", Directory),
    ("/w/outside", Directory),
    ("/w/outside/secret.txt", File),
    ("/w/outside/dir", Directory),
    ("/w/outside/dir/data.txt", File),
    ("/w/app-evil", Directory),
    ("/w/app-evil/secret.txt", File),
    ("/w/app/README.md", File),
    ("/w/app/package.json", File),
    ("/w/app/Cargo.toml", File),
    ("/w/app/src", Directory),
    ("/w/app/src/main.rs", File),
    ("/w/app/src/a.txt", File),
    ("/w/app/my file.txt", File),
    ("/w/app/--force", File),
    ("/w/app/docs", Directory),
    ("/w/app/docs/guide.md", File),
    ("/w/app/docs/src", Directory),
    ("/w/app/build", Directory),
    ("/w/app/logs", Directory),
    ("/w/app/packages", Directory),
    ("/w/app/packages/api", Directory),
    ("/w/app/packages/api/src", Directory),
    ("/w/app/packages/web", Directory),
    ("/w/app/.env", File),
    ("/w/app/.git", Directory),
    ("/w/app/.git/config", File),
    ("/w/app/link_out", Link("/w/outside")),
    ("/w/app/link_secret", Link("../outside/secret.txt")),
    ("/w/app/link_dangling", Link("../outside/not-yet.txt")),
    ("/w/app/link_src", Link("src")),
    ("/w/app/docs/link_api", Link("../packages/api")),
    ("/etc", Directory),
    ("/etc/passwd", File),
    ("/tmp", Directory),
    ("/root", Directory),
    ("/root/.bashrc", File),
    ("/home", Directory),
    ("/home/agent", Directory),
    ("/home/agent/.bashrc", File),
    ("/var", Directory),
];

/// Programs that a cell has; each only says that it was started. Those of [`PASSED`] then run what they are for.
pub(crate) const PROGRAMS: &[&str] = &[
    "git", "npm", "node", "cargo", "rg", "make", "curl", "evil", "ssh", "python3", "pytest", "jq", "docker",
    "gh", "tsc", "where", "cat", "ls", "grep", "head", "tail", "wc", "sort", "sed", "awk", "tar", "rm", "mv",
    "cp", "mkdir", "touch", "tee", "find", "xargs", "time", "diff", "uniq", "cut", "tr", "seq", "sh", "bash",
    "a", "b", "c", "x", "y", "z", "i", "f", "done", "echo", "printf", "true", "false", "test", "[", "pwd",
    "go", "npx", "pnpm", "yarn", "pip", "sleep", "kill", "env", "nice", "nohup", "timeout", "stat", "id",
    "EOF", "E", "EOF1", "cd", "chdir", "eval", "exec", "export", "set", "in", "do", "if", "then", "fi",
    "for", "!", "{", "}", "if!", "=x", "a=b", "~", "git!", "!!", "*", "?", "$", "#x", "a#b", "{}", "{a,b}",
    "%1",
];

/// Wrappers: said, and then really run, so that what they start is seen as well.
pub(crate) const PASSED: &[&str] = &["env", "nice", "nohup", "timeout"];

/// The environment of every line.
pub(crate) const ENVIRONMENT: &[(&str, &str)] = &[
    ("PATH", "/usr/bin:/bin"),
    ("HOME", "/home/agent"),
    ("LANG", "C.UTF-8"),
    ("TERM", "dumb"),
    ("PWD", JAIL),
    ("V", "one two"),
    ("OPT", "--compress-program=evil"),
    ("STAR", "*"),
    ("EMPTY", ""),
    ("NAME", "evil"),
    ("CONFIG", "-c core.pager=evil"),
    ("PACK", "--upload-pack=evil"),
    ("PRE", "--pre evil"),
    ("EXEC", "-exec evil ;"),
    ("FORCE", "push --force"),
];

/// What the entry at `path` is; `None` when there is nothing.
pub(crate) fn kind(path: &str) -> Option<Kind> {
    TREE.iter().find(|(known, _)| *known == path).map(|(_, kind)| *kind)
}
