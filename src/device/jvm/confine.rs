//! What a helper process may touch, held by the kernel (Landlock) where there is one that can.
//!
//! Calls that leave the app's world are rewritten when the APK is translated; this is the second
//! line behind that, for what slips through and for the translator itself, which reads anybody's file.
//! Landlock restricts one thread and what it starts: a thread made for the purpose puts on the
//! restrictions, starts the child, and ends. Nothing here needs `unsafe`, a helper binary or privileges.

use crate::util::process::Owned;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files and ports a child may use. What is not named is denied.
#[derive(Clone, Default, Debug)]
pub struct Rules {
    /// Files and folders to read. Those that don't exist are passed over.
    pub read: Vec<PathBuf>,
    /// Folders to read and write.
    pub write: Vec<PathBuf>,
    /// Programs that may be run.
    pub execute: Vec<PathBuf>,
    /// What of TCP.
    pub network: Network,
}

/// What a child may reach over TCP.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Network {
    /// Nothing.
    #[default]
    Closed,
    /// One port, on any host.
    Port(u16),
    /// Everything.
    Open,
}

/// How far the kernel holds a child.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Hold {
    /// All that was asked for.
    Full,
    /// Some of it, by the kernel's version of Landlock.
    Partial(String),
    /// Nothing, and why.
    None(String),
}

impl Rules {
    /// What every dynamically linked program needs: system libraries, a few devices, and the
    /// program itself with its `home`, the folder it was installed in.
    /// `/proc` is readable as a whole since a child's own part of it does not exist yet; the kernel
    /// still keeps the memory and environment of processes outside the domain closed.
    pub fn for_program(program: &Path, home: &Path) -> Self {
        let mut rules = Self::default();
        rules.read.extend(SYSTEM.iter().map(PathBuf::from));
        rules.read.push(home.to_owned());
        links_out_of(home, home, 0, &mut rules.read);
        rules.execute.push(program.to_owned());
        rules.execute.extend(interpreter(program));
        rules
    }
}

const SYSTEM: &[&str] = &[
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/localtime",
    "/usr/share/zoneinfo",
    "/proc",
    "/sys/fs/cgroup",
    "/sys/devices/system",
    "/sys/kernel/mm/transparent_hugepage",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
];

/// Distributions keep parts of a JDK elsewhere (Debian: `/etc/java-17-openjdk`): where its links lead.
fn links_out_of(folder: &Path, home: &Path, depth: u32, to: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if kind.is_symlink() {
            to.extend(
                entry
                    .path()
                    .canonicalize()
                    .ok()
                    .filter(|p| !p.starts_with(home)),
            );
        } else if kind.is_dir() && depth < 4 {
            links_out_of(&entry.path(), home, depth + 1, to);
        }
    }
}

/// The dynamic loader that an ELF program names (`PT_INTERP`); the kernel executes it in the program's place.
fn interpreter(program: &Path) -> Option<PathBuf> {
    use std::io::{Read, Seek, SeekFrom};
    let mut file = std::fs::File::open(program).ok()?;
    let mut header = [0; 64];
    file.read_exact(&mut header).ok()?;
    // 64-bit little-endian only: no JVM of today runs on anything else that has Landlock.
    if header[..6] != *b"\x7fELF\x02\x01" {
        return None;
    }
    let number = |bytes: &[u8]| {
        bytes
            .iter()
            .rev()
            .fold(0_u64, |n, &b| (n << 8) | u64::from(b))
    };
    let (table, size, count) = (
        number(&header[32..40]),
        number(&header[54..56]),
        number(&header[56..58]),
    );
    for ix in 0..count {
        let mut segment = [0; 56];
        file.seek(SeekFrom::Start(table + ix * size)).ok()?;
        file.read_exact(&mut segment).ok()?;
        if number(&segment[..4]) == 3 {
            let length = number(&segment[32..40]).min(4096);
            let mut path = vec![0; usize::try_from(length).ok()?];
            file.seek(SeekFrom::Start(number(&segment[8..16]))).ok()?;
            file.read_exact(&mut path).ok()?;
            path.retain(|&b| b != 0);
            return String::from_utf8(path).ok().map(PathBuf::from);
        }
    }
    None
}

/// Starts a command under these rules, as far as the kernel can hold them.
pub fn spawn(command: &mut Command, rules: Option<&Rules>) -> io::Result<(Owned, Hold)> {
    let Some(rules) = rules else {
        return Ok((
            Owned::spawn(command)?,
            Hold::None("not asked for".to_owned()),
        ));
    };
    std::thread::scope(|scope| {
        scope
            .spawn(|| {
                let hold = imp::restrict(rules)?;
                Ok((Owned::spawn(command)?, hold))
            })
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("the starting thread panicked")))
    })
}

/// What the kernel could hold, for `doctor`.
pub fn support() -> Hold {
    std::thread::spawn(|| imp::restrict(&Rules::default()))
        .join()
        .ok()
        .and_then(Result::ok)
        .unwrap_or_else(|| Hold::None("Landlock failed".to_owned()))
}

