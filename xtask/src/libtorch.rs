//! libtorch, the second engine of DinoDroid's network: fetched once from the Python index that pip is set up for, pinned by hash.
//!
//! Upstream offers no smaller download on a registry: of torch's wheel for x86_64 Linux we keep the C++ half
//! (it does not depend on Python), and the two small NVIDIA libraries that `libtorch_cpu.so` names as needed
//! though nothing calls them on a CPU. They are fetched, never shipped.
//!
//! It must lie there before a build with the feature `tch` begins.

use crate::engine::cache_folder::CACHE_VARIABLE;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The version that the `tch` crate in Cargo.toml is made for.
pub const VERSION: &str = "2.11.0";
/// Bytes fetched, all wheels together.
pub const DOWNLOAD: u64 = 543_563_742;
/// Changes with what is laid out, and how.
const LAYOUT: u32 = 1;
/// Set by a user who provides libtorch; then nothing is downloaded.
pub const OWN: [&str; 2] = ["LIBTORCH", "LIBTORCH_USE_PYTORCH"];

const WHEELS: [(&str, &str); 3] = [
    (
        "torch==2.11.0",
        "7aa2f9bbc6d4595ba72138026b2074be1233186150e9292865e04b7a63b8c67a",
    ),
    (
        "nvidia-cuda-runtime==13.0.96",
        "7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548",
    ),
    (
        "nvidia-cuda-cupti==13.0.85",
        "4eb01c08e859bf924d222250d2e8f8b8ff6d3db4721288cf35d14252a4d933c8",
    ),
];
const LAY_OUT: &str = include_str!("libtorch.py");

/// Who hears how far it is, and says whether to continue.
pub trait Listener {
    /// Bytes fetched so far of [`DOWNLOAD`].
    fn fetched(&self, bytes: u64);
    /// All is fetched; the archives are being unpacked.
    fn unpacking(&self) {}
    /// Has the user had enough?
    fn interrupted(&self) -> bool {
        false
    }
}

/// Does the user provide libtorch? Returns the variable that says so.
pub fn own() -> Option<&'static str> {
    OWN.into_iter()
        .find(|name| std::env::var_os(name).is_some_and(|v| !v.is_empty()))
}

/// Is this the folder of a libtorch that the tool can be built with?
///
/// # Errors
/// In words: what is missing or has another version, and the fix.
pub fn examine(folder: &Path) -> Result<(), String> {
    let wrong = |what: String| {
        Err(format!(
            "LIBTORCH is {}, {what}; unset it to have libtorch {VERSION} fetched \
             (cargo xtask libtorch), or name the folder of that version",
            folder.display()
        ))
    };
    if !folder.is_dir() {
        return wrong("which is not a folder".to_owned());
    }
    let names = ["torch", "torch_cpu", "c10"].map(|name| {
        let (before, after) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        format!("lib/{before}{name}{after}")
    });
    let missing: Vec<_> = names
        .iter()
        .filter(|name| !folder.join(name).exists())
        .collect();
    if let Some(first) = missing.first() {
        let more = match missing.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        return wrong(format!("which lacks {first}{more}"));
    }
    let empty = |name: &&String| fs::metadata(folder.join(name)).is_ok_and(|m| m.len() == 0);
    if let Some(first) = names.iter().find(empty) {
        return wrong(format!("whose {first} is empty"));
    }
    let header = "include/torch/csrc/api/include/torch/torch.h";
    if !folder.join(header).exists() {
        return wrong(format!("which lacks {header}"));
    }
    let read = |name| fs::read_to_string(folder.join(name)).ok();
    let python = |text: String| {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("__version__ = "));
        line.map(|version| version.trim_matches(['\'', '"']).to_owned())
    };
    // Python's copy says it elsewhere; where nothing does, the build looks itself.
    let Some(version) = read("build-version").or_else(|| python(read("version.py")?)) else {
        return Ok(());
    };
    let version = version.trim();
    if version.split('+').next() == Some(VERSION) {
        return Ok(());
    }
    wrong(format!(
        "which is libtorch {version:.40} instead of {VERSION}"
    ))
}

/// The entry's name in the cache.
pub fn entry() -> String {
    format!("libtorch/{VERSION}-{LAYOUT}")
}

