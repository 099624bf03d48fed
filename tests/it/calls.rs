//! System calls and their arguments that the sandbox's filter refuses: each is made by a shell's successor inside, at each
//! of the walls, and outside, where it succeeds or fails for another reason.
//!
//! Most have a second mistake in them (a bad pointer, a wrong combination), by which they do nothing outside, whoever
//! makes them: the kernel looks for privileges later.

use crate::common::cage::Cage;
use droidtest::device::jvm::confine::Rules;
use nix::libc as nr;
use serde_json::json;
use std::fmt::Display;
use std::fs;
use std::path::Path;
use std::process::Command;

/// It can make any system call.
const PERL: &str = "/usr/bin/perl";

/// Where a call is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Held {
    /// At all walls.
    Always,
    /// Where the program may start no processes.
    Alone,
    /// Where there are no namespaces.
    Reduced,
    /// Where there are no namespaces, and the program may start no processes.
    ReducedAlone,
}

impl Held {
    fn at(self, walls: &str, processes: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Alone => !processes,
            Self::Reduced => walls == "reduced",
            Self::ReducedAlone => walls == "reduced" && !processes,
        }
    }
}

/// A script whose shell becomes a program that makes one call and prints the number of its error, 0 for none.
fn script(call: nr::c_long, arguments: &dyn Display) -> String {
    format!(
        "exec {PERL} -e 'my $b = chr(0) x 256; my $r = syscall({call}, {arguments}); exit if $r == 0 && {}; \
         print $r == -1 ? $! + 0 : 0'",
        u8::from(call == nr::SYS_clone)
    )
}

fn is_held(call: nr::c_long, arguments: &dyn Display, held: Held) {
    let Some(cage) = Cage::new() else { return };
    if !Path::new(PERL).exists() {
        crate::common::skip::skip(&format!("no {PERL}"));
        return;
    }
    let script = script(call, arguments);
    let outside = cage.run(Command::new("/bin/sh"), &script);
    let refused = match call {
        nr::SYS_clone3 | nr::SYS_openat2 => nr::ENOSYS,
        nr::SYS_sendfile => nr::EINVAL,
        _ => nr::EPERM,
    };
    let refused = refused.to_string();
    assert_ne!(outside, "", "{script}");
    assert_ne!(outside, refused, "outside it has to get further: {script}");
    let mut execute = Vec::new();
    for program in ["/bin/sh", PERL] {
        let program = fs::canonicalize(program).unwrap();
        execute.extend(Rules::for_program(&program, Path::new("/nonexistent")).execute);
    }
    for (walls, processes) in [
        ("full", false),
        ("reduced", false),
        ("full", true),
        ("reduced", true),
    ] {
        let plan = json!({ "walls": walls, "processes": processes, "execute": execute });
        let inside = cage.run(cage.with(&plan), &script);
        let expected = held.at(walls, processes);
        assert_eq!(
            inside == refused,
            expected,
            "{walls}, processes {processes}: {script}: {inside:?}, outside {outside:?}"
        );
        assert_ne!(inside, "", "{walls}: {script}");
    }
}

macro_rules! held {
    ($($name:ident: $call:ident($($argument:expr),*) $held:ident;)*) => {$(
        #[test]
        fn $name() {
            let arguments: Vec<String> = vec![$($argument.to_string()),*];
            is_held(nr::$call, &arguments.join(", "), Held::$held);
        }
    )*};
}

/// A buffer of zeros.
const BUFFER: &str = "$b";
/// It needs memory that is shared: without that no clone is made.
const WRONG: nr::c_int = nr::CLONE_SIGHAND;
/// A thread, by two flags that do not go together: none is made either.
const WRONG_THREAD: nr::c_int = nr::CLONE_VM
    | nr::CLONE_FS
    | nr::CLONE_FILES
    | nr::CLONE_SIGHAND
    | nr::CLONE_THREAD
    | nr::CLONE_PIDFD
    | nr::CLONE_DETACHED;
