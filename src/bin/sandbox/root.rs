//! Builds a root folder with what the plan names, at its paths on the host or at others.

use crate::sandbox_plan::Plan;
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::statvfs::{FsFlags, statvfs};
use nix::unistd::{chdir, getgid, getpid, getuid, pivot_root};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Component, Path, PathBuf};

/// Mount point of the new root: any folder works, since the mount hides it.
const BASE: &str = "/tmp";
/// The host's root in the new one, until it is unmounted.
const HOST: &str = "/.host";
/// Most links in one path.
const LINKS: u32 = 32;

const NONE: Option<&str> = None;

/// The list of users, which would name this one.
const USERS: &str = "/etc/passwd";
/// Lists of mounts, which have the host's paths of what is mounted, with what a phone has in them.
const MOUNTS: [(&str, &str); 3] = [
    (
        "mountinfo",
        "21 1 253:0 / / ro,relatime - ext4 /dev/block/dm-0 ro\n22 21 253:1 / /data rw,nosuid,nodev,noatime - f2fs /dev/block/dm-1 rw\n",
    ),
    (
        "mounts",
        "/dev/block/dm-0 / ext4 ro,relatime 0 0\n/dev/block/dm-1 /data f2fs rw,nosuid,nodev,noatime 0 0\n",
    ),
    (
        "mountstats",
        "device /dev/block/dm-0 mounted on / with fstype ext4\n",
    ),
];

/// The access to a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Access {
    Read,
    Device,
    Write,
}

/// Builds the root of this process's mount namespace. Its user namespace has to be new.
pub fn build(plan: &Plan) -> Result<(), String> {
    let failed = |what: &str| {
        let what = what.to_owned();
        move |e: nix::Error| format!("{what}: {e}")
    };
    let private = MsFlags::MS_REC | MsFlags::MS_PRIVATE;
    mount(NONE, "/", NONE, private, NONE).map_err(failed("cannot enter a mount namespace"))?;
    let plain = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(
        Some("root"),
        BASE,
        Some("tmpfs"),
        plain,
        Some("mode=755,size=1m"),
    )
    .map_err(failed("cannot mount a root folder"))?;
    let host = format!("{BASE}{HOST}");
    fs::create_dir(&host).map_err(|e| format!("{host}: {e}"))?;
    pivot_root(BASE, host.as_str()).map_err(failed("cannot change the root"))?;
    chdir("/").map_err(failed("cannot enter the new root"))?;

    let mut made = BTreeSet::new();
    let mut all: Vec<(PathBuf, Access)> = Vec::new();
    all.extend(plan.read.iter().map(|p| (p.clone(), access(p))));
    let moved = |path: &PathBuf| plan.moved.iter().any(|moved| moved.to == *path);
    let pipes = plan.pipes.iter().filter(|path| !moved(path));
    all.extend(pipes.map(|p| (p.clone(), Access::Read)));
    all.extend(plan.execute.iter().map(|p| (p.clone(), Access::Read)));
    all.push(("/dev/null".into(), Access::Device));
    all.extend(plan.write.iter().map(|p| (p.clone(), Access::Write)));
    // Nested paths come after their parents, writable ones after read-only ones.
    all.sort_by_key(|(path, access)| (*access, path.components().count()));
    let elsewhere = |path: &Path| path.starts_with("/proc") || path == Path::new(USERS);
    for (path, access) in all.iter().filter(|(p, _)| !elsewhere(p)) {
        place(path, *access, LINKS, &mut made)
            .map_err(|e| format!("{} in the sandbox: {e}", path.display()))?;
    }
    for moved in &plan.moved {
        let access = if moved.write {
            Access::Write
        } else {
            Access::Read
        };
        bind(&on_host(&moved.from), &moved.to, access)
            .map_err(|e| format!("{} in the sandbox: {e}", moved.to.display()))?;
    }
    for (link, to) in &plan.links {
        parents(link)
            .and_then(|()| std::os::unix::fs::symlink(to, link))
            .map_err(|e| format!("{} in the sandbox: {e}", link.display()))?;
    }
    if plan.read.iter().any(|path| path == Path::new(USERS)) {
        let text = format!("user:x:{}:{}::/:/bin/false\n", getuid(), getgid());
        parents(USERS.as_ref())
            .and_then(|()| fs::write(USERS, text))
            .map_err(|e| format!("{USERS} in the sandbox: {e}"))?;
    }
    // Before the host's is unmounted: the kernel requires a fully visible one.
    fs::create_dir_all("/proc").map_err(|e| format!("/proc: {e}"))?;
    // Read-only: a JVM works without writing there (a filter for its core dumps).
    let quiet = plain | MsFlags::MS_NOEXEC | MsFlags::MS_RDONLY;
    mount(Some("proc"), "/proc", Some("proc"), quiet, NONE)
        .map_err(failed("cannot mount /proc"))?;
    cover_mounts().map_err(|e| format!("the list of mounts: {e}"))?;
    umount2(HOST, MntFlags::MNT_DETACH).map_err(failed("cannot unmount the host's files"))?;
    fs::remove_dir(HOST).map_err(|e| format!("{HOST}: {e}"))?;
    let closed = MsFlags::MS_REMOUNT | MsFlags::MS_RDONLY | plain;
    mount(NONE, "/", NONE, closed, NONE).map_err(failed("cannot make the root read-only"))
}