/// The folder in this cache if it is there and looks whole (sizes are compared, contents are not).
pub fn find(cache: &Path) -> Option<PathBuf> {
    let folder = cache.join(entry());
    let manifest = fs::read(folder.join("manifest.json")).ok()?;
    let records: Vec<serde_json::Value> = serde_json::from_slice(&manifest).ok()?;
    let whole = records.iter().all(|record| {
        let path = record["path"].as_str().unwrap_or_default();
        fs::metadata(folder.join(path)).is_ok_and(|m| Some(m.len()) == record["bytes"].as_u64())
    });
    (whole && folder.join("lib/libtorch.so").exists()).then_some(folder)
}

/// The folder in this cache, fetched and laid out first if it is missing or damaged. Others who want it
/// meanwhile wait.
///
/// # Errors
/// In words, with the fix: another platform, no Python or pip, no network, no room.
pub fn ensure(cache: &Path, offline: bool, listener: &dyn Listener) -> Result<PathBuf, String> {
    if let Some(folder) = find(cache) {
        return Ok(folder);
    }
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(format!(
            "libtorch is fetched for Linux on x86_64 only; set LIBTORCH to the folder of a libtorch {VERSION}, \
             or build without the feature `tch`"
        ));
    }
    if offline {
        return Err(format!(
            "cannot download with --offline: libtorch {VERSION} is not in the cache {}; fetch it once with the network",
            cache.display()
        ));
    }
    let folder = cache.join(entry());
    let parent = folder.parent().unwrap_or(cache);
    let unusable = |e: std::io::Error| {
        format!(
            "the cache folder {} cannot be used: {e}; set {CACHE_VARIABLE} to a writable folder",
            cache.display()
        )
    };
    fs::create_dir_all(parent).map_err(unusable)?;
    let lock = File::create(parent.join("lock")).map_err(unusable)?;
    lock.lock().map_err(unusable)?;
    if let Some(folder) = find(cache) {
        return Ok(folder);
    }
    // Everything half made is ours alone while we hold the lock.
    let new = parent.join("new");
    for stale in [&new, &folder] {
        if stale.exists() {
            fs::remove_dir_all(stale).map_err(unusable)?;
        }
    }
    let laid = new.join("libtorch");
    fs::create_dir_all(&laid).map_err(unusable)?;
    let made = fetch(&new, listener)
        .and_then(|wheels| {
            listener.unpacking();
            let mut command = python()?;
            command.arg("-c").arg(LAY_OUT).arg(wheels).arg(&laid);
            run(command.arg(VERSION), "unpacking libtorch", &|| {
                listener.interrupted()
            })
        })
        .and_then(|()| fs::rename(&laid, &folder).map_err(unusable));
    let _ = fs::remove_dir_all(&new);
    made.map(|()| folder)
}

/// The wheels, in a separate folder below `scratch`. pip checks their hashes.
fn fetch(scratch: &Path, listener: &dyn Listener) -> Result<PathBuf, String> {
    let wheels = scratch.join("wheels");
    let temporary = scratch.join("tmp");
    let list = scratch.join("requirements.txt");
    let lines: String = WHEELS
        .iter()
        .map(|(name, hash)| format!("{name} --hash=sha256:{hash}\n"))
        .collect();
    fs::create_dir_all(&temporary)
        .and_then(|()| fs::write(&list, lines))
        .map_err(|e| format!("cannot write {}: {e}", scratch.display()))?;
    let mut command = python()?;
    command
        .args(["-m", "pip", "--disable-pip-version-check", "download", "-q"])
        .args(["--no-deps", "--require-hashes", "--only-binary=:all:"])
        // By the platform's tag, whichever Python runs pip: the C++ half is the same in all of them.
        .args([
            "--no-cache-dir",
            "--implementation",
            "cp",
            "--python-version",
            "3.11",
        ])
        .args(["--abi", "cp311", "--abi", "none"]);
    for platform in ["2_28", "2_25", "2_17"] {
        command.args(["--platform", &format!("manylinux_{platform}_x86_64")]);
    }
    command.args(["--platform", "manylinux2014_x86_64", "-r"]);
    command.arg(&list).arg("-d").arg(&wheels);
    command.env("TMPDIR", &temporary);
    run(&mut command, "pip download of libtorch", &|| {
        listener.fetched(size(scratch).min(DOWNLOAD));
        listener.interrupted()
    })?;
    Ok(wheels)
}

/// Bytes below a folder; what vanishes meanwhile counts nothing.
fn size(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else {
        return 0;
    };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(m) if m.is_dir() => size(&entry.path()),
            Ok(m) => m.len(),
            Err(_) => 0,
        })
        .sum()
}