/// No kind of socket.
const NO_KIND: nr::c_int = 15;
/// Standard output.
const OUT: nr::c_int = 1;

held! {
    clone_of_a_process: SYS_clone(WRONG, 0, 0, 0, 0) Alone;
    clone_with_a_user_namespace: SYS_clone(WRONG | nr::CLONE_NEWUSER, 0, 0, 0, 0) Always;
    clone_with_a_mount_namespace: SYS_clone(WRONG | nr::CLONE_NEWNS, 0, 0, 0, 0) Always;
    clone_with_a_process_namespace: SYS_clone(WRONG | nr::CLONE_NEWPID, 0, 0, 0, 0) Always;
    clone_with_a_network_namespace: SYS_clone(WRONG | nr::CLONE_NEWNET, 0, 0, 0, 0) Always;
    clone_with_an_ipc_namespace: SYS_clone(WRONG | nr::CLONE_NEWIPC, 0, 0, 0, 0) Always;
    clone_with_a_name_namespace: SYS_clone(WRONG | nr::CLONE_NEWUTS, 0, 0, 0, 0) Always;
    clone_with_a_control_group_namespace: SYS_clone(WRONG | nr::CLONE_NEWCGROUP, 0, 0, 0, 0) Always;
    a_thread_with_a_name_namespace: SYS_clone(WRONG_THREAD | nr::CLONE_NEWUTS, 0, 0, 0, 0) Always;
    a_thread_with_a_network_namespace: SYS_clone(WRONG_THREAD | nr::CLONE_NEWNET, 0, 0, 0, 0) Always;
    a_thread_with_an_ipc_namespace: SYS_clone(WRONG_THREAD | nr::CLONE_NEWIPC, 0, 0, 0, 0) Always;
    clone3: SYS_clone3(0, 0) Always;
    openat2: SYS_openat2(-1, 0, 0, 0) Always;
    unshare_of_its_folder: SYS_unshare(nr::CLONE_FS) Always;
    unshare_of_its_user: SYS_unshare(nr::CLONE_NEWUSER | 1) Always;
    setns: SYS_setns(-1, 0) Always;
    chroot: SYS_chroot(0) Always;
    mount: SYS_mount(0, 0, 0, 0, 0) Always;
    umount: SYS_umount2(0, 0) Always;
}

held! {
    ptrace: SYS_ptrace(99, 0, 0, 0) Always;
    memory_of_others_read: SYS_process_vm_readv(0, 0, 0, 0, 0, 0) Always;
    memory_of_others_written: SYS_process_vm_writev(0, 0, 0, 0, 0, 0) Always;
    pidfd_open: SYS_pidfd_open("$$", 0) Always;
    pidfd_getfd: SYS_pidfd_getfd(-1, 0, 0) Always;
    pidfd_send_signal: SYS_pidfd_send_signal(-1, 0, 0, 0) Always;
    keyctl: SYS_keyctl(99) Always;
    add_key: SYS_add_key(0, 0, 0, 0, 0) Always;
    request_key: SYS_request_key(0, 0, 0, 0) Always;
    perf_event_open: SYS_perf_event_open(0, 0, 0, 0, 0) Always;
    seccomp: SYS_seccomp(99, 0, 0) Always;
    personality: SYS_personality("0xffffffff") Always;
    execveat: SYS_execveat(-1, 0, 0, 0, 0) Always;
    name_to_handle_at: SYS_name_to_handle_at(-1, 0, 0, 0, 0) Always;
    memfd_create: SYS_memfd_create(BUFFER, 0) Alone;
    setpgid: SYS_setpgid(0, -1) Alone;
    sendmsg: SYS_sendmsg(-1, 0, 0) Alone;
    sendfile: SYS_sendfile(-1, -1, 0, 1) Alone;
    splice: SYS_splice(-1, 0, -1, 0, 1, 0) Alone;
    setrlimit: SYS_setrlimit(99, BUFFER) Always;
    limits_of_another: SYS_prlimit64(0x7fff_ffff, 99, 0, 0) Reduced;
    a_signal_to_another: SYS_kill(0x7fff_ffff, 0) ReducedAlone;
    a_signal_to_a_thread: SYS_tkill(0x7fff_ffff, 0) Reduced;
}

