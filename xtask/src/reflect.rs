//! `cargo xtask reflect`: every hidden member of Android's framework that the agent on a device uses, looked up in
//! the framework of each level that Maven has.

use crate::{Result, sh};
use std::fs;
use std::process::Command;

/// Robolectric's builds of the frameworks, by API level.
const LEVELS: [(u32, &str); 16] = [
    (21, "5.0.2_r3-robolectric-r0"),
    (22, "5.1.1_r9-robolectric-r2"),
    (23, "6.0.1_r3-robolectric-r1"),
    (24, "7.0.0_r1-robolectric-r1"),
    (25, "7.1.0_r7-robolectric-r1"),
    (26, "8.0.0_r4-robolectric-r1"),
    (27, "8.1.0-robolectric-4611349"),
    (28, "9-robolectric-4913185-2"),
    (29, "10-robolectric-5803371"),
    (30, "11-robolectric-6757853"),
    (31, "12-robolectric-7732740"),
    (32, "12.1-robolectric-8229987"),
    (33, "13-robolectric-9030017"),
    (34, "14-robolectric-10818077"),
    (35, "15-robolectric-13954326"),
    (36, "16-robolectric-13921718"),
];
const PLUGIN: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";

/// Looks every member up for the levels named, or for all.
pub fn run(args: &[String]) -> Result {
    let wanted: Vec<u32> = args
        .iter()
        .map(|a| a.parse().map_err(|_| format!("{a:?} is no API level")))
        .collect::<Result<_>>()?;
    if let Some(unknown) = wanted.iter().find(|w| LEVELS.iter().all(|(l, _)| l != *w)) {
        return Err(format!(
            "no framework of API level {unknown} is known; there are 21 to 36"
        ));
    }
    let folder = sh::target().join("frameworks");
    let classes = folder.join("classes");
    fs::create_dir_all(&classes).map_err(|e| format!("{}: {e}", classes.display()))?;
    let source = sh::root().join("src/device/agent/device/droidtest/device/Hidden.java");
    sh::show(
        Command::new("javac")
            .args(["--release", "8", "-Xlint:-options", "-d"])
            .arg(&classes)
            .arg(source),
    )?;
    let chosen = LEVELS
        .iter()
        .filter(|(level, _)| wanted.is_empty() || wanted.contains(level));
    let mut failed = Vec::new();
    for (level, version) in chosen {
        let jar = folder.join(format!("android-all-{version}.jar"));
        if !jar.exists() {
            let artifact = format!("org.robolectric:android-all:{version}");
            sh::show(
                Command::new("mvn")
                    .args(["-q", "-B", "-C", PLUGIN])
                    .arg(format!("-Dartifact={artifact}"))
                    .arg(format!("-DoutputDirectory={}", folder.display())),
            )?;
        }
        let mut look = Command::new("java");
        look.arg("-cp")
            .arg(&classes)
            .args(["droidtest.device.Hidden", &level.to_string()])
            .arg(&jar);
        if sh::show(&mut look).is_err() {
            failed.push(level.to_string());
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "members are missing at API level {}",
            failed.join(", ")
        ))
    }
}
