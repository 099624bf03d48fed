//! Reads every APK of a folder of real apps and compares with its `INDEX.tsv`.
//!
//! The folder is named by `DROIDTEST_APKS`; without it there is nothing to read and the tests pass.

use droidtest::apk::{Apk, reachable_activities, system_events};
use std::path::PathBuf;
use std::time::Instant;

struct Row {
    file: PathBuf,
    package: String,
    version: String,
    min_sdk: String,
    target_sdk: String,
    activities: usize,
    sha256: String,
}

fn rows() -> Vec<Row> {
    let Some(folder) = std::env::var_os("DROIDTEST_APKS").map(PathBuf::from) else {
        return Vec::new();
    };
    let index = std::fs::read_to_string(folder.join("INDEX.tsv")).unwrap();
    index
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<_> = line.split('\t').collect();
            Row {
                file: folder.join(cells[0]),
                package: cells[1].to_owned(),
                version: cells[2].to_owned(),
                min_sdk: cells[3].to_owned(),
                target_sdk: cells[4].to_owned(),
                activities: cells[5].parse().unwrap(),
                sha256: cells[cells.len() - 1].to_owned(),
            }
        })
        .collect()
}

#[test]
fn every_real_apk_agrees_with_the_index() {
    let mut disagreements = Vec::new();
    for row in rows() {
        let start = Instant::now();
        let apk = Apk::open(&row.file).unwrap();
        let taken = start.elapsed();
        let name = row.file.file_name().unwrap().to_string_lossy().into_owned();
        let mut check = |what: &str, ours: String, theirs: &str| {
            if ours != theirs {
                disagreements.push(format!(
                    "{name}: {what}: we say {ours}, the index says {theirs}"
                ));
            }
        };
        let sdk = |level: Option<u32>| level.map_or("None".to_owned(), |l| l.to_string());
        check("package", apk.manifest.package.clone(), &row.package);
        check("sha256", apk.content.clone(), &row.sha256);
        check("min sdk", sdk(apk.manifest.min_sdk), &row.min_sdk);
        check("target sdk", sdk(apk.manifest.target_sdk), &row.target_sdk);
        // AndroTest's builds carry one activity of the coverage harness, which the index counts.
        let harness = usize::from(name.starts_with("androtest-"));
        let activities = apk.manifest.activities.len() + harness;
        check(
            "activities",
            activities.to_string(),
            &row.activities.to_string(),
        );
        // The index leaves references to resources as they are.
        if !row.version.starts_with('@') {
            let version = apk.manifest.version_name.as_deref().unwrap_or("None");
            check("version", version.to_owned(), &row.version);
        }
        let launcher = apk.manifest.launcher.as_deref();
        let known = launcher.is_some_and(|name| apk.manifest.activity(name).is_some());
        check("launcher is declared", known.to_string(), "true");
        println!(
            "{name}: {} {:?} launcher {:?}, {} activities, {} system events, {taken:?}",
            apk.manifest.package,
            apk.manifest.label,
            apk.manifest.launcher,
            apk.manifest.activities.len(),
            system_events(&apk.manifest).len()
        );
    }
    assert!(disagreements.is_empty(), "{}", disagreements.join("\n"));
}

#[test]
fn the_activities_of_every_real_apk_are_searched_for_in_its_code() {
    for row in rows() {
        let apk = Apk::open(&row.file).unwrap();
        let start = Instant::now();
        let reachable = reachable_activities(&apk).unwrap();
        let taken = start.elapsed();
        let declared = apk.manifest.activity_names();
        let name = row.file.file_name().unwrap().to_string_lossy().into_owned();
        let missing: Vec<_> = declared.iter().filter(|a| !reachable.contains(a)).collect();
        println!(
            "{name}: {} of {} reachable in {taken:?}, not {missing:?}",
            reachable.len(),
            declared.len()
        );
        assert!(reachable.iter().all(|a| declared.contains(a)), "{name}");
        assert!(
            reachable.contains(apk.manifest.launcher.as_ref().unwrap()),
            "{name}"
        );
    }
}
