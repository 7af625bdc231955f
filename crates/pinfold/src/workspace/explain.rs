//! What the policy says of a path, for whoever runs the workspace: nothing is read or changed.

use std::path::{Path, PathBuf};

use pinfold_jail::Access;
use serde::Serialize;

use super::Workspace;
use crate::{
    Failure, Policy,
    backend::Asked,
    gate::{Permit, Read, Verb, Write},
};

/// What the policy says of a path.
///
/// It names places that a model must not hear of: it is for people. Serializes to camelCase JSON; what is absent is left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PathVerdict {
    /// As it was asked for.
    pub path: String,
    /// The root that it lies in: `cwd`, or one of `allowPaths`; absolute, without links.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<PathBuf>,
    /// The root may be written to, as far as rules go.
    pub writable: bool,
    /// Where it leads: absolute, without links. It need not be there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved: Option<PathBuf>,
    /// Links and directories on the way that are judged as well, if there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<PathBuf>,
    /// Whether it may be read.
    pub read: DeedVerdict,
    /// Whether it may be written.
    pub write: DeedVerdict,
}

/// Whether one deed is allowed, and why not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeedVerdict {
    /// Whether the rules let it be done. The file system may still say no.
    pub allowed: bool,
    /// The type of the failure that a tool would return.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Its words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The rule that says no, such as `denyPaths[1]`; absent where no entry of a list does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

impl Workspace {
    /// What the policy says of a path: where it leads, and whether it may be read and written. Looks at names on the disk
    /// and at nothing else.
    pub fn explain_path(&self, path: impl AsRef<Path>) -> PathVerdict {
        let path = path.as_ref();
        let asked = Asked { name: path.into(), link_itself: false, lossy: false };
        let (root, writable, resolved, through) = match self.house.backend.resolve(&asked) {
            Ok(found) => {
                let root = self.house.backend.roots().into_iter().find(|root| found.place.starts_with(root));
                (root, found.access != Access::ReadOnly, Some(found.place), found.passed)
            }
            Err(lost) => (None, false, None, lost.passed),
        };
        let through = through.into_iter().filter(|place| resolved.as_ref() != Some(place)).collect();
        let (read, write) = (self.deed::<Read>(&asked), self.deed::<Write>(&asked));
        let writable = writable && !self.house.gate.is_read_only();
        PathVerdict {
            path: path.to_string_lossy().into_owned(),
            root,
            writable,
            resolved,
            through,
            read,
            write,
        }
    }

    fn deed<V: Verb>(&self, asked: &Asked) -> DeedVerdict {
        let gate = &self.house.gate;
        let judged =
            gate.admit::<V>().and_then(|()| gate.judge::<V>(asked, self.house.backend.resolve(asked)));
        DeedVerdict::of(judged)
    }
}

impl Policy {
    /// What a workspace with this policy says of a path; see [`Workspace::explain_path`]. Nothing on the disk is touched.
    ///
    /// # Errors
    /// `bad-policy`, as when the workspace is opened.
    pub fn explain_path(&self, path: impl AsRef<Path>) -> Result<PathVerdict, Failure> {
        Ok(Workspace::open_untouched(self.clone())?.explain_path(path))
    }
}

impl DeedVerdict {
    fn of<V>(judged: Result<Permit<V>, Failure>) -> DeedVerdict {
        match judged {
            Ok(_permit) => DeedVerdict { allowed: true, failure: None, message: None, rule: None },
            Err(no) => DeedVerdict {
                allowed: false,
                failure: Some(no.failure_type().as_str().to_owned()),
                message: Some(no.message().to_owned()),
                rule: no.details().rule.clone(),
            },
        }
    }
}