held! {
    prctl_end_with_parent: SYS_prctl(nr::PR_SET_PDEATHSIG, 0, 0, 0, 0) Always;
    prctl_dumpable: SYS_prctl(nr::PR_SET_DUMPABLE, 1, 0, 0, 0) Always;
    prctl_keep_capabilities: SYS_prctl(nr::PR_SET_KEEPCAPS, 0, 0, 0, 0) Always;
    prctl_ambient_capabilities: SYS_prctl(nr::PR_CAP_AMBIENT, nr::PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) Always;
    prctl_filter: SYS_prctl(nr::PR_SET_SECCOMP, 99, 0, 0, 0) Always;
    prctl_tracer: SYS_prctl(nr::PR_SET_PTRACER, 0x7fff_ffff, 0, 0, 0) Always;
    prctl_subreaper: SYS_prctl(nr::PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0) Always;
    prctl_memory_map: SYS_prctl(nr::PR_SET_MM, 0, 0, 0, 1) Always;
    prctl_speculation: SYS_prctl(nr::PR_SET_SPECULATION_CTRL, 99, 0, 0, 0) Always;
    prctl_counters: SYS_prctl(nr::PR_TASK_PERF_EVENTS_DISABLE, 0, 0, 0, 0) Always;
}

held! {
    fcntl_owner: SYS_fcntl(OUT, nr::F_SETOWN, 0) Always;
    fcntl_lock_of_an_open_file: SYS_fcntl(OUT, nr::F_OFD_SETLK, 0) Alone;
    fcntl_owner_thread: SYS_fcntl(OUT, 15, 0) Always;
    fcntl_signal: SYS_fcntl(OUT, 10, 0) Always;
    fcntl_lease: SYS_fcntl(OUT, nr::F_SETLEASE, nr::F_UNLCK) Always;
    fcntl_notify: SYS_fcntl(OUT, nr::F_NOTIFY, 0) Always;
    fcntl_hint: SYS_fcntl(OUT, 1036, 0) Always;
    fcntl_seals: SYS_fcntl(OUT, nr::F_ADD_SEALS, 0) Alone;
}

held! {
    ioctl_typed_for_the_user: SYS_ioctl(OUT, nr::TIOCSTI, BUFFER) Always;
    ioctl_of_the_console: SYS_ioctl(OUT, nr::TIOCLINUX, BUFFER) Always;
    ioctl_controlling_terminal: SYS_ioctl(OUT, nr::TIOCSCTTY, 0) Alone;
    ioctl_no_terminal: SYS_ioctl(OUT, nr::TIOCNOTTY, 0) Alone;
    ioctl_terminal_changed: SYS_ioctl(OUT, nr::TCSETS, BUFFER) Alone;
    ioctl_console_taken: SYS_ioctl(OUT, nr::TIOCCONS, 0) Alone;
    ioctl_discipline: SYS_ioctl(OUT, 0x5423, BUFFER) Alone;
    ioctl_owner: SYS_ioctl(OUT, 0x8901, BUFFER) Alone;
    ioctl_address_of_an_interface: SYS_ioctl(OUT, 0x8916, BUFFER) Alone;
    ioctl_flags_of_a_file: SYS_ioctl(OUT, 0x4008_6602, BUFFER) Alone;
}

