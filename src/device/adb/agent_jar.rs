//! The agent as Android runs it: compiled from the sources inside this program, made into dex by R8, kept in the
//! cache.

use crate::device::DeviceError;
use crate::device::build_tools::run;
use crate::device::jvm::cache::Cache;
use crate::device::jvm::jdk::Jdk;
use crate::device::jvm::maven;
use crate::device::jvm::sources;
use crate::device::progress::Watch;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The dexer, at one exact version.
pub const R8: &str = "com.android.tools:r8:8.7.18";
/// The framework that it is compiled against; each level's members are looked up by reflection.
pub const FRAMEWORK: &str = "org.robolectric:android-all:14-robolectric-10818077";
/// The oldest Android that the agent runs on.
const MIN_API: &str = "21";

/// The agent's jar, made if it is missing.
///
/// # Errors
/// No JDK, no Maven, no network for the first time, or sources that do not compile.
pub fn ensure(offline: bool, watch: &Watch) -> Result<PathBuf, DeviceError> {
    let cache = Cache::locate()?;
    let folder = cache.ensure(&entry(), watch, |to| build(&cache, to, offline, watch))?;
    Ok(folder.join("agent.jar"))
}

/// Its entry in the cache.
pub fn entry() -> String {
    format!("device-agent/{}", sources::device_key())
}

fn build(cache: &Cache, to: &Path, offline: bool, watch: &Watch) -> Result<(), DeviceError> {
    let jdk = Jdk::locate()?;
    let fetch = |artifact| fetched(cache, artifact, &jdk, offline, watch);
    let (android, r8) = (fetch(FRAMEWORK)?, fetch(R8)?);
    let scratch = tempfile::tempdir()?;
    let (from, classes) = (scratch.path().join("java"), scratch.path().join("classes"));
    fs::create_dir_all(&classes)?;
    let files = sources::write_device(&from)?;
    watch.report("compiling", "the agent for devices", 0, 0);
    let mut javac = Command::new(jdk.javac());
    javac
        .args([
            "--release",
            "8",
            "-encoding",
            "UTF-8",
            "-proc:none",
            "-nowarn",
            "-Xlint:-options",
            "-d",
        ])
        .arg(&classes)
        .arg("-cp")
        .arg(&android)
        .args(&files);
    run(&mut javac, "the agent does not compile")?;
    let mut d8 = Command::new(jdk.java());
    d8.arg("-cp")
        .arg(&r8)
        .args([
            "com.android.tools.r8.D8",
            "--release",
            "--min-api",
            MIN_API,
            "--lib",
        ])
        .arg(&android);
    d8.arg("--output").arg(to.join("agent.jar"));
    d8.args(class_files(&classes)?);
    run(&mut d8, "the agent cannot be converted to dex")
}

/// An artifact's jar, fetched once.
///
/// # Errors
/// No network where it must be fetched.
pub fn fetched(
    cache: &Cache,
    artifact: &str,
    jdk: &Jdk,
    offline: bool,
    watch: &Watch,
) -> Result<PathBuf, DeviceError> {
    let mut parts = artifact.split(':').skip(1);
    let (name, version) = (
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
    );
    let folder = cache.ensure(&format!("{name}/{version}"), watch, |to| {
        if offline {
            return Err(maven::not_fetched(artifact, cache));
        }
        maven::fetch_artifact(artifact, to, &jdk.home, watch)
    })?;
    Ok(folder.join(format!("{name}-{version}.jar")))
}

fn class_files(below: &Path) -> Result<Vec<PathBuf>, DeviceError> {
    let files = crate::util::sha256::files_below(below)?;
    Ok(files
        .into_iter()
        .filter(|f| f.ends_with(".class"))
        .map(|f| below.join(f))
        .collect())
}
