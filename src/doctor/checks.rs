//! The single checks.

use super::Check;
use crate::device::DeviceError;
use crate::device::jvm::cache::{CACHE_VARIABLE, Cache};
use crate::device::jvm::jdk::Jdk;
use crate::device::jvm::maven::{self, SETUP_COMMAND};
use crate::device::jvm::parts;
use crate::device::jvm::sandbox;
use crate::device::jvm::settings::Confine;
use crate::device::progress::Watch;
use crate::util::{memory, process};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Space for a first set-up and a few apps.
const DISK_WANTED: u64 = 2 << 30;
/// Memory for one process with the default heap.
const MEMORY_WANTED: u64 = 2 << 30;
const TRY: Duration = Duration::from_secs(60);

/// The framework's native half is built for these.
pub fn platform() -> Check {
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let here = format!("{os} on {arch}");
    match (os, arch) {
        ("linux" | "windows", "x86_64") | ("macos", "x86_64" | "aarch64") => {
            Check::ok("platform", here)
        }
        _ => Check::failed(
            "platform",
            format!("{here}: Robolectric has no native libraries for it"),
            "use Linux or Windows on x86_64, or macOS",
        ),
    }
}

/// The JDK, and that it starts.
pub fn java() -> Check {
    let jdk = match Jdk::locate() {
        Ok(jdk) => jdk,
        Err(error) => return lacking("Java", &error),
    };
    let found = format!("{} in {}", jdk.version, jdk.home.display());
    let tried = process::run(Command::new(jdk.javac()).arg("-version"), TRY);
    match tried {
        Ok(out) if out.status.success() => Check::ok("Java", found),
        Ok(out) => Check::failed(
            "Java",
            format!("{found}, but javac ends with {}", out.status),
            "reinstall the JDK",
        ),
        Err(error) => Check::failed(
            "Java",
            format!("{found}, but javac does not start: {error}"),
            "reinstall the JDK",
        ),
    }
}

/// Maven's client.
pub fn maven() -> Check {
    let mvn = match maven::locate() {
        Ok(mvn) => mvn,
        Err(error) => return lacking("Maven", &error),
    };
    match process::run(Command::new(&mvn).args(["-B", "--version"]), TRY) {
        Ok(out) if out.status.success() => {
            let text = String::from_utf8_lossy(&out.stdout).into_owned();
            let line = text
                .lines()
                .find_map(|l| l.split_once("Apache Maven ").map(|(_, rest)| rest));
            // Some tools print colours unconditionally.
            let version = line.unwrap_or("").split([' ', '\x1b']).next().unwrap_or("");
            Check::ok("Maven", format!("{version} ({})", mvn.display()))
        }
        Ok(out) => Check::failed(
            "Maven",
            format!("{} ends with {}", mvn.display(), out.status),
            "mvn --version",
        ),
        Err(error) => Check::failed(
            "Maven",
            format!("{} does not start: {error}", mvn.display()),
            "mvn --version",
        ),
    }
}

/// Can the cache be written?
pub fn cache(cache: &Cache) -> Check {
    let root = cache.root();
    let tried = fs::create_dir_all(root).and_then(|()| tempfile::tempfile_in(root));
    match tried {
        Ok(_) => Check::ok("cache", root.display().to_string()),
        Err(error) => Check::failed(
            "cache",
            format!("{} cannot be written: {error}", root.display()),
            format!("set {CACHE_VARIABLE} to a writable folder"),
        ),
    }
}

/// There is no folder for a cache.
pub fn no_cache(error: &DeviceError) -> Check {
    lacking("cache", error)
}

