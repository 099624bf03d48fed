//! Compares the cache files that a start reads with their hashes, once per process.
//!
//! An unchanged file from Maven has its hash in the sources ([`pins`]); a generated file has the hash that was recorded
//! when it was generated.

use super::cache::{Cache, FileRecord, MANIFEST, read_manifest};
use super::maven::SETUP_COMMAND;
use super::pins;
use crate::device::DeviceError;
use crate::util::sha256::{self, files_below};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Most threads: hashing is soon limited by memory bandwidth.
const THREADS: usize = 8;

/// Entries that this process has compared. Locked meanwhile, so that no start uses a partly compared entry.
static KNOWN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A file and its expected hash.
struct File {
    path: PathBuf,
    bytes: u64,
    sha256: String,
}

/// An entry of the cache, by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// Its jars came from Maven.
    Fetched(String),
    /// Made here.
    Made(String),
}

impl Entry {
    /// Its name.
    pub fn name(&self) -> &str {
        let (Self::Fetched(name) | Self::Made(name)) = self;
        name
    }
}

/// Compares the files of these entries with their hashes, unless this process has done so.
///
/// # Errors
/// A file has changed, is missing, or does not belong to its entry.
pub fn check(cache: &Cache, entries: &[Entry]) -> Result<(), DeviceError> {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = |entry: &Entry| cache.root().join(entry.name());
    let new = entries
        .iter()
        .filter(|entry| !known.contains(&folder(entry)));
    let mut files = Vec::new();
    for entry in new {
        files.extend(of(cache, entry).map_err(DeviceError::Setup)?);
    }
    compare(files).map_err(DeviceError::Setup)?;
    known.extend(entries.iter().map(folder));
    Ok(())
}

/// The problem of an entry, compared in any case.
pub fn wrong(cache: &Cache, entry: &Entry) -> Option<String> {
    of(cache, entry).and_then(compare).err()
}

/// The fix precedes the hashes, as a line may be cut.
fn refusal(path: &Path, what: &str) -> String {
    let path = path.display();
    format!("{path} {what}: `{SETUP_COMMAND}` recreates it; it is not used until then")
}

/// The files of an entry with their expected hashes.
fn of(cache: &Cache, entry: &Entry) -> Result<Vec<File>, String> {
    let folder = cache.root().join(entry.name());
    let records = read_manifest(&folder).ok_or_else(|| refusal(&folder, "is incomplete"))?;
    let noted: BTreeSet<&str> = records.iter().map(|r| r.path.as_str()).collect();
    let there = files_below(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    if let Some(stray) = there
        .iter()
        .find(|path| *path != MANIFEST && !noted.contains(path.as_str()))
    {
        return Err(refusal(&folder.join(stray), "does not belong to the cache"));
    }
    let file = |record: FileRecord| {
        let pinned = match entry {
            Entry::Fetched(_) => {
                let unknown = |why| {
                    format!(
                        "{} ({why})",
                        refusal(&folder.join(&record.path), "is unknown")
                    )
                };
                pins::of(&record.path).map_err(unknown)?
            }
            Entry::Made(_) => None,
        };
        Ok(File {
            path: folder.join(&record.path),
            bytes: record.bytes,
            sha256: pinned.map_or(record.sha256, str::to_owned),
        })
    };
    records.into_iter().map(file).collect()
}

/// Largest first, on all processors.
fn compare(mut files: Vec<File>) -> Result<(), String> {
    files.sort_by_key(|file| std::cmp::Reverse(file.bytes));
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(None);
    let work = || {
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let why = match sha256::of_file(&file.path) {
                Ok(found) if found == file.sha256 => continue,
                Ok(found) => format!("SHA-256 {found}, expected {}", file.sha256),
                Err(e) => e.to_string(),
            };
            let why = format!("{} ({why})", refusal(&file.path, "was changed"));
            *wrong.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
            next.store(files.len(), Ordering::Relaxed);
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 1..threads.min(THREADS) {
            scope.spawn(work);
        }
        work();
    });
    wrong
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::progress::Watch;
    use std::fs;

    fn entry(cache: &Cache, name: &str) -> PathBuf {
        let made = cache.ensure(name, &Watch::silent(), |to| {
            fs::create_dir(to.join("sub"))?;
            fs::write(to.join("sub/a.class"), "of ours")?;
            Ok(fs::write(to.join("b.txt"), vec![7; 3 << 20])?)
        });
        made.unwrap()
    }

    fn made(name: &str) -> Entry {
        Entry::Made(name.to_owned())
    }

    fn why(cache: &Cache, entry: &Entry) -> String {
        let error = check(cache, std::slice::from_ref(entry))
            .unwrap_err()
            .to_string();
        assert!(error.contains(SETUP_COMMAND), "{error}");
        assert!(wrong(cache, entry).is_some());
        error
    }

    #[test]
    fn one_changed_byte_of_the_same_size_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let file = entry(&cache, "kind/a").join("b.txt");
        let mut bytes = fs::read(&file).unwrap();
        bytes[2 << 20] ^= 1;
        fs::write(&file, bytes).unwrap();
        assert!(cache.find("kind/a").is_some());
        let error = why(&cache, &made("kind/a"));
        assert!(error.contains("b.txt was changed"), "{error}");
    }

    #[test]
    fn a_file_that_nobody_noted_is_refused_and_one_that_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let there = entry(&cache, "a");
        fs::write(there.join("0.jar"), "first on the class path").unwrap();
        let error = why(&cache, &made("a"));
        assert!(error.contains("0.jar does not belong"), "{error}");
        fs::remove_file(there.join("0.jar")).unwrap();
        fs::remove_file(there.join("sub/a.class")).unwrap();
        assert!(why(&cache, &made("a")).contains("a.class was changed"));
        fs::remove_file(there.join(MANIFEST)).unwrap();
        assert!(why(&cache, &made("a")).contains("incomplete"));
    }

    #[test]
    fn it_is_done_once_per_process() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let there = entry(&cache, "a");
        check(&cache, &[made("a")]).unwrap();
        fs::write(there.join("b.txt"), "changed").unwrap();
        check(&cache, &[made("a")]).unwrap();
        assert!(wrong(&cache, &made("a")).is_some());
    }

    #[test]
    fn a_note_that_was_forged_too_does_not_help_what_is_pinned() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        for name in ["annotations-4.16.1.jar", "strange-1.jar"] {
            let forge = |to: &Path| Ok(fs::write(to.join(name), "forged")?);
            cache.ensure(name, &Watch::silent(), forge).unwrap();
            let error = why(&cache, &Entry::Fetched(name.to_owned()));
            assert!(error.contains(name), "{error}");
            check(&cache, &[made(name)]).unwrap();
        }
    }
}
