//! The cache folder: entries are complete or absent, and created once even if two runs need them.

use crate::device::DeviceError;
use crate::device::progress::Watch;
pub use crate::util::cache_folder::CACHE_VARIABLE;
use crate::util::cache_folder::cache_folder;
use crate::util::durable;
use crate::util::sha256::{self, files_below};
use crate::util::untrusted::remove_folder;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Lists an entry's files; written last, so an entry without it is incomplete.
pub(super) const MANIFEST: &str = "manifest.json";

/// The root of all cache entries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cache {
    root: PathBuf,
}

/// One file of an entry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileRecord {
    /// Path inside the entry, with `/`.
    pub path: String,
    /// Size.
    pub bytes: u64,
    /// SHA-256, lower-case hexadecimal.
    pub sha256: String,
}

impl Cache {
    /// The user's cache: `$DROIDTEST_CACHE`, else `cargo-droidtest` in the platform's cache folder.
    pub fn locate() -> Result<Self, DeviceError> {
        cache_folder()
            .map(|root| Self { root })
            .map_err(DeviceError::Setup)
    }

    /// A cache in this folder.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// An entry that exists and looks complete (compares sizes, not contents).
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        let folder = self.root.join(name);
        let whole = read_manifest(&folder)?
            .iter()
            .all(|f| fs::metadata(folder.join(&f.path)).is_ok_and(|m| m.len() == f.bytes));
        whole.then_some(folder)
    }

    /// The entry; `make` creates it in a temporary folder if it is missing or damaged. Other processes that need it
    /// wait.
    pub fn ensure(
        &self,
        name: &str,
        watch: &Watch,
        make: impl FnOnce(&Path) -> Result<(), DeviceError>,
    ) -> Result<PathBuf, DeviceError> {
        if let Some(folder) = self.find(name) {
            return Ok(folder);
        }
        let folder = self.root.join(name);
        let _lock = self.lock(name, watch)?;
        if let Some(folder) = self.find(name) {
            return Ok(folder);
        }
        self.sweep(&folder).map_err(|e| self.unusable(&e))?;
        let temporary = sibling(&folder, &format!(".new-{}", std::process::id()));
        fs::create_dir_all(&temporary).map_err(|e| self.unusable(&e))?;
        let made = make(&temporary).and_then(|()| {
            write_manifest(&temporary)?;
            Ok(durable::rename_folder(&temporary, &folder)?)
        });
        if let Err(error) = made {
            let _ = remove_folder(&temporary);
            return Err(error);
        }
        Ok(folder)
    }

    /// Compares every file of an entry with its recorded hash; returns the differences.
    pub fn verify(&self, name: &str) -> io::Result<Vec<String>> {
        let folder = self.root.join(name);
        let Some(records) = read_manifest(&folder) else {
            return Ok(vec![format!("{name}: no manifest")]);
        };
        let mut wrong = Vec::new();
        for record in records {
            match sha256::of_file(&folder.join(&record.path)) {
                Ok(hash) if hash == record.sha256 => {}
                Ok(_) => wrong.push(format!("{name}/{}: changed", record.path)),
                Err(e) => wrong.push(format!("{name}/{}: {e}", record.path)),
            }
        }
        Ok(wrong)
    }

    /// Removes an entry, so that it is recreated.
    pub fn discard(&self, name: &str, watch: &Watch) -> Result<(), DeviceError> {
        let _lock = self.lock(name, watch)?;
        self.sweep(&self.root.join(name))
            .map_err(|e| self.unusable(&e))
    }

    /// Removes the remains of a killed run, and a damaged entry. The caller holds the lock.
    fn sweep(&self, folder: &Path) -> io::Result<()> {
        let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) else {
            return Ok(());
        };
        fs::create_dir_all(parent)?;
        let mut stale = name.to_os_string();
        stale.push(".");
        for entry in fs::read_dir(parent)? {
            let entry = entry?;
            let theirs = entry.file_name();
            if theirs
                .as_encoded_bytes()
                .starts_with(stale.as_encoded_bytes())
            {
                remove_folder(&entry.path())?;
            }
        }
        if folder.exists() {
            // Rename it first, so that no process sees a partial entry.
            let doomed = sibling(folder, ".old");
            fs::rename(folder, &doomed)?;
            remove_folder(&doomed)?;
        }
        Ok(())
    }

    fn lock(&self, name: &str, watch: &Watch) -> Result<File, DeviceError> {
        let locks = self.root.join("locks");
        let open = || {
            fs::create_dir_all(&locks)?;
            File::options()
                .create(true)
                .truncate(false)
                .write(true)
                .open(locks.join(format!("{}.lock", name.replace(['/', '\\'], "-"))))
        };
        let file = open().map_err(|e| self.unusable(&e))?;
        let mut reported = false;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(e)) => return Err(self.unusable(&e)),
            }
            if watch.interrupted() {
                return Err(DeviceError::Interrupted);
            }
            if !reported {
                watch.report(
                    "waiting",
                    "for another run that prepares the same parts",
                    0,
                    0,
                );
                reported = true;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn unusable(&self, error: &io::Error) -> DeviceError {
        DeviceError::Setup(format!(
            "the cache folder {} cannot be used: {error}; set {CACHE_VARIABLE} to a writable folder",
            self.root.display()
        ))
    }
}

