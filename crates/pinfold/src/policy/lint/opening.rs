//! Programs that undo rules once they are on an allow list, and what they open.

use super::{Finding, Level, Policy};

/// What a program opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    Shell,
    OtherUser,
    Runner,
    Interpreter,
    Fetcher,
    Machine,
    Network,
    Changer,
    Builder,
    Git,
}

const KNOWN: &[(Opening, &[&str])] = &[
    (
        Opening::Shell,
        &[
            "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "busybox", "toybox",
            "pwsh", "nu",
        ],
    ),
    (Opening::OtherUser, &["sudo", "su", "doas", "pkexec", "runuser", "setpriv", "newgrp"]),
    (
        Opening::Runner,
        &[
            "xargs",
            "parallel",
            "setsid",
            "stdbuf",
            "flock",
            "script",
            "watch",
            "strace",
            "ltrace",
            "gdb",
            "unshare",
            "nsenter",
            "chroot",
            "systemd-run",
            "at",
            "batch",
            "crontab",
            "screen",
            "tmux",
            "entr",
            "eval",
            "source",
            "expect",
            "vim",
            "vi",
            "nvim",
            "emacs",
            "ed",
            "less",
            "man",
        ],
    ),
    (
        Opening::Interpreter,
        &[
            "python",
            "python2",
            "python3",
            "pypy3",
            "node",
            "nodejs",
            "deno",
            "bun",
            "ruby",
            "irb",
            "perl",
            "php",
            "lua",
            "luajit",
            "tclsh",
            "Rscript",
            "julia",
            "osascript",
            "gawk",
            "awk",
            "mawk",
        ],
    ),
    (
        Opening::Fetcher,
        &["npx", "bunx", "pnpx", "uvx", "pipx", "pip", "pip3", "gem", "apt", "apt-get", "brew", "snap"],
    ),
    (
        Opening::Machine,
        &[
            "docker",
            "podman",
            "nerdctl",
            "kubectl",
            "helm",
            "systemctl",
            "mount",
            "umount",
            "ssh",
            "mosh",
            "ansible",
            "terraform",
            "qemu-system-x86_64",
        ],
    ),
    (
        Opening::Network,
        &[
            "curl", "wget", "nc", "ncat", "socat", "scp", "sftp", "rsync", "ftp", "telnet", "aws", "gcloud",
            "az",
        ],
    ),
    (
        Opening::Changer,
        &[
            "rm", "mv", "cp", "dd", "tee", "ln", "install", "chmod", "chown", "shred", "truncate", "tar",
            "unzip", "find", "sed", "patch", "kill", "pkill", "killall",
        ],
    ),
    (
        Opening::Builder,
        &[
            "make", "gmake", "ninja", "cmake", "cargo", "go", "npm", "pnpm", "yarn", "gradle", "gradlew",
            "mvn", "mvnw", "uv", "poetry", "tox", "nox", "pytest", "rake", "bundle", "just", "task", "bazel",
            "dotnet", "mix", "composer",
        ],
    ),
    (Opening::Git, &["git"]),
];

impl Opening {
    /// What the program of this name opens, if it is known for that.
    pub(super) fn of(name: &str) -> Option<Opening> {
        KNOWN.iter().find(|(_, names)| names.contains(&name)).map(|(opening, _)| *opening)
    }

    /// The finding about an entry of the allow list.
    pub(super) fn finding(self, field: &str, name: &str, policy: &Policy) -> Finding {
        let (level, says, advice) = match self {
            Opening::Git if policy.denies_writing(".git/hooks/x") => {
                let (says, advice) = self.words();
                (Level::Note, says, advice)
            }
            Opening::Git => (
                Level::Warning,
                "runs the hooks and settings in `.git`, which the agent may write here: so it runs anything",
                "Add `\"**/.git/**\"` and `\".git/**\"` to `deny_write_paths`.",
            ),
            other => {
                let (says, advice) = other.words();
                (other.level(), says, advice)
            }
        };
        Finding {
            field: field.to_owned(),
            level,
            message: format!("`{name}` {says}."),
            advice: advice.to_owned(),
        }
    }

    fn level(self) -> Level {
        match self {
            Opening::Changer | Opening::Builder | Opening::Git => Level::Note,
            _ => Level::Warning,
        }
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Opening::Shell => (
                "is a shell: it runs any command line, so no other rule about commands holds any more",
                "Allow the programs that are needed instead.",
            ),
            Opening::OtherUser => (
                "runs programs as another user, so that not even the rights of your own account are a bound",
                "Leave it out; run what needs it yourself.",
            ),
            Opening::Runner => (
                "runs other programs out of sight of the rules, so any program can be run with it",
                "Leave it out.",
            ),
            Opening::Interpreter => (
                "runs whatever text it is given (`-c`, `-e`, a file that the agent wrote): files anywhere, the network, other programs",
                "Allow the tool that is needed (such as `pytest`), or deny `-c` and `-e` by patterns, and know that a written script still runs.",
            ),
            Opening::Fetcher => (
                "fetches packages and runs what is in them",
                "Install what is needed yourself, and allow the programs.",
            ),
            Opening::Machine => (
                "acts outside of this machine's files and processes as you see them: containers, other hosts, services",
                "Leave it out, or deny all but the uses that are needed by patterns.",
            ),
            Opening::Network => (
                "sends anything that the agent can read to anywhere",
                "Leave it out, or deny all but the uses that are needed by patterns.",
            ),
            Opening::Changer => (
                "takes paths as arguments, and those are not held inside the workspace: it can change or read what your account can",
                "The file tools do the same inside the workspace only.",
            ),
            Opening::Builder => (
                "runs what the project says (build scripts, tests, tasks), and the agent may write that",
                "That is what building means; run the whole thing in a container if the agent is not trusted with it.",
            ),
            Opening::Git => (
                "talks to other hosts (`push`, `fetch`) and can throw work away (`reset --hard`, `clean`)",
                "Deny such uses by patterns, as in `{ regex = \"^git (push|clean)\\\\b\" }`.",
            ),
        }
    }
}
