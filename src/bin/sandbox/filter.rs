//! The system calls that are left: what a JVM needs for files, memory, threads, time and sockets. No new processes, no
//! tracing, no mounts, no keys, no kernel modules, no `io_uring`, which would pass the filter by.

use crate::calls::{
    FREE, IN_NAMESPACES, NETWORK, OLD, OLD_IN_NAMESPACES, OLD_PROCESSES, PROCESSES,
};
use crate::sandbox_plan::{Plan, Walls};
use nix::libc as nr;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Is,
    SeccompCondition, SeccompFilter, SeccompRule, TargetArch, apply_filter,
};
use std::collections::BTreeMap;

type Calls = BTreeMap<i64, Vec<SeccompRule>>;

/// Flags of `clone` that make new namespaces, where a process would have privileges again.
const NAMESPACES: u64 = 0x7e02_0000;

/// For this process and what it becomes. It must have given up new privileges.
pub fn apply(plan: &Plan) -> Result<(), String> {
    let filter = build(plan).map_err(|e| format!("a filter of system calls: {e}"))?;
    for program in &filter {
        apply_filter(program).map_err(|e| format!("a filter of system calls: {e}"))?;
    }
    Ok(())
}

fn build(plan: &Plan) -> Result<[BpfProgram; 2], BackendError> {
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
    } else {
        of_one_process(&mut allowed)?;
    }
    // Its end with the tool stays as it is.
    let end = signed(nr::PR_SET_PDEATHSIG);
    allowed.insert(nr::SYS_prctl, vec![one(0, Is::Ne, end)?]);
    // Its flags lie in memory, where no filter sees them: the C library takes `clone` where the kernel does not know it.
    allowed.insert(nr::SYS_clone3, vec![]);
    let closed = SeccompAction::Errno(nr::EPERM.unsigned_abs());
    let rest = SeccompFilter::new(allowed, closed, SeccompAction::Allow, arch)?;
    let unknown = SeccompAction::Errno(nr::ENOSYS.unsigned_abs());
    let clone3 = BTreeMap::from([(nr::SYS_clone3, vec![])]);
    let clone3 = SeccompFilter::new(clone3, SeccompAction::Allow, unknown, arch)?;
    // In this order: the second allows no third.
    Ok([clone3.try_into()?, rest.try_into()?])
}

/// Threads, but no other process.
fn of_one_process(allowed: &mut Calls) -> Result<(), BackendError> {
    let thread = nr::CLONE_THREAD as u64;
    allowed.insert(nr::SYS_clone, vec![one(0, Is::MaskedEq(thread), thread)?]);
    // Memory of a file, or counted as its own.
    let (anonymous, kind) = (
        signed(nr::MAP_ANONYMOUS),
        signed(nr::MAP_SHARED | nr::MAP_PRIVATE),
    );
    let private = signed(nr::MAP_PRIVATE);
    let memory = vec![
        one(3, Is::MaskedEq(anonymous), 0)?,
        one(3, Is::MaskedEq(kind), private)?,
    ];
    allowed.insert(nr::SYS_mmap, memory);
    Ok(())
}

/// What namespaces would have held: signals and limits for itself alone, times of open files alone, no sockets but pairs
/// that are connected for good.
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
    let nameless = SeccompCondition::new(1, Length::Qword, Is::Eq, 0)?;
    allowed.insert(nr::SYS_utimensat, vec![SeccompRule::new(vec![nameless])?]);
    // A pair for datagrams could be pointed at a socket of the host.
    let pairs = match processes {
        true => vec![],
        false => vec![one(1, Is::MaskedEq(0xf), signed(nr::SOCK_STREAM))?],
    };
    allowed.insert(nr::SYS_socketpair, pairs);
    Ok(())
}

fn free(lists: &[&'static [nr::c_long]]) -> impl Iterator<Item = (i64, Vec<SeccompRule>)> {
    lists.concat().into_iter().map(|call| (call, vec![]))
}

/// A rule of one argument's lower half.
fn one(argument: u8, is: Is, value: u64) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(vec![SeccompCondition::new(
        argument,
        Length::Dword,
        is,
        value,
    )?])
}

fn signed(number: nr::c_int) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