fn python() -> Result<Command, String> {
    for name in ["python3", "python"] {
        let tried = Command::new(name)
            .args(["-m", "pip", "--version"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if tried.is_ok_and(|s| s.success()) {
            return Ok(Command::new(name));
        }
    }
    Err(format!(
        "fetching libtorch needs Python with pip, but none was found; install python3-pip, or set LIBTORCH to the folder \
         of a libtorch {VERSION}, or build without the feature `tch`"
    ))
}

/// Runs a child to its end, asking `stop` several times a second; what it says on stderr is the error.
fn run(command: &mut Command, what: &str, stop: &dyn Fn() -> bool) -> Result<(), String> {
    let failed = |e: &dyn std::fmt::Display| format!("{what} failed: {e}");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| failed(&e))?;
    let mut errors = child.stderr.take();
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(errors) = &mut errors {
            let _ = errors.read_to_end(&mut text);
        }
        String::from_utf8_lossy(&text).into_owned()
    });
    loop {
        if let Some(status) = child.try_wait().map_err(|e| failed(&e))? {
            if status.success() {
                return Ok(());
            }
            let text = reader.join().unwrap_or_default();
            return Err(format!("{what} failed ({status}):\n{}", text.trim_end()));
        }
        if stop() {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("{what} was interrupted"));
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Silent;
    impl Listener for Silent {
        fn fetched(&self, _: u64) {}
    }

    #[test]
    fn a_folder_that_lacks_a_file_or_half_of_one_is_not_found() {
        let cache = tempfile::tempdir().unwrap();
        let folder = cache.path().join(entry());
        fs::create_dir_all(folder.join("lib")).unwrap();
        let put = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
        put("lib/libtorch.so", "library");
        let manifest = r#"[{"path": "build-version", "bytes": 6, "sha256": ""}]"#;
        put("manifest.json", manifest);
        assert_eq!(find(cache.path()), None);
        put("build-version", "2.1");
        assert_eq!(find(cache.path()), None);
        put("build-version", "2.11.0");
        assert_eq!(find(cache.path()).as_deref(), Some(folder.as_path()));
        // What is there is not fetched.
        assert_eq!(ensure(cache.path(), true, &Silent), Ok(folder));
    }

    #[test]
    fn a_folder_of_the_user_s_is_examined() {
        let folder = tempfile::tempdir().unwrap();
        let said = |path: &Path| examine(path).unwrap_err();
        let nowhere = folder.path().join("nowhere");
        assert!(
            said(&nowhere).contains("which is not a folder; unset it"),
            "{}",
            said(&nowhere)
        );
        fs::create_dir(folder.path().join("lib")).unwrap();
        let library = |name: &str, bytes: &str| {
            let name = format!(
                "{}{name}{}",
                std::env::consts::DLL_PREFIX,
                std::env::consts::DLL_SUFFIX
            );
            fs::write(folder.path().join("lib").join(name), bytes).unwrap();
        };
        library("torch", "torch");
        assert!(
            said(folder.path()).contains("torch_cpu")
                && said(folder.path()).contains(" and 1 more")
        );
        library("torch_cpu", "torch");
        library("c10", "");
        assert!(said(folder.path()).contains("is empty"));
        library("c10", "ten");
        assert!(said(folder.path()).contains("lacks include/torch"));
        let header = folder.path().join("include/torch/csrc/api/include/torch");
        fs::create_dir_all(&header).unwrap();
        fs::write(header.join("torch.h"), "").unwrap();
        assert_eq!(examine(folder.path()), Ok(()));
        let version = folder.path().join("build-version");
        fs::write(&version, "2.3.0+cu121\n").unwrap();
        let older = said(folder.path());
        assert!(
            older.contains("libtorch 2.3.0+cu121 instead of 2.11.0"),
            "{older}"
        );
        assert!(older.contains("cargo xtask libtorch"), "{older}");
        fs::write(&version, format!("{VERSION}+cpu\n")).unwrap();
        assert_eq!(examine(folder.path()), Ok(()));
    }

    #[test]
    fn offline_without_it_is_said_and_touches_nothing() {
        let cache = tempfile::tempdir().unwrap();
        let said = ensure(cache.path(), true, &Silent).unwrap_err();
        assert!(
            said.contains("offline") || said.contains("LIBTORCH"),
            "{said}"
        );
        assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 0);
    }
}
