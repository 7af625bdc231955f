//! From what was typed to an open workspace.

use std::{
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    string::FromUtf8Error,
};

use pinfold::{
    Failure, FailureType, Policy, Resolver, Workspace,
    policy::file::{self, Format},
};

use crate::{arguments::Place, log_file, places};

/// An open workspace, and the policy that it was opened with.
pub(crate) struct Opened {
    pub(crate) workspace: Workspace,
    /// As it holds in `workspace`: `cwd` is its root, without links.
    pub(crate) policy: Policy,
}

impl Place {
    /// Opens the workspace that was asked for.
    pub(crate) fn open(&self) -> Result<Opened, Failure> {
        self.open_with(self.policy()?)
    }

    /// The same for one call: what it runs is waited for, since nothing goes on when this process has ended.
    pub(crate) fn open_once(&self) -> Result<Workspace, Failure> {
        let mut policy = self.policy()?;
        if let Some(shell) = &mut policy.shell {
            shell.foreground_ms = 0;
        }
        self.open_with(policy).map(|opened| opened.workspace)
    }

    fn open_with(&self, mut policy: Policy) -> Result<Opened, Failure> {
        let mut workspace = open(policy.clone()).map_err(|failure| self.pointed(failure))?;
        let root = workspace.root().to_path_buf();
        if let Some(subdir) = &self.scope {
            workspace = workspace.scope(subdir)?;
        }
        if let Some(log) = &self.log {
            workspace = workspace.logged(log_file::writer(log, &root, &policy)?);
        }
        policy.cwd = workspace.root().to_path_buf();
        workspace = workspace.dialect(self.spoken.dialect);
        Ok(Opened { workspace, policy })
    }

    /// The operator's policy, narrowed by what was typed beside it and by the workspace's own file.
    pub(crate) fn policy(&self) -> Result<Policy, Failure> {
        self.operators_policy()?.narrowed_by_workspace()
    }

    /// The same, without the workspace's own file.
    pub(crate) fn operators_policy(&self) -> Result<Policy, Failure> {
        let root = self.root.as_deref().map(absolute).transpose()?;
        let mut policy = match self.policy_file()? {
            Some(file) => file.policy(root.as_deref())?,
            None => self.agents_policy(root)?,
        };
        policy.read_only |= self.read_only;
        Ok(policy)
    }

    /// The policy file that was named, else the user's own, if there is one.
    pub(crate) fn policy_file(&self) -> Result<Option<PolicyFile>, Failure> {
        if let Some(named) = &self.policy {
            return PolicyFile::of(named.clone(), std::fs::read(named)).map(Some);
        }
        let Some(file) = users_policy_file().map(PolicyFile::read_if_there).transpose()?.flatten() else {
            return Ok(None);
        };
        if self.allow.is_empty() {
            return Ok(Some(file));
        }
        let message =
            "`--allow` names programs where there is no policy file, but here is one, and it decides.";
        let hint = "Add the programs to `allow` under `[shell]` there, or name another file with `--policy`.";
        Err(bad_policy(message.to_owned()).hint(hint).at(file.path.display().to_string()))
    }

    /// The failure, with the place in the policy file that it is about.
    fn pointed(&self, failure: Failure) -> Failure {
        // What was typed as the root stands in no file.
        let typed = self.root.is_some() && failure.details().field.as_deref() == Some("cwd");
        match self.policy_file() {
            Ok(Some(file)) if !typed => file.pointed(failure),
            _ => failure,
        }
    }

    fn agents_policy(&self, root: Option<PathBuf>) -> Result<Policy, Failure> {
        let root = root.map_or_else(|| absolute(Path::new(".")), Ok)?;
        if root.parent().is_none() {
            let message = "`/` is the whole machine, so nothing would be kept out.";
            return Err(bad_policy(message.to_owned()).hint("Name the directory that the agent works in."));
        }
        let policy = Policy::for_agent(root);
        let names: Vec<&String> = self.allow.iter().filter(|name| !name.is_empty()).collect();
        Ok(if names.is_empty() { policy } else { policy.allow(names) })
    }
}

