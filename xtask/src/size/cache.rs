//! A cache of the tool's for this study alone: with the device's parts in it, and nothing of the apps measured.

use crate::{Result, sh};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What of the user's cache need not be fetched or made again: the device's parts, which no app changes.
const PARTS: [&str; 8] = [
    "agent",
    "bundletool",
    "frameworks",
    "jars",
    "libraries",
    "platforms",
    "schedulers",
    "web",
];

/// The cache of one build of the tool.
pub struct Cache {
    folder: PathBuf,
    /// Every file that was there before the first app.
    kept: BTreeSet<PathBuf>,
}

impl Cache {
    /// Prepares everything that a run needs besides its app, by a run on the sample app.
    pub fn prepare(tool: &Path, folder: &Path) -> Result<Self> {
        let done = folder.join("prepared");
        if !done.is_file() {
            let _ = fs::remove_dir_all(folder);
            let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
            fs::create_dir_all(folder).map_err(failed)?;
            for part in PARTS {
                let from = users().map(|users| users.join(part));
                if let Some(from) = from.filter(|from| from.is_dir()) {
                    copy(&from, &folder.join(part)).map_err(failed)?;
                }
            }
            let cached = |args: &[&str]| {
                let mut command = Command::new(tool);
                command.args(args).env("DROIDTEST_CACHE", folder);
                command
            };
            sh::show(&mut cached(&["setup"]))?;
            // The first run of all records how Java starts.
            let out = tempfolder(folder)?;
            let notes = sh::root().join("tests/apps/notes/notes.apk");
            let mut run = cached(&["run", "--events", "3", "--out"]);
            run.arg(&out).arg(notes).current_dir(&out);
            let status = run.stdout(Stdio::null()).stderr(Stdio::null()).status();
            status.map_err(|e| format!("cannot run {}: {e}", tool.display()))?;
            fs::remove_dir_all(&out).map_err(failed)?;
            fs::write(&done, "").map_err(failed)?;
        }
        let mut cache = Self {
            folder: folder.to_owned(),
            kept: BTreeSet::new(),
        };
        let list = folder.join("prepared");
        let text = fs::read_to_string(&list).map_err(|e| format!("{}: {e}", list.display()))?;
        if text.is_empty() {
            cache.kept = below(folder);
            let names: Vec<_> = cache.kept.iter().map(|p| p.display().to_string()).collect();
            fs::write(&list, names.join("\n")).map_err(|e| format!("{}: {e}", list.display()))?;
        } else {
            cache.kept = text.lines().map(PathBuf::from).collect();
        }
        Ok(cache)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Forgets every app.
    pub fn reset(&self) -> Result {
        for file in below(&self.folder) {
            if !self.kept.contains(&file) {
                let path = self.folder.join(&file);
                fs::remove_file(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            }
        }
        Ok(())
    }

    /// Bytes that the apps take.
    pub fn size(&self) -> u64 {
        let added = below(&self.folder)
            .into_iter()
            .filter(|file| !self.kept.contains(file));
        added
            .filter_map(|file| fs::metadata(self.folder.join(file)).ok())
            .map(|found| found.len())
            .sum()
    }
}

/// A folder beside the cache.
fn tempfolder(beside: &Path) -> Result<PathBuf> {
    let folder = beside.with_extension("warm");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(folder)
}

/// The user's cache, where the tool keeps it on Linux.
fn users() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let home = named("HOME").map(|home| home.join(".cache"));
    let base = named("XDG_CACHE_HOME").or(home);
    named("DROIDTEST_CACHE").or(base.map(|base| base.join("cargo-droidtest")))
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// All files below a folder, by their paths inside it.
fn below(folder: &Path) -> BTreeSet<PathBuf> {
    let (mut all, mut open) = (BTreeSet::new(), vec![folder.to_owned()]);
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(path);
            } else if let Ok(inside) = path.strip_prefix(folder) {
                all.insert(inside.to_owned());
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_app_left_goes_and_the_parts_stay() {
        let folder = tempfile::tempdir().unwrap();
        let part = folder.path().join("agent/a");
        fs::create_dir_all(part.parent().unwrap()).unwrap();
        fs::write(&part, "part").unwrap();
        let cache = Cache {
            folder: folder.path().to_owned(),
            kept: below(folder.path()),
        };
        let app = folder.path().join("apps/x/app.jar");
        fs::create_dir_all(app.parent().unwrap()).unwrap();
        fs::write(&app, "four").unwrap();
        assert_eq!(cache.size(), 4);
        cache.reset().unwrap();
        assert_eq!(cache.size(), 0);
        assert!(part.is_file() && !app.exists());
    }
}
