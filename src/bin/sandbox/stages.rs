//! The processes of the sandbox: a supervisor, one that executes the program, and, without namespaces for a program
//! with several processes, one between them.

use crate::sandbox_plan::{Plan, Walls};
use crate::{filter, landlock, root};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{Signal, kill, killpg, raise};
use nix::unistd::{Pid, getgid, getpgrp, getpid, getppid, getuid, sethostname, setpgid, setsid};
use std::ffi::OsString;
use std::fs;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Command, ExitCode};

/// The first argument of the process that executes the program; its parent's id follows.
const INSIDE: &str = "--inside";
/// The same for the process between: another supervisor in a separate group, so that a program's remains are killed
/// even if the first one or its group is killed.
const BETWEEN: &str = "--between";
/// The default limit on a file in bytes.
const FILE_LIMIT: u64 = 1 << 30;
const OPEN_FILES: u64 = 4096;
/// The most that the program gets of what the kernel counts for all programs of a user together.
const OF_THE_USER: [(&str, &str); 2] = [
    ("max_inotify_instances", "16"),
    ("max_inotify_watches", "4096"),
];
/// Signals that wait, and timers, which the kernel counts in the same way.
const WAITING_SIGNALS: u64 = 1024;
/// Address space besides the memory of a program that is limited in memory: a JVM reserves much that it never uses. Its
/// pages' tables take a five-hundredth of it at most.
const ADDRESSES: u64 = 16 << 30;
/// The largest stack of a first thread, in bytes.
const STACK: u64 = 64 << 20;

pub fn run() -> Result<ExitCode, String> {
    // The program inherits only the three streams of the tool's open files.
    close_fds::set_fds_cloexec_threadsafe(3, &[]);
    let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let stage = arguments.first().and_then(|first| {
        let mut stages = [INSIDE, BETWEEN].into_iter();
        stages.find(|stage| first == stage)
    });
    let parent = stage.and_then(|_| arguments.drain(..2.min(arguments.len())).next_back());
    let [plan, program, rest @ ..] = arguments.as_slice() else {
        return Err("usage: droidtest-sandbox PLAN PROGRAM [ARGUMENT...]".to_owned());
    };
    let plan = Plan::parse(plan)?;
    // The parent may have ended before this process was tied to it.
    let is_there = || match parent.as_deref() == Some(own("PPid:")?.as_ref()) {
        true => Ok(()),
        false => Err("its parent has ended".to_owned()),
    };
    match stage {
        Some(INSIDE) => {
            prctl::set_pdeathsig(Signal::SIGKILL)
                .map_err(|e| format!("cannot make the process end with the tool: {e}"))?;
            is_there()?;
            return become_program(&plan, program.as_ref(), rest);
        }
        Some(_) => {
            let above = getppid();
            let watched = watch(above)?;
            is_there()?;
            return supervise(&plan, &arguments, Some((above, watched)));
        }
        None => {}
    }
    if plan.walls != Walls::Off {
        limit(&plan)?;
    }
    if plan.walls == Walls::Full {
        enter(&plan)?;
    }
    supervise(&plan, &arguments, None)
}

/// Prints the support for Landlock on this machine: restricts this process completely.
pub fn landlock_here() -> Result<ExitCode, String> {
    prctl::set_no_new_privs().map_err(|e| format!("privileges: {e}"))?;
    let hold = landlock::apply(&Plan::default())?;
    println!(
        "{}",
        serde_json::to_string(&hold).map_err(|e| e.to_string())?
    );
    Ok(ExitCode::SUCCESS)
}

/// A field of this process's status, in the host's numbering.
fn own(name: &str) -> Result<OsString, String> {
    let file = "/proc/self/status";
    let text = fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
    let found = text.lines().find_map(|line| line.strip_prefix(name));
    let found = found.ok_or_else(|| format!("{file}: no {name}"))?;
    Ok(found.trim().into())
}