held! {
    socket_local: SYS_socket(nr::AF_UNIX, NO_KIND, 0) ReducedAlone;
    socket_four: SYS_socket(nr::AF_INET, NO_KIND, 0) Reduced;
    socket_six: SYS_socket(nr::AF_INET6, NO_KIND, 0) Reduced;
    socket_netlink: SYS_socket(nr::AF_NETLINK, NO_KIND, 0) Always;
    socket_packet: SYS_socket(nr::AF_PACKET, NO_KIND, 0) Always;
    socket_keys: SYS_socket(nr::AF_KEY, NO_KIND, 0) Always;
    socket_cryptography: SYS_socket(nr::AF_ALG, NO_KIND, 0) Always;
    socket_hypervisor: SYS_socket(nr::AF_VSOCK, NO_KIND, 0) Always;
    socket_bluetooth: SYS_socket(nr::AF_BLUETOOTH, NO_KIND, 0) Always;
    socket_xdp: SYS_socket(nr::AF_XDP, NO_KIND, 0) Always;
    a_pair_for_datagrams: SYS_socketpair(nr::AF_UNIX, nr::SOCK_DGRAM, 0, BUFFER) ReducedAlone;
    connect: SYS_connect(-1, 0, 0) ReducedAlone;
    bind: SYS_bind(-1, 0, 0) ReducedAlone;
    listen: SYS_listen(-1, 0) ReducedAlone;
}

held! {
    shared_memory: SYS_mmap(0, 4096, nr::PROT_READ, nr::MAP_SHARED | nr::MAP_ANONYMOUS, -1, 0) Alone;
    memory_that_grows: SYS_mmap(0, 4096, nr::PROT_READ, nr::MAP_PRIVATE | nr::MAP_ANONYMOUS | nr::MAP_GROWSDOWN, -1, 0) Always;
    a_file_emptied_as_it_is_read: SYS_openat(-1, BUFFER, nr::O_TRUNC) Reduced;
    a_mode_by_name: SYS_fchmodat(-1, BUFFER, 0) Reduced;
    an_owner_by_name: SYS_fchownat(-1, BUFFER, -1, -1, 0) Reduced;
    a_watcher_of_files: SYS_inotify_init1(0) Reduced;
    a_time_by_name: SYS_utimensat(-1, BUFFER, 0, 0) Reduced;
}

/// Runs as its owner, whoever starts it.
const SET_USER: u32 = 0o4755;
/// Runs as its group.
const SET_GROUP: u32 = 0o2755;

held! {
    a_mode_that_sets_the_user: SYS_fchmod(-1, SET_USER) Always;
    a_mode_that_sets_the_group: SYS_fchmod(-1, SET_GROUP) Always;
    a_mode_by_name_that_sets_the_user: SYS_fchmodat(-1, BUFFER, SET_USER) Always;
    a_mode_by_name_that_sets_the_group: SYS_fchmodat(-1, BUFFER, SET_GROUP) Always;
    a_mode_by_name_with_flags: SYS_fchmodat2(-1, BUFFER, SET_USER, 0) Always;
    a_folder_that_sets_the_group: SYS_mkdirat(-1, BUFFER, SET_GROUP) Always;
    a_file_made_that_sets_the_user: SYS_openat(-1, BUFFER, nr::O_CREAT, SET_USER) Always;
    a_file_made_that_sets_the_group: SYS_openat(-1, BUFFER, nr::O_CREAT | nr::O_WRONLY, SET_GROUP) Always;
    a_file_without_a_name_that_sets_the_user: SYS_openat(-1, BUFFER, nr::O_TMPFILE | nr::O_WRONLY, SET_USER) Always;
}

#[cfg(target_arch = "x86_64")]
held! {
    an_old_mode_that_sets_the_user: SYS_chmod(BUFFER, SET_USER) Always;
    an_old_folder_that_sets_the_group: SYS_mkdir(BUFFER, SET_GROUP) Always;
    an_old_file_that_sets_the_user: SYS_creat(BUFFER, SET_USER) Always;
    an_old_file_made_that_sets_the_user: SYS_open(BUFFER, nr::O_CREAT | nr::O_WRONLY, SET_USER) Always;
}
