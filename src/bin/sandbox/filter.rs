//! The system call filter: allows what a JVM needs for files, memory, threads, time and sockets. No new processes, no
//! tracing, no mounts, no keys, no kernel modules, no `io_uring`, which would bypass the filter.

use crate::arguments::{
    MAKING, NAMESPACES, OF_ITSELF, OLD_OPENING, OLD_WITH_MODE, ON_DEVICES, ON_FILES, ON_INTERFACES,
    ON_SHARED_FILES, OPENING, SET_ID, THREAD, TYPED, WITH_MODE,
};
use crate::calls::{
    FREE, IN_NAMESPACES, MESSAGES, NETWORK, OLD, OLD_IN_NAMESPACES, OLD_PROCESSES, PROCESSES,
    UNSUITABLE,
};
use crate::sandbox_plan::{Plan, Walls};
use nix::libc as nr;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Is,
    SeccompCondition, SeccompFilter, SeccompRule, TargetArch, apply_filter,
};
use std::collections::BTreeMap;

type Calls = BTreeMap<i64, Vec<SeccompRule>>;

/// Applies the filter to this process and its program. Needs `no_new_privs`.
pub fn apply(plan: &Plan) -> Result<(), String> {
    let filter = build(plan).map_err(|e| format!("cannot apply a system call filter: {e}"))?;
    for program in &filter {
        apply_filter(program).map_err(|e| format!("cannot apply a system call filter: {e}"))?;
    }
    Ok(())
}

fn build(plan: &Plan) -> Result<Vec<BpfProgram>, BackendError> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let namespaces = plan.walls == Walls::Full;
    let mut allowed: Calls = free(&[FREE, OLD]).collect();
    if namespaces {
        allowed.extend(free(&[IN_NAMESPACES, OLD_IN_NAMESPACES]));
    } else {
        without_namespaces(&mut allowed, plan.processes)?;
    }
    if namespaces || plan.network || plan.processes {
        allowed.extend(free(&[NETWORK]));
    }
    if plan.network || plan.processes {
        allowed.extend(free(&[MESSAGES]));
    }
    // The others lead to the kernel (netlink, packets) or to a hypervisor. Without namespaces those in folders are the
    // host's: only a program of several processes, which talk over them, gets them there.
    let (local, remote) = (namespaces || plan.processes, namespaces || plan.network);
    let families = [
        (local, nr::AF_UNIX),
        (remote, nr::AF_INET),
        (remote, nr::AF_INET6),
    ];
    let families = families.iter().filter(|(open, _)| *open);
    let families = families.map(|&(_, family)| one(0, Is::Eq, signed(family)));
    let families = families.collect::<Result<Vec<_>, _>>()?;
    if !families.is_empty() {
        allowed.insert(nr::SYS_socket, families);
    }
    if plan.processes {
        allowed.extend(free(&[PROCESSES, OLD_PROCESSES]));
        allowed.insert(nr::SYS_clone, vec![one(0, Is::MaskedEq(NAMESPACES), 0)?]);
        let fixed = one(3, Is::MaskedEq(signed(nr::MAP_GROWSDOWN)), 0)?;
        allowed.insert(nr::SYS_mmap, vec![fixed]);
        let two = SeccompRule::new(vec![
            condition(1, Is::Ne, TYPED[0])?,
            condition(1, Is::Ne, TYPED[1])?,
        ])?;
        allowed.insert(nr::SYS_ioctl, vec![two]);
    } else {
        of_one_process(&mut allowed)?;
        let interfaces = if remote { ON_INTERFACES } else { &[] };
        let requests = [ON_DEVICES, interfaces].concat();
        allowed.insert(nr::SYS_ioctl, any_of(1, requests)?);
    }
    without_set_id(&mut allowed, namespaces)?;
    allowed.insert(
        nr::SYS_prctl,
        any_of(0, OF_ITSELF.iter().copied().map(signed))?,
    );
    let mut commands: Vec<_> = ON_FILES.iter().copied().map(signed).collect();
    if plan.processes {
        commands.extend(ON_SHARED_FILES.iter().copied().map(signed));
    }
    allowed.insert(nr::SYS_fcntl, any_of(1, commands)?);
    // Their arguments are in memory, where a filter cannot see them: the C library falls back to other calls if the
    // kernel does not support them.
    let hidden: &[_] = &[nr::SYS_clone3, nr::SYS_openat2];
    let mut replaced = vec![(nr::ENOSYS, hidden)];
    if !plan.processes {
        replaced.push((nr::EINVAL, UNSUITABLE));
    }
    let mut programs = Vec::new();
    for (error, calls) in replaced {
        allowed.extend(free(&[calls]));
        let error = SeccompAction::Errno(error.unsigned_abs());
        let filter =
            SeccompFilter::new(free(&[calls]).collect(), SeccompAction::Allow, error, arch)?;
        programs.push(filter.try_into()?);
    }
    let closed = SeccompAction::Errno(nr::EPERM.unsigned_abs());
    let rest = SeccompFilter::new(allowed, closed, SeccompAction::Allow, arch)?;
    // At the end: it allows no other filter, and of two errors the last filter's is taken.
    programs.push(rest.try_into()?);
    Ok(programs)
}

