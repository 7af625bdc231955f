//! Names that the rules know: data, and how names are compared.

/// Programs (and builtins of shells) that run commands which the policy cannot see. Interpreters of languages, such as
/// node and python, are programs like any other.
const RUNNERS: &[&str] = &[
    // shells, and single binaries that hold one
    "sh",
    "bash",
    "dash",
    "zsh",
    "ksh",
    "ksh93",
    "mksh",
    "yash",
    "ash",
    "fish",
    "csh",
    "tcsh",
    "rbash",
    "busybox",
    "toybox",
    "coreutils",
    // builtins that run their arguments, or a file's lines
    "eval",
    "source",
    ".",
    "trap",
    "coproc",
    // programs that run their arguments
    "xargs",
    "parallel",
    "sudo",
    "doas",
    "su",
    "runuser",
    "pkexec",
    "setsid",
    "stdbuf",
    "ionice",
    "chrt",
    "taskset",
    "numactl",
    "flock",
    "script",
    "unbuffer",
    "watch",
    "strace",
    "ltrace",
    "gdb",
    "perf",
    "unshare",
    "nsenter",
    "chroot",
    "setpriv",
    "systemd-run",
    "at",
    "batch",
    "ssh-agent",
    "dbus-run-session",
    "xvfb-run",
    "firejail",
    "bwrap",
    "proot",
    "fakeroot",
    "torsocks",
    "caffeinate",
    "entr",
];

/// Reserved words of the shell (POSIX XCU 2.4) and of bash that are not also programs.
const SHELL_WORDS: &[&str] = &[
    "!", "{", "}", "[[", "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case",
    "esac", "select", "function",
];

/// Binaries that are many programs, told apart by the name they are called by. A link to one is judged by its own name.
const MULTI_CALL: &[&str] = &["busybox", "toybox", "coreutils", "busybox.static"];

/// Variables that shells read for themselves, or that move what relative names mean.
const SHELL_VARIABLES: &[&str] = &[
    "IFS",
    "CDPATH",
    "ENV",
    "BASH_ENV",
    "PS0",
    "PS1",
    "PS2",
    "PS3",
    "PS4",
    "SHELLOPTS",
    "BASHOPTS",
    "GLOBIGNORE",
    "PROMPT_COMMAND",
    "HOME",
    "PWD",
    "OLDPWD",
    "EXECIGNORE",
    "POSIXLY_CORRECT",
    // Numbers to bash, which evaluates what they are set to: `RANDOM='a[$(program)]'` runs the program.
    "RANDOM",
    "SRANDOM",
    "SECONDS",
    "LINENO",
    "OPTIND",
    "HISTCMD",
    "EPOCHSECONDS",
    "EPOCHREALTIME",
    "ERRNO",
    "UID",
    "EUID",
    "PPID",
    "GROUPS",
    "DIRSTACK",
    "FUNCNAME",
    "PIPESTATUS",
];

/// Variables that say which bytes are a character, and which characters are blanks.
const LOCALES: &[&str] = &["LANG", "LC_ALL", "LC_CTYPE"];

/// Variables that name programs, code, or files of settings that name programs.
const PROGRAM_VARIABLES: &[&str] = &[
    "PATH",
    "PAGER",
    "EDITOR",
    "VISUAL",
    "BROWSER",
    "SHELL",
    "LESSOPEN",
    "LESSCLOSE",
    "MANPAGER",
    "GIT_PAGER",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "GIT_ASKPASS",
    "SSH_ASKPASS",
    "GIT_EXTERNAL_DIFF",
    "GIT_EXEC_PATH",
    "GIT_SSH",
    "GIT_TEMPLATE_DIR",
    "GIT_DIR",
    "GIT_COMMON_DIR",
    "GIT_WORK_TREE",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PYTHONSTARTUP",
    "PYTHONPATH",
    "PYTHONHOME",
    "PERL5OPT",
    "PERL5LIB",
    "PERLLIB",
    "RUBYOPT",
    "RUBYLIB",
    "RIPGREP_CONFIG_PATH",
    "TAR_OPTIONS",
    "MAKEFLAGS",
    "MAKEFILES",
    "JAVA_TOOL_OPTIONS",
    "XDG_CONFIG_HOME",
    "GCONV_PATH",
    "CC",
    "CXX",
    "GREP_OPTIONS",
    "AWKPATH",
    "AWKLIBPATH",
    "MANOPT",
    "ZIPOPT",
    "RSYNC_RSH",
    "RSYNC_CONNECT_PROG",
    "WGETRC",
    "FZF_DEFAULT_COMMAND",
];