/// Puts a phone's mounts in place of the lists of this process, which the program takes over. The lists of its other
/// threads cannot be replaced: their folders come and go.
fn cover_mounts() -> io::Result<()> {
    // A root with a removed file that is in use could not be made read-only, so these stay.
    const FOLDER: &str = "/system/etc/mounts";
    fs::create_dir_all(FOLDER)?;
    let of_thread = format!("/proc/self/task/{}", getpid());
    for (name, text) in MOUNTS {
        let file = Path::new(FOLDER).join(name);
        fs::write(&file, text)?;
        for folder in ["/proc/self", &of_thread] {
            let list = Path::new(folder).join(name);
            // Threads have no `mountstats`.
            if list.exists() {
                mount(Some(&file), &list, NONE, MsFlags::MS_BIND, NONE)?;
            }
        }
    }
    Ok(())
}

fn access(path: &Path) -> Access {
    if path.starts_with("/dev") {
        Access::Device
    } else {
        Access::Read
    }
}

/// Recreates a path of the host here, with its links and their targets.
fn place(path: &Path, access: Access, links: u32, made: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    let mut here = PathBuf::from("/");
    let mut rest = path.components();
    rest.next();
    while let Some(component) = rest.next() {
        let Component::Normal(name) = component else {
            return Err(io::Error::other("a path with `.` or `..`"));
        };
        here.push(name);
        let there = on_host(&here);
        let Ok(metadata) = fs::symlink_metadata(&there) else {
            // Not on this host.
            return Ok(());
        };
        if metadata.is_symlink() {
            let target = fs::read_link(&there)?;
            if fs::symlink_metadata(&here).is_err() {
                parents(&here)?;
                std::os::unix::fs::symlink(&target, &here)?;
            }
            let from = here.parent().unwrap_or(Path::new("/"));
            let to = plain(&from.join(target).join(rest.as_path()));
            if links == 0 {
                return Err(io::Error::other("too many links"));
            }
            return place(&to, access, links - 1, made);
        }
    }
    if made.iter().any(|done| path.starts_with(done)) && access != Access::Write {
        return Ok(());
    }
    bind(&on_host(path), path, access)?;
    made.insert(path.to_owned());
    Ok(())
}

/// A path without `.` and `..`, all of whose links were checked.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

fn on_host(path: &Path) -> PathBuf {
    Path::new(HOST).join(path.strip_prefix("/").unwrap_or(path))
}

