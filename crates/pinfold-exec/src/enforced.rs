//! Which walls held during a run.

use std::fmt;

/// How far a wall held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Held {
    /// Yes, by the kernel.
    Yes,
    /// As far as it goes: a program that wants to get around it can.
    BestEffort,
    /// There was no such wall.
    No,
}

/// Which walls held during a run, and which did not. Made only by the runner, from what it did.
#[derive(Debug, PartialEq, Eq)]
pub struct Enforced {
    started: bool,
    descendants: Held,
}

impl Enforced {
    pub(crate) fn group_killed() -> Enforced {
        Enforced { started: true, descendants: Held::BestEffort }
    }

    /// `certain`: the ward has no child left.
    pub(crate) fn ward_cleared(certain: bool) -> Enforced {
        Enforced { started: true, descendants: if certain { Held::Yes } else { Held::BestEffort } }
    }

    pub(crate) fn nothing_started() -> Enforced {
        Enforced { started: false, descendants: Held::No }
    }

    /// The command ran in a process group of its own, and whatever was left in the group at the end was killed.
    pub fn process_group(&self) -> Held {
        if self.started { Held::Yes } else { Held::No }
    }

    /// Whatever the command started was ended too, also what left the group by setsid(2), a double fork or nohup(1). With a
    /// [`Ward`](crate::Ward) that is certain; without one, who leaves the group is not followed, and loses at most its
    /// output pipe.
    pub fn descendants(&self) -> Held {
        self.descendants
    }

    /// Access to files was confined to the workspace.
    pub fn file_system(&self) -> Held {
        Held::No
    }

    /// Access to the network was confined.
    pub fn network(&self) -> Held {
        Held::No
    }
}

impl fmt::Display for Enforced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.started, self.descendants) {
            (false, _) => "Nothing was started, so nothing had to be confined.",
            (true, Held::Yes) => {
                "Everything that the command started was ended with it; neither files nor the network were confined."
            }
            (true, _) => {
                "The command ran in a process group of its own, which was killed as a whole at the end; a process that \
                 left the group may have outlived it, and neither files nor the network were confined."
            }
        })
    }
}
