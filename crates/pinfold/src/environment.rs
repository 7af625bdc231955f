//! The environment of commands: the names that the policy picks, and what it sets over them. Nothing else.

use std::ffi::{OsStr, OsString};

use crate::{
    Failure, FailureType,
    policy::{Interpreter, ShellPolicy},
};

/// Exactly what a command gets.
#[derive(Debug, Clone, Default)]
pub(crate) struct Environment(Vec<(OsString, OsString)>);

impl Environment {
    /// Picks `shell.inheritEnv` from this process now, and puts `shell.env` over it.
    pub(crate) fn of(shell: Option<&ShellPolicy>) -> Result<Environment, Failure> {
        let Some(shell) = shell else { return Ok(Environment::default()) };
        let names = shell.inherit_env.iter().chain(shell.env.keys());
        if let Some(bad) = names.into_iter().find(|name| !is_name(name)) {
            let message = format!("`shell`: `{bad}` cannot be the name of an environment variable.");
            return Err(Failure::new(FailureType::BadPolicy, message));
        }
        if let Some((name, _)) = shell.env.iter().find(|(_, value)| value.contains('\0')) {
            let message = format!("`shell.env`: the value of `{name}` holds a NUL character.");
            return Err(Failure::new(FailureType::BadPolicy, message));
        }
        let inherited = shell.inherit_env.iter().filter(|name| !shell.env.contains_key(*name));
        let mut pairs: Vec<_> = inherited.filter_map(|name| Some((name.into(), own(name)?))).collect();
        pairs.extend(shell.env.iter().map(|(name, value)| (name.into(), value.into())));
        if shell.interpreter == Interpreter::Sh {
            pairs.retain(|(name, value): &(OsString, OsString)| !steers(name, value));
        }
        Ok(Environment(pairs))
    }

    pub(crate) fn get(&self, name: &OsStr) -> Option<&OsStr> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_os_str())
    }

    /// The whole of it, with this `PATH` instead of its own.
    pub(crate) fn with_path(&self, path: Option<OsString>) -> Vec<(OsString, OsString)> {
        let others = self.0.iter().filter(|(name, _)| name != "PATH").cloned();
        others.chain(path.map(|path| ("PATH".into(), path))).collect()
    }
}

/// The one place below the doors that reads this process's environment: a policy names variables of its host.
#[allow(clippy::disallowed_methods)]
fn own(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// What a shell would read for itself stays out of it, whoever set it.
fn steers(name: &OsStr, value: &OsStr) -> bool {
    name.to_str().is_none_or(|name| pinfold_shell::steers_shell(name, &value.to_string_lossy()))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\0'])
}