/// Beginnings of such names.
const PROGRAM_PREFIXES: &[&str] =
    &["LD_", "DYLD_", "GIT_CONFIG", "RUSTC", "CARGO_BUILD_RUSTC", "npm_config_", "NPM_CONFIG_"];

/// Whether `name` (a basename) is an opaque runner, whatever the letter case. The dynamic loader is one too: it runs
/// the program that it is given.
pub(super) fn is_shell_word(name: &str) -> bool {
    SHELL_WORDS.contains(&name)
}

pub(super) fn is_runner(name: &str) -> bool {
    let name = folded(name);
    RUNNERS.contains(&name.as_str()) || name.starts_with("ld-linux") || name.starts_with("ld-musl")
}

/// Whether `name` is a binary that takes its role from the name it is called by.
pub(super) fn is_multi_call(name: &str) -> bool {
    MULTI_CALL.contains(&name)
}

/// Whether a shell reads the variable `name` for itself.
pub(super) fn steers_shells(name: &str) -> bool {
    SHELL_VARIABLES.contains(&name) || name.starts_with("BASH")
}

/// Whether setting the variable `name` to `value` may let a shell read the rest of a line in another encoding, in which a
/// quote or a backslash can be half of a character. `None`: the value is not known.
pub(super) fn changes_reading(name: &str, value: Option<&str>) -> bool {
    let plain = |value: &str| {
        let folded = value.to_ascii_lowercase();
        matches!(value, "" | "C" | "POSIX") || folded.ends_with(".utf-8") || folded.ends_with(".utf8")
    };
    LOCALES.contains(&name) && !value.is_some_and(plain)
}

/// Whether a shell that finds `name` set to `value` in its environment would read lines in another way, run something else,
/// or be fooled about where it is. What is no name of a variable is one of bash's functions, or of no use.
pub fn steers_shell(name: &str, value: &str) -> bool {
    let own = name != "HOME" && steers_shells(name);
    own || changes_reading(name, Some(value)) || !is_assignment(&format!("{name}=")) || name.ends_with('+')
}

/// Whether the variable `name` decides which program or code runs.
pub(super) fn steers_programs(name: &str) -> bool {
    let git_command = name.starts_with("GIT_") && name.ends_with("_COMMAND");
    git_command
        || PROGRAM_VARIABLES.contains(&name)
        || PROGRAM_PREFIXES.iter().any(|start| name.starts_with(start))
}

/// Whether a shell would take `word` for an assignment: `NAME=…` or `NAME+=…` (XCU 2.10.2, rule 7; bash).
pub(super) fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// `name` in a form in which letter case does not count. Up and then down, so that letters with two lower forms (ſ, K)
/// meet, as they do on file systems that fold.
pub(crate) fn folded(name: &str) -> String {
    name.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_assignments() {
        for word in ["A=", "_a1=x", "PATH+=:x"] {
            assert!(is_assignment(word), "{word}");
        }
        for word in ["=x", "1A=x", "a-b=x", "./A=x", "A"] {
            assert!(!is_assignment(word), "{word}");
        }
    }

    #[test]
    fn folds_letters_with_two_lower_forms() {
        assert_eq!(folded("PſK"), folded("psk"));
        assert_eq!(folded("\u{212a}ill"), folded("kill"));
    }
}
