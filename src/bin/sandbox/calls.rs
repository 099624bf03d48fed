//! The lists of system calls.

use nix::libc as nr;

/// Calls with any arguments.
#[rustfmt::skip]
pub const FREE: &[nr::c_long] = &[
    // Files.
    nr::SYS_read, nr::SYS_write, nr::SYS_readv, nr::SYS_writev, nr::SYS_pread64, nr::SYS_pwrite64, nr::SYS_preadv,
    nr::SYS_pwritev, nr::SYS_preadv2, nr::SYS_pwritev2, nr::SYS_openat, nr::SYS_close, nr::SYS_close_range,
    nr::SYS_lseek, nr::SYS_fstat, nr::SYS_newfstatat, nr::SYS_statx, nr::SYS_statfs, nr::SYS_fstatfs, nr::SYS_getdents64,
    nr::SYS_readlinkat, nr::SYS_faccessat, nr::SYS_faccessat2, nr::SYS_mkdirat, nr::SYS_unlinkat, nr::SYS_renameat,
    nr::SYS_renameat2, nr::SYS_linkat, nr::SYS_symlinkat,
    nr::SYS_ftruncate, nr::SYS_fallocate, nr::SYS_fadvise64, nr::SYS_fsync,
    nr::SYS_fdatasync, nr::SYS_sync_file_range, nr::SYS_flock, nr::SYS_dup, nr::SYS_dup3, nr::SYS_pipe2,
    nr::SYS_copy_file_range, nr::SYS_chdir, nr::SYS_fchdir, nr::SYS_getcwd, nr::SYS_umask,
    nr::SYS_getxattr, nr::SYS_lgetxattr, nr::SYS_fgetxattr, nr::SYS_listxattr, nr::SYS_llistxattr, nr::SYS_flistxattr,
    // Memory.
    nr::SYS_munmap, nr::SYS_mremap, nr::SYS_mprotect, nr::SYS_madvise, nr::SYS_mincore, nr::SYS_msync,
    nr::SYS_brk, nr::SYS_mlock, nr::SYS_munlock, nr::SYS_membarrier, nr::SYS_get_mempolicy,
    // Threads and the process itself.
    nr::SYS_futex, nr::SYS_set_robust_list, nr::SYS_get_robust_list, nr::SYS_set_tid_address, nr::SYS_rseq, nr::SYS_gettid,
    nr::SYS_getpid, nr::SYS_getppid, nr::SYS_getpgid, nr::SYS_getsid, nr::SYS_getuid, nr::SYS_geteuid, nr::SYS_getgid,
    nr::SYS_getegid, nr::SYS_getgroups, nr::SYS_getresuid, nr::SYS_getresgid, nr::SYS_sched_yield, nr::SYS_sched_getaffinity,
    nr::SYS_sched_getparam, nr::SYS_sched_getscheduler, nr::SYS_sched_get_priority_max,
    nr::SYS_sched_get_priority_min, nr::SYS_getpriority, nr::SYS_getcpu,
    nr::SYS_getrlimit, nr::SYS_getrusage, nr::SYS_times, nr::SYS_sysinfo, nr::SYS_uname, nr::SYS_capget,
    nr::SYS_exit, nr::SYS_exit_group, nr::SYS_execve, nr::SYS_restart_syscall, nr::SYS_wait4, nr::SYS_waitid,
    // Signals to itself.
    nr::SYS_rt_sigaction, nr::SYS_rt_sigprocmask, nr::SYS_rt_sigreturn,
    nr::SYS_rt_sigpending, nr::SYS_rt_sigtimedwait, nr::SYS_rt_sigsuspend, nr::SYS_sigaltstack,
    // Time and chance.
    nr::SYS_clock_gettime, nr::SYS_clock_getres, nr::SYS_clock_nanosleep, nr::SYS_nanosleep, nr::SYS_gettimeofday,
    nr::SYS_timer_create, nr::SYS_timer_settime, nr::SYS_timer_gettime, nr::SYS_timer_delete, nr::SYS_timerfd_create,
    nr::SYS_timerfd_settime, nr::SYS_getitimer, nr::SYS_setitimer, nr::SYS_getrandom,
    // Waiting, and sockets that are there.
    nr::SYS_ppoll, nr::SYS_pselect6, nr::SYS_epoll_create1, nr::SYS_epoll_ctl, nr::SYS_epoll_pwait, nr::SYS_epoll_pwait2,
    nr::SYS_eventfd2, nr::SYS_inotify_rm_watch,
    nr::SYS_getsockname, nr::SYS_getpeername,
    nr::SYS_getsockopt, nr::SYS_setsockopt, nr::SYS_sendto, nr::SYS_recvfrom, nr::SYS_recvmsg,
    nr::SYS_recvmmsg, nr::SYS_shutdown,
];