/// Threads, but no other process.
fn of_one_process(allowed: &mut Calls) -> Result<(), BackendError> {
    let (thread, looked_at) = (signed(THREAD), signed(THREAD) | NAMESPACES);
    allowed.insert(
        nr::SYS_clone,
        vec![one(0, Is::MaskedEq(looked_at), thread)?],
    );
    // Memory of a file, or counted as its own; none that grows like a stack, which no limit of memory counts.
    let (anonymous, kind) = (
        signed(nr::MAP_ANONYMOUS | nr::MAP_GROWSDOWN),
        signed(nr::MAP_SHARED | nr::MAP_PRIVATE | nr::MAP_GROWSDOWN),
    );
    let private = signed(nr::MAP_PRIVATE);
    let memory = vec![
        one(3, Is::MaskedEq(anonymous), 0)?,
        one(3, Is::MaskedEq(kind), private)?,
    ];
    allowed.insert(nr::SYS_mmap, memory);
    Ok(())
}

/// Rules instead of namespaces: signals and limits only for the process, no truncation of files opened for reading, no
/// sockets but connected pairs.
fn without_namespaces(allowed: &mut Calls, processes: bool) -> Result<(), BackendError> {
    let own = u64::from(std::process::id());
    for call in [nr::SYS_kill, nr::SYS_tgkill, nr::SYS_rt_sigqueueinfo] {
        // Who has children may signal them: to whom else, only Landlock can say.
        let whom = match processes {
            true => vec![],
            false => vec![one(0, Is::Eq, own)?],
        };
        allowed.insert(call, whom);
    }
    let limits = vec![one(0, Is::Eq, 0)?, one(0, Is::Eq, own)?];
    allowed.insert(nr::SYS_prlimit64, limits);
    // A pair for datagrams could be pointed at a socket of the host.
    let pairs = match processes {
        true => vec![],
        false => vec![one(1, Is::MaskedEq(0xf), signed(nr::SOCK_STREAM))?],
    };
    allowed.insert(nr::SYS_socketpair, pairs);
    Ok(())
}

/// No file gets a set-user-id or set-group-id bit: another user of the host could run it as this user. Of the calls in the
/// list only those that are allowed so far get the rule.
fn without_set_id(allowed: &mut Calls, namespaces: bool) -> Result<(), BackendError> {
    for &(call, mode) in WITH_MODE.iter().chain(OLD_WITH_MODE) {
        if let Some(rules) = allowed.get_mut(&call) {
            *rules = vec![one(mode, Is::MaskedEq(SET_ID), 0)?];
        }
    }
    for &(call, flags, mode) in OPENING.iter().chain(OLD_OPENING) {
        let plain = condition(mode, Is::MaskedEq(SET_ID), 0)?;
        let existing = condition(flags, Is::MaskedEq(MAKING), 0)?;
        let mut rules = Vec::new();
        for way in opened(flags, namespaces)? {
            for condition in [&plain, &existing] {
                let all = way.iter().chain([condition]).cloned();
                rules.push(SeccompRule::new(all.collect())?);
            }
        }
        allowed.insert(call, rules);
    }
    Ok(())
}

/// How a file may be opened, by its flags, as alternatives. Without namespaces: an old Landlock does not see a file being
/// emptied, but does see it being opened to be written.
fn opened(flags: u8, namespaces: bool) -> Result<Vec<Vec<SeccompCondition>>, BackendError> {
    if namespaces {
        return Ok(vec![vec![]]);
    }
    let access = nr::O_WRONLY | nr::O_RDWR;
    let reading = Is::MaskedEq(signed(access | nr::O_TRUNC));
    Ok(vec![
        vec![condition(flags, reading, signed(nr::O_RDONLY))?],
        vec![condition(
            flags,
            Is::MaskedEq(signed(access)),
            signed(nr::O_WRONLY),
        )?],
        vec![condition(
            flags,
            Is::MaskedEq(signed(access)),
            signed(nr::O_RDWR),
        )?],
    ])
}

/// A rule for each value of an argument's lower half.
fn any_of(
    argument: u8,
    values: impl IntoIterator<Item = u64>,
) -> Result<Vec<SeccompRule>, BackendError> {
    let rules = values.into_iter();
    rules.map(|value| one(argument, Is::Eq, value)).collect()
}

fn free(lists: &[&[nr::c_long]]) -> impl Iterator<Item = (i64, Vec<SeccompRule>)> {
    lists.concat().into_iter().map(|call| (call, vec![]))
}

/// A rule of one argument's lower half.
fn one(argument: u8, is: Is, value: u64) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(vec![condition(argument, is, value)?])
}

fn condition(argument: u8, is: Is, value: u64) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(argument, Length::Dword, is, value)
}

fn signed(number: nr::c_int) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
