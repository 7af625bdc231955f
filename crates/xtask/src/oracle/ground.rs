//! The fixture as the rules see it: links are followed by the table, and every answer is kept, since it is what a shell
//! may then do.

use std::{cell::RefCell, collections::BTreeSet};

use pinfold_shell::{Found, Ground, Outside, Purpose};

use super::fixture::{JAIL, Kind, kind};

/// Links that are followed at most, as the kernel does.
const MOST_LINKS: usize = 40;

/// The ground of one verdict.
#[derive(Debug, Default)]
pub(crate) struct Field {
    listed: RefCell<Listed>,
}

/// What the verdict lets a line touch: real absolute paths.
#[derive(Debug, Default, Clone)]
pub(crate) struct Listed {
    pub(crate) reads: BTreeSet<String>,
    pub(crate) writes: BTreeSet<String>,
    pub(crate) dirs: BTreeSet<String>,
}

impl Field {
    pub(crate) fn into_listed(self) -> Listed {
        self.listed.into_inner()
    }
}

impl Ground for Field {
    fn start(&self) -> String {
        JAIL.to_owned()
    }

    fn judge(&self, path: &str, purpose: Purpose) -> Result<String, Outside> {
        let no = |message: &str| Outside { message: message.to_owned(), hint: None };
        let real = resolved(path).ok_or_else(|| no("too many links"))?;
        if real != JAIL && !real.starts_with(&format!("{JAIL}/")) {
            return Err(no("it lies outside"));
        }
        if real.split('/').any(|name| name == ".git" || name.starts_with(".env")) {
            return Err(no("it is denied"));
        }
        let mut listed = self.listed.borrow_mut();
        match purpose {
            Purpose::Read => listed.reads.insert(real.clone()),
            Purpose::Write => listed.writes.insert(real.clone()),
            Purpose::Cd => listed.dirs.insert(real.clone()),
        };
        Ok(real)
    }

    fn program(&self, _dir: &str, _name: &str) -> Option<Found> {
        None
    }
}

/// Every link followed, also when something on the way is missing.
fn resolved(path: &str) -> Option<String> {
    let mut waiting: Vec<String> = parts(path);
    let mut out: Vec<String> = Vec::new();
    let mut links = 0;
    while let Some(part) = waiting.pop() {
        if part == ".." {
            out.pop();
            continue;
        }
        out.push(part);
        if let Some(Kind::Link(target)) = kind(&format!("/{}", out.join("/"))) {
            links += 1;
            if links > MOST_LINKS {
                return None;
            }
            out.pop();
            if target.starts_with('/') {
                out.clear();
            }
            waiting.extend(parts(target));
        }
    }
    Some(format!("/{}", out.join("/")))
}

/// The names of a path, the last first.
fn parts(path: &str) -> Vec<String> {
    path.split('/').filter(|part| !part.is_empty() && *part != ".").rev().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_as_by_the_kernel() {
        let cases = [
            ("/w/app/link_src/../docs", "/w/app/docs"),
            ("/w/app/docs/link_api/../x", "/w/app/packages/x"),
            ("/w/app/link_secret", "/w/outside/secret.txt"),
            ("/w/app/link_out/dir/new", "/w/outside/dir/new"),
            ("/w/app/new/../x", "/w/app/x"),
            ("/../../w", "/w"),
        ];
        for (path, real) in cases {
            assert_eq!(resolved(path).as_deref(), Some(real), "{path}");
        }
    }
}
