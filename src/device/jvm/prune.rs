//! Removes translations that no longer serve: each build of a large app leaves some hundred megabytes in the cache.

use super::cache::Cache;
use super::translate::Summary;
use crate::device::progress::Watch;
use crate::util::untrusted::Folder;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Where translations are in the cache.
pub const APPS: &str = "apps";
/// What says what a translation is of, and by its time when it was used last.
const SUMMARY: &str = "translate.json";
/// It has a line for each method that could not be translated.
const MOST_BYTES: u64 = 64 << 20;
/// Translations of an app that are kept in any case, the last ones used.
const KEPT: usize = 3;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// Others are kept for a day, since a run may last for hours and reads them in the end for its reports.
const OTHERS: Duration = DAY;
/// A translation that was not used for so long is removed in any case.
const LONGEST: Duration = DAY.saturating_mul(30);

/// Notes that a translation is used now.
pub fn note_use(folder: &Path) {
    // Where it cannot be noted, the translation counts as unused since it was made.
    let file = folder.join(SUMMARY);
    if fs::symlink_metadata(&file).is_ok_and(|meta| meta.is_file())
        && let Ok(file) = File::open(file)
    {
        let _ = file.set_modified(SystemTime::now());
    }
}

/// Removes what no run will need. What cannot be removed stays.
pub fn prune(cache: &Cache, watch: &Watch) {
    prune_at(cache, watch, SystemTime::now());
}

fn prune_at(cache: &Cache, watch: &Watch, now: SystemTime) {
    let Ok(entries) = fs::read_dir(cache.root().join(APPS)) else {
        return;
    };
    let mut by_package: BTreeMap<String, Vec<(Duration, String)>> = BTreeMap::new();
    for entry in entries.flatten() {
        let name = format!("{APPS}/{}", entry.file_name().to_string_lossy());
        // What the translator writes, it writes beside code of the app.
        let used =
            fs::symlink_metadata(entry.path().join(SUMMARY)).and_then(|meta| meta.modified());
        let folder = Folder::open(&entry.path());
        let text = folder.and_then(|folder| folder.read(Path::new(SUMMARY), MOST_BYTES));
        let (Ok(used), Ok(text)) = (used, text) else {
            continue;
        };
        let summary: Summary = serde_json::from_slice(&text).unwrap_or_default();
        let unused = now.duration_since(used).unwrap_or_default();
        by_package
            .entry(summary.package)
            .or_default()
            .push((unused, name));
    }
    for mut all in by_package.into_values() {
        all.sort();
        for (number, (unused, name)) in all.into_iter().enumerate() {
            if unused > LONGEST || number >= KEPT && unused > OTHERS {
                let _ = cache.discard(&name, watch);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_translations_of_each_app_are_kept_and_others_for_a_day() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let now = SystemTime::now();
        let hours = |count: u64| Duration::from_secs(count * 60 * 60);
        let made = [
            ("a1", "a", 1),
            ("a2", "a", 25),
            ("a3", "a", 26),
            ("a4", "a", 23),
            ("a5", "a", 27),
            ("a6", "a", 28),
            ("b1", "b", 29 * 24),
            ("c1", "c", 31 * 24),
        ];
        for (name, package, ago) in made {
            let entry = cache.ensure(&format!("apps/{name}"), &Watch::silent(), |to| {
                let text = format!("{{\"package\": \"{package}\"}}");
                Ok(fs::write(to.join(SUMMARY), text)?)
            });
            let file = File::open(entry.unwrap().join(SUMMARY)).unwrap();
            file.set_modified(now - hours(ago)).unwrap();
        }
        fs::create_dir(folder.path().join("apps/other")).unwrap();
        prune_at(&cache, &Watch::silent(), now);
        let kept = |name: &str| cache.find(&format!("apps/{name}")).is_some();
        let kept: Vec<&str> = made.iter().map(|m| m.0).filter(|name| kept(name)).collect();
        // The last ones used of `a` are a1, a4 and a2.
        assert_eq!(kept, ["a1", "a2", "a4", "b1"]);
        assert!(folder.path().join("apps/other").is_dir());
    }

    #[test]
    fn a_translation_that_is_used_again_counts_as_new() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(SUMMARY);
        fs::write(&file, "{}").unwrap();
        let long_ago = SystemTime::now() - LONGEST;
        File::open(&file).unwrap().set_modified(long_ago).unwrap();
        note_use(folder.path());
        let age = fs::metadata(&file).unwrap().modified().unwrap().elapsed();
        assert!(age.unwrap_or_default() < OTHERS);
    }
}
