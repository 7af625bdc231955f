//! The rules that lines are judged by.

use pinfold_shell::{DenyPattern, Rules};

use crate::Result;

/// What an agent is often allowed, and the builtins that a line may use.
const ALLOW: &[&str] = &[
    "git", "npm", "node", "cargo", "rg", "make", "echo", "printf", "true", "false", "cat", "ls", "grep",
    "head", "tail", "wc", "sort", "test", "[", "where", "env", "nice", "timeout", "nohup", "time", "command",
    "exec", "builtin", ":", "export", "set", "read", "unset", "readonly", "shift", "exit", "return", "break",
    "umask", "wait", "type", "hash", "a", "b", "c", "x", "y", "f", "done", "python3", "jq", "sed", "awk",
    "tr", "cut", "uniq", "local", "pwd", "!", "{", "find", "diff", "E", "EOF", "chdir", "in", "if", "a=b",
    "=x",
];

/// One set of rules.
#[derive(Debug)]
pub(crate) struct Policy {
    pub(crate) name: &'static str,
    pub(crate) rules: Rules,
    /// No line at all may run.
    pub(crate) closed: bool,
}

/// All of them.
pub(crate) fn all() -> Result<Vec<Policy>> {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<String>>();
    let patterns: Vec<DenyPattern> = serde_json::from_str(r#"["git push --force", {"regex": "^npm .*x$"}]"#)?;
    let deny = owned(&["evil", "curl", "rm", "ssh"]);
    let policy = |name, rules| Policy { name, rules, closed: false };
    Ok(vec![
        policy("allow", Rules::new(Some(owned(ALLOW)), Vec::new())?),
        policy("deny", Rules::new(None, deny.clone())?),
        policy("patterns", Rules::new(Some(owned(ALLOW)), deny)?.with_patterns(patterns)),
        Policy { name: "empty", rules: Rules::new(Some(Vec::new()), Vec::new())?, closed: true },
    ])
}