/// Older forms of them, which newer processors do not have.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
pub const OLD: &[nr::c_long] = &[
    nr::SYS_open, nr::SYS_creat, nr::SYS_stat, nr::SYS_lstat, nr::SYS_access, nr::SYS_readlink, nr::SYS_mkdir, nr::SYS_rmdir,
    nr::SYS_unlink, nr::SYS_rename, nr::SYS_link, nr::SYS_symlink,
    nr::SYS_getdents, nr::SYS_dup2, nr::SYS_pipe, nr::SYS_poll,
    nr::SYS_select, nr::SYS_epoll_create, nr::SYS_epoll_wait, nr::SYS_eventfd, nr::SYS_getpgrp,
    nr::SYS_time, nr::SYS_alarm, nr::SYS_pause, nr::SYS_arch_prctl,
];
#[cfg(not(target_arch = "x86_64"))]
pub const OLD: &[nr::c_long] = &[];

/// Files by their names, other processes, and what is counted for all of a user's programs. Namespaces restrict them, Landlock does not, so they are denied without
/// namespaces.
#[rustfmt::skip]
pub const IN_NAMESPACES: &[nr::c_long] = &[
    nr::SYS_fchmodat, nr::SYS_fchownat, nr::SYS_utimensat, nr::SYS_inotify_init1, nr::SYS_inotify_add_watch, nr::SYS_sched_setaffinity,
    nr::SYS_setpriority, nr::SYS_prlimit64, nr::SYS_kill, nr::SYS_tgkill, nr::SYS_tkill, nr::SYS_rt_sigqueueinfo,
    nr::SYS_socketpair, nr::SYS_fchmod, nr::SYS_fchown, nr::SYS_truncate,
];
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
pub const OLD_IN_NAMESPACES: &[nr::c_long] = &[
    nr::SYS_inotify_init, nr::SYS_chmod, nr::SYS_chown, nr::SYS_lchown, nr::SYS_utime, nr::SYS_utimes, nr::SYS_futimesat,
];
#[cfg(not(target_arch = "x86_64"))]
pub const OLD_IN_NAMESPACES: &[nr::c_long] = &[];

/// What opens and reaches other sockets.
#[rustfmt::skip]
pub const NETWORK: &[nr::c_long] = &[
    nr::SYS_connect, nr::SYS_bind, nr::SYS_listen, nr::SYS_accept, nr::SYS_accept4,
];

/// They hand on open files, too, and such a file would not count as the sender's.
pub const MESSAGES: &[nr::c_long] = &[nr::SYS_sendmsg, nr::SYS_sendmmsg];

/// For a program of several processes, which share memory.
#[rustfmt::skip]
pub const PROCESSES: &[nr::c_long] = &[
    nr::SYS_memfd_create, nr::SYS_setsid, nr::SYS_setpgid, nr::SYS_sendfile, nr::SYS_splice,
];

/// A JVM copies in another way if a call has failed with this error. The pages of a file in a pipe or a socket stay in
/// memory when the file is removed (2 MB for a single byte), and count as nobody's; `splice`, which no JVM calls, does
/// the same.
pub const UNSUITABLE: &[nr::c_long] = &[nr::SYS_sendfile];
#[cfg(target_arch = "x86_64")]
pub const OLD_PROCESSES: &[nr::c_long] = &[nr::SYS_fork, nr::SYS_vfork];
#[cfg(not(target_arch = "x86_64"))]
pub const OLD_PROCESSES: &[nr::c_long] = &[];