#[cfg(target_os = "linux")]
mod imp {
    use super::{Hold, Network, Rules};
    use landlock::{
        ABI, Access, AccessFs, AccessNet, BitFlags, LandlockStatus, NetPort, Ruleset, RulesetAttr,
        RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
    };
    use std::io;

    /// The newest version whose rights are asked for; older kernels hold what they know.
    const ASKED: ABI = ABI::V6;

    /// Restricts this thread, and for good.
    pub fn restrict(rules: &Rules) -> io::Result<Hold> {
        let hold = enforce(rules).map_err(io::Error::other)?;
        drop_privileges()?;
        Ok(hold)
    }

    /// What root may do beyond others: with some of it (`CAP_PERFMON`) even the environment of
    /// processes outside the domain could be read. Without new privileges a program cannot regain it.
    fn drop_privileges() -> io::Result<()> {
        use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities, set_no_new_privs};
        set_no_new_privs(true)?;
        let none = CapabilitySet::empty();
        let sets = CapabilitySets {
            effective: none,
            permitted: none,
            inheritable: none,
        };
        Ok(set_capabilities(None, sets)?)
    }

    fn enforce(rules: &Rules) -> Result<Hold, RulesetError> {
        let read = AccessFs::ReadFile | AccessFs::ReadDir;
        let execute = AccessFs::ReadFile | AccessFs::Execute;
        let never = AccessFs::Execute | AccessFs::MakeChar | AccessFs::MakeBlock;
        let write: BitFlags<AccessFs> = AccessFs::from_all(ASKED) & !never;
        let null = read | AccessFs::WriteFile | AccessFs::Truncate;
        let mut set = Ruleset::default().handle_access(AccessFs::from_all(ASKED))?;
        set = set.scope(Scope::from_all(ASKED))?;
        if rules.network != Network::Open {
            set = set.handle_access(AccessNet::from_all(ASKED))?;
        }
        let mut set = set
            .create()?
            .add_rules(path_beneath_rules(&rules.read, read))?
            .add_rules(path_beneath_rules(&rules.execute, execute))?
            .add_rules(path_beneath_rules(&rules.write, write))?
            .add_rules(path_beneath_rules(["/dev/null"], null))?;
        if let Network::Port(port) = rules.network {
            set = set.add_rule(NetPort::new(port, AccessNet::ConnectTcp))?;
        }
        let status = set.restrict_self()?;
        Ok(match (status.ruleset, status.landlock) {
            (RulesetStatus::FullyEnforced, _) => Hold::Full,
            (RulesetStatus::PartiallyEnforced, LandlockStatus::Available { effective_abi, .. }) => {
                Hold::Partial(lacking(effective_abi))
            }
            (_, LandlockStatus::NotEnabled) => {
                Hold::None("the kernel has Landlock, but it is switched off".to_owned())
            }
            _ => Hold::None("the kernel has no Landlock (Linux 5.13 or later)".to_owned()),
        })
    }

    fn lacking(abi: ABI) -> String {
        let net = if abi < ABI::V4 {
            "TCP ports (Linux 6.7), "
        } else {
            ""
        };
        format!(
            "version {abi} of Landlock does not hold: {net}abstract sockets and signals (Linux 6.12)"
        )
    }
}

#[cfg(not(target_os = "linux"))]
mod imp {
    use super::{Hold, Rules};

    pub fn restrict(_: &Rules) -> std::io::Result<Hold> {
        Ok(Hold::None(
            "only Linux has Landlock; the rewritten calls alone confine the app".to_owned(),
        ))
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::process::Stdio;

    fn shell(rules: &Rules, script: &str) -> String {
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", script])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let (mut owned, _) = spawn(&mut command, Some(rules)).unwrap();
        let mut out = String::new();
        io::Read::read_to_string(&mut owned.child().stdout.take().unwrap(), &mut out).unwrap();
        out
    }

    fn rules_for_sh(write: &Path) -> Rules {
        let sh = Path::new("/bin/sh").canonicalize().unwrap();
        Rules {
            write: vec![write.to_owned()],
            ..Rules::for_program(&sh, Path::new("/nonexistent"))
        }
    }

    #[test]
    fn a_child_reads_writes_and_runs_only_what_it_may() {
        if let Hold::None(why) = support() {
            println!("skipped: {why}");
            return;
        }
        let (mine, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(other.path().join("secret"), "secret\n").unwrap();
        let script = format!(
            "echo kept > {mine}/f && read -r l < {mine}/f && echo $l
             read -r l < {other}/secret && echo $l
             echo x > {other}/new && echo written
             /bin/cat /etc/passwd && echo ran
             echo end",
            mine = mine.path().display(),
            other = other.path().display()
        );
        assert_eq!(shell(&rules_for_sh(mine.path()), &script), "kept\nend\n");
        assert!(!other.path().join("new").exists());
    }

    #[test]
    fn our_own_threads_stay_free() {
        let folder = tempfile::tempdir().unwrap();
        let other = tempfile::tempdir().unwrap();
        shell(&rules_for_sh(folder.path()), "true");
        std::fs::write(other.path().join("file"), "still allowed").unwrap();
    }
}
