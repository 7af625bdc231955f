//! What a system call is called, and whether it counts.

use std::fmt;

use nix::libc;

/// A system call at its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SystemCall {
    /// Its number on this machine.
    pub number: i64,
    /// The first three arguments: numbers, or addresses in the process that made it.
    pub arguments: [u64; 3],
}

/// Calls that change or tell something on a disk, and a few more that are worth a name.
const NAMES: [(i64, &str); 37] = [
    (libc::SYS_read, "read"),
    (libc::SYS_write, "write"),
    (libc::SYS_pread64, "pread64"),
    (libc::SYS_pwrite64, "pwrite64"),
    (libc::SYS_close, "close"),
    (libc::SYS_openat, "openat"),
    (libc::SYS_openat2, "openat2"),
    (libc::SYS_dup, "dup"),
    (libc::SYS_fcntl, "fcntl"),
    (libc::SYS_flock, "flock"),
    (libc::SYS_fstat, "fstat"),
    (libc::SYS_newfstatat, "newfstatat"),
    (libc::SYS_statx, "statx"),
    (libc::SYS_lseek, "lseek"),
    (libc::SYS_getdents64, "getdents64"),
    (libc::SYS_readlinkat, "readlinkat"),
    (libc::SYS_fsync, "fsync"),
    (libc::SYS_fdatasync, "fdatasync"),
    (libc::SYS_syncfs, "syncfs"),
    (libc::SYS_ftruncate, "ftruncate"),
    (libc::SYS_fallocate, "fallocate"),
    (libc::SYS_fchmod, "fchmod"),
    (libc::SYS_fchown, "fchown"),
    (libc::SYS_getxattr, "getxattr"),
    (libc::SYS_fgetxattr, "fgetxattr"),
    (libc::SYS_setxattr, "setxattr"),
    (libc::SYS_fsetxattr, "fsetxattr"),
    (libc::SYS_listxattr, "listxattr"),
    (libc::SYS_flistxattr, "flistxattr"),
    (libc::SYS_fremovexattr, "fremovexattr"),
    (libc::SYS_mkdirat, "mkdirat"),
    (libc::SYS_linkat, "linkat"),
    (libc::SYS_symlinkat, "symlinkat"),
    (libc::SYS_unlinkat, "unlinkat"),
    (libc::SYS_renameat, "renameat"),
    (libc::SYS_renameat2, "renameat2"),
    (libc::SYS_getrandom, "getrandom"),
];

/// Threads, memory and waiting: their number differs from run to run.
const BOOKKEEPING: [i64; 27] = [
    libc::SYS_futex,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_clone,
    libc::SYS_clone3,
    libc::SYS_rseq,
    libc::SYS_set_robust_list,
    libc::SYS_sigaltstack,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigreturn,
    libc::SYS_restart_syscall,
    libc::SYS_prctl,
    libc::SYS_gettid,
    libc::SYS_getpid,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_epoll_pwait,
    libc::SYS_ppoll,
    libc::SYS_exit,
];

/// The same, where only older machines have the call.
#[cfg(target_arch = "x86_64")]
const OLD_BOOKKEEPING: [i64; 2] = [libc::SYS_epoll_wait, libc::SYS_poll];
#[cfg(not(target_arch = "x86_64"))]
const OLD_BOOKKEEPING: [i64; 0] = [];

impl SystemCall {
    /// Its name, of the calls that work on files; `other` for the rest.
    pub fn name(&self) -> &'static str {
        NAMES.iter().find(|(number, _)| *number == self.number).map_or("other", |(_, name)| name)
    }

    /// The mark that an actor makes before and after its deed.
    pub(super) fn is_mark(&self) -> bool {
        self.number == libc::SYS_kill && self.arguments[1] == 0
    }

    pub(super) fn counts(&self) -> bool {
        !BOOKKEEPING.contains(&self.number) && !OLD_BOOKKEEPING.contains(&self.number)
    }
}

impl fmt::Display for SystemCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c] = self.arguments;
        match self.name() {
            "other" => write!(f, "system call {}({a:#x}, {b:#x}, {c:#x})", self.number),
            name => write!(f, "{name}({a:#x}, {b:#x}, {c:#x})"),
        }
    }
}
