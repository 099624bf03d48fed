//! Allowed arguments of system calls.

use nix::libc as nr;

/// Flags of `clone` that make new namespaces, where a process would have privileges again.
pub const NAMESPACES: u64 = 0x7e02_0000;

/// Flags of `clone` that make a thread, which shares all that counts against a limit.
pub const THREAD: nr::c_int =
    nr::CLONE_VM | nr::CLONE_FS | nr::CLONE_FILES | nr::CLONE_SIGHAND | nr::CLONE_THREAD;

/// Allowed `prctl` options. A process cannot change its end with the tool, its tracers and its privileges.
#[rustfmt::skip]
pub const OF_ITSELF: &[nr::c_int] = &[
    nr::PR_SET_NAME, nr::PR_GET_NAME, PR_SET_VMA, nr::PR_GET_DUMPABLE, nr::PR_SET_NO_NEW_PRIVS, nr::PR_GET_NO_NEW_PRIVS,
    nr::PR_CAPBSET_READ, nr::PR_SET_THP_DISABLE, nr::PR_GET_THP_DISABLE, nr::PR_GET_PDEATHSIG, nr::PR_GET_SECCOMP,
    nr::PR_SET_TIMERSLACK, nr::PR_GET_TIMERSLACK, PR_SVE_SET_VL, PR_SVE_GET_VL, PR_GET_TAGGED_ADDR_CTRL,
];
/// A name for memory.
const PR_SET_VMA: nr::c_int = 0x5356_4d41;
/// Only ARM has them.
const PR_SVE_SET_VL: nr::c_int = 50;
const PR_SVE_GET_VL: nr::c_int = 51;
const PR_GET_TAGGED_ADDR_CTRL: nr::c_int = 56;

/// Commands of `fcntl`: none that sends signals to an owner, waits for others' access, or watches a folder.
#[rustfmt::skip]
pub const ON_FILES: &[nr::c_int] = &[
    nr::F_DUPFD, nr::F_DUPFD_CLOEXEC, nr::F_GETFD, nr::F_SETFD, nr::F_GETFL, nr::F_SETFL, nr::F_GETLK, nr::F_SETLK,
    nr::F_SETLKW, nr::F_GETPIPE_SZ, nr::F_SETPIPE_SZ, nr::F_GET_SEALS, nr::F_GETOWN, F_GETOWN_EX,
];
/// Commands of `fcntl` for a program of several processes. The kernel's list of locks does not say whose those of an open
/// file are, so the tool could not count them.
#[rustfmt::skip]
pub const ON_SHARED_FILES: &[nr::c_int] = &[
    nr::F_ADD_SEALS, nr::F_OFD_GETLK, nr::F_OFD_SETLK, nr::F_OFD_SETLKW,
];
/// What the C library takes for `F_GETOWN`.
const F_GETOWN_EX: nr::c_int = 16;

/// Requests of `ioctl`: TCGETS, TCGETS2, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX.
pub const ON_DEVICES: &[u64] = &[0x5401, 0x802c_542a, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451];

/// Requests that read of a network interface: SIOCGIFNAME, SIOCGIFCONF, SIOCGIFFLAGS, SIOCGIFADDR, SIOCGIFDSTADDR,
/// SIOCGIFBRDADDR, SIOCGIFNETMASK, SIOCGIFMTU, SIOCGIFHWADDR, SIOCGIFINDEX.
pub const ON_INTERFACES: &[u64] = &[
    0x8910, 0x8912, 0x8913, 0x8915, 0x8917, 0x8919, 0x891b, 0x8921, 0x8927, 0x8933,
];

/// Requests that inject input into a terminal: TIOCSTI, TIOCLINUX. Always denied.
pub const TYPED: [u64; 2] = [0x5412, 0x541c];

/// Bits of a file's mode that let others run it with the owner's rights: `S_ISUID`, `S_ISGID`.
pub const SET_ID: u64 = 0o6000;

/// Flags of `open` that make a file: `O_CREAT`, and the bit that `O_TMPFILE` adds to `O_DIRECTORY`. Without them the mode
/// is not looked at, and may be anything.
pub const MAKING: u64 = (nr::O_CREAT | (nr::O_TMPFILE & !nr::O_DIRECTORY)) as u64;

/// Calls that give a file a mode, with the position of that argument.
pub const WITH_MODE: &[(nr::c_long, u8)] = &[
    (nr::SYS_fchmod, 1),
    (nr::SYS_fchmodat, 2),
    (nr::SYS_mkdirat, 2),
];
/// Older forms of them.
#[cfg(target_arch = "x86_64")]
pub const OLD_WITH_MODE: &[(nr::c_long, u8)] =
    &[(nr::SYS_chmod, 1), (nr::SYS_mkdir, 1), (nr::SYS_creat, 1)];
#[cfg(not(target_arch = "x86_64"))]
pub const OLD_WITH_MODE: &[(nr::c_long, u8)] = &[];

/// Calls that open a file: the positions of their flags and mode.
pub const OPENING: &[(nr::c_long, u8, u8)] = &[(nr::SYS_openat, 2, 3)];
/// Older forms of them.
#[cfg(target_arch = "x86_64")]
pub const OLD_OPENING: &[(nr::c_long, u8, u8)] = &[(nr::SYS_open, 1, 2)];
#[cfg(not(target_arch = "x86_64"))]
pub const OLD_OPENING: &[(nr::c_long, u8, u8)] = &[];
