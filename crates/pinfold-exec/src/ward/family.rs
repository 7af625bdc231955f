//! The children of this process, and how all of them are ended.
//!
//! A ward's process is a subreaper: whoever loses its parent below it becomes its child, whatever it did to get away
//! (setsid(2), a double fork, nohup(1)). So it is enough to kill children, and those that they leave behind, until there
//! is none. Nobody but this process reaps its children, and it has one thread: a number that is listed as a child cannot
//! become a stranger's before it is signalled.

#![allow(clippy::disallowed_methods, reason = "only /proc tells who our children are")]

use std::{fs, thread, time::Duration, time::Instant};

use rustix::{
    io::Errno,
    process::{
        Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, getpid, kill_process, kill_process_group,
        set_child_subreaper, waitid,
    },
};

/// Time between two looks at those who are dying: first and longest.
const FIRST_LOOK: Duration = Duration::from_micros(200);
const LAST_LOOK: Duration = Duration::from_millis(20);

/// Makes this process the parent of all that is orphaned below it.
pub(super) fn adopt_orphans() -> Result<(), Errno> {
    set_child_subreaper(Some(getpid()))
}

/// The children of this process, dead ones too.
pub(super) fn children() -> Vec<Pid> {
    let listed = fs::read_to_string("/proc/thread-self/children");
    match listed {
        Ok(text) => text.split_ascii_whitespace().filter_map(pid).collect(),
        // A kernel without that list.
        Err(_) => search(),
    }
}

/// Looks at every process for whose child it is.
fn search() -> Vec<Pid> {
    let own = getpid();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| pid(entry.file_name().to_str()?));
    numbers.filter(|child| parent(*child) == Some(own)).collect()
}

fn pid(text: &str) -> Option<Pid> {
    Pid::from_raw(text.parse().ok()?)
}

/// Whose child it is (proc_pid_stat(5)).
fn parent(of: Pid) -> Option<Pid> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", of.as_raw_nonzero())).ok()?;
    pid(stat.rsplit_once(") ")?.1.split(' ').nth(1)?)
}

/// The name that the kernel keeps of a process.
pub(super) fn name(child: Pid) -> String {
    let name = fs::read_to_string(format!("/proc/{}/comm", child.as_raw_nonzero())).unwrap_or_default();
    name.trim_end_matches('\n').to_owned()
}

/// Whether this child has ended, and how; it is not reaped.
pub(super) fn ended(child: Pid) -> Result<Option<WaitIdStatus>, Errno> {
    waitid(WaitId::Pid(child), WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT)
}

/// Reaps this child if it has ended. True: its number is nobody's now.
pub(super) fn reap(child: Pid) -> bool {
    !matches!(waitid(WaitId::Pid(child), WaitIdOptions::EXITED | WaitIdOptions::NOHANG), Ok(None))
}

/// Signals a child, and with it the group that it leads.
pub(super) fn signal(child: Pid, signal: Signal) {
    // It leads no group, or is dead already, or another user's now: the next look tells.
    let _no_group = kill_process_group(child, signal);
    let _gone = kill_process(child, signal);
}

/// Kills every child but those in `spared`, and whatever they leave behind, until there is none left or it is `until`.
/// Returns how many were still there at its last look, at least; even those that are dying then may leave more behind.
pub(super) fn kill_all(spared: &[Pid], until: Instant) -> usize {
    let mut look = FIRST_LOOK;
    loop {
        let left: Vec<Pid> = children().into_iter().filter(|child| !spared.contains(child)).collect();
        if left.is_empty() && (!spared.is_empty() || is_childless()) {
            return 0;
        }
        let left: Vec<Pid> = left.into_iter().filter(|child| !reap(*child)).collect();
        left.iter().for_each(|child| signal(*child, Signal::KILL));
        if Instant::now() > until {
            return left.len().max(1);
        }
        thread::sleep(look);
        look = LAST_LOOK.min(look * 2);
    }
}

/// The list of children may leave some out while others end; this does not.
fn is_childless() -> bool {
    let any = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    matches!(waitid(WaitId::All, any), Err(Errno::CHILD))
}