fn parents(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

/// Mounts what is `there` at a path here.
fn bind(there: &Path, path: &Path, access: Access) -> io::Result<()> {
    if fs::symlink_metadata(path).is_err() {
        parents(path)?;
        if there.is_dir() {
            fs::create_dir(path)?;
        } else {
            fs::write(path, [])?;
        }
    }
    let bound = mount(Some(there), path, NONE, MsFlags::MS_BIND, NONE);
    if bound == Err(nix::Error::EINVAL) {
        // This user may not unmount the mounts below it, so they are included.
        let all = MsFlags::MS_BIND | MsFlags::MS_REC;
        mount(Some(there), path, NONE, all, NONE)?;
        for inner in below(path)? {
            match close(&inner, access) {
                // A path that cannot be looked up now would not be accessible to the program either.
                Err(e) if e.kind() == io::ErrorKind::PermissionDenied => {}
                done => done?,
            }
        }
    } else {
        bound?;
    }
    close(path, access)
}

/// The mounts below the last one at a path.
fn below(path: &Path) -> io::Result<Vec<PathBuf>> {
    let text = fs::read_to_string(on_host(Path::new("/proc/self/mountinfo")))?;
    // Its number, its parent's, and where it is.
    let all: Vec<(&str, &str, PathBuf)> = text
        .lines()
        .filter_map(|line| {
            let mut words = line.split(' ');
            let (number, parent) = (words.next()?, words.next()?);
            Some((number, parent, unescaped(words.nth(2)?)))
        })
        .collect();
    let here: Vec<_> = all.iter().filter(|(_, _, at)| at == path).collect();
    let covered = |number: &str| here.iter().any(|(_, parent, _)| *parent == number);
    let last = here.iter().filter(|(number, _, _)| !covered(number));
    let mut found = Vec::new();
    let mut above: Vec<&str> = last.map(|(number, _, _)| *number).collect();
    while let Some(over) = above.pop() {
        for (number, _, at) in all.iter().filter(|(_, parent, _)| *parent == over) {
            found.push(at.clone());
            above.push(number);
        }
    }
    Ok(found)
}

/// A path in the kernel's list of mounts, with spaces and the like as three octal digits.
fn unescaped(path: &str) -> PathBuf {
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let [first, behind @ ..] = rest {
        let code = match (first, behind) {
            (b'\\', [a, b, c, ..]) => std::str::from_utf8(&[*a, *b, *c])
                .ok()
                .and_then(|digits| u8::from_str_radix(digits, 8).ok()),
            _ => None,
        };
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &behind[3..] } else { behind };
    }
    OsString::from_vec(bytes).into()
}

/// Removes permissions from a mount that its access does not need.
fn close(path: &Path, access: Access) -> io::Result<()> {
    let mut flags = kept(path)? | MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_NOSUID;
    if access != Access::Device {
        flags |= MsFlags::MS_NODEV;
    }
    if access == Access::Read {
        flags |= MsFlags::MS_RDONLY;
    }
    Ok(mount(NONE, path, NONE, flags, NONE)?)
}

/// Restrictions of the host's mount, which cannot be removed in a user namespace.
fn kept(path: &Path) -> io::Result<MsFlags> {
    let has = statvfs(path)?.flags();
    let pairs = [
        (FsFlags::ST_RDONLY, MsFlags::MS_RDONLY),
        (FsFlags::ST_NODEV, MsFlags::MS_NODEV),
        (FsFlags::ST_NOEXEC, MsFlags::MS_NOEXEC),
        (FsFlags::ST_NOATIME, MsFlags::MS_NOATIME),
        (FsFlags::ST_NODIRATIME, MsFlags::MS_NODIRATIME),
        (FsFlags::ST_RELATIME, MsFlags::MS_RELATIME),
    ];
    Ok(pairs
        .into_iter()
        .filter(|(flag, _)| has.contains(*flag))
        .fold(MsFlags::empty(), |all, (_, flag)| all | flag))
}
