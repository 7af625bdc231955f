//! Where several files change together: all of them or none.

use std::path::Path;

use pinfold_jail::{ErrorKind, JailError, snapshot::bundle};

use super::{Node, Part, Written, memory};

/// Commits parts together. A closed list, as for nodes: a tool cannot tell which it is.
#[derive(Debug, Clone)]
pub(crate) enum Ledger {
    Local(bundle::Ledger),
    Memory,
}

/// Why nothing was changed, and which part it is about.
pub(crate) type Broken = bundle::Broken;

impl Ledger {
    /// All parts, in order, or none; what was written of each, none for a file that is gone.
    pub(crate) fn commit(&self, parts: Vec<Part>) -> Result<Vec<Option<Written>>, Broken> {
        match self {
            Ledger::Local(ledger) => {
                let own = |part| match part {
                    Part::Local(part) => Ok(*part),
                    Part::Memory(_) => Err(JailError::from(ErrorKind::Other)),
                };
                let parts: Vec<bundle::Part> = parts.into_iter().map(own).collect::<Result<_, _>>()?;
                let receipts = ledger.commit(&parts)?;
                Ok(receipts.into_iter().map(|receipt| receipt.map(Written::from)).collect())
            }
            Ledger::Memory => {
                let own = |part| match part {
                    Part::Memory(part) => Ok(part),
                    Part::Local(_) => Err(JailError::from(ErrorKind::Other)),
                };
                memory::commit_all(parts.into_iter().map(own).collect::<Result<_, _>>()?)
            }
        }
    }

    /// Undoes what a crash left half done. `admit` resolves and judges an absolute path.
    pub(crate) fn recover(&self, admit: &mut dyn FnMut(&Path) -> Option<Node>) -> Result<(), JailError> {
        let Ledger::Local(ledger) = self else { return Ok(()) };
        let mut local = |place: &Path| match admit(place)? {
            Node::Local(path) => Some(path),
            Node::Memory(_) => None,
        };
        ledger.recover(&mut local).map(drop)
    }
}