/// The one place where a workspace is opened. `PINFOLD_RESOLVER` chooses how the jail goes down paths, so that the same
/// tests can be run on each way.
fn open(policy: Policy) -> Result<Workspace, Failure> {
    let wanted = std::env::var_os("PINFOLD_RESOLVER").unwrap_or_default();
    let resolver = match wanted.to_str() {
        Some("") => Resolver::Best,
        Some("kernel") => Resolver::Kernel,
        Some("walk") => Resolver::Walk,
        _ => {
            return Err(bad_policy(format!(
                "PINFOLD_RESOLVER is `{}`: there are `kernel` and `walk`.",
                wanted.display()
            )));
        }
    };
    Workspace::with_resolver(policy, resolver)
}

/// The text of a policy file.
pub(crate) struct PolicyFile {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

impl PolicyFile {
    /// The file of this name, else the user's own.
    pub(crate) fn find(named: Option<&Path>) -> Result<PolicyFile, Failure> {
        if let Some(named) = named {
            return PolicyFile::of(named.to_owned(), std::fs::read(named));
        }
        let users = users_policy_file();
        let found = users.clone().map(PolicyFile::read_if_there).transpose()?.flatten();
        found.ok_or_else(|| {
            let place =
                users.map_or("your configuration folder".to_owned(), |path| path.display().to_string());
            bad_policy(format!("No policy file is named, and there is none at {place}."))
                .hint("Name one, or write a starter with `pinfold policy init`.")
        })
    }

    /// Where a field of it stands.
    pub(crate) fn place(&self, field: &str) -> Option<file::Place> {
        let span = places::span(&self.text, Format::of(&self.path, &self.text), field)?;
        Some(file::Place::of(&self.text, &span))
    }

    /// The failure with the place in this file that it is about, if it names a field of it.
    pub(crate) fn pointed(&self, failure: Failure) -> Failure {
        let path = self.path.display().to_string();
        let place = failure.details().field.as_deref().and_then(|field| self.place(field));
        match place {
            Some(place) => {
                let message =
                    format!("The policy is not valid at {place}: {}\n{}", failure.message(), place.drawing);
                failure.saying(message).at(path)
            }
            None => failure.at(path),
        }
    }

    fn of(path: PathBuf, bytes: io::Result<Vec<u8>>) -> Result<PolicyFile, Failure> {
        let text = bytes
            .map_err(|error| format!("The policy cannot be read: {error}."))
            .and_then(|bytes| String::from_utf8(bytes).map_err(|error| not_text(&error)));
        match text {
            Ok(text) => Ok(PolicyFile { path, text }),
            Err(message) => Err(bad_policy(message).at(path.display().to_string())),
        }
    }

    fn read_if_there(path: PathBuf) -> Result<Option<PolicyFile>, Failure> {
        match std::fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            bytes => PolicyFile::of(path, bytes).map(Some),
        }
    }

    pub(crate) fn policy(&self, root: Option<&Path>) -> Result<Policy, Failure> {
        let format = Format::of(&self.path, &self.text);
        let root = root.map(absolute).transpose()?;
        let policy = match &root {
            Some(root) => Policy::from_text_at(&self.text, format, root),
            None => Policy::from_text(&self.text, format),
        };
        policy.map_err(|failure| failure.at(self.path.display().to_string()))
    }
}

fn users_policy_file() -> Option<PathBuf> {
    Some(users_folder()?.join("policy.toml"))
}

/// `pinfold` in the user's configuration folder, as the XDG Base Directory Specification finds it: a relative
/// `XDG_CONFIG_HOME` counts as none.
pub(crate) fn users_folder() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))?;
    Some(folder.join("pinfold"))
}

/// The path from `/`, without `.`; links and `..` are left to the jail.
pub(crate) fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path).map_err(|error| bad_policy(format!("The root cannot be found: {error}.")))
}

fn not_text(error: &FromUtf8Error) -> String {
    format!("The policy is not text: {}.", error.utf8_error())
}

fn bad_policy(message: String) -> Failure {
    Failure::new(FailureType::BadPolicy, message)
}