/// For both processes: the first ends by the second's signal, and must not leave a core dump in the device's folder.
fn limit(plan: &Plan) -> Result<(), String> {
    let largest = plan.largest.unwrap_or(FILE_LIMIT);
    for (what, most) in [
        (Resource::RLIMIT_CORE, Some(0)),
        (Resource::RLIMIT_FSIZE, Some(largest)),
        (Resource::RLIMIT_NOFILE, Some(OPEN_FILES)),
        // All that is written and no file: heap, code, stacks, buffers.
        (Resource::RLIMIT_DATA, plan.memory),
        // Memory of files is not in it, but the tables of its pages are nobody's.
        (
            Resource::RLIMIT_AS,
            plan.memory.map(|most| most.saturating_add(ADDRESSES)),
        ),
        (Resource::RLIMIT_SIGPENDING, Some(WAITING_SIGNALS)),
        (Resource::RLIMIT_MSGQUEUE, Some(0)),
    ] {
        if let Some(most) = most {
            setrlimit(what, most, most).map_err(|e| format!("limit {what:?}: {e}"))?;
        }
    }
    // The stack counts as no memory. The softer limit is the size of a thread's, too, and stays.
    let stack = Resource::RLIMIT_STACK;
    getrlimit(stack)
        .and_then(|(soft, hard)| setrlimit(stack, soft.min(STACK), hard.min(STACK)))
        .map_err(|e| format!("limit {stack:?}: {e}"))
}

/// New namespaces for this process and those it starts.
fn enter(plan: &Plan) -> Result<(), String> {
    let (user, group) = (getuid(), getgid());
    let mut flags = CloneFlags::CLONE_NEWUSER
        | CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS
        | CloneFlags::CLONE_NEWCGROUP;
    if !plan.network {
        flags |= CloneFlags::CLONE_NEWNET;
    }
    unshare(flags).map_err(|e| match e {
        nix::Error::ENOSPC => "user namespaces are disabled (user.max_user_namespaces)".to_owned(),
        e => format!("cannot create namespaces: {e}"),
    })?;
    // The same user inside: files keep their owner, and no other user exists.
    for (file, text) in [
        ("setgroups", "deny".to_owned()),
        ("uid_map", format!("{user} {user} 1")),
        ("gid_map", format!("{group} {group} 1")),
    ] {
        let path = Path::new("/proc/self").join(file);
        fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    for (file, most) in OF_THE_USER {
        let path = Path::new("/proc/sys/user").join(file);
        if path.exists() {
            fs::write(&path, most).map_err(|e| format!("{}: {e}", path.display()))?;
        }
    }
    hand_on_privileges()
}

/// Whoever is not root loses the capabilities of the new user namespace at the next start of a program, and the second
/// process builds the root folder with them.
fn hand_on_privileges() -> Result<(), String> {
    use caps::CapSet;
    let failed =
        |e: caps::errors::CapsError| format!("cannot get privileges to build the root folder: {e}");
    let all = caps::read(None, CapSet::Permitted).map_err(failed)?;
    caps::set(None, CapSet::Inheritable, &all).map_err(failed)?;
    caps::set(None, CapSet::Ambient, &all).map_err(failed)
}

/// Something to wait for the end of a process with. No thread does it: in a process that has left its process namespace
/// none can be started.
fn watch(pid: Pid) -> Result<OwnedFd, String> {
    let pid = rustix::process::Pid::from_raw(pid.as_raw()).ok_or("a process without an id")?;
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty())
        .map_err(|e| format!("cannot watch the process: {e}"))
}

