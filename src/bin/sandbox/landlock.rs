//! Landlock: restricts files, TCP and signals without namespaces; a second line of defence with namespaces.

use crate::sandbox_plan::{Hold, Plan, Walls};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, LandlockStatus, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
};
use nix::fcntl::{OFlag, open};
use nix::sys::stat::Mode;
use std::path::{Path, PathBuf};

/// The newest version whose rights are requested; older kernels enforce what they support.
const ASKED: ABI = ABI::V6;

/// What a JVM reads in `/proc`. Of the processes there, its own.
const PROC: &[&str] = &[
    "/proc/self",
    "/proc/cgroups",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys",
    "/proc/uptime",
    "/proc/version",
];

/// Restricts this process and its program to the plan.
pub fn apply(plan: &Plan) -> Result<Hold, String> {
    enforce(plan).map_err(|e| format!("Landlock: {e}"))
}

fn enforce(plan: &Plan) -> Result<Hold, RulesetError> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let execute = AccessFs::ReadFile | AccessFs::Execute;
    let pipes = AccessFs::ReadFile | AccessFs::WriteFile;
    let never = AccessFs::Execute | AccessFs::MakeChar | AccessFs::MakeBlock;
    let write: BitFlags<AccessFs> = AccessFs::from_all(ASKED) & !never;
    let null = read | AccessFs::WriteFile | AccessFs::Truncate;
    let mut set = Ruleset::default()
        .handle_access(AccessFs::from_all(ASKED))?
        .scope(Scope::from_all(ASKED))?;
    if !plan.network {
        // In a separate network it may accept any connection.
        let reached: BitFlags<AccessNet> = match plan.walls {
            Walls::Full => AccessNet::ConnectTcp.into(),
            Walls::Reduced | Walls::Off => AccessNet::from_all(ASKED),
        };
        set = set.handle_access(reached)?;
    }
    // In namespaces there are only its own processes; elsewhere it reads of itself alone, if it is to be alone.
    let alone = plan.walls == Walls::Reduced && !plan.processes;
    let (processes, files): (Vec<_>, Vec<_>) = plan
        .read
        .iter()
        .partition(|path| alone && *path == Path::new("/proc"));
    let processes = processes
        .iter()
        .flat_map(|_| PROC.iter().map(PathBuf::from));
    let set: RulesetCreated = set
        .create()?
        .add_rules(path_beneath_rules(files, read))?
        .add_rules(path_beneath_rules(moved(plan, false), read))?
        .add_rules(path_beneath_rules(moved(plan, true), write))?
        .add_rules(path_beneath_rules(processes, read))?
        .add_rules(path_beneath_rules(&plan.pipes, pipes))?
        .add_rules(path_beneath_rules(&plan.execute, execute))?
        .add_rules(path_beneath_rules(&plan.write, write))?
        .add_rules(path_beneath_rules(["/dev/null"], null))?;
    let status = set.restrict_self()?;
    Ok(match (status.ruleset, status.landlock) {
        (RulesetStatus::FullyEnforced, _) => Hold::Full,
        (RulesetStatus::PartiallyEnforced, LandlockStatus::Available { effective_abi, .. }) => {
            Hold::Partial(lacking(effective_abi))
        }
        (_, LandlockStatus::NotEnabled) => {
            Hold::None("the kernel has Landlock, but it is disabled".to_owned())
        }
        _ => Hold::None("the kernel has no Landlock (Linux 5.13 or later)".to_owned()),
    })
}

/// What has another path than on the host, to read or to write.
fn moved(plan: &Plan, write: bool) -> impl Iterator<Item = &PathBuf> {
    let all = plan.moved.iter();
    all.filter(move |moved| moved.write == write)
        .map(|moved| &moved.to)
}

fn lacking(abi: ABI) -> String {
    let net = if abi < ABI::V4 {
        "TCP ports (Linux 6.7), "
    } else {
        ""
    };
    format!(
        "version {abi} of Landlock does not restrict: {net}abstract sockets and signals (Linux 6.12)"
    )
}

/// Keeps this process's own folder of `/proc` open for good, across the start of the program: a rule goes with the
/// kernel's record of the folder, and a new one would be made, without the rule, once nothing holds this.
pub fn pin_own_folder() {
    use std::os::fd::IntoRawFd as _;
    if let Ok(folder) = open(
        "/proc/self",
        OFlag::O_PATH | OFlag::O_DIRECTORY,
        Mode::empty(),
    ) {
        let _ = folder.into_raw_fd();
    }
}
