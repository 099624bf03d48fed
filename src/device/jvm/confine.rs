//! The files that a process that reads an app may access. Calls that would leave the device are rewritten when the APK
//! is translated; the sandbox is the second line of defence, and the only one for the translator, which reads untrusted
//! files.

use crate::util::sandbox_plan::Moved;
use std::path::{Path, PathBuf};

/// The access rules of a process. Everything else is denied.
#[derive(Clone, Default, Debug)]
pub struct Rules {
    /// Files and folders to read. Missing ones are skipped.
    pub read: Vec<PathBuf>,
    /// Folders to read and write.
    pub write: Vec<PathBuf>,
    /// Folders whose pipes it may open, and nothing else in them.
    pub pipes: Vec<PathBuf>,
    /// Files and folders at other paths than the host's.
    pub moved: Vec<Moved>,
    /// Links, each with where it leads.
    pub links: Vec<(PathBuf, PathBuf)>,
    /// The working folder, where it is at another path.
    pub folder: Option<PathBuf>,
    /// Programs to run.
    pub execute: Vec<PathBuf>,
    /// Whether it may use the host's network.
    pub network: bool,
    /// Whether it may start processes.
    pub processes: bool,
    /// The largest Java heap of one that is limited in memory, in MB.
    pub heap_mb: Option<u32>,
    /// The largest file it may write, in bytes, if not the sandbox's default.
    pub largest: Option<u64>,
}

impl Rules {
    /// Rules that every dynamically linked program needs: system libraries, a few devices, its entries in `/proc`, and
    /// the program with its `home`, the folder of its installation.
    pub fn for_program(program: &Path, home: &Path) -> Self {
        let mut rules = Self::default();
        rules.read.extend(SYSTEM.iter().map(PathBuf::from));
        rules.read.push(home.to_owned());
        links_out_of(home, home, 0, &mut rules.read);
        rules.execute.push(program.to_owned());
        rules.execute.extend(interpreter(program));
        rules
    }

    /// Adds the host's network and its resolver's files.
    pub fn open_network(&mut self) {
        self.network = true;
        self.read
            .extend(["/etc/resolv.conf", "/etc/hosts", "/run/systemd/resolve"].map(PathBuf::from));
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