/// Every part, compared with the hashes noted when it was fetched.
pub fn parts(cache: &Cache, sdks: &[u32], watch: &Watch) -> Vec<Check> {
    let entries: BTreeSet<_> = sdks.iter().flat_map(|&sdk| parts::entries(sdk)).collect();
    let mut missing = Vec::new();
    let mut wrong = Vec::new();
    let mut whole = 0;
    for (done, name) in entries.iter().enumerate() {
        watch.report("checking", name, done as u64, entries.len() as u64);
        if !cache.root().join(name).exists() {
            missing.push(name.clone());
            continue;
        }
        match cache.verify(name) {
            Ok(problems) if problems.is_empty() => whole += 1,
            Ok(problems) => wrong.extend(problems),
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    let mut checks = Vec::new();
    if !wrong.is_empty() {
        checks.push(Check::failed("parts", wrong.join("; "), SETUP_COMMAND));
    }
    if !missing.is_empty() {
        checks.push(Check::warning(
            "parts",
            format!(
                "not fetched yet: {} (the first run fetches them)",
                missing.join(", ")
            ),
            SETUP_COMMAND,
        ));
    }
    if checks.is_empty() {
        checks.push(Check::ok("parts", format!("{whole}, all complete")));
    }
    checks
}

/// libtorch, in a build with it: that it computes.
pub fn libtorch() -> Option<Check> {
    Some(match droidtest_network::probe()? {
        Ok(Some(gpu)) => Check::ok(
            "libtorch",
            format!("computes on {gpu} (--engine torch:auto)"),
        ),
        Ok(None) => Check::ok("libtorch", "computes; it sees no GPU (--engine torch:cpu)"),
        Err(error) => Check::warning("libtorch", error, "use --engine rust, the default"),
    })
}

/// Room for parts, translated apps and the runs' own files.
pub fn disk(cache: &Cache) -> Check {
    let Some(free) = free_bytes(cache.root()) else {
        return Check::ok("disk", "free space is unknown on this system");
    };
    let found = format!("{} MB free", free >> 20);
    if free < DISK_WANTED {
        Check::warning(
            "disk",
            found,
            format!(
                "free {} MB, or set {CACHE_VARIABLE} to a larger disk",
                DISK_WANTED >> 20
            ),
        )
    } else {
        Check::ok("disk", found)
    }
}

#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let there = folder.ancestors().find(|p| p.exists())?;
    let disk = rustix::fs::statvfs(there).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<u64> {
    None
}

/// Memory for one process, if the system reports it.
pub fn memory() -> Option<Check> {
    let bytes = memory::available()?;
    let found = format!("{} MB available", bytes >> 20);
    Some(if bytes < MEMORY_WANTED {
        Check::warning(
            "memory",
            found,
            "run fewer sessions at once (-j 1) or give the device less (memory = 640)",
        )
    } else {
        Check::ok("memory", found)
    })
}

/// The confinement of an app's process here.
pub fn confinement() -> Check {
    match sandbox::possible() {
        Ok(()) => Check::ok("confinement", sandbox::described(Confine::Full)),
        Err(why) => Check::warning(
            "confinement",
            format!(
                "not fully: {why}; with device.confine = \"reduced\": {}",
                sandbox::described(Confine::Reduced)
            ),
            if cfg!(target_os = "linux") {
                "allow unprivileged user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns; a container needs its own permission)"
            } else {
                "run apps that you do not trust on Linux (docs/security.md)"
            },
        ),
    }
}

/// A set-up error states what is wrong, then the fix.
fn lacking(name: &'static str, error: &DeviceError) -> Check {
    let text = error.to_string();
    match text.split_once("; ") {
        Some((found, fix)) => Check::failed(name, found, fix),
        None => Check::failed(name, text.clone(), text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Verdict;

    #[test]
    fn missing_parts_warn_and_damaged_parts_fail() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let found = parts(&cache, &[34], &Watch::silent());
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].verdict, Verdict::Warning);
        for name in parts::entries(34) {
            let made = cache.ensure(&name, &Watch::silent(), |to| {
                Ok(fs::write(to.join("a.jar"), b"abc")?)
            });
            made.unwrap();
        }
        let found = parts(&cache, &[34], &Watch::silent());
        assert_eq!(found[0].found, "5, all complete");
        // The same size, another content: only the full check sees it.
        let damaged = folder.path().join(&parts::entries(34)[0]).join("a.jar");
        fs::write(damaged, b"abd").unwrap();
        let found = parts(&cache, &[34], &Watch::silent());
        assert_eq!(found[0].verdict, Verdict::Failed);
        assert!(found[0].found.ends_with("a.jar: changed"));
    }

    #[test]
    fn a_cache_that_cannot_be_written_fails() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let found = cache(&Cache::at(file.path().join("below")));
        assert_eq!(found.verdict, Verdict::Failed);
        assert!(found.fix.unwrap().contains(CACHE_VARIABLE));
    }
}