fn sibling(folder: &Path, suffix: &str) -> PathBuf {
    let mut name = folder.as_os_str().to_os_string();
    name.push(suffix);
    name.into()
}

pub(super) fn read_manifest(folder: &Path) -> Option<Vec<FileRecord>> {
    serde_json::from_slice(&fs::read(folder.join(MANIFEST)).ok()?).ok()
}

fn write_manifest(folder: &Path) -> io::Result<()> {
    let mut records = Vec::new();
    for path in files_below(folder)? {
        let full = folder.join(&path);
        // A tool that read an untrusted APK wrote it: it could be a link to anywhere, or a pipe that never ends.
        let found = fs::symlink_metadata(&full)?;
        if !found.is_file() {
            let why = format!("{}: is not a regular file", full.display());
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        records.push(FileRecord {
            bytes: found.len(),
            sha256: sha256::of_file(&full)?,
            path,
        });
    }
    fs::write(folder.join(MANIFEST), serde_json::to_vec_pretty(&records)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    fn put(text: &'static str) -> impl Fn(&Path) -> Result<(), DeviceError> {
        move |to| {
            fs::create_dir(to.join("sub"))?;
            Ok(fs::write(to.join("sub/file"), text)?)
        }
    }

    #[test]
    fn an_entry_is_made_once_even_when_many_want_it() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let made = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let entry = cache.ensure("kind/name", &Watch::silent(), |to| {
                        made.fetch_add(1, Ordering::Relaxed);
                        std::thread::sleep(Duration::from_millis(50));
                        put("x")(to)
                    });
                    assert!(entry.unwrap().join("sub/file").is_file());
                });
            }
        });
        assert_eq!(made.into_inner(), 1);
        assert!(cache.verify("kind/name").unwrap().is_empty());
    }

    #[test]
    fn what_fails_or_was_killed_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let failed = cache.ensure("a", &Watch::silent(), |to| {
            put("half")(to)?;
            Err(DeviceError::Setup("no".to_owned()))
        });
        assert!(failed.is_err() && cache.find("a").is_none());
        // A run that was killed: no rename, no clean-up.
        fs::create_dir(folder.path().join("a.new-1")).unwrap();
        cache.ensure("a", &Watch::silent(), put("x")).unwrap();
        assert_eq!(
            files_below(folder.path()).unwrap(),
            ["a/manifest.json", "a/sub/file", "locks/a.lock"]
        );
        assert!(!folder.path().join("a.new-1").exists());
    }

    #[cfg(unix)]
    #[test]
    fn an_entry_is_on_the_disk_before_it_has_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        durable::synced();
        cache.ensure("a", &Watch::silent(), put("x")).unwrap();
        let all = durable::synced();
        let ends = |end: &str| all.iter().position(|path| path.ends_with(end)).unwrap();
        let last = all.len() - 1;
        assert!(ends("sub/file") < ends("sub") && ends(MANIFEST) < last);
        assert_eq!(all[last], folder.path());
    }

    #[cfg(unix)]
    #[test]
    fn an_entry_with_a_link_or_a_pipe_in_it_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let link = |to: &Path| {
            Ok(std::os::unix::fs::symlink(
                "/etc/passwd",
                to.join("app.jar"),
            )?)
        };
        let pipe = |to: &Path| {
            use rustix::fs::{CWD, FileType, Mode, mknodat};
            let made = mknodat(CWD, to.join("app.jar"), FileType::Fifo, Mode::RWXU, 0);
            Ok(made.map_err(io::Error::from)?)
        };
        let why = |made: Result<PathBuf, DeviceError>| made.unwrap_err().to_string();
        let linked = why(cache.ensure("a", &Watch::silent(), link));
        let piped = why(cache.ensure("a", &Watch::silent(), pipe));
        assert!(
            linked.contains("app.jar: is not a regular file"),
            "{linked}"
        );
        assert!(piped.contains("app.jar: is not a regular file"), "{piped}");
        assert!(cache.find("a").is_none() && !folder.path().join("a").exists());
    }

    #[test]
    fn a_damaged_entry_is_made_again_and_a_changed_one_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let entry = cache.ensure("a", &Watch::silent(), put("right")).unwrap();
        fs::write(entry.join("sub/file"), "wrong").unwrap();
        assert!(cache.find("a").is_some());
        assert_eq!(cache.verify("a").unwrap(), ["a/sub/file: changed"]);
        fs::write(entry.join("sub/file"), "cut").unwrap();
        assert!(cache.find("a").is_none());
        cache.ensure("a", &Watch::silent(), put("right")).unwrap();
        assert!(cache.verify("a").unwrap().is_empty());
        cache.discard("a", &Watch::silent()).unwrap();
        assert!(!entry.exists());
    }
}