/// Waits for the next process and ends in the same way. The closed wire ends both, and so does the end of this process;
/// process 1 of a namespace ends all others there. The process between waits for the end of the supervisor `above` it
/// instead.
fn supervise(
    plan: &Plan,
    arguments: &[OsString],
    above: Option<(Pid, OwnedFd)>,
) -> Result<ExitCode, String> {
    // Whatever the program starts is in the first one's, too.
    if getpgrp() != getpid() {
        let here = Pid::from_raw(0);
        setpgid(here, here).map_err(|e| format!("cannot create a process group: {e}"))?;
    }
    let group = above.as_ref().map_or_else(getpid, |(pid, _)| *pid);
    // Orphans become children of this process, in any group.
    prctl::set_child_subreaper(true)
        .map_err(|e| format!("cannot adopt orphaned processes: {e}"))?;
    let leaves = plan.walls != Walls::Full && plan.processes && above.is_none();
    let mut command = Command::new("/proc/self/exe");
    command
        .arg(if leaves { BETWEEN } else { INSIDE })
        .arg(own("Pid:")?)
        .args(arguments);
    if above.is_some() {
        // The program stays in the group that the tool kills.
        command.process_group(group.as_raw());
    }
    let mut child = command
        .spawn()
        .map_err(|e| format!("cannot start the next process: {e}"))?;
    let ended = watch(Pid::from_raw(child.id().cast_signed()))?;
    let wire = std::io::stdin();
    loop {
        let tool = match &above {
            Some((_, supervisor)) => PollFd::new(supervisor.as_fd(), PollFlags::POLLIN),
            // Only its end, not its data.
            None => PollFd::new(wire.as_fd(), PollFlags::empty()),
        };
        let mut watched = [PollFd::new(ended.as_fd(), PollFlags::POLLIN), tool];
        match poll(&mut watched, PollTimeout::NONE) {
            Err(nix::Error::EINTR) => continue,
            Err(e) => return Err(format!("cannot watch the process: {e}")),
            Ok(_) if watched[0].any() == Some(true) => break,
            Ok(_) => {
                let _ = child.kill();
                let _ = child.wait();
                end_all(group);
                return Ok(ExitCode::SUCCESS);
            }
        }
    }
    let status = child.wait().map_err(|e| format!("cannot wait: {e}"))?;
    end_all(group);
    if let Some(number) = status.signal() {
        // Ends this process in the same way, so that the tool sees how the program ended. Twice: the first signal of a
        // fault reaches Rust's own handler, which finds no overflow of the stack, takes itself out and returns.
        if let Ok(signal) = Signal::try_from(number) {
            let _ = raise(signal);
            let _ = raise(signal);
        }
        // This process ignores it: as a shell says it.
        return Ok(ExitCode::from(
            u8::try_from(128 + number).unwrap_or(u8::MAX),
        ));
    }
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}

/// Kills the program's remains until nothing is left: this process adopts the children of each that ends.
fn end_all(group: Pid) {
    use nix::sys::wait::{WaitPidFlag, waitpid};
    loop {
        // Of those that have ended already there is nothing to end.
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Err(nix::Error::ECHILD) => return,
            Ok(nix::sys::wait::WaitStatus::StillAlive) | Err(_) => {}
            Ok(_) => continue,
        }
        let file = format!(
            "/proc/self/task/{}/children",
            own("Pid:").unwrap_or_default().display()
        );
        let Ok(text) = fs::read_to_string(file) else {
            // A kernel without such lists: all of the program's group.
            let _ = killpg(group, Signal::SIGKILL);
            return;
        };
        let all = text.split_whitespace().filter_map(|word| word.parse().ok());
        for pid in all.map(Pid::from_raw) {
            let _ = kill(pid, Signal::SIGKILL);
            let _ = waitpid(pid, None);
        }
    }
}

fn become_program(plan: &Plan, program: &Path, arguments: &[OsString]) -> Result<ExitCode, String> {
    if plan.walls == Walls::Full {
        // A signal to its process group reaches no process outside.
        setsid().map_err(|e| format!("cannot create a session: {e}"))?;
        let here =
            std::env::current_dir().map_err(|e| format!("cannot find the working folder: {e}"))?;
        sethostname("localhost").map_err(|e| format!("cannot set the host name: {e}"))?;
        root::build(plan)?;
        let here = plan.folder.clone().unwrap_or(here);
        std::env::set_current_dir(&here).map_err(|e| format!("{}: {e}", here.display()))?;
    }
    if plan.walls != Walls::Off {
        give_up_privileges()?;
        landlock::pin_own_folder();
        landlock::apply(plan)?;
        filter::apply(plan)?;
    }
    let error = Command::new(program).args(arguments).exec();
    Err(format!("{} cannot be run: {error}", program.display()))
}

/// Process 1 of a user namespace has all capabilities there, and root would keep them in the program. Who is neither
/// has none, and may not limit what he could get; without new privileges that is nothing.
fn give_up_privileges() -> Result<(), String> {
    use caps::{CapSet, Capability};
    let failed = |e: caps::errors::CapsError| format!("privileges: {e}");
    caps::clear(None, CapSet::Ambient).map_err(failed)?;
    if caps::has_cap(None, CapSet::Effective, Capability::CAP_SETPCAP).map_err(failed)? {
        caps::clear(None, CapSet::Bounding).map_err(failed)?;
    }
    for set in [CapSet::Inheritable, CapSet::Effective, CapSet::Permitted] {
        caps::clear(None, set).map_err(failed)?;
    }
    prctl::set_no_new_privs().map_err(|e| format!("privileges: {e}"))
}
